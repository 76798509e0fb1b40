// Gives the events of a Trace their meaning from an ETRecord: backend, operator types, the user's stack trace
// and the module hierarchy, as arguments.
//
// For every method of the Trace the method of the ETRecord is used whose instructions and backends match its
// events best; where that is one and no other, runs get its name. Events keep everything they had; a backend
// that was only inferred gives way. What is ambiguous or not found is said in Quality. The answer is a new
// Trace that owns all of its texts. Pure; safe from any thread.
//
//   ACCELSCOPE_TRY(const EtRecord record, etrecord::read(file));
//   ACCELSCOPE_TRY(const Trace named, etrecord::join(trace, record));
#pragma once

#include "base/result.h"
#include "formats/etrecord/etrecord.h"
#include "trace/trace.h"

namespace accelscope::formats::etrecord {

base::Result<trace::Trace> join(const trace::Trace& trace, const EtRecord& record);

// "L['self'],,Net;L['self'].conv,conv,torch.nn.Conv2d" -> "Net > conv (Conv2d)"
std::string readable_module_stack(std::string_view stored);

}  // namespace accelscope::formats::etrecord
