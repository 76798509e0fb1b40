#include "runtime/fault_note.h"

#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <memory>

namespace accelscope::runtime {
namespace {

// A signal handler can reach nothing but a variable of static storage.
std::atomic<RunNote*> noted_run = nullptr;

void note_fault(int number) {
  std::int32_t nobody = 0;
  noted_run.load(std::memory_order_relaxed)->bad_thread.compare_exchange_strong(nobody, ::gettid());
  ::signal(number, SIG_DFL);
  ::raise(number);
}

class AlternateStack {
 public:
  AlternateStack() {
    const stack_t stack{.ss_sp = bytes_.get(), .ss_flags = 0, .ss_size = kBytes};
    ::sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    ::sigaltstack(&none, nullptr);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  static constexpr std::size_t kBytes = 65536;
  std::unique_ptr<std::byte[]> bytes_ = std::make_unique<std::byte[]>(kBytes);
};

}  // namespace

void note_faults(const BlackBox& box) {
  noted_run.store(&box.run(), std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = note_fault;
  action.sa_flags = SA_ONSTACK;
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
    ::sigaction(number, &action, nullptr);
}

void enter_core(CoreNote& note) {
  note.thread.store(::gettid(), std::memory_order_relaxed);
  if (noted_run.load(std::memory_order_relaxed) == nullptr) return;
  thread_local AlternateStack stack;
}

}  // namespace accelscope::runtime
