#include "memory/streaming.h"

#include <algorithm>
#include <deque>

namespace accelscope::memory {
namespace {

using base::Picoseconds;

// What the next pass depends on, with times relative to the end of the pass before it.
struct State {
  Picoseconds link_free{};
  std::vector<Picoseconds> buffers_free;  // oldest first

  bool operator==(const State&) const = default;
};

class Recurrence {
 public:
  Recurrence(std::span<const StreamedLayer> layers, const StreamingOptions& options)
      : layers_(layers), latency_(options.latency), buffers_free_(std::max(1U, options.buffers)) {}

  void pass() {
    times_.clear();
    for (const StreamedLayer& layer : layers_) times_.push_back(next(layer));
  }
  Picoseconds end() const { return computed_; }
  const std::vector<LayerTimes>& times() const { return times_; }

  State state() const {
    // Whatever is free before the next calculation could ever use it is as good as free at once.
    const auto relative = [&](Picoseconds time) { return std::max(time - computed_, horizon()); };
    State state{relative(link_free_), {}};
    for (const Picoseconds time : buffers_free_) state.buffers_free.push_back(relative(time));
    return state;
  }

 private:
  LayerTimes next(const StreamedLayer& layer) {
    LayerTimes times;
    times.compute_start = computed_;
    if (layer.streamed) {
      times.transfer_start = std::max(link_free_, buffers_free_.front());
      times.transfer_end = times.transfer_start + latency_ + layer.transfer;
      times.compute_start = std::max(computed_, times.transfer_end);
      times.exposed = times.compute_start - computed_;
      link_free_ = times.transfer_end;
      buffers_free_.pop_front();
    }
    computed_ = times.compute_end = times.compute_start + layer.compute;
    if (layer.streamed) buffers_free_.push_back(computed_);
    return times;
  }
  // A link that has been idle for as long as all transfers of all buffers take never holds anything up again.
  Picoseconds horizon() const {
    Picoseconds longest{};
    for (const StreamedLayer& layer : layers_)
      if (layer.streamed) longest = std::max(longest, layer.transfer + latency_);
    return -(longest * static_cast<std::int64_t>(buffers_free_.size() + 1));
  }

  std::span<const StreamedLayer> layers_;
  Picoseconds latency_;
  std::deque<Picoseconds> buffers_free_;  // when each buffer's last calculation ended
  Picoseconds link_free_{};
  Picoseconds computed_{};
  std::vector<LayerTimes> times_;
};

}  // namespace

Streaming stream(std::span<const StreamedLayer> layers, const StreamingOptions& options) {
  constexpr std::size_t kMostPasses = 256;  // times repeat after a few; this only ends what never would
  Recurrence recurrence(layers, options);
  recurrence.pass();
  Streaming result{recurrence.times(), recurrence.end(), recurrence.end()};
  std::vector<State> states{recurrence.state()};
  std::vector<Picoseconds> ends{recurrence.end()};
  while (states.size() < kMostPasses) {
    recurrence.pass();
    const State state = recurrence.state();
    ends.push_back(recurrence.end());
    const auto before = std::find(states.begin(), states.end(), state);
    if (before != states.end() || states.size() + 1 == kMostPasses) {
      const auto from =
          before == states.end() ? states.size() / 2 : static_cast<std::size_t>(before - states.begin());
      const auto passes = static_cast<std::int64_t>(ends.size() - 1 - from);
      result.steady_pass = {(ends.back() - ends[from]).value / passes};
      break;
    }
    states.push_back(state);
  }
  result.last_pass = recurrence.times();
  return result;
}

std::optional<Picoseconds> transfer_time(base::Bytes bytes, base::BytesPerSecond bandwidth) {
  if (bandwidth.value <= 0 || bytes.value < 0) return std::nullopt;
  constexpr base::Int128 kPerSecond = 1'000'000'000'000;
  const base::Int128 time = (bytes.value * kPerSecond + bandwidth.value - 1) / bandwidth.value;
  if (time > Picoseconds::max().value) return std::nullopt;
  return Picoseconds{static_cast<std::int64_t>(time)};
}

}  // namespace accelscope::memory
