// Units that come to a memory over a host link and go again: who is where, who waits for whom, what is
// brought back, and what is brought before anybody asks. A part of streaming_memory.h, whose queue it lives
// in.
//
// Used by one thread; link, memory and counts belong to its owner and outlive it.
//
//   if (swapper.here(unit)) swapper.begin_use(unit, writes);
//   else swapper.demand(unit, request, overwrites, now);     // later in take_woken()
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "memory/host_link.h"
#include "memory/residency.h"
#include "memory/timing.h"
#include "memory/transfer_counts.h"
#include "memory/unit_table.h"

namespace accelscope::memory {

class UnitSwapper {
 public:
  UnitSwapper(UnitTable table, Residency residency, std::uint32_t prefetch_depth, HostLink& link,
              Timing& inner, TransferCounts& counts);

  // As many units as fit are there from the beginning.
  void fill();

  const UnitTable& table() const { return table_; }
  bool here(std::uint32_t unit) const { return states_[unit].place == Place::kHere; }
  bool can_hold(std::uint32_t unit) const { return residency_.can_hold(unit); }

  // A request to the memory for a unit that is there, and its end. In between the unit stays.
  void begin_use(std::uint32_t unit, bool writes);
  void end_use(std::uint32_t unit) { --states_[unit].busy; }
  // Somebody waits for a unit that is not there. `overwrites`: all of it, so that nothing needs to come.
  void demand(std::uint32_t unit, std::uint32_t waiter, bool overwrites, base::Picoseconds now);

  // Somebody asks the memory itself, and is answered. In between what nobody waits for is not written to it.
  void asked() { ++asked_; }
  void answered(base::Picoseconds now);

  // Whether it was theirs.
  bool inner_done(Sequence sequence, base::Picoseconds now);
  bool link_done(const HostLink::Transfer& transfer);

  // Whose unit has come since they were last asked for. It stays until end_use(), so that nobody drives it
  // out before they have gone on.
  struct Woken {
    std::uint32_t waiter = 0;
    std::uint32_t unit = 0;
  };
  std::vector<Woken> take_woken() { return std::exchange(woken_, {}); }
  // Tries again what there was no room for, and brings what comes next.
  void settle(base::Picoseconds now);

 private:
  enum class Place : std::uint8_t {
    kAway,     // at the host
    kWanted,   // somebody waits, and there is no room yet
    kMaking,   // its room is being cleared: what goes is brought back
    kComing,   // on the link
    kLanding,  // being written to the memory
    kHere,
    kLeaving,  // changed, evicted, on its way back to the host
  };
  struct State {
    Place place = Place::kAway;
    bool dirty = false;
    bool overwritten = false;        // by the first who waits for it
    std::uint32_t busy = 0;          // requests to the memory under way
    std::uint32_t blocked = 0;       // units that must be gone before it may come
    HostLink::Id transfer = 0;       // of kComing
    std::size_t piece = 0;           // of kLanding: the first that is not all asked for,
    std::uint64_t landed = 0;        // and how many of its bytes are
    base::Picoseconds demanded{-1};  // since when somebody waits; below zero: nobody
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> blocks;  // of kLeaving: who waits for its room
  };

  bool make_room(std::uint32_t unit, bool ahead, base::Picoseconds now);
  void evict(std::uint32_t unit, std::uint32_t for_unit, base::Picoseconds now);
  void come(std::uint32_t unit, base::Picoseconds now);
  void arrived(std::uint32_t unit);
  void gone(std::uint32_t unit, base::Picoseconds now);
  void move(std::uint32_t unit, std::uint64_t address, base::Bytes size, Access access,
            base::Picoseconds now);
  // Writes what has come to the memory: all of it when somebody waits, else a little when nobody asks the
  // memory for anything, so that whoever does waits for no more than that.
  void land(std::uint32_t unit, base::Picoseconds now);
  // Whether a unit is one of those from `first` on that may come ahead, round and round.
  bool among_next(std::uint32_t unit, std::uint32_t first) const;

  UnitTable table_;
  Residency residency_;
  std::uint32_t depth_;
  HostLink& link_;
  Timing& inner_;
  TransferCounts& counts_;
  std::vector<State> states_;
  std::deque<std::uint32_t> wanted_;
  std::map<Sequence, std::uint32_t> moving_;       // pieces of units, in the memory
  std::map<HostLink::Id, std::uint32_t> on_link_;  // both ways
  std::uint32_t asked_ = 0;
  std::vector<std::uint32_t> paused_;  // units that land when nobody asks, or when somebody waits for them
  std::vector<Woken> woken_;
  std::optional<std::uint32_t> current_;
};

}  // namespace accelscope::memory
