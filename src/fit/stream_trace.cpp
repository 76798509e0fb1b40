#include "fit/stream_trace.h"

#include <fmt/core.h>

#include "trace/trace_builder.h"

namespace accelscope::fit {
namespace {

using base::Picoseconds;
using base::Ticks;
using trace::StringId;
using trace::TrackId;
using trace::Value;

class Lanes {
 public:
  Lanes(const boards::Model& model, const Machine& machine, const StreamStudy& study) : study_(study) {
    const trace::ClockId clock =
        builder_.add_clock({builder_.intern("modelled time"), base::Frequency::hz(1'000'000'000'000)});
    const TrackId board =
        builder_.add_track({.name = builder_.intern(fmt::format("{} on {}", model.nickname, machine.name)),
                            .level = trace::TrackLevel::kProcess,
                            .kind = trace::TrackKind::kGroup,
                            .clock = clock});
    const auto lane = [&](std::string_view name, std::int32_t order) {
      return builder_.add_track(
          {.name = builder_.intern(name), .parent = board, .clock = clock, .order = order},
          trace::Nesting::kByStart);
    };
    passes_ = lane(model.text.diffusion ? "steps" : "tokens", 0);
    link_ = lane("host link", 1);
    memory_ = lane("DRAM", 2);
    compute_ = lane("compute", 3);
    builder_.add_fact("model", Value::of_string(builder_.intern(model.nickname)));
    builder_.add_fact("board", Value::of_string(builder_.intern(machine.name)));
  }

  void add_passes(std::string_view word);
  base::Result<trace::Trace> finish() && { return std::move(builder_).finish(); }

 private:
  trace::SliceId slice(TrackId track, std::string_view name, std::string_view category, Picoseconds from,
                       Picoseconds to) {
    return builder_.add_slice({.track = track,
                               .start = Ticks{from.value},
                               .duration = Ticks{(to - from).value},
                               .name = builder_.intern(name),
                               .category = builder_.category(category),
                               .run = run_});
  }
  void add_access(const memory::PlannedAccess& access, const memory::LayerTimes& times);

  const StreamStudy& study_;
  trace::TraceBuilder builder_;
  TrackId passes_{}, link_{}, memory_{}, compute_{};
  trace::RunId run_ = trace::RunId::kNone;
};

void Lanes::add_access(const memory::PlannedAccess& access, const memory::LayerTimes& times) {
  const std::string& name = study_.names[access.layer];
  const StageTime& stage = (access.comes ? study_.came : study_.here)[access.layer];
  if (times.transfer_end > times.transfer_start) {
    const trace::SliceId transfer = slice(link_, name, "transfer", times.transfer_start, times.transfer_end);
    builder_.add_slice_arg(transfer, "bytes", Value::of_int(stage.link_bytes.value));
    builder_.add_slice_arg(transfer, "exposed ps", Value::of_int(times.exposed.value));
  }
  if (times.exposed.value > 0)
    slice(compute_, fmt::format("waits for {}", name), "wait", times.compute_start - times.exposed,
          times.compute_start);
  if (stage.memory.value > 0) {
    const trace::SliceId read =
        slice(memory_, name, "memory", times.compute_start, times.compute_start + stage.memory);
    builder_.add_slice_arg(read, "bytes", Value::of_int(stage.memory_bytes.value));
  }
  if (stage.compute.value > 0)
    slice(compute_, name, "calculation", times.compute_start, times.compute_start + stage.compute);
}

void Lanes::add_passes(std::string_view word) {
  const std::size_t stages = study_.names.size();
  Picoseconds begin{};
  for (std::size_t first = 0; first + stages <= study_.times.size(); first += stages) {
    const auto index = static_cast<std::uint32_t>(first / stages);
    const std::string name = fmt::format("{} {}", word, index);
    run_ = builder_.add_run({.name = builder_.intern(name), .method = builder_.intern(word), .index = index});
    const Picoseconds end = study_.times[first + stages - 1].compute_end;
    builder_.run(run_).root = slice(passes_, name, word, begin, end);
    for (std::size_t i = first; i < first + stages; ++i) add_access(study_.accesses[i], study_.times[i]);
    begin = end;
  }
}

}  // namespace

base::Result<trace::Trace> stream_trace(const boards::Model& model, const Machine& machine,
                                        const StreamStudy& study) {
  Lanes lanes(model, machine, study);
  lanes.add_passes(model.text.diffusion ? "step" : "token");
  return std::move(lanes).finish();
}

}  // namespace accelscope::fit
