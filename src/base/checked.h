// A whole number from zero up that knows when it no longer fits 64 bits: sums and products of one that does
// not fit do not fit either, so that a long formula is checked once, at its end.
//
// A trivial value; safe from any thread.
//
//   const Checked elements = Checked(layers) * hidden * hidden + vocabulary;
//   if (!elements.fits()) return fail(ErrorCode::kTooLarge, "...");
#pragma once

#include <cstdint>
#include <optional>

namespace accelscope::base {

class Checked {
 public:
  constexpr Checked() = default;
  // Implicit: a formula mixes them with plain numbers.
  constexpr Checked(std::uint64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  constexpr bool fits() const { return fits_; }
  constexpr std::optional<std::uint64_t> value() const {
    return fits_ ? std::optional(value_) : std::nullopt;
  }
  constexpr std::uint64_t value_or(std::uint64_t other) const { return fits_ ? value_ : other; }

  friend constexpr Checked operator+(Checked a, Checked b) {
    Checked sum;
    sum.fits_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.fits_ && b.fits_;
    return sum;
  }
  friend constexpr Checked operator*(Checked a, Checked b) {
    Checked product;
    product.fits_ = !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.fits_ && b.fits_;
    return product;
  }
  constexpr Checked& operator+=(Checked other) { return *this = *this + other; }
  constexpr Checked& operator*=(Checked other) { return *this = *this * other; }

 private:
  std::uint64_t value_ = 0;
  bool fits_ = true;
};

// a / b, rounded up; 0 where there is nothing to divide by.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : a / b + (a % b == 0 ? 0 : 1);
}

}  // namespace accelscope::base
