#include "device/register_journal.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

#include "device/device_barrier.h"

namespace accelscope::device {
namespace {

// All that end a process by default and can be caught.
constexpr std::array kSignals{SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE, SIGSEGV,
                              SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS,  SIGUSR1, SIGUSR2};

struct Handled {
  std::atomic<bool> ours = false;
  std::atomic<bool> kills = false;  // what would have happened without us
  struct sigaction before = {};
};

// The list of armed journals, and what signals did before.
std::array<std::atomic<RegisterJournal*>, RegisterJournal::kMostJournals> armed_journals;
std::array<Handled, kSignals.size()> handled_signals;
std::atomic<int> restoring = 0;  // handlers that read the list
std::mutex arming;               // never taken in a handler

void on_signal(int number, siginfo_t* info, void* context);

void install(int number) {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigfillset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

void call_the_handler_before(const Handled& handled, int number, siginfo_t* info, void* context) {
  if ((handled.before.sa_flags & SA_SIGINFO) != 0)
    handled.before.sa_sigaction(number, info, context);
  else
    handled.before.sa_handler(number);
}

constexpr bool is_of_the_processor(int number) {
  return number == SIGILL || number == SIGTRAP || number == SIGABRT || number == SIGBUS || number == SIGFPE ||
         number == SIGSEGV || number == SIGSYS;
}

void restore_armed_journals() {
  restoring.fetch_add(1);
  for (std::atomic<RegisterJournal*>& journal : armed_journals)
    if (RegisterJournal* there = journal.load(std::memory_order_acquire)) there->restore_for_good();
  restoring.fetch_sub(1);
}

void on_signal(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto* found = std::find(kSignals.begin(), kSignals.end(), number);
  Handled& handled = handled_signals[static_cast<std::size_t>(found - kSignals.begin())];
  const bool kills = handled.kills.load(std::memory_order_acquire);
  if (kills || is_of_the_processor(number)) restore_armed_journals();
  if (kills) {
    struct sigaction by_default = {};
    by_default.sa_handler = SIG_DFL;
    ::sigaction(number, &by_default, nullptr);
    ::raise(number);  // delivered when this handler returns
  } else {
    call_the_handler_before(handled, number, info, context);
    // A handler that lets the second signal kill has removed itself, and us.
    struct sigaction now = {};
    if (::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
        now.sa_handler == SIG_DFL) {
      handled.kills.store(true, std::memory_order_release);
      install(number);
    }
  }
  errno = saved_errno;
}

// Ignored signals stay ignored.
void install_all() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    Handled& handled = handled_signals[i];
    if (handled.ours.load() || ::sigaction(kSignals[i], nullptr, &handled.before) != 0) continue;
    const bool has_info = (handled.before.sa_flags & SA_SIGINFO) != 0;
    if (!has_info && handled.before.sa_handler == SIG_IGN) continue;
    handled.kills.store(!has_info && handled.before.sa_handler == SIG_DFL);
    handled.ours.store(true);
    install(kSignals[i]);
  }
}

// Where somebody has installed another handler since, it stays.
void remove_all() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    Handled& handled = handled_signals[i];
    if (!handled.ours.exchange(false)) continue;
    struct sigaction now = {};
    if (::sigaction(kSignals[i], nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) == 0 ||
        now.sa_sigaction != on_signal)
      continue;
    ::sigaction(kSignals[i], &handled.before, nullptr);
  }
}

}  // namespace

RestoreRules perfmon_restore_rules(const perfmon::RegisterTable& registers) {
  using perfmon::Register;
  return {.switches = {{registers.offset(Register::kGlobalEnable), registers.enable_bit},
                       {registers.offset(Register::kEnable), registers.enable_bit}},
          .moved = {registers.offset(Register::kWritePointer)},
          .counters = {registers.offset(Register::kSamples), registers.offset(Register::kSamplesWritten)}};
}

