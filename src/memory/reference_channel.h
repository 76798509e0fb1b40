// One channel of the reference's controller (reference_dram.h): at most one command a clock, FR-FCFS over
// everything in its queues, requests whose row is being opened first.
//
// Used by one thread; owns its queues.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "memory/dram_preset.h"

namespace accelscope::memory {

struct ReferenceBurst {
  std::uint64_t address = 0;  // of the burst, in bursts
  std::uint32_t pseudo_channel = 0;
  std::uint32_t group = 0;  // of all groups of the channel
  std::uint32_t bank = 0;   // of all banks of the channel
  std::uint32_t row = 0;
  bool write = false;
  std::uint32_t owner = 0;  // of the wrapper
  std::int64_t arrival = 0;
};

class ReferenceChannel {
 public:
  explicit ReferenceChannel(const DramPreset& preset);

  // False when the queue is full.
  bool send(const ReferenceBurst& burst);
  // One clock; the owner of the one read that is handed back in it, if any.
  std::optional<std::uint32_t> tick();
  // Nothing is queued, being opened, or on its way back: ticks change nothing but the clock.
  bool idle() const { return reads_.empty() && writes_.empty() && opening_.empty() && finished_.empty(); }
  // As many ticks of an idle channel, at once.
  void skip(std::int64_t ticks) {
    clock_ += ticks;
    if (ticks > 0) write_mode_ = true;  // as it is whenever no reads wait
  }

  std::uint64_t activates() const { return activates_; }
  std::uint64_t precharges() const { return precharges_; }
  std::uint64_t bursts_read() const { return bursts_read_; }
  std::uint64_t bursts_written() const { return bursts_written_; }

 private:
  enum class Command : std::uint8_t { kActivate, kPrecharge, kRead, kWrite };
  static constexpr std::size_t kCommands = 4;
  using Earliest = std::array<std::int64_t, kCommands>;
  struct Finished {
    std::uint32_t owner;
    std::int64_t departure;
  };

  Command next_command(const ReferenceBurst& burst) const;
  bool ready(const ReferenceBurst& burst, Command command) const;
  // The oldest ready one, else the oldest.
  std::size_t best_of(const std::vector<ReferenceBurst>& queue) const;
  void issue(std::vector<ReferenceBurst>& queue, std::size_t which, Command command);
  void keep_distance(const ReferenceBurst& burst, Command command);
  void choose_mode();
  bool schedule(std::vector<ReferenceBurst>& queue, bool guarded);

  DramTimes times_;
  std::int64_t clock_ = 0;
  bool write_mode_ = false;
  std::vector<ReferenceBurst> reads_, writes_, opening_;
  std::deque<Finished> finished_;
  std::int64_t row_commands_from_ = 0;
  std::vector<Earliest> of_pseudo_channel_, of_group_, of_bank_;
  std::vector<std::int64_t> open_row_;
  std::vector<std::array<std::int64_t, 4>> activates_of_window_;
  std::vector<std::uint32_t> window_next_;
  std::uint64_t activates_ = 0, precharges_ = 0, bursts_read_ = 0, bursts_written_ = 0;
};

}  // namespace accelscope::memory
