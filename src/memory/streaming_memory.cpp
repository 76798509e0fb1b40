#include "memory/streaming_memory.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "base/hash.h"
#include "memory/completion_queue.h"
#include "memory/slot_pool.h"
#include "memory/streaming.h"
#include "memory/streams_in_flight.h"
#include "memory/transfer_counts.h"
#include "memory/unit_swapper.h"

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::Picoseconds;
using boards::ManifestRegion;
using boards::RegionKind;

struct Arrival {
  Picoseconds time{};
  std::uint64_t number = 0;
  std::uint32_t request = 0;
  bool operator>(const Arrival& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

struct Partial {
  Request request;
  Sequence sequence = 0;
  std::uint64_t next = 0;  // address of what has not been asked for
  std::uint64_t left = 0;  // bytes that have not been
  std::uint32_t outstanding = 0;
  Picoseconds first{-1};

  bool reads() const { return request.access == Access::kRead; }
};

// A part of a request that the inner memory was asked for, and the unit that it keeps in its place.
struct Part {
  std::uint32_t request = 0;
  std::optional<std::uint32_t> unit;
};

Bytes as_bytes(std::uint64_t count) {
  return {static_cast<std::int64_t>(count)};
}

class StreamingMemory final : public Timing {
 public:
  StreamingMemory(MemoryMode mode, std::uint32_t depth, boards::WeightManifest manifest, UnitTable table,
                  Residency residency, HostLink link, std::unique_ptr<Timing> inner)
      : mode_(mode),
        depth_(depth),
        manifest_(std::move(manifest)),
        link_(std::move(link)),
        inner_(std::move(inner)),
        swapper_(std::move(table), std::move(residency), depth, link_, *inner_, counts_) {
    if (mode_ == MemoryMode::kKvSwap) swapper_.fill();
  }

  Sequence submit(const Request& request) override;
  std::optional<Completion> next(Picoseconds limit) override;
  Picoseconds now() const override { return std::max(now_, inner_->now()); }
  Bytes capacity() const override { return std::max(inner_->capacity(), extent_of(manifest_)); }
  std::vector<ModelStatistics> statistics() const override;
  void add_activity(Activity& activity) const override {
    inner_->add_activity(activity);
    activity.link = link_.busy();
  }
  bool runs_ahead() const override { return depth_ > 0; }

 private:
  // Goes through a request's bytes in order, until a unit must be waited for.
  void advance(std::uint32_t index);
  // Behind the last byte that is in the same region, or in none.
  std::uint64_t end_of_run(std::uint64_t address, const ManifestRegion* region) const;
  bool streams(const ManifestRegion* region, const Partial& request) const;
  // False: the unit is not there, and the request waits for it.
  bool take_from_unit(std::uint32_t index, const ManifestRegion* region, const UnitPiece& piece,
                      std::uint64_t bytes);
  void ask(std::uint32_t index, std::uint64_t bytes, std::optional<std::uint32_t> unit = std::nullopt);
  void stream(std::uint32_t index, std::uint32_t layer, std::uint64_t bytes);
  void count(const Partial& request, const ManifestRegion* region, std::uint64_t bytes);
  void part_done(std::uint32_t index, Picoseconds first);
  void inner_done(const Completion& completion);
  void link_done(const HostLink::Transfer& transfer);
  void go_on();

  MemoryMode mode_;
  std::uint32_t depth_;
  boards::WeightManifest manifest_;
  HostLink link_;
  std::unique_ptr<Timing> inner_;
  TransferCounts counts_;
  UnitSwapper swapper_;
  SlotPool<Partial> requests_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::uint64_t arrivals_made_ = 0;
  tsl::robin_map<std::uint64_t, Part, base::IntegerHash> parts_;
  StreamsInFlight streams_;
  std::map<HostLink::Id, std::pair<std::uint32_t, std::uint32_t>> returning_;  // request and layer, of writes
  CompletionQueue done_;
  Picoseconds now_{};
  Sequence next_sequence_ = 0;
  Traffic traffic_;
};

Sequence StreamingMemory::submit(const Request& request) {
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request.size.value));
  const std::uint32_t index = requests_.add(
      {.request = request, .sequence = next_sequence_++, .next = request.address, .left = size});
  const bool reads = requests_[index].reads();
  (reads ? traffic_.reads : traffic_.writes) += 1;
  (reads ? traffic_.bytes_read : traffic_.bytes_written) += as_bytes(size);
  traffic_.bytes_moved += as_bytes(size);
  arrivals_.push({std::max(now_, request.arrival), arrivals_made_++, index});
  return requests_[index].sequence;
}

std::uint64_t StreamingMemory::end_of_run(std::uint64_t address, const ManifestRegion* region) const {
  if (region != nullptr) return region->end();
  return next_offset(manifest_, address).value_or(std::numeric_limits<std::uint64_t>::max());
}

bool StreamingMemory::streams(const ManifestRegion* region, const Partial& request) const {
  return (mode_ == MemoryMode::kWeightStream || mode_ == MemoryMode::kHostStream) && request.reads() &&
         region != nullptr && region->kind == RegionKind::kWeight;
}

