#include "capture/pools_for.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "capture/collector.h"

namespace accelscope::capture {
namespace {

using recorder::RecordKind;

constexpr ProducerCounts kSmallChip = {.cores = 24, .scheduler_threads = 4, .orchestrators = 1};
constexpr ProducerCounts kLargeChip = {.cores = 72, .scheduler_threads = 4, .orchestrators = 1};

std::set<RecordKind> kinds_of(std::uint64_t flags) {
  std::set<RecordKind> kinds;
  for (const PoolSpec& pool : pools_for(flags, kSmallChip)) kinds.insert(pool.kind);
  return kinds;
}

// What a collector really takes.
std::uint64_t allocated_for(std::uint64_t flags, const ProducerCounts& producers) {
  const auto memory = device::mapped_memory();
  const auto collector = Collector::make(*memory, pools_for(flags, producers), {}, {});
  EXPECT_TRUE(collector);
  return memory->allocated_bytes();
}

TEST(PoolsFor, EachLevelHasItsKindsAndNoOthers) {
  EXPECT_TRUE(kinds_of(dfx_flags_of_level(0)).empty());
  EXPECT_EQ(kinds_of(dfx_flags_of_level(1)), (std::set{RecordKind::kCoreTask}));
  EXPECT_EQ(kinds_of(dfx_flags_of_level(2)),
            (std::set{RecordKind::kCoreTask, RecordKind::kTaskLifecycle, RecordKind::kEdge}));
  EXPECT_EQ(kinds_of(dfx_flags_of_level(3)),
            (std::set{RecordKind::kCoreTask, RecordKind::kTaskLifecycle, RecordKind::kEdge,
                      RecordKind::kSchedulerPhase, RecordKind::kOrchestratorPhase, RecordKind::kControlTask,
                      RecordKind::kQueueDepth}));
}

TEST(PoolsFor, FeaturesHaveTheirKindsAndWhatTheyImply) {
  EXPECT_EQ(kinds_of(kDfxPmu), (std::set{RecordKind::kPmu}));
  EXPECT_EQ(kinds_of(kDfxScopeStats), (std::set{RecordKind::kScope}));
  EXPECT_EQ(kinds_of(kDfxDumpTensor), (std::set{RecordKind::kTensor, RecordKind::kTensorBlock}));
  EXPECT_EQ(kinds_of(kDfxDependencyCapture), (std::set{RecordKind::kEdge, RecordKind::kTaskDescription}));
  EXPECT_EQ(kinds_of(kDfxCoreSwimlane), (std::set{RecordKind::kCoreTask, RecordKind::kPerfmonDrain}))
      << "blocks are made by the host: they need no memory of the device";
  EXPECT_NE(facts_of(RecordKind::kPerfmonBlock), nullptr);
  EXPECT_EQ(kinds_of(kDfxTaskLifecycle), kinds_of(dfx_flags_of_level(2)));
}

TEST(PoolsFor, ProducersAreNumberedAndSizesCanBeOthers) {
  const KindBuffers sizes[] = {{RecordKind::kCoreTask, {.records = 16, .per_lane = 2}}};
  const std::vector<PoolSpec> pools =
      pools_for(kDfxTaskLifecycle, {.cores = 3, .scheduler_threads = 2}, sizes);
  ASSERT_EQ(pools.size(), 2U) << "without an orchestrator there are no edges";
  EXPECT_EQ(pools[0].producers, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(pools[0].records_per_buffer, 16U);
  EXPECT_EQ(pools[0].buffers_per_lane, 2U);
  EXPECT_EQ(pools[1].producers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(pools[1].records_per_buffer, 4096U);
}

// "1 234 567" at the end of the cells of a row that begins with a name.
std::map<std::string, std::vector<std::uint64_t>> memory_table() {
  std::ifstream page(ACCELSCOPE_SOURCE_DIR "/docs/recorder.md");
  EXPECT_TRUE(page) << "docs/recorder.md";
  std::map<std::string, std::vector<std::uint64_t>> table;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("### Memory", 0) == 0)
      inside = true;
    else if (line.rfind("#", 0) == 0)
      inside = false;
    if (!inside || line.rfind("| ", 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
    std::vector<std::uint64_t> bytes;
    for (std::size_t i = 2; i < cells.size(); ++i) {
      std::string digits;
      std::copy_if(cells[i].begin(), cells[i].end(), std::back_inserter(digits),
                   [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
      if (!digits.empty()) bytes.push_back(std::stoull(digits));
    }
    std::string name = cells.at(0);
    name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c == '`'; }), name.end());
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name != "recorded") table[name] = bytes;
  }
  return table;
}

TEST(PoolsFor, MemoryIsAsThePageStates) {
  std::map<std::string, std::uint64_t> rows;
  for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level)
    rows["level " + std::to_string(level)] = dfx_flags_of_level(level);
  for (const DfxFeature& feature : kDfxFeatures)
    if ((feature.bit & dfx_flags_of_level(kMaxChipSwimlaneLevel)) == 0) rows[feature.name] = feature.bit;
  const auto stated = memory_table();
  for (const auto& [name, flags] : rows) {
    const std::vector<std::uint64_t> bytes = {allocated_for(flags, kSmallChip),
                                              allocated_for(flags, kLargeChip)};
    ASSERT_TRUE(stated.count(name)) << name << " is not in the table";
    EXPECT_EQ(stated.at(name), bytes) << name;
    EXPECT_EQ(bytes_of(pools_for(flags, kSmallChip)), bytes[0]);
  }
}

TEST(RecordTraits, TheTableHasEachKindOnce) {
  std::set<RecordKind> kinds;
  for (const RecordKindFacts& kind : record_kinds()) {
    EXPECT_TRUE(kinds.insert(kind.kind).second);
    EXPECT_NE(kind.flags, 0U) << kind.name;
    EXPECT_EQ(unknown_dfx_bits(kind.flags), 0U) << kind.name;
    EXPECT_GT(kind.record_bytes, 0U);
    EXPECT_EQ(facts_of(kind.kind), &kind);
  }
  EXPECT_EQ(facts_of(RecordKind::kNone), nullptr);
  EXPECT_STREQ(name_of(RecordKind::kCoreTask), "core task");
}

// A kind that the project does not know.
struct TemperatureRecord {
  static constexpr auto kKind = static_cast<RecordKind>(900);
  std::uint64_t time;
  std::uint64_t kelvin;
};

}  // namespace

