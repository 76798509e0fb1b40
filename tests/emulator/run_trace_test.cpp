// A run as a trace: lanes, names, arguments, and what they sum to.
#include "emulator/run_trace.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

using trace::Trace;

constexpr std::string_view kTracedLinear = "linear:rows=16,in=16,out=32,mlen=16,blen=4";

struct Made {
  isa::Program program;
  Emulation done;
  Trace trace;
};

Made make(LogDetail detail, TimingMode timing = TimingMode::kSerial,
          std::unique_ptr<memory::Timing> memory = memory_of("hbm2")) {
  EmulationOptions options;
  options.machine = machine_of(16, 4);
  options.timing = timing;
  options.log = detail;
  isa::Program program = generated(kTracedLinear);
  Emulation done = run(program, options, std::move(memory));
  base::Result<Trace> trace = run_trace(program, done, {.machine = "test", .memory = "hbm2"});
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().to_string());
  return {std::move(program), std::move(done), *std::move(trace)};
}

std::multimap<std::string, base::Ticks> durations_by_track(const Trace& trace) {
  std::multimap<std::string, base::Ticks> found;
  const auto& slices = trace.slices();
  for (std::uint32_t i = 0; i < slices.size(); ++i)
    found.emplace(trace.text(trace.tracks()[index(slices.track[i])].name), slices.duration[i]);
  return found;
}

std::int64_t busy(const Trace& trace, const std::string& track) {
  std::int64_t sum = 0;
  const auto by_track = durations_by_track(trace);
  const auto [first, last] = by_track.equal_range(track);
  for (auto one = first; one != last; ++one) sum += one->second.value;
  return sum;
}

std::set<std::string> lanes(const Trace& trace) {
  std::set<std::string> names;
  for (const trace::Track& track : trace.tracks()) names.emplace(trace.text(track.name));
  return names;
}

TEST(RunTrace, HasALaneForEachUnitAndChannel) {
  const Made made = make(LogDetail::kUnits);
  const std::set<std::string> names = lanes(made.trace);
  for (const std::string_view lane :
       {"a.asm on test", "sections", "matrix", "vector", "scalar and control", "DMA", "DRAM channel 0"})
    EXPECT_TRUE(names.count(std::string(lane)) == 1) << lane;
  EXPECT_EQ(names.count("host link"), 0U);
  ASSERT_EQ(made.trace.runs().size(), 1U);
  const auto root = made.trace.runs()[0].root;
  EXPECT_EQ(made.trace.slices().duration[trace::index(root)].value, made.done.latency.value);
  const Emulation& done = made.done;
  for (const auto& [lane, unit] :
       {std::pair{"matrix", isa::Unit::kMatrix}, std::pair{"DMA", isa::Unit::kMemory}})
    EXPECT_EQ(busy(made.trace, lane), done.accounts.units[index(unit)].busy().value) << lane;
  EXPECT_EQ(busy(made.trace, "scalar and control"), (done.accounts.units[index(isa::Unit::kScalar)].busy() +
                                                     done.accounts.units[index(isa::Unit::kControl)].busy())
                                                        .value);
}

TEST(RunTrace, SectionsTileTheRun) {
  const Made made = make(LogDetail::kSections);
  const auto by_track = durations_by_track(made.trace);
  EXPECT_EQ(by_track.count("matrix"), 0U);
  EXPECT_EQ(by_track.count("sections"), 1 + made.done.log.sections.size());
  // The program itself, and once more its sections.
  EXPECT_EQ(busy(made.trace, "sections"), 2 * made.done.latency.value);
}

TEST(RunTrace, SlicesSayWhichInstructionTheyAre) {
  const Made made = make(LogDetail::kInstructions);
  const auto& slices = made.trace.slices();
  std::uint64_t products = 0;
  for (std::uint32_t i = 0; i < slices.size(); ++i) {
    if (made.trace.text(slices.name[i]) != "M_MM") continue;
    ++products;
    std::map<std::string, trace::Value> args;
    for (auto arg = slices.first_arg[i]; arg != trace::ArgId::kNone;
         arg = made.trace.args().next[trace::index(arg)])
      args.emplace(
          made.trace.text(made.trace.args().name[trace::index(arg)]),
          trace::Value{made.trace.args().type[trace::index(arg)], made.trace.args().bits[trace::index(arg)]});
    ASSERT_TRUE(args.count("instruction") == 1 && args.count("line") == 1 && args.count("section") == 1);
    const std::uint64_t pc = args.at("instruction").as_uint();
    EXPECT_EQ(args.at("line").as_uint(), made.program.lines[pc]);
    EXPECT_TRUE(made.trace.text(args.at("assembly").as_text()).starts_with("M_MM 0, gp"));
  }
  EXPECT_EQ(products, 4U * 8U);
}

TEST(RunTrace, OverlappingRunsStayWithinTheirLatency) {
  const Made made = make(LogDetail::kUnits, TimingMode::kOverlap);
  const auto& slices = made.trace.slices();
  for (std::uint32_t i = 0; i < slices.size(); ++i)
    EXPECT_LE(slices.start[i].value + slices.duration[i].value, made.done.latency.value)
        << made.trace.text(slices.name[i]);
}

TEST(RunTrace, ShowsTheHostLink) {
  boards::WeightManifest manifest{.activation_ceiling = 0,
                                  .regions = {{0, 0, {4096}, boards::RegionKind::kWeight}}};
  MemoryWishes wishes;
  wishes.model = *memory_model_named("weight-stream");
  wishes.manifest = &manifest;
  wishes.dram = "hbm2";
  const Made made = make(LogDetail::kUnits, TimingMode::kSerial, std::move(set_up_memory(wishes)->timing));
  EXPECT_EQ(lanes(made.trace).count("host link"), 1U);
  EXPECT_GT(busy(made.trace, "host link"), 0);
  EXPECT_EQ(made.trace.quality().count("emulation.activity_place"), 1U);
}

}  // namespace
}  // namespace accelscope::emulator
