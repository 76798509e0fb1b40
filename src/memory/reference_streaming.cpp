#include "memory/reference_streaming.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <queue>
#include <set>

#include "base/hash.h"
#include "base/human.h"
#include "memory/completion_queue.h"
#include "memory/simple_dram.h"
#include "memory/slot_pool.h"
#include "memory/transfer_counts.h"

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::Picoseconds;
using boards::ManifestRegion;
using boards::RegionKind;

constexpr std::uint64_t kLineBytes = 64;
constexpr Bytes kLine{kLineBytes};

// First in, first out, by bytes; what does not fit is admitted all the same.
class Admissions {
 public:
  explicit Admissions(Bytes capacity) : capacity_(capacity) {}
  // Whether it was there.
  bool read(std::uint64_t key, Bytes size) {
    if (there_.find(key) != there_.end()) return true;
    while (used_ + size > capacity_ && !order_.empty()) {
      used_ -= order_.front().size;
      there_.erase(order_.front().key);
      order_.pop_front();
    }
    order_.push_back({key, size});
    there_.insert(key);
    used_ += size;
    return false;
  }

 private:
  struct Entry {
    std::uint64_t key;
    Bytes size;
  };
  Bytes capacity_;
  Bytes used_{};
  std::deque<Entry> order_;
  std::set<std::uint64_t> there_;
};

struct Whole {
  Request request;
  Sequence sequence = 0;
  std::uint64_t lines_left = 0;
  Picoseconds first{-1};
};

// Lines of a request that wait for the link, one after the other.
struct Streamed {
  std::uint32_t whole = 0;
  std::uint32_t layer = 0;
  std::uint64_t line = 0;
  std::uint64_t left = 0;
};

// What the inner memory was asked for.
struct Asked {
  std::uint32_t whole = 0;
  std::uint64_t lines = 0;
  bool holds_link = false;
};

struct Event {
  enum class Kind : std::uint8_t { kArrival, kChunk, kSwapped };
  Picoseconds time{};
  std::uint64_t number = 0;
  Kind kind = Kind::kArrival;
  std::uint32_t whole = 0;
  std::uint64_t line = 0;
  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

class ReferenceStreaming final : public Timing {
 public:
  ReferenceStreaming(MemoryMode mode, Bytes capacity, base::BytesPerSecond bandwidth,
                     boards::WeightManifest manifest, std::unique_ptr<Timing> inner)
      : mode_(mode),
        bandwidth_(bandwidth),
        chunk_(*reference_transfer_time(kLine, bandwidth)),
        manifest_(std::move(manifest)),
        admissions_(capacity),
        inner_(std::move(inner)) {
    for (const LayerSize& of_layer : layer_sizes(manifest_)) layer_sizes_[of_layer.layer] = of_layer.size;
  }

  Sequence submit(const Request& request) override;
  std::optional<Completion> next(Picoseconds limit) override;
  Picoseconds now() const override { return std::max(now_, inner_->now()); }
  Bytes capacity() const override { return std::max(inner_->capacity(), extent_of(manifest_)); }
  std::vector<ModelStatistics> statistics() const override;
  void add_activity(Activity& activity) const override {
    inner_->add_activity(activity);
    activity.link = counts_.transfer_time();
  }

 private:
  bool streams(const ManifestRegion& region, std::uint64_t address) const;
  bool swaps(const ManifestRegion& region) const;
  // Behind the last line that is alike.
  std::uint64_t end_of_run(std::uint64_t line, const ManifestRegion* region) const;
  void arrive(std::uint32_t index);
  // Lines that lie in one region, or in none.
  void read_run(std::uint32_t index, const ManifestRegion* region, std::uint64_t line, std::uint64_t lines);
  void ask(std::uint32_t index, std::uint64_t line, std::uint64_t lines, bool holds_link = false);
  void use_link();
  void happen(const Event& event);
  void finished(const Completion& completion);
  void at(Picoseconds time, Event::Kind kind, std::uint32_t whole, std::uint64_t line) {
    events_.push({time, events_made_++, kind, whole, line});
  }

