// One channel of a DRAM and its controller: FR-FCFS that asks when the next command may be issued and jumps
// there. It never ticks.
//
// Requests wait in order in front of the channel; as long as the queue of their kind has room they enter it,
// burst by burst, and can be served one tick later. Of all commands that would serve a request the one that
// can be issued first is issued: a column of an open row, an activate, or a precharge of a row that somebody
// else still wants but cannot have yet. At the same tick columns come before rows, and the oldest first. A
// request whose row was opened for it leaves the queue; the bank keeps it, serves it before all others and
// keeps the row until then.
//
// One thread uses one channel; it owns its queues. Times are in ticks.
//
//   channel.submit(7, false, false, 0, 128, 0);      // run 7 reads 128 bursts from 0 on
//   channel.run_until(1000, finished);      // finished.push_back({run, tick}) for every burst
#pragma once

#include <cstdint>
#include <vector>

#include "memory/address_map.h"
#include "memory/dram_options.h"
#include "memory/dram_preset.h"
#include "memory/dram_run_cache.h"
#include "memory/dram_state.h"
#include "memory/statistics.h"
#include "memory/ticks.h"

namespace accelscope::memory {

// Contiguous bursts of one request in one channel.
struct DramPiece {
  std::uint32_t run = 0;  // of the memory
  bool write = false;
  bool posted = false;     // a burst is done when it has entered the queue
  std::uint64_t next = 0;  // burst of the channel
  std::uint64_t left = 0;
  std::int64_t arrival = 0;
};

// Bursts of a run that are done, the last of them at a tick.
struct FinishedBurst {
  std::uint32_t run;
  std::uint32_t count;
  std::int64_t tick;
};

class DramChannel {
 public:
  DramChannel(const DramPreset& preset, const DramOptions& options, const AddressMap& map,
              std::span<const DramConstraint> constraints, std::uint32_t number, DramRunCache& cache);

  // By value: a piece that was put together in memory would be waited for.
  void submit(std::uint32_t run, bool write, bool posted, std::uint64_t first, std::uint64_t count,
              std::int64_t arrival) {
    next_ = nullptr;
    const bool in_order = waiting_ == input_.size() || input_.back().arrival <= arrival;
    if (arrival < now_ || !in_order || waiting_ > kMostDone) {
      submit_among_others({run, write, posted, first, count, arrival});
      return;
    }
    DramPiece& added = input_.emplace_back();
    added.run = run;
    added.write = write;
    added.posted = posted;
    added.next = first;
    added.left = count;
    added.arrival = arrival;
  }
  // Does everything up to and including a tick. Finished bursts are appended.
  void run_until(std::int64_t last, std::vector<FinishedBurst>& finished);
  // When something can happen next; TickClock::kNever when nothing waits. Only a bound after a submit().
  std::int64_t next_event();
  bool idle() const { return work_ == 0 && waiting_ == input_.size(); }

  // How long a burst is on its way from its command at least.
  std::int64_t shortest_latency() const { return std::min(read_latency_, write_latency_); }
  // The end of what the data buses have done.
  std::int64_t busy_until() const;
  // Of all data buses together, with data.
  std::int64_t busy_ticks() const;
  // As if nothing more came until `end`.
  ChannelStatistics statistics(std::int64_t end) const;
  const Histogram& burst_latency() const { return burst_latency_; }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;
  static constexpr std::uint64_t kMostAge = std::uint64_t{1} << 33U;
  static constexpr std::size_t kMostDone = 4096;                   // pieces that wait to be forgotten
  enum class First : std::uint8_t { kUnknown, kMiss, kConflict };  // what a request met

  struct Entry {
    std::uint32_t run;
    std::uint32_t row;
    std::uint32_t column;
    std::uint16_t next;  // of the same bank and kind
    bool write;
    bool posted;
    First first;
    std::int64_t arrival;
    std::uint64_t age;
    std::uint64_t burst;  // of the channel
  };
  struct List {
    std::uint16_t head = kNone;
    std::uint16_t tail = kNone;
  };
  // What it is for is one word, written and copied at once: many are made for each that is issued.
  struct Candidate {
    std::int64_t tick = TickClock::kNever;
    std::uint64_t order = ~std::uint64_t{0};  // lower first
    std::uint64_t what = kNone;

