// A count that knows when it no longer fits: 127 bits, and from the first overflow on it stays one that does
// not fit, so that a formula is written as it is and asked once at the end.
//
// Dividing by zero does not fit either. A trivial value, safe from any thread.
//
//   const Count cycles = ceil_divide(Count(tokens) * batch, blen) * matrix_cycles;
//   if (!cycles.fits()) ...
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/units.h"

namespace accelscope::fit {

class Count {
 public:
  constexpr Count() = default;
  // Implicit, so that formulas can mix counts with plain integers.
  constexpr Count(std::uint64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  constexpr bool fits() const { return fits_; }
  // Nothing where it does not fit 63 bits.
  constexpr std::optional<std::int64_t> as_int64() const {
    if (!fits_ || value_ > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return static_cast<std::int64_t>(value_);
  }
  // Of a count that fits.
  constexpr double as_double() const { return static_cast<double>(value_); }

  friend constexpr Count operator+(Count a, Count b) {
    base::Int128 sum = 0;
    const bool fits = !__builtin_add_overflow(a.value_, b.value_, &sum);
    return {sum, fits && a.fits_ && b.fits_};
  }
  friend constexpr Count operator*(Count a, Count b) {
    base::Int128 product = 0;
    const bool fits = !__builtin_mul_overflow(a.value_, b.value_, &product);
    return {product, fits && a.fits_ && b.fits_};
  }
  // Rounds down.
  friend constexpr Count operator/(Count a, Count b) {
    if (b.value_ == 0) return {0, false};
    return {a.value_ / b.value_, a.fits_ && b.fits_};
  }
  friend constexpr Count ceil_divide(Count a, Count b) {
    if (b.value_ == 0) return {0, false};
    const base::Int128 quotient = a.value_ / b.value_;
    return {quotient + (a.value_ % b.value_ != 0 ? 1 : 0), a.fits_ && b.fits_};
  }
  // a - b, and 0 where b is the larger one.
  friend constexpr Count excess(Count a, Count b) {
    return {a.value_ > b.value_ ? a.value_ - b.value_ : 0, a.fits_ && b.fits_};
  }
  friend constexpr Count smaller(Count a, Count b) {
    return {std::min(a.value_, b.value_), a.fits_ && b.fits_};
  }
  constexpr Count& operator+=(Count other) { return *this = *this + other; }

 private:
  constexpr Count(base::Int128 value, bool fits) : value_(fits ? value : 0), fits_(fits) {}

  base::Int128 value_ = 0;
  bool fits_ = true;
};

// Also for plain integers.
constexpr Count ceil_divide(Count a, Count b);
constexpr Count excess(Count a, Count b);
constexpr Count smaller(Count a, Count b);

// ceil(1 / divisor) + ceil(2 / divisor) + ... + ceil(last / divisor).
constexpr Count sum_of_ceils_to(Count last, Count divisor) {
  const Count whole = last / divisor;
  const Count rest = excess(last, whole * divisor);
  return divisor * (whole * (whole + 1) / 2) + rest * (whole + 1);
}

// The sum of ceil(x / divisor) for the `count` numbers x from `first` on; `first` is 1 at least.
constexpr Count sum_of_ceils(Count first, Count count, Count divisor) {
  const Count before = excess(first, 1);
  return excess(sum_of_ceils_to(before + count, divisor), sum_of_ceils_to(before, divisor));
}

}  // namespace accelscope::fit
