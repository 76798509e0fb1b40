#include "base/sweep.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/closest_name.h"
#include "base/human.h"
#include "base/number_in.h"

namespace accelscope::base {
namespace {

constexpr std::size_t kMostValues = 100'000;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

tl::unexpected<Error> bad_range(std::string_view range) {
  return fail(ErrorCode::kUsage, "sweep: `{}` is no range; write for example 4..64*2, 1..9+2 or 1..8", range);
}

// "4..64*2", "1..9+2", "1..8".
Status add_range(std::string_view range, std::vector<std::string>& values) {
  const std::size_t dots = range.find("..");
  const std::string_view rest = range.substr(dots + 2);
  const std::size_t sign = rest.find_first_of("*+");
  const auto from = number_in<std::uint64_t>(range.substr(0, dots));
  const auto to = number_in<std::uint64_t>(rest.substr(0, sign));
  const bool multiplies = sign != std::string_view::npos && rest[sign] == '*';
  const auto step = sign == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                   : number_in<std::uint64_t>(rest.substr(sign + 1));
  if (!from || !to || !step) return bad_range(range);
  if (*from > *to) return fail(ErrorCode::kUsage, "sweep: `{}` goes from {} down to {}", range, *from, *to);
  if (*step == 0 || (multiplies && (*step == 1 || *from == 0)))
    return fail(ErrorCode::kUsage, "sweep: `{}` never gets to its end", range);
  for (std::uint64_t value = *from; value <= *to;) {
    if (values.size() >= kMostValues)
      return fail(ErrorCode::kUsage, "sweep: `{}` has more than {} values", range, format_count(kMostValues));
    values.push_back(std::to_string(value));
    if (multiplies ? __builtin_mul_overflow(value, *step, &value)
                   : __builtin_add_overflow(value, *step, &value))
      break;
  }
  return {};
}

Status add_values(const SweepKind& kind, std::string_view text, std::vector<std::string>& values) {
  if (text.empty()) return fail(ErrorCode::kUsage, "sweep: {} has an empty value", kind.name);
  if (text == "*") {
    if (kind.all.empty())
      return fail(ErrorCode::kUsage, "sweep: `*` means all that there are, and there is no list of {}",
                  kind.name);
    values.insert(values.end(), kind.all.begin(), kind.all.end());
    return {};
  }
  if (kind.numbers && text.find("..") != std::string_view::npos) return add_range(text, values);
  if (kind.numbers && !number_in<std::uint64_t>(text))
    return fail(ErrorCode::kUsage, "sweep: {}={}: expected whole numbers, as 64,128 or 4..64*2", kind.name,
                text);
  values.emplace_back(text);
  return {};
}

Result<SweepDimension> parse_dimension(std::string_view text, std::span<const SweepKind> known) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return fail(ErrorCode::kUsage, "sweep: `{}` has no values; write for example mlen=64,128", text);
  const std::string_view name = text.substr(0, equals);
  const auto kind =
      std::find_if(known.begin(), known.end(), [&](const SweepKind& one) { return one.name == name; });
  if (kind == known.end()) {
    std::vector<std::string_view> names;
    for (const SweepKind& one : known) names.push_back(one.name);
    return fail(ErrorCode::kUsage, "sweep: unknown dimension `{}`{}; known are {}", name,
                suggestion(name, names), fmt::join(names, ", "));
  }
  SweepDimension dimension{std::string(name), {}};
  for (const std::string_view part : split(text.substr(equals + 1), ','))
    ACCELSCOPE_CHECK(add_values(*kind, part, dimension.values));
  std::vector<std::string> sorted = dimension.values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    return fail(ErrorCode::kUsage, "sweep: {} has the value {} twice", name, *twice);
  return dimension;
}

}  // namespace

std::uint64_t Sweep::points() const {
  std::uint64_t points = 1;
  for (const SweepDimension& dimension : dimensions) points *= dimension.values.size();
  return points;
}

std::vector<std::size_t> Sweep::point(std::uint64_t index) const {
  std::vector<std::size_t> places(dimensions.size());
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const std::size_t size = dimensions[i].values.size();
    places[i] = static_cast<std::size_t>(index % size);
    index /= size;
  }
  return places;
}

Result<Sweep> parse_sweep(std::string_view text, std::span<const SweepKind> known,
                          std::uint64_t most_points) {
  Sweep sweep;
  std::uint64_t points = 1;
  for (const std::string_view part : split(text, ' ')) {
    if (part.empty()) continue;
    ACCELSCOPE_TRY(SweepDimension dimension, parse_dimension(part, known));
    for (const SweepDimension& other : sweep.dimensions)
      if (other.name == dimension.name)
        return fail(ErrorCode::kUsage, "sweep: {} is there twice", dimension.name);
    if (__builtin_mul_overflow(points, dimension.values.size(), &points) || points > most_points)
      return fail(ErrorCode::kTooLarge, "sweep: more than {} points; take fewer values, or several sweeps",
                  format_count(most_points));
    sweep.dimensions.push_back(std::move(dimension));
  }
  if (sweep.dimensions.empty())
    return fail(ErrorCode::kUsage, "sweep: nothing to sweep; write for example \"mlen=64,128 board=*\"");
  return sweep;
}

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto index = number_in<std::uint64_t>(text.substr(0, slash));
  const auto count =
      slash == std::string_view::npos ? std::nullopt : number_in<std::uint64_t>(text.substr(slash + 1));
  if (!index || !count || *index == 0 || *index > *count)
    return fail(ErrorCode::kUsage, "shard {}: expected I/N with I from 1 to N, such as 2/8", text);
  return Shard{*index - 1, *count};
}

}  // namespace accelscope::base
