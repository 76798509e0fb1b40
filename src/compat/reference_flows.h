// The arrows of the reference's picture: dependencies in both views, and the way of a task from its
// submission through the scheduler to a core and back.
//
// Where the reference binds an arrow to the wrong bar, or calls a task that waits for its doorbell a
// violation, this does the right thing (docs/formats.md, "The reference's layout"). Pure but for what it
// writes.
//
//   write_bars(picture, events);
//   write_flows(picture, events);
#pragma once

#include "compat/reference_picture.h"

namespace accelscope::compat {

void write_flows(const ReferencePicture& picture, ReferenceEvents& events);

}  // namespace accelscope::compat
