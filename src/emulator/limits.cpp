#include "emulator/limits.h"

#include <algorithm>
#include <array>

#include "emulator/run_parts.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;
using isa::Unit;

double seconds(Picoseconds time) {
  return static_cast<double>(time.value) / 1e12;
}

std::uint64_t counter_of(const memory::ModelStatistics& model, std::string_view id) {
  for (const memory::Counter& counter : model.counters)
    if (counter.id == id && counter.value > 0) return static_cast<std::uint64_t>(counter.value);
  return 0;
}

// The most that M_MM can do by a table of costs, in multiplications a cycle.
double rate_by_costs(const isa::Machine& machine, CostTable table) {
  const std::uint32_t cycles = cost_of(isa::opcode("M_MM"), machine, table).occupancy;
  return cycles == 0 ? 0
                     : static_cast<double>(multiplications_of(isa::opcode("M_MM"), machine)) /
                           static_cast<double>(cycles);
}

Picoseconds longest_unit(const Accounts& accounts) {
  Picoseconds longest{};
  for (const UnitAccount& unit : accounts.units) longest = std::max(longest, unit.busy());
  return longest;
}

}  // namespace

std::uint64_t multiplications_of(std::uint32_t opcode, const isa::Machine& machine) {
  switch (opcode) {
    case isa::opcode("M_MM"):
    case isa::opcode("M_TMM"):
      return machine.blen * machine.blen * machine.mlen;
    case isa::opcode("M_BMM"):
    case isa::opcode("M_BTMM"):
      return machine.broadcast * machine.mlen * machine.hlen * machine.mlen;
    case isa::opcode("M_MV"):
    case isa::opcode("M_TMV"):
      return machine.mlen * machine.blen;
    case isa::opcode("M_BMV"):
    case isa::opcode("M_BTMV"):
      return machine.broadcast * machine.hlen * machine.mlen;
    default:
      return 0;
  }
}

std::uint64_t link_bytes_of(const Emulation& done) {
  std::uint64_t bytes = 0;
  for (const memory::ModelStatistics& model : done.memory)
    for (const std::string_view id : {"streamed_bytes", "swapped_bytes", "returned_bytes"})
      bytes += counter_of(model, id);
  return bytes;
}

Picoseconds waited_for(const Accounts& accounts, Cause cause) {
  return accounts.units[index(Unit::kControl)].time[index(cause)];
}

Roofline roofline(const isa::Program& program, const Emulation& done, const RunCircumstances& about) {
  Roofline made{.bytes = done.bytes_read + done.bytes_written, .link_bytes = link_bytes_of(done)};
  for (const RunPart& part : parts_by_opcode(program, done))
    made.multiplications += part.account.count * multiplications_of(part.opcode, about.machine);
  const auto work = static_cast<double>(made.multiplications);
  if (made.multiplications == 0 || done.latency.value <= 0) return made;
  made.attained = work / seconds(done.latency);
  const double period = about.machine.clock.to_seconds({1});
  const auto arithmetic = [&](std::string id, std::string name, double a_cycle) {
    made.roofs.push_back({std::move(id), std::move(name), a_cycle / period, a_cycle / period});
  };
  const auto transfers = [&](std::string id, std::string name, double rate, std::uint64_t bytes) {
    if (rate > 0 && bytes > 0)
      made.roofs.push_back({std::move(id), std::move(name), rate, rate * work / static_cast<double>(bytes)});
  };
  const auto multipliers = static_cast<double>(about.machine.blen * about.machine.blen);
  const double by_costs = rate_by_costs(about.machine, about.costs);
  // Costs by which M_MM is faster mean an array with more of them: then it is no roof.
  if (by_costs <= multipliers) arithmetic("array", "BLEN x BLEN multipliers", multipliers);
  arithmetic("costs", "M_MM by the costs", by_costs);
  if (made.bytes > 0) made.intensity = work / static_cast<double>(made.bytes);
  if (about.peak_bandwidth)
    transfers("memory_peak", "memory, peak", static_cast<double>(about.peak_bandwidth->value), made.bytes);
  if (done.transfers.value > 0)
    transfers("memory_achieved", "memory, while it transfers",
              static_cast<double>(made.bytes) / seconds(done.transfers), made.bytes);
  if (about.host_bandwidth)
    transfers("link", "host link", static_cast<double>(about.host_bandwidth->value), made.link_bytes);
  // By its costs the run cannot reach the array's own roof.
  for (const Roof& roof : made.roofs)
    if (roof.id != "array" && roof.id != "memory_achieved" &&
        (made.lowest.empty() || roof.attainable < made.attainable)) {
      made.attainable = roof.attainable;
      made.lowest = roof.id;
    }
  return made;
}

std::vector<Bound> bounds_of(const Emulation& done, bool has_link) {
  const Accounts& accounts = done.accounts;
  const auto without = [&](std::initializer_list<Cause> causes) {
    Picoseconds left = done.latency;
    for (const Cause cause : causes) left -= waited_for(accounts, cause);
    return left;
  };
  std::vector<Bound> bounds{
      {"memory", "if transfers took no time", without({Cause::kTransfer, Cause::kLink, Cause::kRefresh})}};
  if (has_link) bounds.push_back({"link", "if the host link took no time", without({Cause::kLink})});
  bounds.push_back({"overlap", "if all units always worked at the same time", longest_unit(accounts)});
  // One after the other, the time of a unit is gone with it; where units overlap, only what is on the path.
  const Picoseconds scalar =
      done.critical_path
          ? done.critical_path->by_unit[index(Unit::kScalar)] +
                done.critical_path->by_unit[index(Unit::kControl)] + done.critical_path->issue
          : accounts.units[index(Unit::kScalar)].busy() + accounts.units[index(Unit::kControl)].busy();
  bounds.push_back({"scalar", "if scalar and control instructions took no time", done.latency - scalar});
  return bounds;
}

std::vector<TimeShare> latency_shares(const Emulation& done) {
  std::array<Picoseconds, isa::kUnits> by_unit{};
  Picoseconds issue{};
  if (done.critical_path) {
    by_unit = done.critical_path->by_unit;
    issue = done.critical_path->issue;
  } else {
    for (std::size_t unit = 0; unit < isa::kUnits; ++unit) by_unit[unit] = done.accounts.units[unit].busy();
  }
  const Picoseconds memory = by_unit[index(Unit::kMemory)];
  const Picoseconds link = std::min(memory, waited_for(done.accounts, Cause::kLink));
  std::vector<TimeShare> shares{{"matrix", "matrix operations", by_unit[index(Unit::kMatrix)]},
                                {"vector", "vector operations", by_unit[index(Unit::kVector)]},
                                {"scalar", "scalar and control instructions",
                                 by_unit[index(Unit::kScalar)] + by_unit[index(Unit::kControl)] + issue},
                                {"memory", "transfers from and to the memory", memory - link},
                                {"link", "transfers over the host link", link}};
  Picoseconds rest = done.latency;
  for (const TimeShare& share : shares) rest -= share.time;
  shares.push_back({"drain", "what the memory did after the last instruction", rest});
  return shares;
}

}  // namespace accelscope::emulator
