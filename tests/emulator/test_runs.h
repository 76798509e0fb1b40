// Programs and memories for tests of timing: a small machine, listings made at random, and one call to run
// them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/splitmix.h"
#include "emulator/emulation.h"
#include "emulator/memory_setup.h"
#include "isa/generators.h"
#include "isa/machine.h"
#include "isa/program.h"
#include "isa/program_builder.h"

namespace accelscope::emulator {

// The shipped settings with other tiles.
inline isa::Machine machine_of(std::uint64_t mlen, std::uint64_t blen) {
  isa::MachineSources sources;
  sources.overrides.mlen = mlen;
  sources.overrides.blen = blen;
  return *isa::make_machine(sources);
}

// Tiles of 16 and small memories, so that random addresses meet.
inline isa::Machine small_timed_machine() {
  isa::Machine machine = machine_of(16, 4);
  machine.hlen = 4;
  machine.broadcast = 4;
  machine.vector_rows = 256;
  machine.matrix_tiles = 8;
  machine.external_memory = {1 << 16};
  return machine;
}

inline isa::Program program_of(std::string_view listing) {
  isa::ReadProgram read = isa::read_program("a.asm", listing, isa::Dialect::kStrict);
  EXPECT_TRUE(read.diagnostics.ok()) << listing;
  return std::move(read.program);
}

inline isa::Program generated(std::string_view text) {
  return program_of(*isa::generate_program(text));
}

inline std::unique_ptr<memory::Timing> memory_of(std::string dram) {
  MemoryWishes wishes;
  wishes.dram = std::move(dram);
  return std::move(set_up_memory(wishes)->timing);
}

inline Emulation run(const isa::Program& program, const EmulationOptions& options,
                     std::unique_ptr<memory::Timing> memory, const Images& images = {}) {
  base::Result<Emulation> done = emulate(program, options, images, std::move(memory));
  EXPECT_TRUE(done) << (done ? std::string() : done.error().to_string());
  return done ? std::move(*done) : Emulation{};
}

// Every request takes as long, however many there are; a posted write nothing.
class FixedMemory final : public memory::Timing {
 public:
  explicit FixedMemory(std::int64_t nanoseconds) : latency_{nanoseconds * 1000} {}

  memory::Sequence submit(const memory::Request& request) override {
    const base::Picoseconds start = std::max(now_, request.arrival);
    const base::Picoseconds end = request.posted ? start : start + latency_;
    done_.push_back({sequence_, end, end});
    return sequence_++;
  }
  std::optional<memory::Completion> next(base::Picoseconds limit) override {
    if (done_.empty() || done_.front().time > limit) return std::nullopt;
    const memory::Completion first = done_.front();
    done_.pop_front();
    now_ = first.time;
    return first;
  }
  base::Picoseconds now() const override { return now_; }
  base::Bytes capacity() const override { return base::Bytes::max(); }
  std::vector<memory::ModelStatistics> statistics() const override { return {}; }

 private:
  base::Picoseconds latency_;
  base::Picoseconds now_{};
  memory::Sequence sequence_ = 0;
  std::deque<memory::Completion> done_;
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(base::splitmix(seed)) {}
  std::uint32_t below(std::uint32_t bound) {
    state_ += base::kSplitmixStep;
    return static_cast<std::uint32_t>(base::splitmix(state_) % bound);
  }

 private:
  std::uint64_t state_;
};

// A program for small_timed_machine() that touches everything that can be waited for: loops, both memories on
// the chip, all accumulators, scalars, and transfers both ways.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : dice_(seed) {}

  std::string listing() {
    build_.line("S_ADDI_INT gp1, gp0, 32768");
    build_.line("C_SET_SCALE_REG gp1");
    for (int i = 0; i < 6; ++i) {
      build_.section(i % 2 == 0 ? "even" : "odd");
      block(0);
    }
    // Until the memory is quiet, so that only the program counts.
    build_.loop(10, 1000, [&] { build_.line("S_ADDI_INT gp9, gp9, 1"); });
    return build_.take();
  }

