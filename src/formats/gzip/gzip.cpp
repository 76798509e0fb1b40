#include "formats/gzip/gzip.h"

#include <zlib.h>

#include <algorithm>

namespace accelscope::formats::gzip {
namespace {

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;

// zlib counts in 32 bits; input and output are handed over in pieces of this size.
constexpr std::size_t kPiece = std::size_t{1} << 30U;
constexpr int kGzipOnly = 16 + MAX_WBITS;

class Inflater {
 public:
  explicit Inflater(const MappedFile& packed) : packed_(packed) {
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }

  // Unpacks into [place, place + room) and says how much came; 0 is the end of the last member.
  Result<std::size_t> fill(char* place, std::size_t room) {
    if (!ready_) return base::fail(ErrorCode::kInternal, "zlib cannot be started");
    stream_.next_out = reinterpret_cast<Bytef*>(place);
    stream_.avail_out = static_cast<uInt>(std::min(room, kPiece));
    const std::size_t offered = stream_.avail_out;
    while (stream_.avail_out == offered) {
      if (member_ended_ && !begin_next_member()) return std::size_t{0};
      const std::size_t left = packed_.size() - consumed_;
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.text().data() + consumed_));
      stream_.avail_in = static_cast<uInt>(std::min(left, kPiece));
      const uInt given = stream_.avail_in;
      const int answer = inflate(&stream_, Z_NO_FLUSH);
      consumed_ += given - stream_.avail_in;
      if (answer == Z_STREAM_END) {
        member_ended_ = true;
      } else if (answer == Z_BUF_ERROR || (answer == Z_OK && given == 0)) {
        return base::fail_at(here(), ErrorCode::kTruncated, "the gzip data ends before it is complete");
      } else if (answer != Z_OK) {
        return base::fail_at(here(), ErrorCode::kMalformed, "the gzip data is damaged: {}",
                             stream_.msg != nullptr ? stream_.msg : "unknown reason");
      }
    }
    return offered - stream_.avail_out;
  }

 private:
  // What follows a member and is no member is padding, as gzip itself treats it.
  bool begin_next_member() {
    if (!looks_like_gzip(packed_.text().substr(consumed_))) return false;
    member_ended_ = false;
    return inflateReset(&stream_) == Z_OK;
  }
  Location here() const { return Location::byte(packed_.path(), consumed_); }

  const MappedFile& packed_;
  z_stream stream_ = {};
  std::size_t consumed_ = 0;
  bool ready_ = false;
  bool member_ended_ = false;
};

}  // namespace

bool looks_like_gzip(std::string_view bytes) {
  return bytes.substr(0, 3) == "\x1f\x8b\x08";
}

Result<MappedFile> gunzip(const MappedFile& packed) {
  Inflater inflater(packed);
  const std::size_t limit = std::clamp(packed.size() * kMaxRatio, kAlwaysAllowed, MappedFile::kMaxPipeBytes);
  Result<MappedFile> unpacked = MappedFile::read_all(
      packed.path(), limit, [&](char* place, std::size_t room) { return inflater.fill(place, room); });
  if (!unpacked && unpacked.error().code == ErrorCode::kTooLarge)
    return base::fail_at(Location::of_file(packed.path()), ErrorCode::kTooLarge,
                         "holds more than {} bytes packed into {}: unpack it yourself if it is meant to",
                         limit, packed.size());
  return unpacked;
}

std::string unpacked_head(const MappedFile& packed, std::size_t count) {
  Inflater inflater(packed);
  std::string head(count, '\0');
  std::size_t used = 0;
  while (used < count) {
    const Result<std::size_t> came = inflater.fill(head.data() + used, count - used);
    if (!came || *came == 0) break;
    used += *came;
  }
  head.resize(used);
  return head;
}

}  // namespace accelscope::formats::gzip
