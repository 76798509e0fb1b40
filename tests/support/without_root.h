// Tests of permissions mean nothing to root, who may do everything: for the life of this object the process
// acts as "nobody". Where it is root and cannot become somebody else, active() is false and the test is to be
// skipped.
//
// The user of a process is shared by its threads: use it in tests with one thread.
//
//   const WithoutRoot user;
//   if (!user.active()) GTEST_SKIP() << "root may read everything";
#pragma once

#include <unistd.h>

namespace accelscope::tests {

class WithoutRoot {
 public:
  WithoutRoot() : was_root_(geteuid() == 0), active_(!was_root_ || seteuid(kNobody) == 0) {}
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;
  ~WithoutRoot() {
    if (was_root_ && active_) {
      [[maybe_unused]] const int ignored = seteuid(0);
    }
  }

  bool active() const { return active_; }

 private:
  static constexpr uid_t kNobody = 65534;
  bool was_root_;
  bool active_;
};

}  // namespace accelscope::tests
