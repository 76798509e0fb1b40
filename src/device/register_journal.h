// What registers of a device were before they were written, so that they can be put back: at the end, and
// when a signal kills the process.
//
// Everything a signal handler needs is allocated beforehand and read without locks. At most kMostJournals
// are armed in a process; the list of them, and what signals did before, are the only global state.
//
// Which signals: all that kill a process by default and can be caught, except where they are ignored. Where
// the program has a handler of its own, that one is called; before it, everything is restored if the signal
// is one of the processor's (SIGSEGV and the like, SIGABRT), and else the program is expected to end in
// order. A process that was forked restores nothing.
//
// Each core is written by one thread at a time; restore() is for when nobody writes.
//
//   RegisterJournal journal(cores, rules);
//   ACCELSCOPE_CHECK(journal.arm());
//   journal.write(core, offset, address, value);
//   journal.restore();
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "accelscope/perfmon/registers.h"
#include "base/result.h"

namespace accelscope::device {

// In which order the registers of a core are put back.
struct RestoreRules {
  struct Switch {
    std::uint32_t offset = 0;
    std::uint32_t bit = 0;
  };
  std::vector<Switch> switches = {};      // turned off before anything else, and restored last, in this order
  std::vector<std::uint32_t> moved = {};  // that the hardware changes: noted with the first write to a core
  std::vector<std::uint32_t> counters = {};  // that cannot be put back
};

RestoreRules perfmon_restore_rules(const perfmon::RegisterTable& registers);

class RegisterJournal {
 public:
  static constexpr std::size_t kMostRegisters = 24;  // of a core
  static constexpr std::size_t kMostJournals = 4;

  RegisterJournal(std::uint32_t cores, RestoreRules rules);
  RegisterJournal(const RegisterJournal&) = delete;
  RegisterJournal& operator=(const RegisterJournal&) = delete;
  ~RegisterJournal();  // restores and disarms

  // From now on a signal that kills the process restores first.
  base::Status arm();
  void disarm();

  // Writes a register. False: it was not, as it could not be put back.
  bool write(std::uint32_t core, std::uint32_t offset, volatile std::uint32_t* address, std::uint32_t value);
  // Notes a register that somebody else is going to change.
  bool note(std::uint32_t core, std::uint32_t offset, volatile std::uint32_t* address);
  bool is_empty(std::uint32_t core) const { return cores_[core].count.load(std::memory_order_relaxed) == 0; }
  const RestoreRules& rules() const { return rules_; }
  // What was noted of the core is not put back.
  void forget(std::uint32_t core) { cores_[core].given_up.store(true, std::memory_order_release); }

  // Puts everything back, and forgets it.
  void restore();
  // The same in a signal handler, while other threads may be writing: they write no more.
  void restore_for_good();

 private:
  struct Entry {
    volatile std::uint32_t* address = nullptr;
    std::uint32_t offset = 0;
    std::uint32_t original = 0;
  };
  struct Core {
    std::array<Entry, kMostRegisters> entries = {};
    std::atomic<std::uint32_t> count = 0;
    std::atomic<bool> given_up = false;
  };
  void restore(Core& core) const;
  bool is_counter(std::uint32_t offset) const;
  bool is_switch(std::uint32_t offset) const;

  const RestoreRules rules_;
  const std::uint32_t core_count_;
  const std::unique_ptr<Core[]> cores_;
  const pid_t process_;
  std::atomic<bool> closed_ = false;        // a signal has restored: nothing is written any more
  std::atomic<std::uint32_t> writing_ = 0;  // threads
  bool armed_ = false;
};

}  // namespace accelscope::device
