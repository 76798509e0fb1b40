// What a chip says of itself while it runs, in memory that outlives its process: what each core is doing, and
// that somebody is still watching over the run. And one word for the chip: that it is to stop.
//
// The memory is shared with processes that are forked. A core's note belongs to whoever drives the core;
// everybody else only reads. Plain atomic words, so that no state of them can be torn, whenever a process
// ends.
//
//   ACCELSCOPE_TRY(const BlackBox box, BlackBox::make(chip.cores()));
//   box.note(7).begin(task, block);  ...  box.note(7).end();
//   box.for_each_running([&](std::uint32_t core, std::uint32_t task, std::uint32_t block) { ... });
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

#include "base/result.h"
#include "base/shared_memory.h"

namespace accelscope::runtime {

struct alignas(64) CoreNote {
  std::atomic<std::uint32_t> task = 0;   // of the graph, and one more; 0: it is in no kernel
  std::atomic<std::uint32_t> block = 0;  // stored before the task
  std::atomic<std::int32_t> thread = 0;  // that runs its kernels, as the system numbers threads

  void begin(std::uint32_t which, std::uint32_t which_block) {
    block.store(which_block, std::memory_order_relaxed);
    task.store(which + 1, std::memory_order_release);
  }
  void end() { task.store(0, std::memory_order_release); }
};

struct RunNote {
  std::atomic<bool> stop = false;             // by the host
  std::atomic<std::int32_t> bad_thread = 0;   // that a signal ended the process in; 0: not known
  std::atomic<std::uint64_t> alive = 0;       // changes as long as the run goes on, or is watched over
  std::atomic<std::int64_t> picoseconds = 0;  // since the beginning, in virtual time
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "locks are not shared between processes");

class BlackBox {
 public:
  static base::Result<BlackBox> make(std::uint32_t cores);

  RunNote& run() const { return *run_; }
  CoreNote& note(std::uint32_t core) const { return notes_[core]; }
  std::uint32_t cores() const { return cores_; }

  // Calls visit(core, task, block) for each core that is in a kernel.
  template <class Visit>
  void for_each_running(Visit&& visit) const {
    for (std::uint32_t core = 0; core < cores_; ++core)
      if (const std::uint32_t task = notes_[core].task.load(std::memory_order_acquire); task != 0)
        visit(core, task - 1, notes_[core].block.load(std::memory_order_relaxed));
  }

 private:
  base::SharedMemory memory_;
  RunNote* run_ = nullptr;
  CoreNote* notes_ = nullptr;
  std::uint32_t cores_ = 0;
};

}  // namespace accelscope::runtime
