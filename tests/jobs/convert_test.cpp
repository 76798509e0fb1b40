// From a file of any format to a Perfetto file, read back by an independent decoder that behaves as Perfetto
// does: every slice is there once, slices nest, flows bind.
#include "jobs/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "formats/etdump/sample_dumps.h"
#include "formats/perfetto/replay.h"
#include "support/chip_sketch.h"
#include "support/temporary_folder.h"
#include "trace/trace.h"

namespace accelscope::jobs {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

// Name and duration of every slice.
using Slices = std::multiset<std::pair<std::string, std::uint64_t>>;

Slices slices_of(const trace::Trace& trace) {
  Slices slices;
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row) {
    const base::Frequency& frequency = trace.clock_of(trace.slices().track[row]).frequency;
    const std::int64_t start = frequency.to_nanoseconds(trace.slices().start[row]).value;
    const std::int64_t end = frequency.to_nanoseconds(trace.end_of(trace::SliceId{row})).value;
    slices.emplace(trace.text(trace.slices().name[row]), static_cast<std::uint64_t>(end - start));
  }
  return slices;
}

Slices slices_of(const test::Replay& replay) {
  Slices slices;
  for (const test::ReplayedSlice& slice : replay.slices)
    if (!slice.is_instant) slices.emplace(slice.name, slice.end - slice.start);
  return slices;
}

void expect_opens(const std::string& input, const std::string& output) {
  SCOPED_TRACE(input);
  const auto trace = formats::open::open_trace(input, {});
  ASSERT_TRUE(trace) << trace.error().to_string();
  ConvertOptions options;
  options.inputs = {input};
  options.output = output;
  const auto outcome = convert(options);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  const test::Replay replay = test::replay(read_file(output));
  EXPECT_TRUE(replay.errors.empty()) << replay.errors.size() << " errors, first: " << replay.errors.front();
  EXPECT_EQ(slices_of(*trace), slices_of(replay));
  const std::uint64_t not_drawn = outcome->quality.count("perfetto.flow_against_time") +
                                  outcome->quality.count("perfetto.flow_same_time");
  EXPECT_EQ(replay.flows.size() + not_drawn, trace->flows().size());
}

TEST(Convert, OurOwnDumpsOpen) {
  const TemporaryFolder folder;
  namespace etdump = formats::etdump;
  const std::map<std::string, etdump::Dump> dumps{{"toy", etdump::toy_dump(etdump::ToySpeed::kSlow)},
                                                  {"quirks", etdump::quirks_dump()},
                                                  {"wrap", etdump::wrap_dump()},
                                                  {"large", etdump::large_dump(5000)}};
  for (const auto& [name, dump] : dumps) {
    write_file(folder.file(name), etdump::write_etdump(dump));
    expect_opens(folder.file(name), folder.file(name + ".pftrace"));
  }
}

TEST(Convert, RealFilesOpen) {
  const std::filesystem::path fixtures(ACCELSCOPE_FIXTURES_DIR);
  if (!std::filesystem::exists(fixtures)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fixtures)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".etdump") || name.ends_with(".etdp") || name.ends_with("all_runs_timeline.csv") ||
        name == "merged_swimlane.json")
      inputs.push_back(entry.path().string());
  }
  std::sort(inputs.begin(), inputs.end());
  ASSERT_GT(inputs.size(), 20U);
  for (const std::string& input : inputs) expect_opens(input, folder.file("out.pftrace"));
}

TEST(Convert, TheSameTraceThroughAnyFormatKeepsItsTimes) {
  const TemporaryFolder folder;
  const std::string dump = folder.file("toy.etdump");
  write_file(dump,
             formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast)));
  const auto direct = formats::open::open_trace(dump, {});
  ASSERT_TRUE(direct);
  for (const std::string ending : {".json", ".json.gz", "_timeline.csv", ".astrace", ".astrace.gz"}) {
    ConvertOptions options;
    options.inputs = {dump};
    options.output = folder.file("toy" + ending);
    ASSERT_TRUE(convert(options)) << ending;
    const auto through = formats::open::open_trace(options.output, {});
    ASSERT_TRUE(through) << ending;
    EXPECT_EQ(slices_of(*direct), slices_of(*through)) << ending;
  }
}

TEST(Convert, ARunOfAChipBecomesItsPicture) {
  const TemporaryFolder folder;
  tests::ChipSketch chip(1, 1, 0, 2);
  const trace::TaskId task = chip.task(3, "ADD", "AIV");
  chip.run(1, task, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 10});
  const trace::Trace trace = chip.finish();
  ConvertOptions options;
  options.output = folder.file("chip.pftrace");
  const auto outcome = write_trace(trace, OutputFormat::kPerfetto, options);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  const test::Replay replay = test::replay(read_file(options.output));
  EXPECT_TRUE(replay.errors.empty());
  EXPECT_EQ(slices_of(replay), (Slices{{"ADD", 7}, {"ADD", 5}, {"setup", 1}, {"kernel", 4}}));
  EXPECT_EQ(replay.flows.size(), 1U);
  EXPECT_NE(replay.track_named("Scheduler View"), nullptr);
  // The idle core is seen, too.
  EXPECT_NE(replay.track_named("AIC 0"), nullptr);

  options.output = folder.file("chip.json");
  ASSERT_TRUE(write_trace(trace, OutputFormat::kChrome, options));
  EXPECT_NE(read_file(options.output).find("\"name\":\"Worker View\""), std::string::npos);
}

}  // namespace
}  // namespace accelscope::jobs
