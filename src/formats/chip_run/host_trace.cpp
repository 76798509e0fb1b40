#include "formats/chip_run/host_trace.h"

#include "formats/chip_run/host_lanes.h"

namespace accelscope::formats::chip_run {
namespace {

using base::MappedFile;
using base::Result;
using trace::Trace;

template <class Add>
Result<Trace> host_trace(const MappedFile& file, const char* format, const trace::QualityTable& quality,
                         Add&& add) {
  trace::TraceBuilder builder;
  builder.add_source({file.path(), format, "", file.size()});
  builder.quality().append(quality);
  const trace::ClockId clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
  HostLanes lanes(builder);
  add(lanes);
  lanes.write(clock);
  return std::move(builder).finish();
}

}  // namespace

Result<Trace> read_host_log(const MappedFile& file) {
  ACCELSCOPE_TRY(const strace_log::StraceLog log, strace_log::read_strace_log(file));
  return host_trace(file, "strace-log", log.quality, [&](HostLanes& lanes) { lanes.add(log); });
}

Result<Trace> read_host_phase_records(const MappedFile& file) {
  ACCELSCOPE_TRY(const host_phases::HostPhases phases, host_phases::read_host_phases(file));
  return host_trace(file, "host-phases", phases.quality,
                    [&](HostLanes& lanes) { lanes.add(phases, {}, nullptr); });
}

}  // namespace accelscope::formats::chip_run
