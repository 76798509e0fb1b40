// Runs a job in a thread of its own, while the calling thread looks out for Ctrl-C: Python handles signals in
// its main thread only, and only between two steps of its own.
//
// The first signal whose handler raises sets the job's flag, and its exception is raised when the job has
// come to its end; a second one is raised at once, and the job is left behind. So the job and all it needs
// belong to the thread, and are never references to the caller's. Called with the GIL held.
//
//   auto stop = std::make_shared<std::atomic<bool>>(false);
//   Result<Outcome> outcome = interruptible<Outcome>(stop, [options, stop] { return jobs::run_graph(options);
//   });
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "python/border.h"

namespace accelscope::python {

template <class T>
base::Result<T> interruptible(const std::shared_ptr<std::atomic<bool>>& stop,
                              std::function<base::Result<T>()> job) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<base::Result<T>> result;
    std::exception_ptr problem;
    bool done = false;
  };
  constexpr std::chrono::milliseconds kLook{20};

  const auto shared = std::make_shared<Shared>();
  std::thread worker([shared, job = std::move(job)] {
    std::optional<base::Result<T>> result;
    std::exception_ptr problem;
    try {
      result = job();
    } catch (const std::bad_alloc&) {
      problem = std::current_exception();
    } catch (const std::exception& failure) {
      result = tl::unexpected(error_of_library(failure.what()));
    }
    const std::lock_guard lock(shared->mutex);
    shared->result = std::move(result);
    shared->problem = problem;
    shared->done = true;
    shared->changed.notify_all();
  });
  std::optional<py::error_already_set> interrupt;
  for (bool done = false; !done;) {
    {
      const py::gil_scoped_release released;
      std::unique_lock lock(shared->mutex);
      done = shared->changed.wait_for(lock, kLook, [&] { return shared->done; });
    }
    if (done || PyErr_CheckSignals() == 0) continue;
    if (interrupt) {
      worker.detach();
      throw py::error_already_set();
    }
    interrupt.emplace();
    stop->store(true);
  }
  worker.join();
  if (interrupt) {
    interrupt->restore();
    throw py::error_already_set();
  }
  if (shared->problem) std::rethrow_exception(shared->problem);
  return *std::move(shared->result);
}

}  // namespace accelscope::python
