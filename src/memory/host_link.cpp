#include "memory/host_link.h"

#include <algorithm>

#include "memory/streaming.h"

namespace accelscope::memory {

using base::Picoseconds;

namespace {

// The end of time is as late as it gets.
Picoseconds later_by(Picoseconds time, Picoseconds duration) {
  return {base::checked_add(time.value, duration.value).value_or(Picoseconds::max().value)};
}

}  // namespace

base::Result<HostLink> HostLink::make(const HostLinkOptions& options) {
  if (options.bandwidth.value <= 0)
    return base::fail(base::ErrorCode::kUsage, "a host link of {} bytes a second: expected at least 1",
                      options.bandwidth.value);
  if (options.latency.value < 0)
    return base::fail(base::ErrorCode::kUsage, "a host link with a latency of {} ps: expected 0 or more",
                      options.latency.value);
  if (options.outstanding == 0)
    return base::fail(base::ErrorCode::kUsage, "a host link of 0 outstanding transfers: expected at least 1");
  return HostLink(options);
}

Picoseconds HostLink::time_of(base::Bytes size) const {
  return later_by(options_.latency, transfer_time(size, options_.bandwidth).value_or(Picoseconds::max()));
}

HostLink::Id HostLink::submit(base::Bytes size, LinkDirection direction, Picoseconds now, bool urgent) {
  const Id id = next_id_++;
  (urgent ? urgent_ : later_).push_back({id, size, direction, {}, {}});
  const bool to_board = direction == LinkDirection::kToBoard;
  (to_board ? traffic_.reads : traffic_.writes) += 1;
  (to_board ? traffic_.bytes_read : traffic_.bytes_written) += size;
  traffic_.bytes_moved += size;
  begin(std::max(now_, now));
  return id;
}

void HostLink::hurry(Id id) {
  const auto found =
      std::find_if(later_.begin(), later_.end(), [&](const Transfer& waiting) { return waiting.id == id; });
  if (found == later_.end()) return;
  urgent_.push_back(*found);
  later_.erase(found);
}

void HostLink::begin(Picoseconds now) {
  while (running_.size() < options_.outstanding && !(urgent_.empty() && later_.empty())) {
    std::deque<Transfer>& from = urgent_.empty() ? later_ : urgent_;
    Transfer transfer = from.front();
    from.pop_front();
    transfer.start = now;
    const Picoseconds first_byte = std::max(bytes_end_, later_by(now, options_.latency));
    transfer.end =
        later_by(first_byte, transfer_time(transfer.size, options_.bandwidth).value_or(Picoseconds::max()));
    busy_ = later_by(busy_, transfer.end - std::max(now, bytes_end_));
    bytes_end_ = transfer.end;
    running_.push_back(transfer);
  }
}

Picoseconds HostLink::next_end() const {
  return running_.empty() ? Picoseconds::max() : running_.front().end;
}

std::optional<HostLink::Transfer> HostLink::next(Picoseconds limit) {
  if (running_.empty() || running_.front().end > limit) return std::nullopt;
  const Transfer done = running_.front();
  running_.pop_front();
  now_ = done.end;
  begin(now_);
  return done;
}

ModelStatistics HostLink::statistics() const {
  ModelStatistics result;
  result.name = "host link";
  result.traffic = traffic_;
  result.elapsed = now_;
  result.counters.push_back({"busy_time", "ps", busy_.value});
  return result;
}

}  // namespace accelscope::memory
