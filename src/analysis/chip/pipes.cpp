#include "analysis/chip/pipes.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "analysis/chip/function_slots.h"

namespace accelscope::analysis::chip {
namespace {

using trace::CoreData;
using trace::Dispatch;
using trace::SliceId;
using trace::Trace;

// A pipe begins or ends to be busy for a dispatch, inside of it.
struct Change {
  Ticks time = {};
  Ticks outside = {};       // of the interval that begins, beyond the dispatch
  std::uint32_t owner = 0;  // row of the dispatch
  std::uint8_t pipe = 0;
  std::int8_t step = 0;
};

// The changes of one core, those of a dispatch together and in order of time.
class CoreChanges {
 public:
  CoreChanges(const Trace& trace, const trace::PipeTracks& tracks) {
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      if (tracks.pipes[pipe] != trace::TrackId::kNone)
        add(trace, trace.slices_of(tracks.pipes[pipe]), static_cast<std::uint8_t>(pipe));
    // Of two at one time the begin first, so that one pipe that takes over from another leaves no bubble.
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
      return std::tuple(a.owner, a.time, b.step) < std::tuple(b.owner, b.time, a.step);
    });
  }

  // Of the dispatch in this row; rows must be asked for in their order.
  std::span<const Change> of(std::uint32_t row) {
    while (next_ < changes_.size() && changes_[next_].owner < row) ++next_;
    const std::size_t first = next_;
    while (next_ < changes_.size() && changes_[next_].owner == row) ++next_;
    return std::span(changes_).subspan(first, next_ - first);
  }

 private:
  void add(const Trace& trace, trace::RowRange rows, std::uint8_t pipe) {
    const trace::SliceTable& slices = trace.slices();
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (slices.owner[row] == SliceId::kNone) continue;
      const std::uint32_t owner = index(slices.owner[row]);
      const Ticks start = slices.start[owner];
      const Ticks end = start + slices.duration[owner];
      const Ticks from = std::clamp(slices.start[row], start, end);
      const Ticks to = std::clamp(slices.start[row] + slices.duration[row], start, end);
      changes_.push_back({from, slices.duration[row] - (to - from), owner, pipe, 1});
      changes_.push_back({to, {}, owner, pipe, -1});
    }
  }

  std::vector<Change> changes_;
  std::size_t next_ = 0;
};

// Goes through one part of a task from its begin to its end.
class PartSweep {
 public:
  PartSweep(const Dispatch& part, TickSample& bubbles)
      : at_(part.start), bubble_from_(part.start), bubbles_(bubbles) {
    use_.duration = part.end - part.start;
    part_ = {.slice = part.slice, .duration = use_.duration};
  }

  void take(std::span<const Change> changes, Ticks end) {
    for (const Change& change : changes) {
      pass_to(change.time);
      use_.outside += change.outside;
      int& count = busy_[change.pipe];
      count += change.step;
      set_mask(count > 0 ? mask_ | (1U << change.pipe) : mask_ & ~(1U << change.pipe));
    }
    pass_to(end);
    if (is_bubble(mask_)) end_bubble();
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe) part_.busy[pipe] = use_.busy(pipe);
    part_.bubbles = use_.bubbles();
  }

  const PipeUse& use() const { return use_; }
  const PartPipes& part() const { return part_; }

 private:
  static bool is_bubble(unsigned mask) { return (mask & ~(1U << kSu)) == 0; }

  void pass_to(Ticks time) {
    use_.in_mask[mask_] += time - at_;
    at_ = time;
  }

  void set_mask(unsigned mask) {
    if (is_bubble(mask_) && !is_bubble(mask)) end_bubble();
    if (!is_bubble(mask_) && is_bubble(mask)) bubble_from_ = at_;
    mask_ = mask;
  }

  void end_bubble() {
    if (at_ <= bubble_from_) return;
    bubbles_.add(at_ - bubble_from_);
    part_.longest_bubble = std::max(part_.longest_bubble, at_ - bubble_from_);
  }

  Ticks at_;
  Ticks bubble_from_;
  unsigned mask_ = 0;
  std::array<int, kPipes> busy_ = {};  // more than 1 where a damaged trace says so
  TickSample& bubbles_;
  PipeUse use_;
  PartPipes part_;
};

struct FunctionWork {
  FunctionPipes pipes;
  TickSample bubbles;
};

class PipeCounter {
 public:
  explicit PipeCounter(const Trace& trace) : trace_(trace), slots_(trace) {}

