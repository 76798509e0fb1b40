#include "formats/chrome_json/counter_samples.h"

#include <fmt/core.h>

#include <bit>

#include "base/hash.h"

namespace accelscope::formats::chrome_json {
namespace {

using trace::Value;
using trace::ValueType;

double as_double(ValueType type, std::uint64_t bits) {
  if (type == ValueType::kDouble) return std::bit_cast<double>(bits);
  return type == ValueType::kUint ? static_cast<double>(bits)
                                  : static_cast<double>(static_cast<std::int64_t>(bits));
}

// One event may have thousands of series, and the track of each repeats the event's name.
std::string_view shortened(std::string_view name) {
  constexpr std::size_t kMaxBytes = 256;
  if (name.size() <= kMaxBytes) return name;
  std::size_t end = kMaxBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
    --end;  // not inside a character
  return name.substr(0, end);
}

bool survives_as_double(ValueType type, std::uint64_t bits) {
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;
  if (type == ValueType::kDouble) return true;
  const auto value = static_cast<std::int64_t>(bits);
  const std::uint64_t magnitude = type == ValueType::kInt && value < 0 ? ~bits + 1 : bits;
  return magnitude <= kExact;
}

}  // namespace

std::size_t CounterSamples::KeyHash::operator()(const Key& key) const {
  return base::hash_of(key.id.bits, key.id.kind, key.name, key.series, key.process);
}

std::uint32_t CounterSamples::counter_of(const Event& event, StringId series, bool only_series) {
  const std::uint32_t process = tracks_.process(event.process);
  const ExternalId id = event.has(Event::kId) ? event.id : ExternalId{};
  const auto next = static_cast<std::uint32_t>(counters_.size());
  const auto [found, added] = index_.try_emplace(Key{process, event.name, series, id}, next);
  if (!added) return found->second;
  std::string name(builder_.text(event.name));
  if (id.kind == ExternalId::Kind::kText)
    name += fmt::format(" {}", builder_.text(static_cast<StringId>(id.bits)));
  if (!only_series || series != value_) name = fmt::format("{} {}", shortened(name), builder_.text(series));
  Counter& counter = counters_.emplace_back();
  counter.track = tracks_.add_counter_track(process, builder_.intern(name), id);
  counter.first_offset = event.offset;
  builder_.track(counter.track).counter_unit = event.unit;
  return next;
}

// Numbers in quotation marks count as numbers.
bool CounterSamples::as_number(const Value& value, Value& number) const {
  number = value;
  if (value.type == ValueType::kBool) number = Value::of_int(value.as_bool() ? 1 : 0);
  if (value.type != ValueType::kString)
    return number.type == ValueType::kInt || number.type == ValueType::kUint ||
           number.type == ValueType::kDouble;
  switch (parse_number(builder_.text(value.as_text()), number.bits)) {
    case NumberKind::kInt:
      number.type = ValueType::kInt;
      return true;
    case NumberKind::kUint:
      number.type = ValueType::kUint;
      return true;
    case NumberKind::kDouble:
      number.type = ValueType::kDouble;
      return true;
    case NumberKind::kTooWide:
    case NumberKind::kMalformed:
      break;
  }
  return false;
}

void CounterSamples::add(const Event& event, Ticks time) {
  for (const Argument& argument : event.arguments) {
    Value number;
    if (!as_number(argument.value, number)) {
      if (argument.value.type != ValueType::kNull) troubles_.note(Trouble::kCounterNotANumber, event.offset);
      continue;
    }
    const std::uint32_t counter = counter_of(event, argument.name, event.arguments.size() == 1);
    if (number.type != ValueType::kInt) counters_[counter].has_fractions = true;
    counter_.push_back(counter);
    time_.push_back(time);
    type_.push_back(number.type);
    bits_.push_back(number.bits);
  }
}

void CounterSamples::finish() {
  for (const Counter& counter : counters_)
    builder_.track(counter.track).counter_type =
        counter.has_fractions ? trace::CounterType::kDouble : trace::CounterType::kInt64;
  for (std::uint32_t row = 0; row < counter_.size(); ++row) {
    const Counter& counter = counters_[counter_[row]];
    if (!counter.has_fractions) {
      builder_.add_counter(counter.track, time_[row], static_cast<std::int64_t>(bits_[row]));
      continue;
    }
    if (!survives_as_double(type_[row], bits_[row]))
      troubles_.note(Trouble::kCounterRounded, counter.first_offset);
    builder_.add_counter(counter.track, time_[row], as_double(type_[row], bits_[row]));
  }
}

}  // namespace accelscope::formats::chrome_json
