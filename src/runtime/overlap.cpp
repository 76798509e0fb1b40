#include "runtime/overlap.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace accelscope::runtime {
namespace {

// Room for the progressions of two views.
constexpr std::size_t kMaxParts = std::size_t{2} * kMaxDimensions;

using Parts = std::span<const Progression>;

// Progressions whose sums are a set; what remains of them is sorted by falling stride.
struct PartList {
  std::size_t count = 0;
  std::array<Progression, kMaxParts> parts;

  void add(Progression part) {
    if (part.stride != 0 && part.most != 0) parts[count++] = part;
  }
  Parts span() const { return {parts.data(), count}; }
};

// 0, 6, 12 and 0, 2, 4 together are 0, 2, ... 16: no gap is left as long as the inner one reaches the next
// step of the outer one.
bool merge_into(const Progression& outer, Progression& inner) {
  if (outer.stride % inner.stride != 0) return false;
  const std::uint64_t steps = outer.stride / inner.stride;
  if (steps > inner.most + 1) return false;
  inner.most += outer.most * steps;
  return true;
}

// Inner ones first: what they merge to reaches further.
void simplify(PartList& list) {
  std::sort(list.parts.begin(), list.parts.begin() + static_cast<std::ptrdiff_t>(list.count),
            [](const Progression& a, const Progression& b) { return a.stride > b.stride; });
  for (std::size_t inner = list.count; inner-- > 1;) {
    for (std::size_t outer = inner; outer-- > 0;) {
      if (!merge_into(list.parts[outer], list.parts[inner])) continue;
      std::copy(list.parts.begin() + static_cast<std::ptrdiff_t>(outer) + 1,
                list.parts.begin() + static_cast<std::ptrdiff_t>(list.count),
                list.parts.begin() + static_cast<std::ptrdiff_t>(outer));
      --list.count;
      outer = --inner;  // it reaches further than before: look at all of them again
    }
  }
}

std::uint64_t reach_of(Parts parts) {
  std::uint64_t reach = 0;
  for (const Progression& part : parts) reach += part.stride * part.most;
  return reach;
}

std::uint64_t divisor_of(Parts parts) {
  std::uint64_t divisor = 0;
  for (const Progression& part : parts) divisor = std::gcd(divisor, part.stride);
  return divisor;
}

// Whether x * a.stride + y * b.stride can be `sum`. Euclid's algorithm tells which x have the right remainder
// by b.stride; they are evenly spaced, so the first one in the range of x decides.
bool two_contain(const Progression& a, const Progression& b, std::uint64_t sum) {
  const std::uint64_t divisor = std::gcd(a.stride, b.stride);
  if (sum % divisor != 0) return false;
  const std::uint64_t modulus = b.stride / divisor;
  const std::uint64_t b_reach = b.stride * b.most;
  const std::uint64_t least = sum > b_reach ? (sum - b_reach + a.stride - 1) / a.stride : 0;
  const std::uint64_t most = std::min(a.most, sum / a.stride);
  if (least > most) return false;
  // The inverse of a.stride / divisor by the modulus; both below 2^32.
  std::int64_t inverse = 0;
  std::int64_t next = 1;
  auto rest = static_cast<std::int64_t>(modulus);
  auto next_rest = static_cast<std::int64_t>(a.stride / divisor % modulus);
  while (next_rest != 0) {
    const std::int64_t quotient = rest / next_rest;
    inverse = std::exchange(next, inverse - quotient * next);
    rest = std::exchange(next_rest, rest - quotient * next_rest);
  }
  const auto positive =
      static_cast<std::uint64_t>(inverse < 0 ? inverse + static_cast<std::int64_t>(modulus) : inverse);
  const std::uint64_t first = sum / divisor % modulus * positive % modulus;
  const std::uint64_t from_least = (first + modulus - least % modulus) % modulus;
  return from_least <= most - least;
}

// Counts down to what a search may still cost. Searches answer nothing when it is used up.
class Search {
 public:
  // Whether `sum` is one of the sums of the parts.
  std::optional<bool> contains(Parts parts, std::uint64_t sum) {
    if (steps_ == 0) return std::nullopt;
    --steps_;
    if (parts.empty()) return sum == 0;
    if (parts.size() == 1) return sum % parts[0].stride == 0 && sum / parts[0].stride <= parts[0].most;
    if (parts.size() == 2) return two_contain(parts[0], parts[1], sum);
    if (sum % divisor_of(parts) != 0) return false;
    const Parts inner = parts.subspan(1);
    const std::uint64_t reach = reach_of(inner);
    const Progression& part = parts[0];
    const std::uint64_t least = sum > reach ? (sum - reach + part.stride - 1) / part.stride : 0;
    const std::uint64_t most = std::min(part.most, sum / part.stride);
    for (std::uint64_t i = least; i <= most; ++i) {
      const std::optional<bool> found = contains(inner, sum - i * part.stride);
      if (!found || *found) return found;
    }
    return false;
  }

