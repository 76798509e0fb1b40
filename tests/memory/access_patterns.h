// What the tests of several memories ask for: prefetches of rows with their scales, sequential reads, and the
// program of the published 9410 ns.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/timing.h"

namespace accelscope::memory {

// Rows of elements, each followed by its block of scales: what one prefetch asks for at once.
struct Prefetch {
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;
  std::uint64_t elements = 0;  // address of the first row
  std::uint64_t scales = 0;    // address of its scales
};

inline std::vector<Request> requests_of(const Prefetch& prefetch, base::Picoseconds at = {}) {
  std::vector<Request> requests;
  for (std::uint64_t row = 0; row < prefetch.rows; ++row) {
    const std::uint64_t element = prefetch.elements + row * prefetch.stride;
    for (std::uint64_t line = element / 64; line <= (element + prefetch.row_bytes - 1) / 64; ++line)
      requests.push_back({.address = line * 64, .arrival = at});
    requests.push_back({.address = (prefetch.scales + row * prefetch.stride / 8) / 64 * 64, .arrival = at});
  }
  return requests;
}

// Lines one behind the other, 64 of them on their way.
inline base::Picoseconds read_sequentially(Timing& memory, std::uint64_t lines) {
  std::uint64_t next = 0;
  for (; next < 64 && next < lines; ++next) memory.submit({.address = next * 64});
  base::Picoseconds end{};
  while (const auto done = memory.next(base::Picoseconds::max())) {
    end = done->time;
    if (next < lines) memory.submit({.address = next++ * 64, .arrival = done->time});
  }
  return end;
}

// Calculates for a time, then waits for a prefetch.
struct ProgramStep {
  std::int64_t cycles = 0;
  Prefetch prefetch = {};  // no rows: none
};

// The product of X[128,16] and W[16,32] with tiles of 16 and blocks of 4: 768 lines in 48 prefetches and 7330
// cycles of a nanosecond.
inline std::vector<ProgramStep> program_of_9410_ns() {
  std::vector<ProgramStep> steps;
  // Up to the first prefetch: the address and its register, five resets, scale, two more, stride, two loops.
  std::int64_t cycles = 2 + 5 + 2 + 2 + 2 + 1 + 1 + 1;
  for (std::uint64_t k = 0; k < 32; ++k) {
    steps.push_back({cycles, {4, 16, 16, 64 * k, 2048 + 8 * k}});
    cycles = 3;
  }
  cycles += 2;
  for (std::uint64_t block = 0; block < 16; ++block) {
    const std::uint64_t column = block / 8;
    steps.push_back({cycles + 2 + 2 + 2 + 2, {16, 16, 32, 2304 + 16 * column, 2304 + 512 + 2 * column}});
    const std::int64_t product = 16 + 3;
    const std::int64_t tile = 2 + 1 + product + 1 + 3;
    const std::int64_t row = 2 + 1 + 4 * tile + 3;
    cycles = 2 + 1 + 4 * row;
  }
  steps.push_back({cycles, {}});
  return steps;
}

// One step behind the other, as the reference's dispatcher does.
inline base::Picoseconds run_serially(Timing& memory, const std::vector<ProgramStep>& steps) {
  base::Picoseconds now{};
  for (const ProgramStep& step : steps) {
    now += {step.cycles * 1000};
    std::size_t outstanding = 0;
    for (const Request& request : requests_of(step.prefetch, now)) {
      memory.submit(request);
      ++outstanding;
    }
    for (; outstanding > 0; --outstanding) now = std::max(now, memory.next(base::Picoseconds::max())->time);
  }
  return now;
}

}  // namespace accelscope::memory
