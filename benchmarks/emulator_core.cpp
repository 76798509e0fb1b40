// How fast the emulator carries instructions out, timing apart: products of matrices, rows of vectors, scalar
// instructions, prefetches.
//
// Floors in the same run: products and sums of floats in registers, adding up rows without rounding, copying
// the bytes. Times are those of the processor: one thread does all of it.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/core.h"
#include "emulator/core_scalar.h"
#include "emulator/run_loop.h"
#include "isa/assembler.h"
#include "multiply_add_peak.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using emulator::Core;
using emulator::Operation;
using emulator::Rules;

constexpr int kRepetitions = 7;
constexpr std::uint64_t kLength = 64;

double sum_of_results = 0;  // printed, so that nothing is optimised away

// Of one call of work(), the best of a few repetitions that each last long enough for the clock.
template <class Work>
double best_seconds(std::uint64_t at_once, const Work& work) {
  constexpr double kLongEnough = 0.02;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    double seconds = 0;
    std::uint64_t times = 0;
    while (seconds < kLongEnough) {
      for (std::uint64_t j = 0; j < at_once; ++j) work();
      times += at_once;
      seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    best = std::min(best, seconds / static_cast<double>(times));
  }
  return best;
}

isa::Machine machine_of(std::uint64_t blen) {
  isa::Machine machine;
  machine.blen = blen;
  return machine;
}

std::vector<Operation> operations_of(std::string_view listing, const isa::Machine& machine) {
  const isa::Assembly assembly = isa::assemble("benchmark", listing, isa::Dialect::kStrict);
  return emulator::decode(assembly.words, machine, emulator::CostTable::kReference);
}

void fill(Core& core) {
  auto& state = core.state();
  for (std::uint64_t row = 0; row < 1024; ++row) {
    for (std::uint64_t i = 0; i < kLength; ++i)
      state.vectors.row(row)[i] = static_cast<float>((row + i) % 16) / 16 - 0.5F;
    state.vectors.written.rows[row] = state.vectors.written.all;
  }
  for (std::uint64_t tile = 0; tile < state.matrices.tile_count; ++tile) {
    for (std::uint64_t i = 0; i < kLength * kLength; ++i)
      state.matrices.tile(tile)[i] = static_cast<float>((tile + i) % 13) / 13;
    state.matrices.set_written(tile);
  }
  std::vector<std::byte> bytes(1U << 20U);
  // Elements that are finite, and scales around 1 in the second half.
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i < bytes.size() / 2 ? (i * 7) % 0x78 : 120 + i % 16);
  if (!state.external.write(0, bytes)) fmt::print("external memory is too small\n");
  state.registers.scale = 1U << 19U;
  state.registers.stride = kLength;
}

void stop_at(const emulator::Fault& fault) {
  if (!fault.found()) return;
  fmt::print(stderr, "{}\n", fault.text());
  std::exit(1);
}

// Seconds of one instruction.
double seconds_of(std::string_view line, std::uint64_t blen = 4, Rules rules = Rules::kStrict) {
  const isa::Machine machine = machine_of(blen);
  auto core = Core::make(machine, rules);
  if (!core) std::exit(1);
  fill(*core);
  core->state().registers.gp[2] = 4096;
  core->state().registers.gp[3] = 64;
  const Operation operation = operations_of(line, machine).front();
  const double seconds = best_seconds(100, [&] { stop_at(core->carry_out(operation)); });
  sum_of_results += static_cast<double>(core->state().vectors.row(0)[3]);
  return seconds;
}

// All blocks of a tile with the same rows, as a program goes through them.
double seconds_of_sweep(std::string_view line, std::uint64_t blen) {
  const isa::Machine machine = machine_of(blen);
  auto core = Core::make(machine, Rules::kStrict);
  if (!core) std::exit(1);
  fill(*core);
  const Operation operation = operations_of(line, machine).front();
  auto& gp = core->state().registers.gp;
  const std::uint64_t blocks = kLength / blen;
  const double seconds = best_seconds(10, [&] {
    for (std::uint32_t block = 0; block < blocks; ++block) {
      gp[1] = static_cast<std::uint32_t>(block * blen * kLength);
      stop_at(core->carry_out(operation));
    }
  });
  return seconds / static_cast<double>(blocks);
}

