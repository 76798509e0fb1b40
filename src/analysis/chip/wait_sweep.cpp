#include "analysis/chip/wait_sweep.h"

#include <algorithm>

#include "analysis/chip/sort_by_time.h"

namespace accelscope::analysis::chip {
namespace {

using trace::is_known;

// How many of some moments have passed.
class Passed {
 public:
  explicit Passed(const std::vector<Ticks>& moments) : moments_(moments) {}

  void advance(Ticks now) {
    while (at_ < moments_.size() && moments_[at_] <= now) ++at_;
  }
  Ticks next() const { return at_ < moments_.size() ? moments_[at_] : Ticks::max(); }
  std::size_t count() const { return at_; }
  std::size_t left() const { return moments_.size() - at_; }

 private:
  const std::vector<Ticks>& moments_;
  std::size_t at_ = 0;
};

// Work of one engine that no core has, at one moment.
class Backlog {
 public:
  explicit Backlog(const EngineParts& parts)
      : submit_(parts.submit),
        ready_(parts.ready),
        dispatch_(parts.dispatch),
        unknown_from_(parts.unknown_from),
        unknown_to_(parts.unknown_to),
        parts_(parts) {}

  void advance(Ticks now) {
    submit_.advance(now);
    unknown_from_.advance(now);
    unknown_to_.advance(now);
    ready_.advance(now);
    dispatch_.advance(now);
    while (depth_at_ < parts_.depth.size() && parts_.depth[depth_at_].time <= now)
      depth_ = parts_.depth[depth_at_++].depth;
  }

  Ticks next() const {
    Ticks next =
        std::min({submit_.next(), ready_.next(), dispatch_.next(), unknown_from_.next(), unknown_to_.next()});
    if (parts_.use_depth && depth_at_ < parts_.depth.size())
      next = std::min(next, parts_.depth[depth_at_].time);
    return next;
  }

  std::size_t ready() const {
    if (!parts_.use_depth) return ready_.count() - dispatch_.count();
    // A depth that outlives the last dispatch is an old one.
    return std::min(static_cast<std::size_t>(std::max<std::int64_t>(depth_, 0)), unknown());
  }

  CoreClass otherwise() const {
    if (submit_.count() > ready_.count()) return CoreClass::kDependency;
    if (unknown() > 0) return CoreClass::kUnknown;
    return submit_.left() + unknown_from_.left() > 0 ? CoreClass::kNotSubmitted : CoreClass::kNoWorkLeft;
  }

 private:
  std::size_t unknown() const { return unknown_from_.count() - unknown_to_.count(); }

  Passed submit_;
  Passed ready_;
  Passed dispatch_;
  Passed unknown_from_;
  Passed unknown_to_;
  const EngineParts& parts_;
  std::size_t depth_at_ = 0;
  std::int64_t depth_ = 0;
};

struct Open {
  Waiting wait = {};
  Ticks since = {};
  CoreClass why = CoreClass::kUnknown;
};

class Sweep {
 public:
  Sweep(const EngineParts& parts, const std::function<void(const WaitPiece&)>& sink)
      : backlog_(parts), sink_(sink) {}

  void run(const std::vector<Waiting>& waiting) {
    for (std::size_t at = 0; at < waiting.size() || !open_.empty();) {
      const Ticks begins = at < waiting.size() ? waiting[at].from : Ticks::max();
      const Ticks now = open_.empty() ? begins : std::min({begins, first_end_, backlog_.next()});
      backlog_.advance(now);
      const bool ends = now >= first_end_;
      if (ends) close(now);
      const bool others = ends || begins <= now;
      for (; at < waiting.size() && waiting[at].from <= now; ++at) begin(waiting[at]);
      if (others) first_end_ = earliest_end();
      assign(now, others);
    }
  }

 private:
  // Waits that begin keep the order of the cores' numbers.
  void begin(const Waiting& wait) {
    const auto place =
        std::upper_bound(open_.begin(), open_.end(), wait.core,
                         [](std::uint32_t core, const Open& open) { return core < open.wait.core; });
    open_.insert(place, Open{.wait = wait, .since = wait.from});
  }

  void close(Ticks now) {
    const auto ended = [&](const Open& open) {
      if (open.wait.to > now) return false;
      emit(open, open.wait.to);
      return true;
    };
    open_.erase(std::remove_if(open_.begin(), open_.end(), ended), open_.end());
  }

  Ticks earliest_end() const {
    Ticks earliest = Ticks::max();
    for (const Open& open : open_) earliest = std::min(earliest, open.wait.to);
    return earliest;
  }

  void assign(Ticks now, bool others) {
    const CoreClass otherwise = backlog_.otherwise();
    const std::size_t ready = std::min(backlog_.ready(), open_.size());
    const bool all_alike = ready == 0 || ready == open_.size();
    if (!others && all_alike && ready == ready_ && otherwise == otherwise_) return;
    otherwise_ = otherwise;
    ready_ = ready;
    std::size_t expecting = 0;  // cores whose own next part is ready
    if (!all_alike)
      expecting = static_cast<std::size_t>(std::count_if(
          open_.begin(), open_.end(), [&](const Open& open) { return next_is_ready(open, now); }));
    std::size_t first = std::min(expecting, ready);
    std::size_t then = ready - first;
    for (Open& open : open_) {
      bool waits_for_scheduler = ready == open_.size();
      if (!waits_for_scheduler && ready > 0) {
        std::size_t& places = next_is_ready(open, now) ? first : then;
        waits_for_scheduler = places > 0;
        if (waits_for_scheduler) --places;
      }
      change(open, now, waits_for_scheduler ? CoreClass::kReady : otherwise_);
    }
  }

  static bool next_is_ready(const Open& open, Ticks now) {
    return is_known(open.wait.next_ready) && open.wait.next_ready <= now;
  }

  void change(Open& open, Ticks now, CoreClass why) {
    if (open.why == why) return;
    emit(open, now);
    open.since = now;
    open.why = why;
  }

  void emit(const Open& open, Ticks to) {
    if (open.since < to) sink_({open.wait.core, open.since, to, open.why});
  }

  Backlog backlog_;
  const std::function<void(const WaitPiece&)>& sink_;
  std::vector<Open> open_;
  Ticks first_end_ = Ticks::max();
  CoreClass otherwise_ = CoreClass::kUnknown;
  std::size_t ready_ = 0;
};

}  // namespace

void EngineParts::sort() {
  for (std::vector<Ticks>* moments : {&submit, &ready, &dispatch, &unknown_from, &unknown_to})
    sort_by_time(*moments, [](Ticks time) { return time; });
}

void sweep_waits(const EngineParts& parts, std::vector<Waiting> waiting,
                 const std::function<void(const WaitPiece&)>& sink) {
  sort_by_time(waiting, [](const Waiting& wait) { return wait.from; });
  Sweep(parts, sink).run(waiting);
}

}  // namespace accelscope::analysis::chip