template <>
struct RecordTraits<TemperatureRecord> {
  static constexpr const char* kName = "temperature";
  static constexpr std::uint64_t kFlags = kDfxPmu;
  static constexpr ProducedBy kProducedBy = ProducedBy::kCore;
  static constexpr BufferSize kBuffers = {.records = 10, .per_lane = 1};
  static WrittenAt written_at(const TemperatureRecord& record) { return {.ticks = record.time}; }
};

namespace {

TEST(RecordTraits, ANewKindIsAStructAndALine) {
  std::vector<RecordKindFacts> kinds(record_kinds().begin(), record_kinds().end());
  kinds.push_back(facts_of<TemperatureRecord>());
  const std::vector<PoolSpec> pools = pools_for(kDfxPmu, {.cores = 2, .scheduler_threads = 1}, {}, kinds);
  ASSERT_EQ(pools.size(), 2U);
  EXPECT_EQ(pools[1].kind, TemperatureRecord::kKind);
  EXPECT_EQ(pools[1].record_bytes, 16U);
  EXPECT_EQ(pools[1].producers.size(), 2U);
  const TemperatureRecord records[] = {{5, 300}, {7, 301}, {6, 302}};
  LaneClock clock;
  kinds.back().follow(std::as_bytes(std::span(records)), clock);
  EXPECT_EQ(clock.backwards, 1U);
  EXPECT_EQ(clock.last, 6U);
}

}  // namespace
}  // namespace accelscope::capture
