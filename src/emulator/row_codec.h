// Rows of numbers between floats and the bytes that a memory keeps: minifloats, integers, and blocks of
// either with a shared scale.
//
// Two rules: the reference's, bit for bit, with what is odd about it (docs/emulator-core.md), and that of the
// OCP Microscaling formats. A format says which (boards/number_format.h). Immutable once made; safe from any
// thread.
//
//   ACCELSCOPE_TRY(const RowCodec codec, RowCodec::make(boards::kPlenaMx));
//   codec.encode(row, elements, scales);
//   codec.decode(elements, scales, row);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "boards/number_format.h"
#include "emulator/kernels.h"

namespace accelscope::emulator {

class RowCodec {
 public:
  // Fails for formats that no memory here can keep: more than 32 bits, scales that are no powers of two.
  static base::Result<RowCodec> make(const boards::NumberFormat& format);

  // Of a row of so many elements: rounded up to whole bytes. Elements behind the last whole block have no
  // scale: they are read as zero.
  std::size_t element_bytes(std::size_t count) const;
  std::size_t scale_bytes(std::size_t count) const;  // 0 for formats without blocks

  // As many elements as there is room for in `values`. Bytes that are missing at the end count as zero.
  void decode(std::span<const std::byte> elements, std::span<const std::byte> scales,
              std::span<float> values) const;
  void encode(std::span<const float> values, std::span<std::byte> elements,
              std::span<std::byte> scales) const;

  // What a value becomes when it is written and read again, each element by itself; only for formats without
  // blocks.
  float rounded(float value) const;
  void round(std::span<float> values) const;

  const boards::NumberFormat& format() const { return format_; }

 private:
  explicit RowCodec(const boards::NumberFormat& format);

  float value_of(std::uint32_t bits) const;
  void decode_any(std::span<const std::byte> elements, std::span<const std::byte> scales,
                  std::span<float> values) const;
  // Gives back the scale's bits.
  std::uint32_t encode_block(std::span<const float> values, std::size_t first,
                             std::span<std::byte> elements) const;

  boards::NumberFormat format_;
  const Kernels* kernels_;
  std::vector<float> values_;  // by bits, of elements of at most 8
  ByteFloat shape_;            // of elements that are floats of 8 bits
  bool has_shape_ = false;
  std::vector<float> factors_;  // by bits of the scale
};

}  // namespace accelscope::emulator