void StreamingMemory::advance(std::uint32_t index) {
  while (requests_[index].left > 0) {
    const Partial& request = requests_[index];
    const ManifestRegion* region = boards::region_at(manifest_, request.next);
    const UnitPiece* piece = swapper_.table().at(request.next);
    const std::uint64_t end = piece != nullptr ? piece->end : end_of_run(request.next, region);
    const std::uint64_t bytes = std::min(request.left, end - request.next);
    if (piece != nullptr) {
      if (!take_from_unit(index, region, *piece, bytes)) return;
    } else {
      count(request, region, bytes);
      if (streams(region, request)) {
        stream(index, region->layer, bytes);
      } else {
        if (request.reads()) counts_.resident_bytes += as_bytes(bytes);
        ask(index, bytes);
      }
    }
    requests_[index].next += bytes;
    requests_[index].left -= bytes;
  }
}

bool StreamingMemory::take_from_unit(std::uint32_t index, const ManifestRegion* region,
                                     const UnitPiece& piece, std::uint64_t bytes) {
  const Partial& request = requests_[index];
  const Unit& unit = swapper_.table().units[piece.unit];
  if (!swapper_.can_hold(piece.unit)) {
    count(request, region, bytes);
    stream(index, unit.layer, bytes);
    return true;
  }
  if (!swapper_.here(piece.unit)) {
    swapper_.demand(piece.unit, index, !request.reads() && as_bytes(bytes) == unit.size, now_);
    return false;
  }
  count(request, region, bytes);
  if (request.reads()) counts_.resident_bytes += as_bytes(bytes);
  swapper_.begin_use(piece.unit, !request.reads());
  ask(index, bytes, piece.unit);
  return true;
}

void StreamingMemory::ask(std::uint32_t index, std::uint64_t bytes, std::optional<std::uint32_t> unit) {
  Partial& request = requests_[index];
  ++request.outstanding;
  swapper_.asked();
  parts_[inner_->submit({.address = request.next,
                         .size = as_bytes(bytes),
                         .access = request.request.access,
                         .posted = request.request.posted,
                         .arrival = now_})] = {index, unit};
}

void StreamingMemory::stream(std::uint32_t index, std::uint32_t layer, std::uint64_t bytes) {
  Partial& request = requests_[index];
  if (!request.reads()) {
    counts_.returned_bytes += as_bytes(bytes);
    ++request.outstanding;
    returning_[link_.submit(as_bytes(bytes), LinkDirection::kToHost, now_, true)] = {index, layer};
    return;
  }
  request.outstanding += streams_.ride(
      request.next, request.next + bytes, layer, index, [&](std::uint64_t from, std::uint64_t to) {
        counts_.streamed_bytes += as_bytes(to - from);
        return link_.submit(as_bytes(to - from), LinkDirection::kToBoard, now_, true);
      });
}

void StreamingMemory::count(const Partial& request, const ManifestRegion* region, std::uint64_t bytes) {
  if (request.reads())
    counts_.read(region == nullptr ? RegionKind::kActivation : region->kind, as_bytes(bytes));
}

void StreamingMemory::part_done(std::uint32_t index, Picoseconds first) {
  Partial& request = requests_[index];
  if (request.first.value < 0) request.first = first;
  if (--request.outstanding > 0 || request.left > 0) return;
  done_.add({request.sequence, now_, request.request.posted ? now_ : request.first});
  requests_.remove(index);
}

void StreamingMemory::inner_done(const Completion& completion) {
  now_ = std::max(now_, completion.time);
  if (!swapper_.inner_done(completion.sequence, now_)) {
    const auto found = parts_.find(completion.sequence);
    const Part part = found->second;
    parts_.erase(found);
    swapper_.answered(now_);
    if (part.unit) swapper_.end_use(*part.unit);
    part_done(part.request, completion.first);
  }
  go_on();
}

void StreamingMemory::link_done(const HostLink::Transfer& transfer) {
  now_ = std::max(now_, transfer.end);
  if (swapper_.link_done(transfer)) return go_on();
  const Picoseconds time = transfer.end - transfer.start;
  if (const auto found = returning_.find(transfer.id); found != returning_.end()) {
    const auto [request, layer] = found->second;
    returning_.erase(found);
    counts_.transferred(layer, transfer.size, time, time);
    return part_done(request, now_);
  }
  const StreamsInFlight::Stream stream = streams_.take(transfer.id);
  counts_.transferred(stream.layer, transfer.size, time, time);
  for (const std::uint32_t rider : stream.riders) part_done(rider, now_);
}

void StreamingMemory::go_on() {
  std::vector<UnitSwapper::Woken> woken = swapper_.take_woken();
  do {
    for (const UnitSwapper::Woken& one : woken) {
      advance(one.waiter);
      swapper_.end_use(one.unit);
    }
    swapper_.settle(now_);
    // A unit that is overwritten whole is there as soon as it has room.
    woken = swapper_.take_woken();
  } while (!woken.empty());
}

