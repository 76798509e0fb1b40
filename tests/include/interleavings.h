// Visits every state that a few threads can reach, whatever the order of their accesses to shared memory.
//
// Threads are coroutines whose stacks lie in one block of memory together with all that they share, so that a
// state is a copy of that block, and going back to one is copying it back. Every access to a SteppedAtomic is
// a step: the thread stops before it, and the explorer decides who goes on. A state is visited once: it is
// known by the bytes that are shared and, for each thread, by what it has read since it last called at(),
// which says that nothing else in its local variables matters.
//
// Sequentially consistent: what weaker orders allow is the thread sanitizer's business. Not for sanitizers,
// which do not know these stacks.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/hash.h"

namespace accelscope::tests {

class Explorer;
inline Explorer* exploring = nullptr;  // by SteppedAtomic, which has no other way to find it

class Explorer {
 public:
  static constexpr std::size_t kStackBytes = 8 * 1024;
  static constexpr std::size_t kSharedBytes = 4 * 1024;
  static constexpr std::size_t kMaxThreads = 3;

  explicit Explorer(std::size_t shared_bytes)
      : shared_bytes_(shared_bytes), block_(std::make_unique<Block>()) {
    std::memset(static_cast<void*>(block_.get()), 0, sizeof(Block));
    exploring = this;
  }
  ~Explorer() { exploring = nullptr; }
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // Where everything lives that threads share. It is made there before explore().
  void* shared() { return block_->shared; }

  // Calls at_end() in every final state: when all threads have ended. Returns the number of states.
  std::size_t explore(std::vector<std::function<void()>> threads, const std::function<void()>& at_end) {
    programs_ = std::move(threads);
    for (std::size_t thread = 0; thread < programs_.size(); ++thread) start(thread);
    visit(at_end);
    return seen_.size();
  }

  // Called by a thread: before an access, and with what it read.
  void step() {
    if (!inside_) return;
    swapcontext(&block_->threads[running_].context, &main_);
    observe(1);  // stores move a thread on, too
  }
  void observe(std::uint64_t value) {
    if (!inside_) return;
    std::uint64_t& history = block_->threads[running_].history;
    history = base::hash_of(history, value);
  }
  // Called by a thread: it is at place `label`, and of its local variables only `locals` matters.
  static void at(std::uint64_t label, std::uint64_t locals = 0) {
    Thread& thread = exploring->block_->threads[exploring->running_];
    thread.history = base::hash_of(label, locals);
  }

 private:
  struct Thread {
    ucontext_t context;
    std::uint64_t history;
    bool ended;
    alignas(64) unsigned char stack[kStackBytes];
  };
  struct Block {
    alignas(64) unsigned char shared[kSharedBytes];
    Thread threads[kMaxThreads];
  };

  static void run_current() {
    Explorer& explorer = *exploring;
    const std::size_t self = explorer.running_;
    explorer.programs_[self]();
    explorer.block_->threads[self].ended = true;
    swapcontext(&explorer.block_->threads[self].context, &explorer.main_);
  }

  void start(std::size_t number) {
    Thread& thread = block_->threads[number];
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack;
    thread.context.uc_stack.ss_size = kStackBytes;
    thread.context.uc_link = nullptr;
    thread.history = 0;
    thread.ended = false;
    makecontext(&thread.context, run_current, 0);
    resume(number);
  }

  void resume(std::size_t number) {
    running_ = number;
    inside_ = true;
    swapcontext(&main_, &block_->threads[number].context);
    inside_ = false;
  }

  bool is_new() {
    std::uint64_t key =
        std::hash<std::string_view>()({reinterpret_cast<const char*>(block_->shared), shared_bytes_});
    for (std::size_t thread = 0; thread < programs_.size(); ++thread)
      key = base::hash_of(key, block_->threads[thread].history, block_->threads[thread].ended);
    return seen_.insert(key).second;
  }

  void visit(const std::function<void()>& at_end, std::size_t depth = 0) {
    if (!is_new()) return;
    if (depth == path_.size()) path_.push_back(std::make_unique<Block>());
    Block* here = path_[depth].get();
    std::memcpy(static_cast<void*>(here), block_.get(), sizeof(Block));
    bool all_ended = true;
    for (std::size_t thread = 0; thread < programs_.size(); ++thread) {
      if (here->threads[thread].ended) continue;
      all_ended = false;
      resume(thread);
      visit(at_end, depth + 1);
      std::memcpy(static_cast<void*>(block_.get()), here, sizeof(Block));
    }
    if (!all_ended) return;
    at_end();
    std::memcpy(static_cast<void*>(block_.get()), here, sizeof(Block));
  }

  std::size_t shared_bytes_;
  std::vector<std::function<void()>> programs_;
  std::unique_ptr<Block> block_;
  ucontext_t main_ = {};
  std::size_t running_ = 0;
  bool inside_ = false;  // a thread runs, not the explorer
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::unique_ptr<Block>> path_;  // copies of the states on the way to this one
};

// Every access of a thread is a step; those of the test itself, before and behind the exploration, are not.
template <class T>
class SteppedAtomic {
 public:
  SteppedAtomic(T value = {}) : value_(value) {}
  T load(std::memory_order = std::memory_order_seq_cst) const {
    exploring->step();
    exploring->observe(static_cast<std::uint64_t>(value_));
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    exploring->step();
    value_ = value;
  }

 private:
  T value_;
};

}  // namespace accelscope::tests
