// Work that another thread does beside this one's own.
//
// The thread starts on another processor than this one, where there is one: left to itself, Linux often puts
// a new thread behind its maker, and for work of some milliseconds "beside" would then mean "after". Where no
// thread can be had, or when told not to make one, get() does the work itself. The destructor waits for the
// work; whatever it refers to must live that long. Made, asked and destroyed by one thread.
//
//   Beside<Table> table([&] { return make_table(rows); });
//   other_work();
//   use(table.get());
#pragma once

#include <sched.h>

#include <functional>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace accelscope::base {

// The processors that this thread may use.
cpu_set_t own_processors();
// Lets this thread use them.
void use_processors(const cpu_set_t& processors);
// Moves a thread that has just been made to another one of them than this thread's, if there is one.
void start_elsewhere(std::thread& thread, const cpu_set_t& processors);

template <class Answer>
class Beside {
 public:
  Beside() = default;
  explicit Beside(std::function<Answer()> work, bool with_thread = true)
      : task_(std::make_shared<std::packaged_task<Answer()>>(std::move(work))), answer_(task_->get_future()) {
    if (!with_thread) return;
    try {
      const cpu_set_t processors = own_processors();
      thread_ = std::thread([task = task_, processors] {
        use_processors(processors);
        (*task)();
      });
      start_elsewhere(thread_, processors);
    } catch (const std::system_error&) {
      // No thread: get() works.
    }
  }
  ~Beside() {
    if (thread_.joinable()) thread_.join();
  }
  Beside(Beside&&) noexcept = default;
  Beside& operator=(Beside&& other) noexcept {
    if (thread_.joinable()) thread_.join();
    task_ = std::move(other.task_);
    answer_ = std::move(other.answer_);
    thread_ = std::move(other.thread_);
    return *this;
  }

  // False once the answer was taken, and when there is no work.
  bool valid() const { return answer_.valid(); }
  // Whether a thread of its own does the work; else get() will.
  bool has_thread() const { return thread_.joinable(); }
  // What the work answers or throws; once.
  Answer get() {
    if (!thread_.joinable()) (*task_)();
    return answer_.get();
  }

 private:
  std::shared_ptr<std::packaged_task<Answer()>> task_;
  std::future<Answer> answer_;
  std::thread thread_;
};

}  // namespace accelscope::base
