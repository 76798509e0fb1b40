// Single numbers of few bits, from bits to floats and back, by two rules: the reference's, with what is odd
// about it (docs/emulator-core.md), and that of the OCP Microscaling formats. Rows of them are row_codec.h's.
//
// Pure functions, the same on every machine, safe from any thread.
//
//   reference_value(0x01, boards::kE4m3)        // 2^-10
//   ocp_value(0x01, boards::kE4m3)              // 2^-9
#pragma once

#include <cstdint>

#include "boards/number_format.h"

namespace accelscope::emulator {

// What is 2^-e below the normal numbers is 2^-(e+1) here; the largest exponent is kept for infinities and
// what is no number; integers have no sign.
float reference_value(std::uint32_t bits, const boards::ElementType& type);
// Of an element that stands for itself. With 8 bits of exponent, as a float has, it is rounded to the
// nearest, ties to even; with fewer it is the reference's cast, which knows zero and infinity only.
std::uint32_t reference_bits(float value, const boards::ElementType& type);
// Of an element that was divided by its block's scale: rounded down to quarters of a step and then to the
// nearest, without carry.
std::uint32_t reference_block_bits(float value, const boards::ElementType& type);
// Down to a whole number, as a 32-bit logarithm has it: just below a large power of two it is the power's.
// Of numbers above 0.
int reference_exponent(float value);

// E5M2, E4M3, E3M2, E2M3, E2M1 and INT8.
bool is_ocp_element(const boards::ElementType& type);
// The exponent of the largest number of one of those.
int ocp_largest_exponent(const boards::ElementType& type);
bool ocp_has_no_number(const boards::ElementType& type);
float ocp_value(std::uint32_t bits, const boards::ElementType& type);
// The nearest, ties to even; what is too large is the largest. Of what is no number: no number, where the
// type has one.
std::uint32_t ocp_bits(double value, const boards::ElementType& type);

}  // namespace accelscope::emulator
