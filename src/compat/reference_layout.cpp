#include "compat/reference_layout.h"

#include <array>
#include <limits>
#include <optional>

#include "compat/python_text.h"
#include "compat/reference_flows.h"
#include "compat/reference_sweep.h"

namespace accelscope::compat {
namespace {

using base::JsonWriter;

struct Series {
  std::string_view name;
  int thread;
};
constexpr std::array<std::array<Series, 3>, kEngineCount> kEngineSeries = {
    {{{{"oh_aic_idle", 9101}, {"oh_aic_ready", 9102}, {"oh_aic_overhead", 9103}}},
     {{{"oh_aiv_idle", 9111}, {"oh_aiv_ready", 9112}, {"oh_aiv_overhead", 9113}}}}};
constexpr Series kAllOverhead = {"oh_all_overhead", 9121};
constexpr Series kHasOverhead = {"oh_has_overhead", 9122};

// Writes a value only when it changes.
class CounterWriter {
 public:
  explicit CounterWriter(ReferenceEvents& events) : json_(events.json()) {}

  void write(const Series& series, double ts, std::int64_t value) {
    std::optional<std::int64_t>& last = last_[static_cast<std::size_t>(series.thread - kFirstThread)];
    if (last == value) return;
    last = value;
    json_.begin_object().member("ph", "C").member("cat", "overhead").member("name", series.name);
    json_.member("pid", kSchedulerProcess).member("tid", series.thread);
    python_member(json_, "ts", ts);
    json_.key("args").begin_object().member(series.name, value).end_object().end_object();
  }

 private:
  static constexpr int kFirstThread = 9101;
  JsonWriter& json_;
  std::array<std::optional<std::int64_t>, 22> last_ = {};
};

// Times of these counters are rounded to nanoseconds.
double rounded_us(const ReferenceClock& clock, Ticks time) {
  if (clock.host) return clock.us(time);
  return static_cast<double>(clock.frequency.to_nanoseconds(time - clock.base).value) / 1e3;
}

void write_overhead(const ReferenceRun& run, ReferenceEvents& events) {
  const ReferenceSweep sweep = reference_sweep(run);
  CounterWriter counters(events);
  // The last step is the end of everything; theirs stops before it.
  for (std::size_t i = 0; i + 1 < sweep.steps.size(); ++i) {
    const SweepStep& step = sweep.steps[i];
    const double ts = rounded_us(run.clock, step.time);
    for (std::size_t engine = 0; engine < kEngineCount; ++engine) {
      if (!sweep.has(engine)) continue;
      const std::array<Series, 3>& series = kEngineSeries[engine];
      counters.write(series[0], ts, step.idle[engine]);
      counters.write(series[1], ts, step.ready[engine]);
      counters.write(series[2], ts, has_overhead(step, engine) ? 1 : 0);
    }
    counters.write(kAllOverhead, ts, all_overhead(sweep, step) ? 1 : 0);
    counters.write(kHasOverhead, ts, working_overhead(sweep, step) ? 1 : 0);
  }
}

// What the file says of the two clocks, where the host orchestrates.
void write_metadata(const ReferenceRun& run, JsonWriter& json) {
  const bool aligned = run.chip.clocks_compare;
  json.key("metadata").begin_object();
  json.member("layout", aligned ? "clock_aligned" : "causal_composite");
  json.member("relation", "host_orchestration_precedes_device");
  json.key("clock_alignment").begin_object();
  json.member("status", aligned ? "calibrated" : "not_calibrated");
  if (aligned) json.member("method", "nominal_frequency_offset_interp_v1");
  json.end_object();
  json.member("cross_domain_latency_available", aligned).end_object();
}

}  // namespace

base::Status write_reference_layout(const trace::Trace& trace, base::Output& out,
                                    const ReferenceLayoutOptions& options) {
  if (!trace::is_chip_run(trace))
    return base::fail(base::ErrorCode::kUsage,
                      "the reference's layout is for recordings of a chip, which have cores and tasks");
  const ReferenceRun run = reference_run(trace);
  if (options.overhead && !run.has_dispatch_times)
    return base::fail(base::ErrorCode::kUsage,
                      "--overhead needs times of dispatch, which a recording of level 1 does not have");
  ReferencePicture picture(run);
  JsonWriter json(out);
  ReferenceEvents events(json);
  json.begin_object().key("traceEvents").begin_array();
  write_bars(picture, events);
  write_flows(picture, events);
  if (options.overhead && run.edge_count() > 0) write_overhead(run, events);
  json.end_array();
  if (run.clock.host) write_metadata(run, json);
  json.end_object();
  out.append('\n');
  return out.status();
}

}  // namespace accelscope::compat
