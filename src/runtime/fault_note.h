// Which thread a signal ended a process in: the one thing that whoever waits for a process is not told.
//
// A handler notes the thread's number in the black box and lets the signal do what it does; it saves nothing,
// and when it cannot run, all that is lost is which of several kernels it was. Threads that run kernels get a
// stack for it, so that one that has used up its own is named, too.
//
// note_faults() is for the process that a chip runs in, once; enter_core() for each thread that runs kernels.
#pragma once

#include "runtime/black_box.h"

namespace accelscope::runtime {

// The black box must stay as long as the process.
void note_faults(const BlackBox& box);

void enter_core(CoreNote& note);

}  // namespace accelscope::runtime
