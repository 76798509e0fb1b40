#include "emulator/costs.h"

#include <algorithm>
#include <array>
#include <limits>

#include "emulator/rtl_costs.h"
#include "isa/instruction_set.h"
#include "isa/latencies.h"

namespace accelscope::emulator {
namespace {

constexpr std::array<std::string_view, 3> kNames{"reference", "rtl", "board"};

}  // namespace

std::string_view name_of(CostTable table) {
  return kNames[static_cast<std::size_t>(table)];
}

std::optional<CostTable> cost_table_named(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<CostTable>(found - kNames.begin());
}

std::span<const std::string_view> cost_table_names() {
  return kNames;
}

Cost cost_of(std::uint32_t word, const isa::Machine& machine, CostTable table) {
  const isa::Instruction* instruction = isa::instruction_of_word(word);
  if (instruction == nullptr || instruction->unit == isa::Unit::kMemory) return {};
  if (table == CostTable::kRtl) return rtl_cost_of(word, machine);
  // A board's latencies are already in its machine.
  const std::uint64_t cycles = isa::cycles_of(word, machine.latencies, isa::CycleModel::kEmulator);
  const auto kept =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(cycles, std::numeric_limits<std::uint32_t>::max()));
  return {kept, kept};
}

bool is_measured(std::uint32_t opcode, CostTable table) {
  return table != CostTable::kRtl || is_measured_in_rtl(opcode);
}

}  // namespace accelscope::emulator