struct NoTiming {
  void operate(std::uint32_t /*pc*/, const Operation& /*operation*/,
               const emulator::Registers& /*registers*/) {}
  void transfer(std::uint32_t /*pc*/, const Operation& /*operation*/,
                const emulator::Registers& /*registers*/) {}
  static bool too_long() { return false; }
};

// 64 rows times a few tiles, block by block, each block written out, as a program does it: seconds of one
// product with its share of all the rest.
double seconds_in_program(std::uint64_t blen, std::uint64_t tiles) {
  const isa::Machine machine = machine_of(blen);
  auto core = Core::make(machine, Rules::kStrict);
  if (!core) std::exit(1);
  fill(*core);
  const std::uint64_t blocks = kLength / blen;
  std::string listing;
  for (std::uint64_t i = 0; i < blocks * blocks; ++i) {
    const std::uint64_t row = i / blocks * blen;
    const std::uint64_t column = i % blocks * blen;
    for (std::uint64_t tile = 0; tile < tiles; ++tile)
      listing += fmt::format("S_ADDI_INT gp1, gp0, {}\nS_ADDI_INT gp2, gp0, {}\nM_MM 0, gp1, gp2\n",
                             (tile * kLength + column) * kLength, (tile * kLength + row) * kLength);
    listing += fmt::format("S_ADDI_INT gp3, gp0, {}\nM_MM_WO gp3, gp0, 0\n", (512 + row) * kLength + column);
  }
  const std::vector<Operation> operations = operations_of(listing, machine);
  NoTiming timing;
  const double seconds = best_seconds(
      10, [&] { stop_at(run_loop(operations, *core, timing, {.most_instructions = 1'000'000}).fault); });
  sum_of_results += static_cast<double>(core->state().vectors.row(512)[3]);
  return seconds / static_cast<double>(blocks * blocks * tiles);
}

void print_products() {
  double peak = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    const benchmarks::Peak made = benchmarks::multiply_add(1'000'000);
    sum_of_results += static_cast<double>(made.result);
    peak = std::max(peak, static_cast<double>(made.operations) /
                              (static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC));
  }
  fmt::print("products and sums in registers ({}): {:.1f} GFLOP/s\n", emulator::best_kernels().name,
             peak / 1e9);
  for (const std::uint64_t blen : {4U, 8U, 16U, 32U, 64U})
    for (const std::string_view line : {"M_MM 0, gp1, gp0", "M_TMM 0, gp0, gp1"}) {
      const double seconds = seconds_of_sweep(line, blen);
      const double speed = 2.0 * static_cast<double>(blen * blen * kLength) / seconds;
      fmt::print("{:5} MLEN 64, BLEN {:2}: {:8.1f} ns, {:5.1f} GFLOP/s, 1/{:.2f} of that\n",
                 line.substr(0, line.find(' ')), blen, seconds * 1e9, speed / 1e9, peak / speed);
    }
  for (const std::uint64_t blen : {4U, 8U, 16U})
    for (const std::uint64_t tiles : {1U, 4U}) {
      const double seconds = seconds_in_program(blen, tiles);
      const double speed = 2.0 * static_cast<double>(blen * blen * kLength) / seconds;
      fmt::print(
          "M_MM in a program, BLEN {:2}, written out behind {}: {:8.1f} ns, {:5.1f} GFLOP/s, 1/{:.2f}\n",
          blen, tiles, seconds * 1e9, speed / 1e9, peak / speed);
    }
  for (const std::string_view line : {"M_BMM 0, gp0, gp0", "M_BTMM 0, gp0, gp0"}) {
    const double seconds = seconds_of(line);
    const double speed = 2.0 * static_cast<double>(kLength * kLength * kLength) / seconds;
    fmt::print("{:6} 4 heads of 16:   {:8.1f} ns, {:5.1f} GFLOP/s, 1/{:.2f} of that\n",
               line.substr(0, line.find(' ')), seconds * 1e9, speed / 1e9, peak / speed);
  }
  fmt::print("M_MM_WO, BLEN 4 behind an M_MM: {:.1f} ns both\n", [] {
    const isa::Machine machine = machine_of(4);
    auto core = Core::make(machine, Rules::kStrict);
    fill(*core);
    const auto both = operations_of("M_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0", machine);
    return 1e9 * best_seconds(100, [&] {
             stop_at(core->carry_out(both[0]));
             stop_at(core->carry_out(both[1]));
           });
  }());
}