std::optional<Completion> StreamingMemory::next(Picoseconds limit) {
  for (;;) {
    const Picoseconds arrival = arrivals_.empty() ? Picoseconds::max() : arrivals_.top().time;
    const Picoseconds own = std::min(arrival, link_.next_end());
    if (const auto completion = inner_->next(std::min({own, limit, done_.time()}))) {
      inner_done(*completion);
      continue;
    }
    if (!done_.empty() && done_.time() < own) return done_.take(limit);
    if (const auto transfer = link_.next(std::min(limit, arrival))) {
      link_done(*transfer);
    } else if (!arrivals_.empty() && arrival <= limit) {
      now_ = std::max(now_, arrival);
      const std::uint32_t index = arrivals_.top().request;
      arrivals_.pop();
      advance(index);
      go_on();
    } else {
      break;
    }
  }
  if (!done_.empty()) return done_.take(limit);
  if (limit != Picoseconds::max()) now_ = std::max(now_, limit);
  return std::nullopt;
}

std::vector<ModelStatistics> StreamingMemory::statistics() const {
  ModelStatistics own;
  own.name = name_of(mode_);
  own.traffic = traffic_;
  own.elapsed = now();
  counts_.add_to(own);
  return outside_in({std::move(own), link_.statistics()}, *inner_);
}

// What each kind of use needs of a manifest.
UnitOptions units_of(MemoryMode mode, const StreamingMemoryOptions& options) {
  const bool layers = mode == MemoryMode::kLayerSwap;
  return {.chunk = options.chunk, .whole_layers = layers, .weights = layers};
}

void warn_of_oversized(StreamedMemory& made, const UnitTable& table, Bytes capacity, const HostLink& link) {
  for (const Unit& unit : table.units) {
    if (unit.size <= capacity) continue;
    const std::int64_t nanoseconds = link.time_of(unit.size).value / 1000;
    made.warnings.push_back(fmt::format(
        "layer {}: {} bytes that come and go together, and the memory has room for {}: they are never kept, "
        "what is read of them comes over the host link each time, and all of them take {} ns; smaller pieces "
        "would be kept",
        unit.layer, unit.size.value, capacity.value, nanoseconds));
  }
}

}  // namespace

base::Result<StreamedMemory> make_streaming_memory(const StreamingMemoryOptions& options,
                                                   boards::WeightManifest manifest,
                                                   std::unique_ptr<Timing> inner) {
  ACCELSCOPE_CHECK(check_streaming(options.capacity, options.link.bandwidth));
  ACCELSCOPE_TRY(HostLink link, HostLink::make(options.link));
  if (options.prefetch_depth > kDeepestPrefetch)
    return base::fail(base::ErrorCode::kUsage, "a prefetch depth of {}: expected at most {}",
                      options.prefetch_depth, kDeepestPrefetch);
  const auto longest = transfer_time(boards::total_bytes(manifest), options.link.bandwidth);
  if (!longest || longest->value > Picoseconds::max().value / 4)
    return base::fail(base::ErrorCode::kTooLarge,
                      "{} bytes over a host link of {} bytes a second take longer than a month",
                      boards::total_bytes(manifest).value, options.link.bandwidth.value);
  StreamedMemory made{.timing = nullptr, .mode = resolved(options.mode, manifest, options.capacity)};
  const bool swaps = made.mode == MemoryMode::kLayerSwap || made.mode == MemoryMode::kKvSwap;
  Bytes capacity = manifest.capacity.value_or(options.capacity);
  if (made.mode == MemoryMode::kKvSwap) capacity -= boards::bytes_of_kind(manifest, RegionKind::kWeight);
  if (capacity.value <= 0)
    return base::fail(base::ErrorCode::kUsage,
                      "weights of {} bytes leave nothing of a capacity of {} for keys and values: use "
                      "weight-stream",
                      boards::bytes_of_kind(manifest, RegionKind::kWeight).value,
                      manifest.capacity.value_or(options.capacity).value);
  UnitTable table;
  if (swaps) {
    ACCELSCOPE_TRY(table, make_unit_table(manifest, units_of(made.mode, options)));
    warn_of_oversized(made, table, capacity, link);
  }
  std::vector<Bytes> sizes;
  for (const Unit& unit : table.units) sizes.push_back(unit.size);
  std::vector<std::uint32_t> future(sizes.size());
  std::iota(future.begin(), future.end(), 0U);
  ACCELSCOPE_TRY(Residency residency, Residency::make({.policy = options.policy,
                                                       .capacity = capacity,
                                                       .buffers = options.prefetch_depth + 1,
                                                       .future = std::move(future)},
                                                      std::move(sizes)));
  made.timing = std::make_unique<StreamingMemory>(made.mode, options.prefetch_depth, std::move(manifest),
                                                  std::move(table), std::move(residency), std::move(link),
                                                  std::move(inner));
  return made;
}

}  // namespace accelscope::memory
