// Divides by a number that stays the same: a multiplication and a shift, which take a fraction of the time.
//
// Exact for dividends and divisors below 2^63: with t the divisor's logarithm rounded up, the factor is
// 2^(63 + t) / divisor and a part of one more, and what that is too much, times a dividend, stays below one.
// A plain value.
//
//   const FixedDivisor twenty(20);
//   const std::uint64_t ticks = twenty.divide(nanoseconds);
#pragma once

#include <bit>
#include <cstdint>

namespace accelscope::runtime {

class FixedDivisor {
 public:
  explicit constexpr FixedDivisor(std::uint64_t divisor)
      : shift_(63 + static_cast<unsigned>(std::bit_width(divisor - 1))),
        factor_(static_cast<std::uint64_t>((Wide{1} << shift_) / divisor) + 1) {}

  constexpr std::uint64_t divide(std::uint64_t dividend) const {
    return static_cast<std::uint64_t>((Wide{dividend} * factor_) >> shift_);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  unsigned shift_;
  std::uint64_t factor_;
};

}  // namespace accelscope::runtime
