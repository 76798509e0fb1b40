#include "formats/gzip/gzip_output.h"

#include <zlib.h>

#include <algorithm>

namespace accelscope::formats::gzip {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
constexpr std::size_t kPackedPiece = std::size_t{256} << 10U;
constexpr int kGzipFormat = 16 + MAX_WBITS;
constexpr int kDefaultMemory = 8;

}  // namespace

struct GzipOutput::Deflater {
  z_stream stream = {};
};

GzipOutput::GzipOutput(base::Output& target) : target_(target), deflater_(std::make_unique<Deflater>()) {
  if (deflateInit2(&deflater_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipFormat, kDefaultMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    status_ = base::fail(base::ErrorCode::kInternal, "zlib cannot be started");
}

GzipOutput::~GzipOutput() {
  deflateEnd(&deflater_->stream);
}

void GzipOutput::make_room(std::size_t size) {
  pack(false);
  if (capacity_ < size) grow_to(std::max(size, kBufferBytes));
}

void GzipOutput::pack(bool last) {
  z_stream& stream = deflater_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(buffer_.get());
  stream.avail_in = static_cast<uInt>(used_);
  int answer = Z_OK;
  do {
    if (!status_) break;
    stream.next_out = reinterpret_cast<Bytef*>(target_.reserve(kPackedPiece));
    stream.avail_out = static_cast<uInt>(kPackedPiece);
    answer = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    target_.advance(kPackedPiece - stream.avail_out);
  } while (stream.avail_in > 0 || stream.avail_out == 0 || (last && answer != Z_STREAM_END));
  drained_ += used_;
  used_ = 0;
}

base::Status GzipOutput::finish() {
  pack(true);
  return status_ ? target_.status() : status_;
}

}  // namespace accelscope::formats::gzip