  // Whether every offset + sum of `parts` is a sum of `cover`.
  std::optional<bool> covers(Parts cover, std::uint64_t offset, const PartList& parts) {
    if (parts.count == 0) return contains(cover, offset);
    if (steps_ == 0) return std::nullopt;
    --steps_;
    if (offset + reach_of(parts.span()) > reach_of(cover)) return false;
    if (cover.empty()) return false;
    const std::uint64_t divisor = divisor_of(cover);
    if (offset % divisor != 0) return false;
    for (const Progression& part : parts.span())
      if (part.stride % divisor != 0) return false;
    if (cover.size() == 1) return true;
    if (reach_of(cover.subspan(1)) < cover[0].stride) return covers_by_rows(cover, offset, parts);
    return covers_piecewise(cover, offset, parts, parts.parts[0].most);
  }

 private:
  // The cover is rows that do not touch each other, so that an element is covered when its place in its row
  // is, and nothing that moves by whole rows matters.
  std::optional<bool> covers_by_rows(Parts cover, std::uint64_t offset, const PartList& parts) {
    const std::uint64_t row = cover[0].stride;
    PartList inside;
    for (const Progression& part : parts.span())
      if (part.stride % row != 0) inside.add(part);
    const std::uint64_t place = offset % row;
    if (place + reach_of(inside.span()) < row) return covers(cover.subspan(1), place, inside);
    // Places in rows recur after so many steps.
    const std::uint64_t stride = inside.parts[0].stride;
    return covers_piecewise(cover, offset, inside,
                            std::min(inside.parts[0].most, row / std::gcd(row, stride) - 1));
  }

  // Piece after piece, for the first pieces of the outermost progression.
  std::optional<bool> covers_piecewise(Parts cover, std::uint64_t offset, const PartList& parts,
                                       std::uint64_t last) {
    PartList rest;
    for (const Progression& part : parts.span().subspan(1)) rest.add(part);
    for (std::uint64_t i = 0; i <= last; ++i) {
      const std::optional<bool> covered = covers(cover, offset + i * parts.parts[0].stride, rest);
      if (!covered || !*covered) return covered;
    }
    return true;
  }

  std::uint32_t steps_ = kMaxOverlapSteps;
};

// a.begin + (a sum of a) = b.begin + (a sum of b) for some sums; counted from b's last element backwards, the
// sums of b are added instead of subtracted.
bool may_meet(const Region& a, const Region& b) {
  PartList both;
  for (const Progression& part : a.parts()) both.add(part);
  for (const Progression& part : b.parts()) both.add(part);
  simplify(both);
  return Search().contains(both.span(), b.end - 1 - a.begin).value_or(true);
}

// Tiles side by side in the rows of a matrix: their ranges meet, but no row's parts do. Cheap, and what is
// asked most often.
bool side_by_side(const Region& a, const Region& b) {
  if (a.count == 0 || b.count == 0) return false;
  const std::uint64_t row = a.progressions[0].stride;
  if (b.progressions[0].stride != row) return false;
  const std::uint64_t a_reach = reach_of(a.parts().subspan(1));
  const std::uint64_t b_reach = reach_of(b.parts().subspan(1));
  const std::uint64_t ahead = (b.begin > a.begin ? b.begin - a.begin : row - (a.begin - b.begin) % row) % row;
  return ahead > a_reach && ahead + b_reach < row;
}

}  // namespace

Region region_of(const TensorView& view) {
  Region region{.buffer = view.buffer, .begin = view.start, .end = end_of(view)};
  if (region.empty()) return region;
  PartList list;
  for (std::uint32_t i = 0; i < view.dimensions; ++i)
    list.add({view.strides[i], std::uint64_t{view.shape[i]} - 1});
  simplify(list);
  region.count = static_cast<std::uint32_t>(list.count);
  std::copy_n(list.parts.begin(), list.count, region.progressions.begin());
  return region;
}

bool is_covered(const Region& a, const Region& b) {
  if (a.buffer != b.buffer || a.empty() || a.begin < b.begin || a.end > b.end) return false;
  if (b.is_range()) return true;
  PartList parts;
  for (const Progression& part : a.parts()) parts.add(part);
  return Search().covers(b.parts(), a.begin - b.begin, parts).value_or(false);
}

bool meet(const Region& a, const Region& b) {
  if (a.buffer != b.buffer || a.empty() || b.empty()) return false;
  if (a.begin >= b.end || b.begin >= a.end) return false;
  if (side_by_side(a, b)) return false;
  return (a.is_range() && b.is_range()) || may_meet(a, b);
}

}  // namespace accelscope::runtime
