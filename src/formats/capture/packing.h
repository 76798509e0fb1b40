// Packing of payloads with zstd, at its fastest level: a recording is packed while the run goes on.
//
// Each object owns its working memory, which is reused from call to call, and belongs to one thread.
//
//   Packer packer;
//   std::string_view packed = packer.pack(plain);       // good until the next call
//   Unpacker unpacker;
//   std::optional<std::string_view> again = unpacker.unpack(packed, plain.size());
#pragma once

#include <zstd.h>

#include <memory>
#include <optional>
#include <string_view>

namespace accelscope::formats::capture {

// Memory that grows and is not filled with zeros first.
class Scratch {
 public:
  char* room_for(std::size_t size) {
    if (size > capacity_) {
      bytes_ = std::make_unique_for_overwrite<char[]>(size);
      capacity_ = size;
    }
    return bytes_.get();
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
};

class Packer {
 public:
  Packer() : context_(ZSTD_createCCtx()) {}
  // Nothing when packing does not make it smaller.
  std::optional<std::string_view> pack(std::string_view plain);

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  Scratch scratch_;
};

class Unpacker {
 public:
  Unpacker() : context_(ZSTD_createDCtx()) {}
  // Nothing when these bytes are not zstd's form of exactly `plain_bytes` bytes. Looks at what zstd itself
  // says of the size, and at what so few bytes can become at most, before it takes any memory.
  std::optional<std::string_view> unpack(std::string_view packed, std::size_t plain_bytes);

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  Scratch scratch_;
};

}  // namespace accelscope::formats::capture
