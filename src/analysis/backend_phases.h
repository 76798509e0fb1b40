// Events that are no operators: phases of the runtime, and what backends do around and instead of operators
// (copying inputs in, dispatching, copying outputs out).
//
// Time that a backend spends on the model as a whole, and does not break down, is of the family
// "backend_dispatch" and of no category but "Other": it is neither overhead nor one kind of work.
//
// A constant table; safe from any thread, nothing is owned.
//
//   find_backend_phase("VGF_DISPATCH_AND_WAIT")->family == "backend_dispatch"
//   library_of_prefix("ETVK_SOMETHING_NEW") == "Vulkan"
#pragma once

#include "analysis/name_table.h"

namespace accelscope::analysis {

// The whole name, as it was logged; nullptr for one that is not known.
const NameRow* find_backend_phase(std::string_view name);
// The backend whose events begin like this one; empty for none.
std::string_view library_of_prefix(std::string_view name);

}  // namespace accelscope::analysis