void print_rows() {
  std::vector<float> a(kLength, 1);
  std::vector<float> b(kLength, 1e-6F);
  const double plain = best_seconds(1000, [&] {
    for (std::size_t i = 0; i < kLength; ++i) a[i] += b[i];
    asm volatile("" : : "r"(a.data()) : "memory");
  });
  fmt::print("rows of 64 added in a plain loop: {:.1f} M rows/s\n", 1e-6 / plain);
  for (const std::string_view line :
       {"V_ADD_VV gp0, gp3, gp2", "V_MUL_VV gp0, gp3, gp2", "V_MUL_VF gp0, gp3, f0", "V_EXP_V gp0, gp3, 0",
        "V_RECI_V gp0, gp3, 0", "V_RED_SUM f1, gp3", "V_RED_MAX f1, gp3"}) {
    const double seconds = seconds_of(line);
    fmt::print("{:10} {:6.1f} M rows/s, {:.1f} ns\n", line.substr(0, line.find(' ')), 1e-6 / seconds,
               seconds * 1e9);
  }
}

void print_scalars() {
  const isa::Machine machine;
  for (const Rules rules : {Rules::kStrict, Rules::kCompat}) {
    auto core = Core::make(machine, rules);
    if (!core) std::exit(1);
    const auto integers = operations_of(
        "S_ADDI_INT gp1, gp1, 3\nS_ADD_INT gp2, gp2, gp1\nS_ADDI_INT gp3, gp0, 5\nC_SET_SCALE_REG gp1\n"
        "S_SUB_INT gp4, gp2, gp3\nS_MUL_INT gp5, gp4, gp3",
        machine);
    const auto floats = operations_of(
        "S_ADD_FP f1, f1, f2\nS_MUL_FP f2, f1, f3\nS_EXP_FP f3, f2\nS_ST_FP f3, gp0, 7\nS_LD_FP f4, gp0, 7\n"
        "S_MAX_FP f5, f4, f1",
        machine);
    const auto speed = [&](const std::vector<Operation>& operations, const auto& step) {
      const double seconds = best_seconds(1000, [&] {
        for (const Operation& operation : operations) step(operation);
      });
      sum_of_results += core->state().registers.gp[2];
      return static_cast<double>(operations.size()) * 1e-6 / seconds;
    };
    const auto in_line = [&](const Operation& operation) {
      if (!core->carry_out_scalar(operation)) std::exit(1);
    };
    const auto called = [&](const Operation& operation) { stop_at(core->carry_out(operation)); };
    fmt::print(
        "scalars, {}: integers {:.0f} M/s in line, {:.0f} M/s called; floats {:.0f} M/s in line, {:.0f} "
        "called\n",
        rules == Rules::kStrict ? "strict" : "compat", speed(integers, in_line), speed(integers, called),
        speed(floats, in_line), speed(floats, called));
  }
}

void print_transfers() {
  constexpr double kBytes = 64 * (64 + 8);
  std::vector<std::byte> from(1U << 20U);
  std::vector<std::byte> to(1U << 20U);
  const double copied = best_seconds(1000, [&] {
    for (std::size_t row = 0; row < 64; ++row) {
      std::memcpy(to.data() + row * 64, from.data() + row * 64, 64);
      std::memcpy(to.data() + 8192 + row * 8, from.data() + (1U << 19U) + row * 8, 8);
    }
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  fmt::print("rows of a tile and their scales copied: {:.0f} MB/s, {:.2f} us\n", kBytes / copied / 1e6,
             copied * 1e6);
  for (const std::string_view line : {"H_PREFETCH_M gp0, gp0, a0, 1, 0", "H_PREFETCH_V gp0, gp0, a0, 1, 0",
                                      "H_STORE_V gp0, gp0, a0, 1, 0"}) {
    const double seconds = seconds_of(line);
    const double bytes = line.find("_M ") != std::string_view::npos ? kBytes : kBytes / 16;
    fmt::print("{:12} {:.0f} MB/s, {:.2f} us\n", line.substr(0, line.find(' ')), bytes / seconds / 1e6,
               seconds * 1e6);
  }
}

}  // namespace

int main() {
  print_products();
  print_rows();
  print_scalars();
  print_transfers();
  fmt::print("({:.3g})\n", sum_of_results);
  return 0;
}
