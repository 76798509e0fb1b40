#include "runtime/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace accelscope::runtime {
namespace {

TEST(DataTypes, AreFoundByNumberAndByName) {
  for (std::size_t i = 0; i < kDataTypes.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kDataTypes[i].type), i);
    EXPECT_EQ(data_type_named(kDataTypes[i].name), kDataTypes[i].type);
  }
  EXPECT_EQ(data_type_named("f64"), std::nullopt);
}

TEST(TensorViews, CountElementsAndKnowTheirEnd) {
  const TensorView single{.buffer = 3, .start = 7};
  EXPECT_EQ(element_count(single), 1U);
  EXPECT_EQ(end_of(single), 8U);

  TensorView view = contiguous_view(0, std::array<std::uint32_t, 3>{2, 3, 4}, 10);
  EXPECT_EQ(view.strides, (std::array<std::uint32_t, kMaxDimensions>{12, 4, 1}));
  EXPECT_EQ(end_of(view), 34U);

  view.shape[1] = 0;
  EXPECT_EQ(element_count(view), 0U);
  EXPECT_EQ(end_of(view), 10U);
}

}  // namespace
}  // namespace accelscope::runtime