    static Candidate of(std::int64_t tick, std::uint64_t order, std::uint32_t bank, std::uint16_t entry,
                        DramCommand command) {
      return {tick, order, entry | std::uint64_t{bank} << 16U | static_cast<std::uint64_t>(command) << 48U};
    }
    std::uint16_t entry() const { return static_cast<std::uint16_t>(what); }  // kNone: for a refresh
    std::uint32_t bank() const { return static_cast<std::uint32_t>(what >> 16U); }
    DramCommand command() const { return static_cast<DramCommand>(what >> 48U); }
  };
  struct Bank {
    std::int64_t row = -1;
    std::uint16_t opening = kNone;  // the request that its row was opened for
    std::uint16_t wanted = kNone;   // the request that its next command is for
    std::uint16_t closing = kNone;  // the request that its open row could be closed for
    List lists[2];                  // reads, writes
    Idle cause = Idle::kBankConflict;
  };
  // Side by side for the search: from when a bank's next command can be issued as far as the bank is
  // concerned, and its rank among others of the same tick.
  struct Plan {
    std::int64_t from = 0;
    std::uint64_t order = 0;
    std::uint32_t kind = 0;      // DramState::kind_of(command)
    std::uint32_t in_group = 0;  // where the state keeps the times of its group for that kind
  };
  struct PseudoChannel {
    std::uint64_t reading = 0;  // banks with reads in the queue, a bit each
    std::uint64_t writing = 0;
    std::uint64_t opening = 0;  // banks with a request whose row was opened
    std::uint64_t open = 0;     // banks with an open row
    std::uint64_t closing = 0;  // banks whose open row one request wants and another one does not
    bool changed = true;        // since `best` was found
    Candidate best;
    std::uint32_t requests = 0;
    std::int64_t requests_since = 0;
    std::int64_t refresh_due = TickClock::kNever;
    std::uint32_t refresh_bank = 0;  // whose turn it is, per bank
    bool refreshing = false;         // due, and not yet done
    std::int64_t refreshed_until = 0;
    std::int64_t busy_until = 0;
    bool last_was_write = false;
    std::int64_t busy = 0;
    std::array<std::int64_t, kIdleReasons> idle{};
  };

  void submit_among_others(const DramPiece& piece);
  // Of long runs: see dram_run_cache.h.
  bool remembers(const DramPiece& piece) const;
  void checkpoint(std::int64_t last, std::vector<FinishedBurst>& finished);
  void finish_recording(const DramPiece& piece, std::uint32_t state);
  void begin_recording(const DramPiece& piece, const DramRunCache::From& from);
  void apply(const RunStep& step, DramPiece& piece, std::vector<FinishedBurst>& finished);
  std::uint64_t ticks_to_refreshes() const;
  // Whether the memory does not end between two bursts.
  bool same_lap(std::uint64_t first, std::uint64_t second) const;
  void append_words(const DramPiece& piece, std::vector<std::int32_t>& words);
  void set_words(const DramPiece& piece, std::span<const std::int32_t> words);

  // Lets requests in while there is room.
  void accept();
  void accept_burst(DramPiece& piece);
  // Whether a request that has just entered the queue changes what its bank does next.
  bool changes_plan(std::uint32_t bank, std::uint32_t row) const;
  bool meets_write(std::uint32_t bank, const DramPlace& place) const;
  std::uint16_t enqueue(const DramPiece& piece, const DramPlace& place, std::uint32_t bank);
  // The tick of the next arrival that there is room for.
  std::int64_t next_arrival() const;
  bool has_room(bool write) const {
    return write ? queued_[1] < options_.write_queue : queued_[0] < options_.read_queue;
  }

