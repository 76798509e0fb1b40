// What emulating costs: scalar and control instructions a second, serial and overlapping; a layer with every
// detail of the log; and 64-byte requests of transfers a second.
//
// Floor in the same run: a loop that decodes nothing and carries nothing out, but looks at each operation and
// counts it. Times are those of the processor: one thread does all of it.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "base/splitmix.h"
#include "emulator/emulation.h"
#include "emulator/memory_setup.h"
#include "isa/generators.h"
#include "isa/program.h"
#include "processor_time.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using emulator::Emulation;
using emulator::EmulationOptions;
using emulator::LogDetail;
using emulator::TimingMode;

constexpr int kRepetitions = 3;

std::uint64_t sum_of_results = 0;  // printed, so that nothing is optimised away

double seconds_of(const std::function<void()>& work) {
  return benchmarks::best_processor_seconds(kRepetitions, work);
}

void print(std::string_view what, double seconds, std::uint64_t count, std::string_view of) {
  fmt::print("{:<54} {:8.1f} ms {:9.2f} M {}/s\n", what, seconds * 1e3,
             static_cast<double>(count) / seconds * 1e-6, of);
}

isa::Program program_of(std::string_view listing) {
  isa::ReadProgram read = isa::read_program("benchmark", listing, isa::Dialect::kStrict);
  if (!read.diagnostics.ok()) std::exit(1);
  return std::move(read.program);
}

// Loops, arithmetic and addresses, in the proportions of a compiled layer.
isa::Program scalar_program() {
  return program_of(
      "C_LOOP_START gp1, 4000\n"
      "C_LOOP_START gp2, 1000\n"
      "S_ADDI_INT gp3, gp3, 64\n"
      "S_ADDI_INT gp4, gp4, 4\n"
      "S_ADD_INT gp5, gp3, gp4\n"
      "C_LOOP_END gp2\n"
      "S_ADDI_INT gp3, gp0, 0\n"
      "C_LOOP_END gp1\n");
}

Emulation run(const isa::Program& program, const EmulationOptions& options, std::string dram) {
  emulator::MemoryWishes wishes;
  wishes.dram = std::move(dram);
  auto done = emulator::emulate(program, options, {}, std::move(emulator::set_up_memory(wishes)->timing));
  if (!done) {
    fmt::print(stderr, "{}\n", done.error().to_string());
    std::exit(1);
  }
  sum_of_results += static_cast<std::uint64_t>(done->latency.value);
  return std::move(*done);
}

EmulationOptions options_for(TimingMode timing, std::uint64_t mlen, std::uint64_t blen) {
  isa::MachineSources sources;
  sources.overrides.mlen = mlen;
  sources.overrides.blen = blen;
  EmulationOptions options;
  options.machine = *isa::make_machine(sources);
  options.machine.max_loop_instructions = 1'000'000'000;
  options.timing = timing;
  options.rules = emulator::Rules::kCompat;
  return options;
}

// The operations of the scalar program in the order in which they are carried out, looked at and counted.
void empty_dispatch(const std::vector<emulator::Operation>& operations, std::uint64_t count) {
  std::vector<std::uint64_t> counts(operations.size());
  std::uint64_t cycles = 0;
  for (std::uint64_t i = 0, pc = 0; i < count; ++i) {
    ++counts[pc];
    cycles += operations[pc].cost.whole();
    pc = pc + 1 == operations.size() ? 0 : pc + 1;
  }
  for (const std::uint64_t one : counts) sum_of_results += one;
  sum_of_results += cycles;
}

void measure_scalars() {
  const isa::Program program = scalar_program();
  const EmulationOptions serial = options_for(TimingMode::kSerial, 64, 4);
  const std::uint64_t count = run(program, serial, "naive").instructions;
  const auto operations = emulator::decode(program.words, serial.machine, serial.costs);
  print("floor: looking at each operation and counting it",
        seconds_of([&] { empty_dispatch(operations, count); }), count, "instructions");
  print("scalar and control, serial", seconds_of([&] { run(program, serial, "naive"); }), count,
        "instructions");
  for (const auto costs : {emulator::CostTable::kReference, emulator::CostTable::kRtl}) {
    EmulationOptions overlap = options_for(TimingMode::kOverlap, 64, 4);
    overlap.costs = costs;
    print(fmt::format("scalar and control, overlap with {} costs", name_of(costs)),
          seconds_of([&] { run(program, overlap, "naive"); }), count, "instructions");
  }
}

void measure_layer() {
  const isa::Program program =
      program_of(*isa::generate_program("ffn:rows=64,hidden=256,inter=512,mlen=64,blen=8"));
  for (const TimingMode timing : {TimingMode::kSerial, TimingMode::kOverlap}) {
    EmulationOptions options = options_for(timing, 64, 8);
    double without = 0;
    for (const LogDetail detail :
         {LogDetail::kNone, LogDetail::kSections, LogDetail::kUnits, LogDetail::kInstructions}) {
      options.log = detail;
      const std::uint64_t count = run(program, options, "reference-hbm2-patched").instructions;
      const double seconds = seconds_of([&] { run(program, options, "reference-hbm2-patched"); });
      if (detail == LogDetail::kNone) without = seconds;
      print(fmt::format("a feed-forward layer, {}, log {} ({:.2f} times)",
                        timing == TimingMode::kSerial ? "serial" : "overlap", name_of(detail),
                        seconds / without),
            seconds, count, "instructions");
    }
  }
}

void measure_transfers() {
  const isa::Program program = program_of(
      "S_ADDI_INT gp2, gp0, 65536\nC_SET_SCALE_REG gp2\nC_LOOP_START gp1, 2000\n"
      "H_PREFETCH_M gp0, gp3, a0, 0, 0\nS_ADDI_INT gp3, gp3, 4096\nC_LOOP_END gp1\n");
  EmulationOptions options = options_for(TimingMode::kSerial, 64, 4);
  for (const std::string_view dram : {"naive", "simple", "reference-hbm2-patched", "hbm2", "ddr3-1600-x16"}) {
    const std::uint64_t requests = run(program, options, std::string(dram)).bytes_read / 64;
    print(fmt::format("prefetches of tiles from {}", dram),
          seconds_of([&] { run(program, options, std::string(dram)); }), requests, "requests");
  }
}

}  // namespace

int main() {
  measure_scalars();
  measure_layer();
  measure_transfers();
  fmt::print("checksum {}\n", sum_of_results);
}
