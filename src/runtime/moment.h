// When something can be seen by others.
//
// On the virtual chip every effect of one actor on another carries the moment from which the other can see
// it, in picoseconds; on threads memory itself decides, and every moment is 0. Code that both platforms share
// passes moments on and takes the later of two, which costs threads nothing.
#pragma once

#include "device/costs.h"

namespace accelscope::runtime {

using Moment = device::Picoseconds;

inline constexpr Moment kNever = Moment::max();

}  // namespace accelscope::runtime