  void add_core(const trace::ChipCore& core, const trace::PipeTracks& tracks) {
    result_.recorded |= tracks.recorded();
    const std::vector<trace::PipeGap> gaps = pipe_gaps(trace_, tracks);
    CoreChanges changes(trace_, tracks);
    for (const Dispatch& part : trace::DispatchWalk(trace_, core.track)) {
      if (!tracks.recorded()) {
        ++result_.not_asked;
        continue;
      }
      FunctionWork& function = work_of(part.function);
      const CoreData data = core_data_in(gaps, part.start, part.end);
      const std::span<const Change> of_part = changes.of(index(part.slice));
      if (data.known == CoreData::Known::kAll)
        add_part(part, of_part, function);
      else
        count_missing(data, function.pipes);
    }
  }

  PipeTimes finish() && {
    for (FunctionWork& function : functions_) {
      function.pipes.bubbles = function.bubbles.stats();
      result_.full += function.pipes.full;
      result_.partial += function.pipes.partial;
      result_.without += function.pipes.without;
      result_.functions.push_back(function.pipes);
    }
    std::sort(result_.functions.begin(), result_.functions.end(),
              [&](const FunctionPipes& a, const FunctionPipes& b) {
                if (a.use.duration != b.use.duration) return a.use.duration > b.use.duration;
                return trace_.text(a.function) < trace_.text(b.function);
              });
    std::stable_sort(result_.missing.begin(), result_.missing.end(),
                     [](const MissingCoreData& a, const MissingCoreData& b) {
                       return a.partial + a.without > b.partial + b.without;
                     });
    std::sort(result_.longest.begin(), result_.longest.end(), is_longer);
    return std::move(result_);
  }

 private:
  static bool is_longer(const PartPipes& a, const PartPipes& b) {
    return a.duration != b.duration ? a.duration > b.duration : a.slice < b.slice;
  }

  FunctionWork& work_of(trace::StringId function) {
    const std::uint32_t slot = slots_.of(function);
    if (slot == functions_.size()) functions_.push_back({.pipes = {.function = function}, .bubbles = {}});
    return functions_[slot];
  }

  void add_part(const Dispatch& part, std::span<const Change> changes, FunctionWork& function) {
    PartSweep sweep(part, function.bubbles);
    sweep.take(changes, part.end);
    function.pipes.use.add(sweep.use());
    ++function.pipes.full;
    // A heap whose first is the shortest of the longest.
    std::vector<PartPipes>& longest = result_.longest;
    if (longest.size() == kMostParts) {
      if (!is_longer(sweep.part(), longest.front())) return;
      std::pop_heap(longest.begin(), longest.end(), is_longer);
      longest.pop_back();
    }
    longest.push_back(sweep.part());
    std::push_heap(longest.begin(), longest.end(), is_longer);
  }

  void count_missing(const CoreData& data, FunctionPipes& function) {
    const bool nothing = data.known == CoreData::Known::kNothing;
    ++(nothing ? function.without : function.partial);
    auto found = std::find_if(result_.missing.begin(), result_.missing.end(),
                              [&](const MissingCoreData& item) { return item.cause == data.cause; });
    if (found == result_.missing.end()) {
      result_.missing.push_back({.cause = data.cause});
      found = result_.missing.end() - 1;
    }
    ++(nothing ? found->without : found->partial);
  }

  const Trace& trace_;
  FunctionSlots slots_;
  std::vector<FunctionWork> functions_;
  PipeTimes result_;
};

}  // namespace

Ticks PipeUse::both(std::size_t a, std::size_t b) const {
  const std::size_t wanted = (std::size_t{1} << a) | (std::size_t{1} << b);
  Ticks sum = {};
  for (std::size_t mask = 0; mask < kPipeMasks; ++mask)
    if ((mask & wanted) == wanted) sum += in_mask[mask];
  return sum;
}

double PipeUse::share(Ticks time) const {
  return duration.value > 0 ? static_cast<double>(time.value) / static_cast<double>(duration.value) : 0;
}

double PipeUse::overlap(std::size_t pipe, std::size_t other) const {
  const Ticks all = busy(pipe);
  return all.value > 0 ? static_cast<double>(both(pipe, other).value) / static_cast<double>(all.value) : 0;
}

std::size_t PipeUse::busiest() const {
  std::size_t most = kSu + 1;
  for (std::size_t pipe = most; pipe < kPipes; ++pipe)
    if (busy(pipe) > busy(most)) most = pipe;
  return most;
}

void PipeUse::add(const PipeUse& other) {
  duration += other.duration;
  outside += other.outside;
  for (std::size_t mask = 0; mask < kPipeMasks; ++mask) in_mask[mask] += other.in_mask[mask];
}

PipeTimes pipe_times(const Trace& trace, const trace::ChipRun& chip) {
  const std::vector<trace::PipeTracks> tracks = trace::pipe_tracks(trace, chip);
  PipeCounter counter(trace);
  for (std::size_t core = 0; core < chip.cores.size(); ++core)
    counter.add_core(chip.cores[core], tracks[core]);
  return std::move(counter).finish();
}

}  // namespace accelscope::analysis::chip
