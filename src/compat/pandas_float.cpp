#include "compat/pandas_float.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace accelscope::compat {
namespace {

constexpr int kMaxDigits = 17;
constexpr int kLargestPower = 308;

constexpr std::array<std::string_view, 9> kMissing = {"",     "nan",  "NaN",  "NA",  "N/A",
                                                      "NULL", "null", "-nan", "-NaN"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The double nearest to 10^exponent, which a product of tens is not.
double power_of_ten(int exponent) {
  std::array<char, 8> text = {'1', 'e'};
  const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), exponent).ptr;
  double value = 0;
  std::from_chars(text.data(), end, value);
  return value;
}

double scaled(double digits, int exponent) {
  if (exponent > kLargestPower) return std::copysign(std::numeric_limits<double>::infinity(), digits);
  if (exponent > 0) return digits * power_of_ten(exponent);
  if (exponent >= -kLargestPower) return digits / power_of_ten(-exponent);
  if (exponent < -2 * kLargestPower) return 0;
  return digits / power_of_ten(-kLargestPower - exponent) / power_of_ten(kLargestPower);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<double> parse() {
    const bool negative = sign();
    while (at_ < text_.size() && is_digit(text_[at_])) digit(0, 1);
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) digit(-1, 0);
    }
    if (digits_ == 0 || !exponent() || at_ != text_.size()) return std::nullopt;
    return scaled(negative ? -number_ : number_, exponent_);
  }

 private:
  bool sign() {
    const bool negative = at_ < text_.size() && text_[at_] == '-';
    if (negative || (at_ < text_.size() && text_[at_] == '+')) ++at_;
    return negative;
  }
  // How the exponent changes with a digit that counts and with one that is passed over.
  void digit(int counted, int passed) {
    if (digits_ < kMaxDigits) {
      number_ = number_ * 10 + (text_[at_] - '0');
      ++digits_;
      exponent_ += counted;
    } else {
      exponent_ += passed;
    }
    ++at_;
  }
  bool exponent() {
    if (at_ == text_.size() || (text_[at_] != 'e' && text_[at_] != 'E')) return true;
    ++at_;
    const bool negative = sign();
    int power = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), power);
    if (error != std::errc() || power < 0 || power > kMaxExponent) return false;
    at_ = static_cast<std::size_t>(end - text_.data());
    exponent_ += negative ? -power : power;
    return true;
  }

  static constexpr int kMaxExponent = 100'000;

  std::string_view text_;
  std::size_t at_ = 0;
  double number_ = 0;
  int digits_ = 0;
  int exponent_ = 0;
};

}  // namespace

std::optional<double> pandas_float(std::string_view text) {
  for (const std::string_view missing : kMissing)
    if (text == missing) return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf" || text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-inf" || text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return Parser(text).parse();
}

}  // namespace accelscope::compat
