#include "isa/instruction_set.h"

#include <string>
#include <vector>

#include "base/closest_name.h"

namespace accelscope::isa {
namespace {

using table::kInstructions;

constexpr std::size_t kSlots = 256;

constexpr std::size_t slot_of(std::string_view mnemonic) {
  std::uint32_t hash = static_cast<std::uint32_t>(mnemonic.size());
  for (const char c : mnemonic) hash = hash * 33 + static_cast<unsigned char>(c);
  return (hash ^ (hash >> 8U)) % kSlots;
}

// Open addressing; four slots of five are free, so that most names are found at once.
constexpr auto kPlaceOfName = [] {
  std::array<std::uint8_t, kSlots> places{};
  places.fill(static_cast<std::uint8_t>(kInstructions.size()));
  for (std::size_t i = 0; i < kInstructions.size(); ++i) {
    std::size_t slot = slot_of(kInstructions[i].mnemonic);
    while (places[slot] != kInstructions.size()) slot = (slot + 1) % kSlots;
    places[slot] = static_cast<std::uint8_t>(i);
  }
  return places;
}();

}  // namespace

const Instruction* find_instruction(std::string_view mnemonic) {
  for (std::size_t slot = slot_of(mnemonic);; slot = (slot + 1) % kSlots) {
    const std::size_t place = kPlaceOfName[slot];
    if (place == kInstructions.size()) return nullptr;
    if (kInstructions[place].mnemonic == mnemonic) return &kInstructions[place];
  }
}

std::string suggested_instruction(std::string_view mnemonic) {
  std::vector<std::string_view> names;
  names.reserve(kInstructions.size());
  for (const Instruction& instruction : kInstructions) names.push_back(instruction.mnemonic);
  return base::suggestion(mnemonic, names);
}

std::string_view name_of(Unit unit) {
  constexpr std::array<std::string_view, kUnits> kNames{"matrix", "vector", "scalar", "control", "memory"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::string_view prefix_of(RegisterFile file) {
  constexpr std::array<std::string_view, 4> kPrefixes{"", "gp", "f", "a"};
  return kPrefixes[static_cast<std::size_t>(file)];
}

std::uint32_t registers_in(RegisterFile file) {
  constexpr std::array<std::uint32_t, 4> kCounts{0, 16, 8, 16};
  return kCounts[static_cast<std::size_t>(file)];
}

}  // namespace accelscope::isa