 private:
  void row(unsigned gp) { build_.set(gp, 16 * dice_.below(24)); }
  void tile(unsigned gp, std::uint32_t inside = 0) { build_.set(gp, 256 * dice_.below(4) + inside); }
  unsigned f() { return 1 + dice_.below(7); }

  void block(unsigned depth) {
    const std::uint32_t steps = 2 + dice_.below(8);
    for (std::uint32_t i = 0; i < steps; ++i) {
      if (depth < 2 && dice_.below(5) == 0)
        build_.loop(10 + depth, 1 + dice_.below(4), [&] { block(depth + 1); });
      else
        step();
    }
  }
  void step() {
    switch (dice_.below(7)) {
      case 0:
        return products();
      case 1:
      case 2:
        return rows();
      case 3:
        return scalars();
      case 4:
        return build_.line("S_ADDI_INT gp9, gp9, {}", dice_.below(100));
      default:
        return transfers();
    }
  }
  void products() {
    row(2);
    tile(3, 64 * dice_.below(4));
    switch (dice_.below(4)) {
      case 0:
        build_.line("M_MM 0, gp3, gp2");
        break;
      case 1:
        build_.line("M_TMM 0, gp2, gp3");
        break;
      case 2:
        tile(3, 4 * dice_.below(4));
        build_.line("M_MV 0, gp3, gp2");
        if (dice_.below(2) == 0) build_.line("M_MV_WO gp2, 0");
        return;
      default:
        tile(3, 4 * dice_.below(4));
        build_.line("M_BTMM 0, gp3, gp2");
        if (dice_.below(2) == 0) build_.line("M_BMM_WO gp2, 0");
        return;
    }
    if (dice_.below(2) != 0) return;
    row(4);
    build_.set(5, 1 + dice_.below(3));
    build_.line("M_MM_WO gp4, gp{}, {}", dice_.below(2) * 5, 4 * dice_.below(4));
  }
  void rows() {
    row(2);
    row(3);
    row(4);
    switch (dice_.below(8)) {
      case 0:
        return build_.line("V_ADD_VV gp4, gp2, gp3");
      case 1:
        return build_.line("V_MUL_VF gp4, gp2, f{}", f());
      case 2:
        return build_.line("V_EXP_V gp4, gp2");
      case 3:
        return build_.line("V_RECI_V gp4, gp2");
      case 4:
        return build_.line("V_RED_SUM f{}, gp2", dice_.below(8));
      case 5:
        return build_.line("V_RED_MAX f{}, gp2", f());
      case 6:
        return build_.line("V_MAX_VF gp4, gp2, f{}", f());
      default:
        build_.set(3, dice_.below(100));
        return build_.line("V_TOPK gp3, gp2, gp3");
    }
  }
  void scalars() {
    switch (dice_.below(7)) {
      case 0:
        return build_.line("S_ADD_FP f{}, f{}, f{}", f(), f(), f());
      case 1:
        return build_.line("S_EXP_FP f{}, f{}", f(), f());
      case 2:
        return build_.line("S_LD_FP f{}, gp0, {}", f(), dice_.below(64));
      case 3:
        return build_.line("S_ST_FP f{}, gp0, {}", f(), dice_.below(64));
      case 4:
        row(4);
        return build_.line("S_MAP_V_FP gp4, gp0, {}", dice_.below(64));
      case 5:
        return build_.line("S_LD_INT gp8, gp0, {}", dice_.below(64));
      default:
        return build_.line("S_MUL_FP f0, f{}, f{}", f(), f());
    }
  }
  void transfers() {
    build_.set(6, 8 * dice_.below(1024));
    build_.set(7, 16 * (1 + dice_.below(4)));
    build_.line("C_SET_STRIDE_REG gp7");
    switch (dice_.below(4)) {
      case 0:
        tile(4);
        return build_.line("H_PREFETCH_M gp4, gp6, a0, {}, 0", dice_.below(2));
      case 1:
        row(4);
        return build_.line("H_STORE_V gp4, gp6, a0, {}, 0", dice_.below(2));
      default:
        row(4);
        return build_.line("H_PREFETCH_V gp4, gp6, a0, {}, 0", dice_.below(2));
    }
  }

  Dice dice_;
  isa::ProgramBuilder build_;
};

}  // namespace accelscope::emulator
