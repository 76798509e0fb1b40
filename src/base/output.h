// Where writers put their bytes: a buffer that is drained into a file (output_file.h) or kept in memory.
//
// Writers place bytes directly with reserve()/advance(), or append(). Errors stick: after the first failed
// drain everything is swallowed, and status() tells; so a writer checks once, at its end. One thread writes
// to one Output.
//
//   MemoryOutput out;
//   out.append("{\"traceEvents\":[");
//   char* place = out.reserve(20);  out.advance(encode(place));
//   std::string_view bytes = out.bytes();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace accelscope::base {

class Output {
 public:
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  // Room for `size` bytes behind what was written so far. Valid until the next call of anything.
  char* reserve(std::size_t size) {
    if (capacity_ - used_ < size) make_room(size);
    return buffer_.get() + used_;
  }
  void advance(std::size_t size) { used_ += size; }
  void append(std::string_view text) {
    if (text.size() < kLarge)
      buffer(text);
    else
      append_large(text);
  }
  void append(char c) {
    *reserve(1) = c;
    ++used_;
  }

  // Bytes written so far, drained or not.
  std::uint64_t written() const { return drained_ + used_; }
  const Status& status() const { return status_; }
  // Hands on what is buffered, where bytes go on to somewhere else; the answer is the first error of the
  // whole output.
  virtual Status flush() { return status_; }

 protected:
  Output() = default;
  // Makes the buffer able to take `size` more bytes, by draining or growing it.
  virtual void make_room(std::size_t size) = 0;
  // Text that is larger than most: where bytes go on to somewhere else, they need not be buffered first.
  virtual void append_large(std::string_view text) { buffer(text); }
  void buffer(std::string_view text);
  void grow_to(std::size_t capacity);

  static constexpr std::size_t kLarge = std::size_t{1} << 16;

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::uint64_t drained_ = 0;
  Status status_;
};

// Keeps everything in memory. clear() forgets the bytes and keeps the memory, for reuse.
class MemoryOutput final : public Output {
 public:
  std::string_view bytes() const { return {buffer_.get(), used_}; }
  void clear() { used_ = 0; }

 private:
  void make_room(std::size_t size) override;
};

// Drains into a file descriptor that somebody else owns. What was not flushed when it is destroyed is lost:
// only flush() can say whether it arrived.
class DescriptorOutput : public Output {
 public:
  explicit DescriptorOutput(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}
  Status flush() override;

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
  void make_room(std::size_t size) override;
  void append_large(std::string_view text) override;
  void drain();
  void put(std::string_view text);

  int descriptor_;
  std::string name_;
};

}  // namespace accelscope::base