  MemoryMode mode_;
  base::BytesPerSecond bandwidth_;
  Picoseconds chunk_;
  boards::WeightManifest manifest_;
  std::map<std::uint32_t, Bytes> layer_sizes_;
  Admissions admissions_;
  std::unique_ptr<Timing> inner_;
  SlotPool<Whole> wholes_;
  tsl::robin_map<std::uint64_t, Asked, base::IntegerHash> asked_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t events_made_ = 0;
  std::deque<Streamed> link_queue_;
  bool link_taken_ = false;
  CompletionQueue done_;
  Picoseconds now_{};
  Sequence next_sequence_ = 0;
  Traffic traffic_;
  TransferCounts counts_;
};

Sequence ReferenceStreaming::submit(const Request& request) {
  const std::uint32_t index = wholes_.add({.request = request, .sequence = next_sequence_++});
  at(std::max(now_, request.arrival), Event::Kind::kArrival, index, 0);
  return wholes_[index].sequence;
}

bool ReferenceStreaming::streams(const ManifestRegion& region, std::uint64_t address) const {
  if (mode_ == MemoryMode::kHostStream) return address >= manifest_.activation_ceiling;
  return mode_ == MemoryMode::kWeightStream && region.kind == RegionKind::kWeight;
}

bool ReferenceStreaming::swaps(const ManifestRegion& region) const {
  return mode_ == MemoryMode::kLayerSwap ||
         (mode_ == MemoryMode::kKvSwap && region.kind != RegionKind::kWeight);
}

std::uint64_t ReferenceStreaming::end_of_run(std::uint64_t line, const ManifestRegion* region) const {
  const auto first_line_from = [](std::uint64_t address) {
    return address / kLineBytes + (address % kLineBytes == 0 ? 0 : 1);
  };
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  if (region != nullptr) {
    end = first_line_from(region->end());
  } else if (const auto next_region = next_offset(manifest_, line * kLineBytes)) {
    end = first_line_from(*next_region);
  }
  const std::uint64_t ceiling = first_line_from(manifest_.activation_ceiling);
  if (line < ceiling) end = std::min(end, ceiling);
  return std::max(end, line + 1);
}

void ReferenceStreaming::arrive(std::uint32_t index) {
  const Request request = wholes_[index].request;
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request.size.value));
  const std::uint64_t lines = (request.address % kLineBytes + size + kLineBytes - 1) / kLineBytes;
  const std::uint64_t first = request.address / kLineBytes;
  const bool read = request.access == Access::kRead;
  wholes_[index].lines_left = lines;
  const Bytes bytes{static_cast<std::int64_t>(lines * kLineBytes)};
  (read ? traffic_.reads : traffic_.writes) += lines;
  (read ? traffic_.bytes_read : traffic_.bytes_written) += bytes;
  traffic_.bytes_moved += bytes;
  if (!read) return ask(index, first, lines);
  for (std::uint64_t line = first; line < first + lines;) {
    const ManifestRegion* region = boards::region_at(manifest_, line * kLineBytes);
    const std::uint64_t end = std::min(first + lines, end_of_run(line, region));
    read_run(index, region, line, end - line);
    line = end;
  }
}

void ReferenceStreaming::read_run(std::uint32_t index, const ManifestRegion* region, std::uint64_t line,
                                  std::uint64_t lines) {
  const RegionKind kind = region == nullptr ? RegionKind::kActivation : region->kind;
  counts_.read(kind, kLine, lines);
  if (region != nullptr && streams(*region, line * kLineBytes)) {
    link_queue_.push_back({index, region->layer, line, lines});
    return use_link();
  }
  if (region != nullptr && swaps(*region)) {
    const bool whole_layer = mode_ == MemoryMode::kLayerSwap;
    const Bytes size = whole_layer ? layer_sizes_[region->layer] : region->size;
    if (!admissions_.read(whole_layer ? region->layer : region->offset, size)) {
      const Picoseconds time = *reference_transfer_time(size, bandwidth_);
      ++counts_.swaps;
      counts_.swapped_bytes += size;
      counts_.transferred(region->layer, size, time, time);
      at(now_ + time, Event::Kind::kSwapped, index, line);
      if (lines > 1) ask(index, line + 1, lines - 1);
      return;
    }
  }
  counts_.resident_bytes += kLine * static_cast<std::int64_t>(lines);
  ask(index, line, lines);
}

void ReferenceStreaming::ask(std::uint32_t index, std::uint64_t line, std::uint64_t lines, bool holds_link) {
  const Request& request = wholes_[index].request;
  const Sequence sequence = inner_->submit({.address = line * kLineBytes,
                                            .size = {static_cast<std::int64_t>(lines * kLineBytes)},
                                            .access = request.access,
                                            .posted = request.posted,
                                            .arrival = now_});
  asked_[sequence] = {index, lines, holds_link};
}

void ReferenceStreaming::use_link() {
  if (link_taken_ || link_queue_.empty()) return;
  link_taken_ = true;
  Streamed& streamed = link_queue_.front();
  counts_.streamed_bytes += kLine;
  counts_.transferred(streamed.layer, kLine, chunk_, chunk_);
  at(now_ + chunk_, Event::Kind::kChunk, streamed.whole, streamed.line++);
  if (--streamed.left == 0) link_queue_.pop_front();
}

