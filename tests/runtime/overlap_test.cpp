#include "runtime/overlap.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>
#include <set>

#include "runtime/element_sets.h"

namespace accelscope::runtime {
namespace {

TensorView box(std::uint64_t start, std::initializer_list<std::uint32_t> shape,
               std::initializer_list<std::uint32_t> strides) {
  TensorView view{.dimensions = static_cast<std::uint32_t>(shape.size()), .start = start};
  std::copy(shape.begin(), shape.end(), view.shape.begin());
  std::copy(strides.begin(), strides.end(), view.strides.begin());
  return view;
}

enum class Overlap : std::uint8_t {
  kNone,
  kCovered,  // b has every element of a
  kOther,
};

Overlap overlap(const TensorView& a, const TensorView& b) {
  const Region of_a = region_of(a);
  const Region of_b = region_of(b);
  const bool covered = is_covered(of_a, of_b);
  if (meet(of_a, of_b)) return covered ? Overlap::kCovered : Overlap::kOther;
  EXPECT_FALSE(covered) << "what does not meet is not covered: " << in_words(a) << " and " << in_words(b);
  return Overlap::kNone;
}

Overlap by_sets(const TensorView& a, const TensorView& b) {
  const std::set<std::uint64_t> in_a = elements_of(a);
  const std::set<std::uint64_t> in_b = elements_of(b);
  std::size_t shared = 0;
  for (const std::uint64_t element : in_a) shared += in_b.count(element);
  if (shared == 0) return Overlap::kNone;
  return shared == in_a.size() ? Overlap::kCovered : Overlap::kOther;
}

TEST(Regions, AreWhatViewsHaveInCommon) {
  const Region range = region_of(box(5, {4, 6}, {6, 1}));
  EXPECT_EQ(range, region_of(box(5, {24}, {1})));
  EXPECT_TRUE(range.is_range());
  EXPECT_EQ(range, region_of(box(5, {6, 1, 4}, {1, 77, 6}))) << "the order, and dimensions of one element";
  EXPECT_EQ(range, region_of(box(5, {4, 3, 6}, {6, 0, 1}))) << "repeated elements";
  EXPECT_EQ(range, region_of(box(5, {19, 6}, {1, 1}))) << "windows that overlap";
  EXPECT_EQ(region_of(box(0, {3, 2}, {8, 4})).parts().size(), 1U) << "every fourth, in two dimensions";
  EXPECT_EQ(region_of(box(0, {3, 2}, {9, 4})).parts().size(), 2U);
  EXPECT_TRUE(region_of(box(9, {3, 0}, {1, 1})).empty());
  EXPECT_TRUE(region_of(TensorView{.start = 3}).is_range());
}

TEST(Overlaps, OfRanges) {
  const auto range = [](std::uint64_t start, std::uint32_t count) { return box(start, {count}, {1}); };
  EXPECT_EQ(overlap(range(0, 10), range(10, 5)), Overlap::kNone);
  EXPECT_EQ(overlap(range(0, 10), range(9, 5)), Overlap::kOther);
  EXPECT_EQ(overlap(range(2, 3), range(0, 10)), Overlap::kCovered);
  EXPECT_EQ(overlap(range(0, 10), range(2, 3)), Overlap::kOther) << "b must have all of a";
  EXPECT_EQ(overlap(range(0, 0), range(0, 10)), Overlap::kNone);
  TensorView elsewhere = range(0, 10);
  elsewhere.buffer = 1;
  EXPECT_EQ(overlap(range(0, 10), elsewhere), Overlap::kNone);
}

TEST(Overlaps, OfTilesInOneMatrix) {
  // Tiles of 16 x 16 in a matrix of 1024 columns: their ranges meet, their elements do not.
  const auto tile = [](std::uint32_t row, std::uint32_t column) {
    return box(std::uint64_t{row} * 16 * 1024 + column * 16, {16, 16}, {1024, 1});
  };
  EXPECT_EQ(overlap(tile(0, 0), tile(0, 1)), Overlap::kNone);
  EXPECT_EQ(overlap(tile(3, 7), tile(3, 7)), Overlap::kCovered);
  EXPECT_EQ(overlap(tile(3, 7), box(0, {1024, 1024}, {1024, 1})), Overlap::kCovered);
  EXPECT_EQ(overlap(tile(3, 7), box(7 * 16, {1024, 16}, {1024, 1})), Overlap::kCovered) << "its column";
  EXPECT_EQ(overlap(tile(3, 7), box(8 * 16, {1024, 16}, {1024, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(tile(3, 7), box(7 * 16 + 15, {1024}, {1024})), Overlap::kOther);
  // Even and odd columns.
  EXPECT_EQ(overlap(box(0, {1024, 512}, {1024, 2}), box(1, {1024, 512}, {1024, 2})), Overlap::kNone);
}

// Every element of the first is in the second though the two walk it in ways that have nothing in common.
TEST(Overlaps, OfViewsWithoutCommonStrides) {
  EXPECT_EQ(overlap(box(0, {1000}, {12}), box(0, {3000, 3}, {4, 1})), Overlap::kCovered);
  EXPECT_EQ(overlap(box(1, {1000}, {12}), box(0, {3000, 3}, {4, 1})), Overlap::kCovered);
  EXPECT_EQ(overlap(box(3, {1000}, {12}), box(0, {3000, 3}, {4, 1})), Overlap::kNone);
  EXPECT_EQ(overlap(box(0, {1000}, {7}), box(0, {3000, 3}, {4, 1})), Overlap::kOther);
  // 1000000 x 7 steps through rows of 12: only twelve places in a row recur.
  EXPECT_EQ(overlap(box(0, {1'000'000}, {24}), box(0, {2'000'001, 5}, {12, 2})), Overlap::kCovered);
}

TEST(Overlaps, EqualSetsOfElementsOnRandomViews) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  std::array<int, 3> seen = {};
  for (int i = 0; i < 60'000; ++i) {
    const TensorView a = random_view(below);
    const TensorView b = random_view(below);
    const Overlap expected = by_sets(a, b);
    ++seen[static_cast<std::size_t>(expected)];
    ASSERT_EQ(overlap(a, b), expected) << in_words(a) << " and " << in_words(b);
  }
  for (const int count : seen) EXPECT_GT(count, 1000) << "every answer is among those checked";
}

TEST(Overlaps, EqualSetsOfElementsInOneGrid) {
  std::mt19937 random(8);
  const auto below = [&](std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::array<std::uint32_t, 3> grid = {1 + below(5), 1 + below(6), 1 + below(7)};
    const TensorView a = random_box(grid, below);
    const TensorView b = random_box(grid, below);
    ASSERT_EQ(overlap(a, b), by_sets(a, b)) << in_words(a) << " and " << in_words(b);
  }
}

// Beyond the limit the answer is on the safe side: "some elements" whether there are any or not.
TEST(Overlaps, StopAtTheLimit) {
  // Five strides each, all prime and all within the reach of the others: thousands of sums that nearly meet.
  const TensorView a = box(0, {900, 900, 900, 900, 900}, {49'999, 49'991, 49'957, 49'943, 49'939});
  const TensorView b = box(1, {900, 900, 900, 900, 900}, {49'937, 49'927, 49'921, 49'919, 49'891});
  EXPECT_NE(overlap(a, b), Overlap::kNone);
  EXPECT_NE(overlap(a, b), Overlap::kCovered);
  // All multiples of two strides cover a third in the end, but to see that each must be looked at.
  const TensorView many = box(0, {10'000}, {30});
  EXPECT_EQ(overlap(many, box(0, {60'000, 60'000}, {10, 15})), Overlap::kOther)
      << "covered, but not within the limit";
  EXPECT_EQ(overlap(box(0, {100}, {30}), box(0, {60'000, 60'000}, {10, 15})), Overlap::kCovered);
}

TEST(Overlaps, TakeLargeNumbers) {
  constexpr std::uint32_t kMost = 0xFFFFFFFF;
  const TensorView huge = box(std::uint64_t{1} << 60U, {kMost, 2}, {0x2000'0000, 1});
  EXPECT_EQ(overlap(huge, huge), Overlap::kCovered);
  TensorView other = huge;
  other.start += 2;
  EXPECT_EQ(overlap(huge, other), Overlap::kNone);
  other.start -= 1;
  EXPECT_EQ(overlap(huge, other), Overlap::kOther);
}

}  // namespace
}  // namespace accelscope::runtime
