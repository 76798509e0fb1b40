#include "emulator/dump.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "base/half_float.h"
#include "emulator/row_codec.h"

namespace accelscope::emulator {
namespace {

static_assert(std::endian::native == std::endian::little, "words are written as they lie in memory");

constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 16U;

DumpRange within(DumpRange range, std::uint64_t size) {
  const std::uint64_t first = std::min(range.first, size);
  return {first, std::min(range.count, size - first)};
}

std::span<std::byte> room(base::Output& out, std::uint64_t bytes) {
  return {reinterpret_cast<std::byte*>(out.reserve(bytes)), bytes};
}

// row(number) is the row's elements, or nullptr where all are zero.
template <class Row>
base::Status dump_rows(base::Output& out, const boards::NumberFormat& format, std::uint64_t length,
                       DumpRange rows, const Row& row) {
  ACCELSCOPE_TRY(const RowCodec codec, RowCodec::make(format));
  if (format.in_blocks())
    return base::fail(base::ErrorCode::kUsage, "{}: memories on the chip are not kept in blocks",
                      name_of(format));
  const std::uint64_t bytes = codec.element_bytes(length);
  for (std::uint64_t i = rows.first; i < rows.first + rows.count && out.status(); ++i) {
    const std::span<std::byte> place = room(out, bytes);
    if (const float* values = row(i))
      codec.encode({values, length}, place, {});
    else
      std::fill(place.begin(), place.end(), std::byte{});
    out.advance(bytes);
  }
  return out.status();
}

}  // namespace

base::Status dump_matrices(base::Output& out, const State& state, const boards::NumberFormat& format,
                           DumpRange rows) {
  const MatrixMemory& matrices = state.matrices;
  const std::uint64_t side = matrices.side;
  return dump_rows(out, format, side, within(rows, matrices.tile_count * side), [&](std::uint64_t number) {
    return matrices.written[number / side] ? matrices.elements.data() + number * side : nullptr;
  });
}

base::Status dump_vectors(base::Output& out, const State& state, const boards::NumberFormat& format,
                          DumpRange rows) {
  const VectorMemory& vectors = state.vectors;
  return dump_rows(out, format, vectors.row_length, within(rows, vectors.row_count),
                   [&](std::uint64_t number) {
                     return vectors.written.rows[number] != 0 ? vectors.row(number) : nullptr;
                   });
}

base::Status dump_floats(base::Output& out, const State& state, DumpRange words) {
  words = within(words, kScalarWords);
  for (std::uint64_t i = words.first; i < words.first + words.count; ++i) {
    const auto bits =
        static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(state.scalars.floats[i]) >> 16U);
    std::memcpy(out.reserve(sizeof bits), &bits, sizeof bits);
    out.advance(sizeof bits);
  }
  return out.status();
}

base::Status dump_integers(base::Output& out, const State& state, DumpRange words) {
  words = within(words, kScalarWords);
  const std::uint64_t bytes = words.count * sizeof(std::uint32_t);
  std::memcpy(out.reserve(bytes), state.scalars.integers.data() + words.first, bytes);
  out.advance(bytes);
  return out.status();
}

base::Status dump_external(base::Output& out, const State& state, DumpRange bytes) {
  bytes =
      within(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(0, state.external.capacity().value)));
  for (std::uint64_t done = 0; done < bytes.count && out.status();) {
    const std::uint64_t size = std::min(kPieceBytes, bytes.count - done);
    ACCELSCOPE_CHECK(state.external.read(bytes.first + done, room(out, size)));
    out.advance(size);
    done += size;
  }
  return out.status();
}

}  // namespace accelscope::emulator