RegisterJournal::RegisterJournal(std::uint32_t cores, RestoreRules rules)
    : rules_(std::move(rules)),
      core_count_(cores),
      cores_(std::make_unique<Core[]>(cores)),
      process_(::getpid()) {}

RegisterJournal::~RegisterJournal() {
  restore();
  disarm();
}

base::Status RegisterJournal::arm() {
  const std::lock_guard lock(arming);
  for (std::atomic<RegisterJournal*>& place : armed_journals) {
    RegisterJournal* nobody = nullptr;
    if (!place.compare_exchange_strong(nobody, this)) continue;
    armed_ = true;
    install_all();
    return {};
  }
  return base::fail(base::ErrorCode::kUsage,
                    "{} devices are open already; more cannot be restored after a signal", kMostJournals);
}

void RegisterJournal::disarm() {
  const std::lock_guard lock(arming);
  if (!armed_) return;
  armed_ = false;
  bool others = false;
  for (std::atomic<RegisterJournal*>& place : armed_journals) {
    RegisterJournal* self = this;
    place.compare_exchange_strong(self, nullptr);
    others = others || place.load() != nullptr;
  }
  // A handler on another thread may have found this journal just before.
  while (restoring.load() != 0) std::this_thread::yield();
  if (!others) remove_all();
}

bool RegisterJournal::write(std::uint32_t core, std::uint32_t offset, volatile std::uint32_t* address,
                            std::uint32_t value) {
  writing_.fetch_add(1);
  const bool may = note(core, offset, address);
  if (may) *address = value;
  writing_.fetch_sub(1);
  return may;
}

bool RegisterJournal::note(std::uint32_t core, std::uint32_t offset, volatile std::uint32_t* address) {
  Core& noted = cores_[core];
  if (closed_.load() || noted.given_up.load(std::memory_order_acquire)) return false;
  const std::uint32_t count = noted.count.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i)
    if (noted.entries[i].offset == offset) return true;
  if (count == kMostRegisters) return false;
  noted.entries[count] = {address, offset, *address};
  noted.count.store(count + 1, std::memory_order_release);
  return true;
}

void RegisterJournal::restore() {
  if (::getpid() != process_) return;
  writing_.fetch_add(1);
  for (std::uint32_t core = 0; core < core_count_; ++core) restore(cores_[core]);
  writing_.fetch_sub(1);
}

void RegisterJournal::restore_for_good() {
  if (::getpid() != process_) return;
  closed_.store(true);
  // Who began to write before sees to its end, unless it is the one that was interrupted.
  constexpr int kPatience = 100'000;
  for (int i = 0; i < kPatience && writing_.load() != 0; ++i) {
  }
  for (std::uint32_t core = 0; core < core_count_; ++core) restore(cores_[core]);
}

void RegisterJournal::restore(Core& core) const {
  const std::uint32_t count = core.count.load(std::memory_order_acquire);
  if (count == 0 || core.given_up.load(std::memory_order_acquire)) return;
  const auto each_switch = [&](bool restored) {
    for (const RestoreRules::Switch& one : rules_.switches)
      for (std::uint32_t i = 0; i < count; ++i)
        if (const Entry& entry = core.entries[i]; entry.offset == one.offset)
          *entry.address = restored ? entry.original : entry.original & ~one.bit;
  };
  each_switch(false);
  device_barrier();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Entry& entry = core.entries[i];
    if (!is_switch(entry.offset) && !is_counter(entry.offset)) *entry.address = entry.original;
  }
  device_barrier();
  each_switch(true);
  device_barrier();
  // Last: a signal in between begins again.
  core.count.store(0, std::memory_order_release);
}

bool RegisterJournal::is_counter(std::uint32_t offset) const {
  return std::find(rules_.counters.begin(), rules_.counters.end(), offset) != rules_.counters.end();
}

bool RegisterJournal::is_switch(std::uint32_t offset) const {
  return std::any_of(rules_.switches.begin(), rules_.switches.end(),
                     [&](const RestoreRules::Switch& one) { return one.offset == offset; });
}

}  // namespace accelscope::device
