// The link between a host and a board: one transfer after the other, each with a latency before its first
// byte. Everybody who wants something from the host shares it, in both directions.
//
// Urgent transfers go before those that nobody waits for yet; what has begun is not interrupted. With more
// than one transfer outstanding the latency of the next hides behind the bytes of the one before.
// Times are rounded up to a picosecond, each transfer by itself.
//
// An event-driven server for one thread: submit() puts transfers in, next(limit) gives those that ended.
//
//   ACCELSCOPE_TRY(HostLink link, HostLink::make({.bandwidth = {60'000'000}}));
//   link.submit({4096}, LinkDirection::kToBoard, now, true);
//   while (const auto done = link.next(limit)) arrived(done->id, done->end);
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/result.h"
#include "base/units.h"
#include "memory/statistics.h"

namespace accelscope::memory {

struct HostLinkOptions {
  base::BytesPerSecond bandwidth{60'000'000};
  base::Picoseconds latency{};    // of every transfer
  std::uint32_t outstanding = 1;  // transfers asked for at once
};

enum class LinkDirection : std::uint8_t { kToBoard, kToHost };

class HostLink {
 public:
  using Id = std::uint64_t;
  struct Transfer {
    Id id = 0;
    base::Bytes size{};
    LinkDirection direction = LinkDirection::kToBoard;
    base::Picoseconds start{};  // asked for
    base::Picoseconds end{};    // all of it is there
  };

  static base::Result<HostLink> make(const HostLinkOptions& options);

  Id submit(base::Bytes size, LinkDirection direction, base::Picoseconds now, bool urgent);
  // Somebody waits for it now; nothing changes where it has begun.
  void hurry(Id id);
  std::optional<Transfer> next(base::Picoseconds limit);
  // When the next transfer ends; the end of time where none is under way.
  base::Picoseconds next_end() const;
  // How long these bytes take with nothing else on the link: latency and bytes.
  base::Picoseconds time_of(base::Bytes size) const;

  // With latencies and bytes, so far.
  base::Picoseconds busy() const { return busy_; }

  const HostLinkOptions& options() const { return options_; }
  ModelStatistics statistics() const;

 private:
  explicit HostLink(const HostLinkOptions& options) : options_(options) {}
  void begin(base::Picoseconds now);

  HostLinkOptions options_;
  std::deque<Transfer> urgent_, later_;  // waiting
  std::deque<Transfer> running_;
  base::Picoseconds now_{};
  base::Picoseconds bytes_end_{};  // of the last that has begun
  base::Picoseconds busy_{};
  Id next_id_ = 0;
  Traffic traffic_;
};

}  // namespace accelscope::memory
