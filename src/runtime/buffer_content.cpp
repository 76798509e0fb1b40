#include "runtime/buffer_content.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half_float.h"
#include "base/splitmix.h"

namespace accelscope::runtime {
namespace {

template <class Number>
Number read(const std::byte* place) {
  Number number{};
  std::memcpy(&number, place, sizeof number);
  return number;
}

template <class Number>
void write(Number number, std::byte* place) {
  std::memcpy(place, &number, sizeof number);
}

template <class Integer>
Integer floored(double value) {
  if (std::isnan(value)) return 0;
  const double down = std::floor(value);
  // The largest integer of 64 bits is no double: it becomes the power of two above, which is right here.
  constexpr double kBeyond = static_cast<double>(std::numeric_limits<Integer>::max()) + 1;
  constexpr double kLeast = static_cast<double>(std::numeric_limits<Integer>::min());
  if (down >= kBeyond) return std::numeric_limits<Integer>::max();
  return down <= kLeast ? std::numeric_limits<Integer>::min() : static_cast<Integer>(down);
}

std::string position_in_words(const TensorView& view, std::uint64_t position) {
  std::string words = "]";
  for (std::uint32_t i = view.dimensions; i-- > 0; position /= view.shape[i])
    words = fmt::format("{}{}{}", i == 0 ? "" : ", ", position % view.shape[i], words);
  return "[" + words;
}

}  // namespace

double load(DataType type, const std::byte* place) {
  switch (type) {
    case DataType::kFloat32:
      return static_cast<double>(read<float>(place));
    case DataType::kFloat16:
      return static_cast<double>(base::float_of_float16(read<std::uint16_t>(place)));
    case DataType::kBFloat16:
      return static_cast<double>(base::float_of_bfloat16(read<std::uint16_t>(place)));
    case DataType::kInt64:
      return static_cast<double>(read<std::int64_t>(place));
    case DataType::kInt32:
      return read<std::int32_t>(place);
    case DataType::kInt16:
      return read<std::int16_t>(place);
    case DataType::kInt8:
      return read<std::int8_t>(place);
    case DataType::kUInt8:
      return read<std::uint8_t>(place);
    case DataType::kBool:
      return read<std::uint8_t>(place) == 0 ? 0 : 1;
  }
  return 0;
}

void store(DataType type, double value, std::byte* place) {
  switch (type) {
    case DataType::kFloat32:
      return write(static_cast<float>(value), place);
    case DataType::kFloat16:
      return write(base::float16_bits(value), place);
    case DataType::kBFloat16:
      return write(base::bfloat16_bits(value), place);
    case DataType::kInt64:
      return write(floored<std::int64_t>(value), place);
    case DataType::kInt32:
      return write(floored<std::int32_t>(value), place);
    case DataType::kInt16:
      return write(floored<std::int16_t>(value), place);
    case DataType::kInt8:
      return write(floored<std::int8_t>(value), place);
    case DataType::kUInt8:
      return write(floored<std::uint8_t>(value), place);
    case DataType::kBool:
      return write(static_cast<std::uint8_t>(value != 0 ? 1 : 0), place);
  }
}

bool fits(DataType type, double value) {
  if (!std::isfinite(value)) return false;
  std::byte place[8] = {};
  store(type, value, place);
  const double stored = load(type, place);
  // An integer of 64 bits is read back as a double; the largest one as a number that does not fit.
  if (type == DataType::kInt64 && value >= 9223372036854775808.0) return false;
  return is_floating(type) ? std::isfinite(stored) : stored == value;
}

double random_number(std::uint64_t seed, std::uint64_t index) {
  return base::fraction_of(base::splitmix(base::splitmix(seed) + (index + 1) * base::kSplitmixStep));
}

double initial_value(const BufferContent& content, std::uint64_t index) {
  switch (content.fill) {
    case Fill::kZeros:
      return 0;
    case Fill::kConstant:
      return content.base;
    case Fill::kCounting:
      return content.base + content.step * static_cast<double>(index);
    case Fill::kRandom:
      return content.base + content.step * random_number(content.seed, index);
    case Fill::kValues:
      return index < content.values.size() ? content.values[index] : 0;
  }
  return 0;
}

void fill(const Buffer& buffer, std::span<std::byte> memory) {
  if (buffer.content.fill == Fill::kZeros) {
    std::ranges::fill(memory, std::byte{0});
    return;
  }
  const std::uint32_t bytes = facts_of(buffer.type).bytes;
  // So that true and false are equally likely from 0 to 2.
  const bool down = buffer.content.fill == Fill::kRandom && !is_floating(buffer.type);
  for (std::uint64_t i = 0; i < buffer.elements; ++i) {
    const double value = initial_value(buffer.content, i);
    store(buffer.type, down ? std::floor(value) : value, memory.data() + i * bytes);
  }
}

std::uint64_t element_at(const TensorView& view, std::uint64_t position) {
  std::uint64_t element = view.start;
  for (std::uint32_t i = view.dimensions; i-- > 0; position /= view.shape[i])
    element += position % view.shape[i] * view.strides[i];
  return element;
}

Comparison compare(const Expectation& expectation, DataType type, std::span<const std::byte> memory) {
  Comparison comparison;
  comparison.compared = std::min<std::uint64_t>(expectation.values.size(), element_count(expectation.view));
  const std::uint32_t bytes = facts_of(type).bytes;
  for (std::uint64_t i = 0; i < comparison.compared; ++i) {
    const double want = expectation.values[i];
    const double got = load(type, memory.data() + element_at(expectation.view, i) * bytes);
    const double apart = std::abs(got - want);
    if (got == want || apart <= expectation.absolute + expectation.relative * std::abs(want)) continue;
    ++comparison.differing;
    if (apart > comparison.largest || std::isnan(apart)) comparison.largest = apart;
    if (comparison.first.size() < Comparison::kShown) comparison.first.push_back({i, got, want});
  }
  return comparison;
}

std::string in_words(const Comparison& comparison, const Expectation& expectation, std::string_view buffer) {
  if (comparison.differing == 0)
    return fmt::format("{}: all {} elements are as expected", buffer, comparison.compared);
  std::string words = fmt::format("{}: {} of {} elements differ by up to {:g}:", buffer, comparison.differing,
                                  comparison.compared, comparison.largest);
  for (std::size_t i = 0; i < comparison.first.size(); ++i) {
    const Difference& difference = comparison.first[i];
    words += fmt::format("{} {} is {:g}, expected {:g}", i == 0 ? "" : ";",
                         position_in_words(expectation.view, difference.position), difference.got,
                         difference.want);
  }
  if (comparison.differing > comparison.first.size()) words += "; ...";
  return words;
}

}  // namespace accelscope::runtime
