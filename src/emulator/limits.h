// What a run could have been at best: roofs of arithmetic, memory and host link, and what would be left of
// its latency if one thing cost nothing.
//
// Pure functions, safe from any thread. Counts are of multiply-accumulate operations of the matrix unit.
//
//   const Roofline roofs = roofline(program, done, {.machine = machine, .costs = CostTable::kBoard});
//   roofs.attained / roofs.attainable
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "emulator/costs.h"
#include "emulator/emulation.h"
#include "isa/machine.h"
#include "isa/program.h"

namespace accelscope::emulator {

struct RunCircumstances {
  const isa::Machine& machine;
  CostTable costs = CostTable::kReference;
  std::optional<base::BytesPerSecond> peak_bandwidth = std::nullopt;  // of the memory
  std::optional<base::BytesPerSecond> host_bandwidth = std::nullopt;  // of models with a link
};

// Of one instruction; 0 for those of other units.
std::uint64_t multiplications_of(std::uint32_t opcode, const isa::Machine& machine);

struct Roof {
  std::string id = {};  // "array", "costs", "memory_peak", "memory_achieved", "link"
  std::string name = {};
  double rate = 0;        // bytes a second, or multiplications a second for the first two
  double attainable = 0;  // multiplications a second
};

struct Roofline {
  std::uint64_t multiplications = 0;
  std::uint64_t bytes = 0;       // of the external memory, read and written
  std::uint64_t link_bytes = 0;  // over the host link
  double intensity = 0;          // multiplications a byte; 0 where nothing was moved
  double attained = 0;           // multiplications a second
  std::vector<Roof> roofs = {};
  double attainable = 0;    // the lowest of the roofs that the hardware sets; 0 where nothing multiplies
  std::string lowest = {};  // its id
};
Roofline roofline(const isa::Program& program, const Emulation& done, const RunCircumstances& about);

// How long everything else would take, at least, if something took no time.
struct Bound {
  std::string id = {};  // "memory", "link", "overlap", "scalar"
  std::string what = {};
  base::Picoseconds latency{};
};
std::vector<Bound> bounds_of(const Emulation& done, bool has_link);

// Where the latency went: each moment once, so that the times sum to it. One after the other, by what was
// done; where units overlap, by the critical path.
struct TimeShare {
  std::string id = {};  // "matrix", "vector", "scalar", "memory", "link", "drain"
  std::string name = {};
  base::Picoseconds time{};
};
std::vector<TimeShare> latency_shares(const Emulation& done);

// How long a run waited for something: from the point of view of who issues instructions.
base::Picoseconds waited_for(const Accounts& accounts, Cause cause);

// Bytes that came or went over the host link.
std::uint64_t link_bytes_of(const Emulation& done);

}  // namespace accelscope::emulator