  void choose_mode() {
    // Without writes there is nothing to choose.
    if (write_mode_ || queued_[1] > 0) choose_mode_of_writes();
  }
  void choose_mode_of_writes();
  // What the bank does next, after its row, its requests or the mode have changed.
  void plan(std::uint32_t bank);
  // The same after a request of its queue was served, when all others in it want the open row too.
  void plan_next_hit(std::uint32_t bank);
  void plan_all();
  std::uint64_t order_of(std::uint16_t entry, std::uint64_t order, std::uint32_t bank) const;
  void renumber();
  const Candidate* best();
  void find_best(std::uint32_t pseudo_channel);
  void consider(Candidate& best, std::uint32_t pseudo_channel, std::uint64_t banks) const;
  void consider_closing(Candidate& best, std::uint32_t pseudo_channel, std::uint64_t banks) const;
  void consider_refresh(Candidate& best, std::uint32_t pseudo_channel) const;
  bool begin_refreshes(std::int64_t until);
  // After one has begun, was done or was stepped over.
  void find_next_refresh();

  void issue(const Candidate& candidate, std::vector<FinishedBurst>& finished);
  void issue_column(const Candidate& candidate, std::vector<FinishedBurst>& finished);
  void issue_activate(const Candidate& candidate);
  void issue_precharge(const Candidate& candidate);
  void issue_refresh(const Candidate& candidate);
  void note(DramCommand command, std::uint32_t bank, std::uint32_t row, std::uint32_t column) {
    if (options_.log != nullptr) write_log(command, bank, row, column);
  }
  void write_log(DramCommand command, std::uint32_t bank, std::uint32_t row, std::uint32_t column);
  PseudoChannel& of_bank(std::uint32_t bank) { return pseudo_channels_[pseudo_channel_of_[bank]]; }
  std::uint64_t bit_of(std::uint32_t bank) const {
    return std::uint64_t{1} << (bank - pseudo_channel_of_[bank] * banks_per_pseudo_channel_);
  }
  void remove(std::uint32_t bank, std::uint16_t entry);
  bool another_for_row(std::uint32_t bank, std::uint16_t entry) const;
  void close(std::uint32_t bank);

  Idle cause_of_activate(const Candidate& candidate) const;
  Idle cause_of_precharge(const Candidate& candidate) const;
  void account(const Candidate& candidate, PseudoChannel& pseudo_channel, const Entry& entry);

  DramOptions options_;
  const AddressMap* map_;
  std::uint32_t number_;
  std::uint32_t banks_per_pseudo_channel_;
  std::vector<std::uint32_t> pseudo_channel_of_;  // of every bank
  DramState state_;
  std::int64_t read_latency_, write_latency_, burst_ticks_, refresh_ticks_;
  std::uint32_t high_, low_;  // watermarks in entries
  std::int64_t now_ = 0;
  std::int64_t next_refresh_ = TickClock::kNever;  // the first that is due and has not begun
  bool write_mode_ = false;
  std::vector<DramPiece> input_;  // those before `waiting_` are done
  std::size_t waiting_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint16_t> free_;
  std::uint32_t queued_[2] = {0, 0};
  std::uint32_t work_ = 0;  // entries in use
  std::uint64_t next_age_ = 1;
  std::vector<Bank> banks_;
  std::vector<PseudoChannel> pseudo_channels_;
  std::vector<Plan> plans_;              // of every bank
  const Candidate* next_ = nullptr;      // the next command; nullptr when it must be found again
  std::vector<FinishedBurst> accepted_;  // posted or forwarded: done while they were let in
  ChannelStatistics statistics_;
  Histogram burst_latency_;
  // From the last checkpoint of a long run on.
  struct Recording {
    DramRunCache::From from;
    std::uint64_t next = 0;
    std::int64_t tick = 0;
    std::int64_t last_done = 0;
    ChannelStatistics statistics;
    std::vector<RunStep::OfPseudoChannel> pseudo_channels;
    std::vector<std::int64_t> refreshes;
    std::vector<std::int64_t> latencies;
  };
  DramRunCache* cache_;
  std::uint64_t period_ = 0;  // bursts after which the same places come with the next row; 0: never
  std::uint64_t next_checkpoint_ = 0;
  bool recording_ = false;
  Recording recorded_;
};

}  // namespace accelscope::memory
