// The one interface for the timing of a memory: it is asked with requests and says when their bytes are
// there. What the bytes are is another matter (backing_store.h).
//
// A memory is a part of a discrete-event simulation that its caller drives. Requests are put in with
// submit(); next(limit) lets the memory live until something is done or the time is `limit`, whichever comes
// first. So a caller with events of its own asks for what is done before its next event, and whatever it then
// submits cannot come too late. Requests of the same arrival are taken in the order of submit(); completions
// come in the order (time, sequence). One request may be of any length: n contiguous bursts are one object,
// and memory does not grow with n.
//
// A wrapper (a host link in front of a DRAM) is an implementation of this interface that owns the inner one:
// its submit() decides what goes where, its next() takes the earlier of its own events and
// inner.next(own event), and its statistics() appends those of the inner one. An external simulator is
// another implementation; nothing above knows.
//
// One thread uses one memory; several memories in one process share nothing. A memory owns all it needs.
//
//   const Sequence sequence = memory.submit({.address = 0, .size = {4096}, .arrival = now});
//   while (const auto done = memory.next(my_next_event)) woken(done->sequence, done->time);
//   // or, for a transfer of its own: when all of it is there
//   const Picoseconds end = finish_all(memory, requests);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "memory/statistics.h"

namespace accelscope::memory {

enum class Access : std::uint8_t { kRead, kWrite };

struct Request {
  std::uint64_t address = 0;
  base::Bytes size{64};  // above zero; a part of a burst moves the whole burst
  Access access = Access::kRead;
  // A posted write is done for its caller as soon as the memory has taken all of it; any other when it is
  // written.
  bool posted = false;
  base::Picoseconds arrival{};  // what lies before the memory's present counts as now
};

// Of one memory: 0, 1, 2, ... in the order of submit().
using Sequence = std::uint64_t;

struct Completion {
  Sequence sequence = 0;
  base::Picoseconds time{};   // all bytes are there
  base::Picoseconds first{};  // the first of them is there; for a posted write the same as `time`

  bool operator==(const Completion&) const = default;
};

// How long buses have been busy so far, for pictures of what a transfer did.
struct Activity {
  std::vector<base::Picoseconds> channels = {};          // data, by channel; of several buses the mean
  std::optional<base::Picoseconds> link = std::nullopt;  // the host link; nothing where there is none
};

class Timing {
 public:
  Timing() = default;
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;
  virtual ~Timing() = default;

  // Addresses beyond the memory's size wrap around, as on a real bus; callers that mind check capacity().
  virtual Sequence submit(const Request& request) = 0;
  // The next completion at or before `limit`, or nothing when there is none; then the present is `limit`
  // (or, where that is the end of time, that of the last thing that happened).
  virtual std::optional<Completion> next(base::Picoseconds limit) = 0;
  virtual base::Picoseconds now() const = 0;
  virtual base::Bytes capacity() const = 0;
  // Its own first, then those of what it wraps, from outside to inside.
  virtual std::vector<ModelStatistics> statistics() const = 0;
  // Adds what it knows of itself and of what it wraps. Much cheaper than statistics().
  virtual void add_activity(Activity& activity) const { static_cast<void>(activity); }
  // Whether it does more than it is asked for, such as bringing what may be read next. What of that is left
  // when the last request is done, nobody needs.
  virtual bool runs_ahead() const { return false; }
};

// One request more, which moves so many bytes.
void count(Traffic& traffic, const Request& request, base::Bytes moved);

// Submits all of them and waits: when the last byte of the last one is there.
base::Picoseconds finish_all(Timing& memory, std::span<const Request> requests);

}  // namespace accelscope::memory
