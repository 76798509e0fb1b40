#include "trace/column.h"

#include <gtest/gtest.h>

#include <numeric>

namespace accelscope::trace {
namespace {

constexpr std::uint32_t kChunk = Column<int>::kChunkRows;

TEST(Column, AppendingManyIsAppendingOneByOne) {
  std::vector<int> values(3 * kChunk + 17);
  std::iota(values.begin(), values.end(), 0);
  // Pieces that end before, at and behind the ends of chunks.
  for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{kChunk} - 1,
                                  std::size_t{kChunk}, std::size_t{kChunk} + 1, values.size()}) {
    Column<int> column;
    for (std::size_t done = 0; done < values.size(); done += piece)
      column.append(std::span(values).subspan(done, std::min(piece, values.size() - done)));
    ASSERT_EQ(column.size(), values.size());
    for (std::uint32_t row = 0; row < column.size(); ++row) ASSERT_EQ(column[row], values[row]) << piece;
    Column<int> one_by_one;
    for (const int value : values) one_by_one.push_back(value);
    // Tables rely on it: how much room there is depends on the number of rows alone.
    EXPECT_EQ(column.memory_bytes(), one_by_one.memory_bytes()) << piece;
  }
}

TEST(Column, AppendsTheSameValueManyTimes) {
  Column<int> column;
  column.append(std::size_t{0}, 5);
  EXPECT_TRUE(column.empty());
  column.append(std::size_t{kChunk} + 3, 7);
  column.push_back(8);
  ASSERT_EQ(column.size(), kChunk + 4);
  for (std::uint32_t row = 0; row < kChunk + 3; ++row) ASSERT_EQ(column[row], 7);
  EXPECT_EQ(column[kChunk + 3], 8);
}

TEST(Column, RowsOfOneChunkAreContiguous) {
  Column<int> column;
  for (int value = 0; value < static_cast<int>(kChunk) + 10; ++value) column.push_back(value);
  ASSERT_NE(column.contiguous(5, kChunk - 5), nullptr);
  EXPECT_EQ(*column.contiguous(5, kChunk - 5), 5);
  EXPECT_EQ(column.contiguous(5, kChunk - 4), nullptr);
  EXPECT_EQ(*column.contiguous(kChunk, 10), static_cast<int>(kChunk));
  EXPECT_EQ(column.contiguous(kChunk, 11), nullptr);
}

}  // namespace
}  // namespace accelscope::trace
