#include "memory/event_dram.h"

#include <gtest/gtest.h>

#include <numeric>

#include "memory/dram.h"
#include "memory/dram_measure.h"
#include "memory/dram_preset_file.h"
#include "memory/random_traffic.h"

namespace accelscope::memory {
namespace {

using base::Picoseconds;

DramPreset preset_of(const char* name) {
  return *load_dram_preset(name);
}
std::unique_ptr<Timing> dram(const char* name, const DramOptions& options = {}) {
  return *make_dram(preset_of(name), options);
}
std::int64_t time_of(Timing& memory, const Request& request) {
  return finish_all(memory, std::array{request}).value;
}

TEST(EventDram, AnIdleMemoryAnswersAsItsTimesSay) {
  const auto memory = dram("hbm2", {.refresh = RefreshKind::kNone});
  // Activate at 1 (two clocks), read 14 after its end, 14 + 2 to the data.
  EXPECT_EQ(time_of(*memory, {.address = 0}), 32'000);
  // The same row: a tick to be seen, CL and BL.
  const Picoseconds later{1'000'000};
  EXPECT_EQ(time_of(*memory, {.address = 0, .arrival = later}), later.value + 17'000);
}

TEST(EventDram, AConflictPaysForClosingAndOpening) {
  const auto memory = dram("ddr3-1600", {.map = MapKind::kRoBaRaCoCh, .refresh = RefreshKind::kNone});
  time_of(*memory, {.address = 0});
  const Picoseconds later{1'000'000};
  const std::uint64_t same_bank = 8192 * 8;
  EXPECT_EQ(time_of(*memory, {.address = same_bank, .arrival = later}),
            later.value + (1 + 11 + 11 + 11 + 4) * 1250);
  const ChannelStatistics of_channel = memory->statistics().front().channels.front();
  EXPECT_EQ(of_channel.row_misses, 1U);
  EXPECT_EQ(of_channel.row_conflicts, 1U);
}

TEST(EventDram, HalfTicksRoundUpAtTheInterfaceOnly) {
  const auto memory = dram("hbm3", {.refresh = RefreshKind::kNone});
  // Activate at tick 1 (three ticks), nRCD 62 from its end to the end of the read command (two ticks), 44
  // more.
  EXPECT_EQ(time_of(*memory, {.address = 0}), ((1 + 62 + 3 - 2 + 44) * 3125 + 9) / 10);
}

TEST(EventDram, ControllerLatencyIsAdded) {
  const auto fast = dram("hbm2");
  const auto slow = dram("hbm2", {.controller_latency = {50'000}});
  EXPECT_EQ(time_of(*slow, {.address = 0}), time_of(*fast, {.address = 0}) + 50'000);
}

TEST(EventDram, ARunIsWorthItsBursts) {
  for (const std::string_view map : map_kind_names()) {
    const DramOptions options{.channels = 3, .map = *map_kind_of(map)};
    const auto whole = dram("hbm2", options);
    const auto parts = dram("hbm2", options);
    std::vector<Request> bursts;
    for (std::uint64_t i = 0; i < 5000; ++i) bursts.push_back({.address = 4096 + i * 32, .size = {32}});
    EXPECT_EQ(time_of(*whole, {.address = 4096, .size = {5000 * 32}}), finish_all(*parts, bursts).value)
        << map;
    EXPECT_EQ(whole->statistics().front().channels, parts->statistics().front().channels) << map;
  }
}

// Long runs are not simulated twice; nothing of what is said about them may show it.
struct LongRun {
  const char* preset;
  RefreshKind refresh;
  PagePolicy page;
  MapKind map = MapKind::kMop4ClXor;
  std::uint64_t address = 4096;
};

class LongRuns : public testing::TestWithParam<LongRun> {};

TEST_P(LongRuns, AreWorthTheirBursts) {
  const LongRun& run = GetParam();
  const DramPreset preset = preset_of(run.preset);
  const DramOptions options{.channels = 2, .map = run.map, .refresh = run.refresh, .page = run.page};
  const auto whole = *make_dram(preset, options);
  const auto parts = *make_dram(preset, options);
  const std::int64_t bytes = preset.burst_bytes().value;
  constexpr std::int64_t kBursts = 150'001;
  std::vector<Request> bursts;
  for (std::int64_t i = 0; i < kBursts; ++i)
    bursts.push_back({.address = run.address + static_cast<std::uint64_t>(i * bytes), .size = {bytes}});
  EXPECT_EQ(time_of(*whole, {.address = run.address, .size = {kBursts * bytes}}),
            finish_all(*parts, bursts).value);
  const ModelStatistics one = whole->statistics().front();
  const ModelStatistics many = parts->statistics().front();
  EXPECT_EQ(one.channels, many.channels);
  EXPECT_EQ(one.burst_latency, many.burst_latency);
  EXPECT_EQ(one.elapsed, many.elapsed);
  // And what comes behind it meets the same memory.
  EXPECT_EQ(time_of(*whole, {.address = 123456, .arrival = whole->now()}),
            time_of(*parts, {.address = 123456, .arrival = parts->now()}));
}

INSTANTIATE_TEST_SUITE_P(
    All, LongRuns,
    testing::Values(LongRun{"hbm2", RefreshKind::kAllBank, PagePolicy::kOpen},
                    LongRun{"hbm2", RefreshKind::kNone, PagePolicy::kClosed},
                    LongRun{"hbm2", RefreshKind::kPerBank, PagePolicy::kOpen},
                    LongRun{"hbm2", RefreshKind::kAllBank, PagePolicy::kOpen, MapKind::kRoBaRaCoCh},
                    LongRun{"hbm3", RefreshKind::kAllBank, PagePolicy::kOpen},
                    LongRun{"hbm3", RefreshKind::kPerBank, PagePolicy::kClosed},
                    LongRun{"ddr3-1600", RefreshKind::kAllBank, PagePolicy::kOpen},
                    LongRun{"ddr4-2400", RefreshKind::kAllBank, PagePolicy::kOpen, MapKind::kChRaBaRoCo},
                    // Over the end of the memory.
                    LongRun{"ddr3-1600-x16", RefreshKind::kAllBank, PagePolicy::kOpen, MapKind::kMop4ClXor,
                            (std::uint64_t{1} << 30) - 64'000 * 16}));

TEST(EventDram, SeveralLongRunsWithOthersBetweenThem) {
  const auto whole = dram("hbm2", {.channels = 2});
  const auto parts = dram("hbm2", {.channels = 2});
  const auto add = [&](std::uint64_t address, std::uint64_t bursts) {
    whole->submit({.address = address, .size = {static_cast<std::int64_t>(bursts * 32)}});
    for (std::uint64_t i = 0; i < bursts; ++i) parts->submit({.address = address + i * 32, .size = {32}});
  };
  add(0, 40'000);
  add(1 << 20, 3);
  add(77 << 20, 30'000);
  add(5 << 20, 20'000);
  Picoseconds of_whole{}, of_parts{};
  while (const auto done = whole->next(Picoseconds::max())) of_whole = done->time;
  while (const auto done = parts->next(Picoseconds::max())) of_parts = done->time;
  EXPECT_EQ(of_whole, of_parts);
  EXPECT_EQ(whole->statistics().front().channels, parts->statistics().front().channels);
}

TEST(EventDram, PartsOfBurstsMoveWholeOnes) {
  const auto memory = dram("hbm2");
  time_of(*memory, {.address = 31, .size = {2}});
  const Traffic traffic = memory->statistics().front().traffic;
  EXPECT_EQ(traffic.bytes_read.value, 2);
  EXPECT_EQ(traffic.bytes_moved.value, 64);
}

TEST(EventDram, TheEndOfAllAddressesIsNoTrouble) {
  const auto memory = dram("hbm2");
  EXPECT_GT(time_of(*memory, {.address = ~std::uint64_t{0}, .size = {1}}), 0);
}

TEST(EventDram, AReadTakesWhatWaitsToBeWritten) {
  const auto memory = dram("hbm2", {.refresh = RefreshKind::kNone});
  std::vector<Request> requests{{.address = 0, .access = Access::kWrite}, {.address = 0}};
  finish_all(*memory, requests);
  const ChannelStatistics all = total(memory->statistics().front().channels);
  EXPECT_EQ(all.forwarded_reads, 2U);
  EXPECT_EQ(all.reads, 0U);
  EXPECT_EQ(all.writes, 2U);
}

TEST(EventDram, APostedWriteIsDoneWhenItIsTaken) {
  const auto memory = dram("hbm2");
  memory->submit({.address = 0, .access = Access::kWrite, .posted = true, .arrival = {10'000}});
  EXPECT_EQ(memory->next(Picoseconds::max())->time, Picoseconds{10'000});
  EXPECT_FALSE(memory->next(Picoseconds::max()));
  EXPECT_EQ(total(memory->statistics().front().channels).writes, 2U);
}

TEST(EventDram, NextStopsAtItsLimit) {
  const auto memory = dram("hbm2", {.refresh = RefreshKind::kNone});
  memory->submit({.address = 0});
  EXPECT_FALSE(memory->next({31'999}));
  EXPECT_EQ(memory->now(), Picoseconds{31'999});
  EXPECT_EQ(memory->next({32'000})->time, Picoseconds{32'000});
  EXPECT_FALSE(memory->next({40'000}));
  EXPECT_EQ(memory->now(), Picoseconds{40'000});
}

// Asking in small steps must not change what happens.
TEST(EventDram, StepsDoNotMatter) {
  const auto once = dram("hbm2", {.channels = 2});
  const auto steps = dram("hbm2", {.channels = 2});
  RandomTraffic traffic(7, once->capacity(), {32});
  std::vector<Completion> expected, found;
  for (int i = 0; i < 2000; ++i) {
    const Request request = traffic.next();
    once->submit(request);
    steps->submit(request);
  }
  while (const auto done = once->next(Picoseconds::max())) expected.push_back(*done);
  for (std::int64_t limit = 0; found.size() < expected.size(); limit += 777)
    while (const auto done = steps->next({limit})) found.push_back(*done);
  EXPECT_EQ(found, expected);
}

// Completions of somebody who asks for something else whenever something is done, a moment later.
std::vector<Completion> answers(Timing& memory, base::Bytes burst, std::uint64_t seed, Picoseconds step) {
  constexpr std::size_t kCount = 400;
  const std::size_t under_way = 1 + seed % 12;
  RandomTraffic traffic(seed, memory.capacity(), burst, seed % 2 == 0 ? Jumps::kMany : Jumps::kFew);
  const auto ask = [&](Picoseconds now) {
    Request request = traffic.next();
    request.arrival = now + Picoseconds{request.arrival.value % 30'000};
    if (seed % 3 == 0) request.access = Access::kRead;
    if (seed % 5 == 0 && request.address % 64 == 0) request.size = {burst.value * 5000};
    memory.submit(request);
  };
  for (std::size_t i = 0; i < under_way; ++i) ask({});
  std::vector<Completion> all;
  while (all.size() < kCount) {
    const auto done = memory.next(step == Picoseconds::max() ? step : memory.now() + step);
    if (!done) continue;
    all.push_back(*done);
    ask(done->time);
  }
  return all;
}

// A memory that ran ahead of what it has said would hear of the answer too late.
TEST(EventDram, StepsDoNotMatterToWhoAnswers) {
  for (const char* name : {"hbm2", "hbm3", "ddr4-2400"}) {
    const DramPreset preset = preset_of(name);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const DramOptions options{.channels = 4,
                                .page = seed % 4 == 0 ? PagePolicy::kClosed : PagePolicy::kOpen};
      const auto jumping = dram(name, options);
      const auto stepping = dram(name, options);
      EXPECT_EQ(answers(*jumping, preset.burst_bytes(), seed, Picoseconds::max()),
                answers(*stepping, preset.burst_bytes(), seed, Picoseconds{400}))
          << name << ", seed " << seed;
    }
  }
}

TEST(EventDram, LongSilenceCostsNothing) {
  const auto memory = dram("hbm2");
  const Picoseconds hour{3'600'000'000'000'000};
  memory->submit({.address = 0, .arrival = hour});
  const Picoseconds answered = memory->next(Picoseconds::max())->time;
  EXPECT_GE(answered, hour + Picoseconds{32'000});
  EXPECT_LE(answered, hour + Picoseconds{500'000});
}

// ---- properties, over random traffic ----

struct Combination {
  const char* preset;
  RefreshKind refresh;
  PagePolicy page;
};

class DramProperties : public testing::TestWithParam<Combination> {};

TEST_P(DramProperties, OfRandomTraffic) {
  const Combination& c = GetParam();
  const DramPreset preset = preset_of(c.preset);
  std::vector<ModelStatistics> runs;
  for (int run = 0; run < 2; ++run) {
    const auto memory = *make_dram(preset, {.channels = 2, .refresh = c.refresh, .page = c.page});
    RandomTraffic traffic(3, memory->capacity(), preset.burst_bytes());
    bool in_order = true;
    EXPECT_EQ(drive(*memory, traffic, 5000, 200, &in_order), 5000U);
    EXPECT_TRUE(in_order);
    runs.push_back(memory->statistics().front());
  }
  EXPECT_EQ(runs[0], runs[1]) << "the same requests, the same answers";
  const ModelStatistics& all = runs[0];
  std::uint64_t bursts = 0;
  for (const ChannelStatistics& channel : all.channels) {
    const std::int64_t idle =
        std::accumulate(channel.idle_ticks.begin(), channel.idle_ticks.end(), std::int64_t{0});
    EXPECT_EQ(channel.busy_ticks + idle, channel.elapsed_ticks);
    for (const std::int64_t ticks : channel.idle_ticks) EXPECT_GE(ticks, 0);
    EXPECT_LE(channel.utilisation(), 1.0);
    EXPECT_EQ(channel.row_hits + channel.row_misses + channel.row_conflicts, channel.reads + channel.writes);
    bursts += channel.reads + channel.writes + channel.forwarded_reads + channel.merged_writes;
  }
  EXPECT_EQ(static_cast<std::int64_t>(bursts) * preset.burst_bytes().value, all.traffic.bytes_moved.value);
  EXPECT_EQ(all.traffic.reads + all.traffic.writes, 5000U);
  EXPECT_EQ(all.request_latency.count(), 5000U);
  EXPECT_GE(all.request_latency.least(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, DramProperties,
                         testing::Values(Combination{"ddr3-1600", RefreshKind::kAllBank, PagePolicy::kOpen},
                                         Combination{"ddr4-2400", RefreshKind::kNone, PagePolicy::kClosed},
                                         Combination{"hbm2", RefreshKind::kPerBank, PagePolicy::kOpen},
                                         Combination{"hbm3", RefreshKind::kAllBank, PagePolicy::kClosed}));

TEST(DramProperties, MoreChannelsAreNeverSlowerForAStream) {
  for (const char* preset : {"ddr3-1600", "ddr4-2400", "hbm2", "hbm3"}) {
    std::int64_t before = INT64_MAX;
    for (const std::uint32_t channels : {1U, 2U, 3U, 4U, 8U, 16U}) {
      const auto memory = dram(preset, {.channels = channels});
      const std::int64_t time = time_of(*memory, {.address = 0, .size = {1 << 20}});
      EXPECT_LE(time, before) << preset << " " << channels;
      before = time;
    }
  }
}

TEST(DramProperties, ReasonsCostNoTime) {
  const auto with = dram("hbm2", {.channels = 2});
  const auto without = dram("hbm2", {.channels = 2, .reasons = false});
  RandomTraffic first(5, with->capacity(), {32});
  RandomTraffic second(5, with->capacity(), {32});
  drive(*with, first, 3000, 100);
  drive(*without, second, 3000, 100);
  EXPECT_EQ(with->now(), without->now());
}

// ---- reasons ----

double idle_share(const char* preset, const char* pattern, MapKind map, Idle reason, double writes = 0) {
  const auto measured =
      measure_dram(preset_of(preset), {.channels = 2, .map = map},
                   {.pattern = *pattern_of(pattern), .write_percent = writes, .requests = 20'000});
  const ChannelStatistics all = total(measured->statistics.channels);
  std::int64_t idle = 0;
  for (const std::int64_t ticks : all.idle_ticks) idle += ticks;
  return static_cast<double>(all.idle_ticks[static_cast<std::size_t>(reason)]) / static_cast<double>(idle);
}

TEST(DramReasons, AreThoseThatBindByTheFormulas) {
  EXPECT_GT(idle_share("hbm2", "random", MapKind::kMop4ClXor, Idle::kRowBus), 0.5);
  EXPECT_GT(idle_share("hbm3", "random", MapKind::kMop4ClXor, Idle::kActivateWindow), 0.5);
  EXPECT_GT(idle_share("ddr3-1600", "random", MapKind::kMop4ClXor, Idle::kActivateWindow), 0.5);
  EXPECT_GT(idle_share("hbm2", "stream", MapKind::kRoBaRaCoCh, Idle::kBankGroup), 0.5);
  EXPECT_GT(idle_share("hbm2", "stream", MapKind::kMop4ClXor, Idle::kRefresh), 0.5);
  EXPECT_GT(idle_share("hbm2", "str16", MapKind::kMop4ClXor, Idle::kBankConflict), 0.5);
  EXPECT_GT(idle_share("ddr4-2400", "stream", MapKind::kMop4ClXor, Idle::kTurnaround, 50), 0.4);
}

TEST(DramReasons, NothingToDoIsNoRequest) {
  const auto measured = measure_dram(preset_of("hbm2"), {.channels = 1, .refresh = RefreshKind::kNone},
                                     {.gap = {1000}, .requests = 100});
  const ChannelStatistics all = total(measured->statistics.channels);
  EXPECT_GT(static_cast<double>(all.idle_ticks[static_cast<std::size_t>(Idle::kNoRequest)]),
            0.95 * static_cast<double>(all.elapsed_ticks));
}

// ---- bad options ----

TEST(EventDram, RefusesWhatMakesNoSense) {
  const auto message = [](const char* preset, const DramOptions& options) {
    const auto made = make_dram(preset_of(preset), options);
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(message("ddr4-2400", {.refresh = RefreshKind::kPerBank}), "ddr4-2400 has no per-bank refresh");
  EXPECT_EQ(message("hbm2", {.channels = 1025}), "1025 channels: expected 1 to 1024");
  EXPECT_EQ(message("hbm2", {.read_queue = 0}), "a queue of 0 entries: expected 1 to 4096");
  EXPECT_EQ(message("hbm2", {.high_watermark = 0.1}), "the low watermark 0.2 is above the high one 0.1");
  EXPECT_FALSE(message("hbm2", {.controller_latency = {-1}}).empty());
  EXPECT_FALSE(message("hbm2", {.low_watermark = -1}).empty());
}

}  // namespace
}  // namespace accelscope::memory
