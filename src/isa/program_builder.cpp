#include "isa/program_builder.h"

#include "isa/instruction.h"

namespace accelscope::isa {
namespace {

constexpr std::uint32_t kLargestImmediate = bits_of(Field::kImmediate18).largest();
constexpr unsigned kLowBits = 12;  // what S_LUI_INT leaves 0

}  // namespace

void ProgramBuilder::set(unsigned to, std::uint32_t value) {
  if (value <= kLargestImmediate) {
    line("S_ADDI_INT gp{}, gp0, {}", to, value);
    return;
  }
  line("S_LUI_INT gp{}, {}", to, value >> kLowBits);
  line("S_ADDI_INT gp{0}, gp{0}, {1}", to, value & ((1U << kLowBits) - 1));
}

void ProgramBuilder::add(unsigned to, unsigned from, std::uint32_t value) {
  if (value <= kLargestImmediate) {
    line("S_ADDI_INT gp{}, gp{}, {}", to, from, value);
    return;
  }
  set(kScratch, value);
  line("S_ADD_INT gp{}, gp{}, gp{}", to, from, kScratch);
}

}  // namespace accelscope::isa
