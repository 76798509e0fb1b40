#include "formats/capture/packing.h"

namespace accelscope::formats::capture {
namespace {

constexpr int kFastestLevel = 1;

// zstd's blocks hold at most 128 KiB and take at least four bytes each.
constexpr std::size_t kMostBytesOfBlock = std::size_t{128} << 10U;
constexpr std::size_t kLeastBytesOfBlock = 4;

}  // namespace

std::optional<std::string_view> Packer::pack(std::string_view plain) {
  const std::size_t bound = ZSTD_compressBound(plain.size());
  char* place = scratch_.room_for(bound);
  const std::size_t size =
      ZSTD_compressCCtx(context_.get(), place, bound, plain.data(), plain.size(), kFastestLevel);
  if (ZSTD_isError(size) != 0 || size >= plain.size()) return std::nullopt;
  return std::string_view(place, size);
}

std::optional<std::string_view> Unpacker::unpack(std::string_view packed, std::size_t plain_bytes) {
  const unsigned long long announced = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (announced != plain_bytes || packed.size() / kLeastBytesOfBlock < plain_bytes / kMostBytesOfBlock)
    return std::nullopt;
  char* place = scratch_.room_for(plain_bytes);
  const std::size_t size =
      ZSTD_decompressDCtx(context_.get(), place, plain_bytes, packed.data(), packed.size());
  if (ZSTD_isError(size) != 0 || size != plain_bytes) return std::nullopt;
  return std::string_view(place, plain_bytes);
}

}  // namespace accelscope::formats::capture
