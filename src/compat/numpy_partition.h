// numpy.partition: the values at the given places are those of the sorted list, smaller ones are before them
// and larger ones behind, in exactly the order in which numpy 1.24 leaves them.
//
// Whoever adds up a part of the result needs that order for the last bit. One thing differs: where numpy
// gives up on a list that defeats its choice of pivots, this sorts the rest. Pure; safe from any thread.
//
//   std::vector<double> values = {3, 1, 2, 0};
//   numpy_partition(values, std::array<std::size_t, 2>{0, 3});
#pragma once

#include <cstddef>
#include <span>

namespace accelscope::compat {

// `places` ascend and are below values.size(). No value is NaN.
void numpy_partition(std::span<double> values, std::span<const std::size_t> places);

}  // namespace accelscope::compat
