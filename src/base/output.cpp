#include "base/output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace accelscope::base {
namespace {

// True when a write that failed with this reason is worth repeating. A parent process may have made our
// standard output non-blocking; then a full pipe is waited for, as with any other pipe.
bool can_write_again(int descriptor, int reason) {
  if (reason == EINTR) return true;
  if (reason != EAGAIN) return false;
  pollfd waiting{descriptor, POLLOUT, 0};
  return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

void Output::buffer(std::string_view text) {
  if (text.empty()) return;
  std::memcpy(reserve(text.size()), text.data(), text.size());
  advance(text.size());
}

void Output::grow_to(std::size_t capacity) {
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (used_ > 0) std::memcpy(larger.get(), buffer_.get(), used_);
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

void MemoryOutput::make_room(std::size_t size) {
  grow_to(std::max({used_ + size, capacity_ * 2, std::size_t{4096}}));
}

void DescriptorOutput::make_room(std::size_t size) {
  drain();
  if (capacity_ < size) grow_to(std::max(size, kBufferBytes));
}

void DescriptorOutput::append_large(std::string_view text) {
  drain();
  put(text);
}

void DescriptorOutput::drain() {
  put({buffer_.get(), std::exchange(used_, 0)});
}

void DescriptorOutput::put(std::string_view text) {
  drained_ += text.size();
  while (status_ && !text.empty()) {
    const ssize_t taken = ::write(descriptor_, text.data(), text.size());
    if (taken >= 0) {
      text.remove_prefix(static_cast<std::size_t>(taken));
    } else if (const int reason = errno; !can_write_again(descriptor_, reason)) {
      status_ = fail_at(Location::of_file(name_), ErrorCode::kWriteFailed, "cannot be written: {}",
                        std::strerror(reason));
    }
  }
}

Status DescriptorOutput::flush() {
  drain();
  return status_;
}

}  // namespace accelscope::base