void ReferenceStreaming::happen(const Event& event) {
  now_ = std::max(now_, event.time);
  switch (event.kind) {
    case Event::Kind::kArrival:
      return arrive(event.whole);
    case Event::Kind::kChunk:
      return ask(event.whole, event.line, 1, true);
    case Event::Kind::kSwapped:
      return ask(event.whole, event.line, 1);
  }
}

void ReferenceStreaming::finished(const Completion& completion) {
  now_ = std::max(now_, completion.time);
  const auto found = asked_.find(completion.sequence);
  const Asked asked = found->second;
  asked_.erase(found);
  if (asked.holds_link) {
    link_taken_ = false;
    use_link();
  }
  Whole& whole = wholes_[asked.whole];
  if (whole.first.value < 0) whole.first = completion.first;
  whole.lines_left -= asked.lines;
  if (whole.lines_left > 0) return;
  done_.add({whole.sequence, completion.time, whole.first});
  wholes_.remove(asked.whole);
}

std::optional<Completion> ReferenceStreaming::next(Picoseconds limit) {
  for (;;) {
    const Picoseconds event = events_.empty() ? Picoseconds::max() : events_.top().time;
    // Others of the instant of a completion may be due before it; what comes later must not happen yet.
    if (const auto completion = inner_->next(std::min({event, limit, done_.time()}))) {
      finished(*completion);
      continue;
    }
    if (!done_.empty()) return done_.take(limit);
    if (events_.empty() || event > limit) break;
    const Event happening = events_.top();
    events_.pop();
    happen(happening);
  }
  if (limit != Picoseconds::max()) now_ = std::max(now_, limit);
  return std::nullopt;
}

std::vector<ModelStatistics> ReferenceStreaming::statistics() const {
  ModelStatistics own;
  own.name = fmt::format("reference {}", name_of(mode_));
  own.traffic = traffic_;
  own.elapsed = now();
  counts_.add_to(own);
  return outside_in({std::move(own)}, *inner_);
}

void warn_of_oversized(StreamedMemory& made, const boards::WeightManifest& manifest, Bytes capacity,
                       base::BytesPerSecond bandwidth) {
  for (const LayerSize& layer : layer_sizes(manifest)) {
    if (layer.size <= capacity) continue;
    const Picoseconds time = *reference_transfer_time(layer.size, bandwidth);
    made.warnings.push_back(fmt::format(
        "layer {} has {} bytes and the memory {}: as in the reference it is admitted all the same, its first "
        "reader waits {} ns, and it stays until another layer is read",
        layer.layer, layer.size.value, capacity.value, time.value / 1000));
  }
}

}  // namespace

std::optional<Picoseconds> reference_transfer_time(Bytes bytes, base::BytesPerSecond bandwidth) {
  if (bandwidth.value <= 0 || bytes.value < 0) return std::nullopt;
  const base::Int128 time = static_cast<base::Int128>(bytes.value) * 1'000'000'000 / bandwidth.value * 1000;
  if (time > Picoseconds::max().value / 4) return std::nullopt;
  return Picoseconds{static_cast<std::int64_t>(time)};
}

base::Result<StreamedMemory> make_reference_streaming(const ReferenceStreamingOptions& options,
                                                      boards::WeightManifest manifest,
                                                      std::unique_ptr<Timing> inner) {
  ACCELSCOPE_CHECK(check_streaming(options.capacity, options.host_bandwidth));
  const Bytes total = boards::total_bytes(manifest);
  if (!reference_transfer_time(std::max(total, kLine), options.host_bandwidth))
    return base::fail(base::ErrorCode::kTooLarge,
                      "{} bytes over a host link of {} bytes a second take longer than a month", total.value,
                      options.host_bandwidth.value);
  StreamedMemory made{.timing = nullptr, .mode = resolved(options.mode, manifest, options.capacity)};
  Bytes capacity = options.capacity;
  if (made.mode == MemoryMode::kLayerSwap)
    warn_of_oversized(made, manifest, capacity, options.host_bandwidth);
  if (made.mode == MemoryMode::kKvSwap)
    capacity = std::max(
        Bytes{}, manifest.capacity.value_or(capacity) - boards::bytes_of_kind(manifest, RegionKind::kWeight));
  if (!inner) {
    ACCELSCOPE_TRY(inner, make_simple_dram(SimpleModel::kWindowRows, 1));
  }
  made.timing = std::make_unique<ReferenceStreaming>(made.mode, capacity, options.host_bandwidth,
                                                     std::move(manifest), std::move(inner));
  return made;
}

}  // namespace accelscope::memory
