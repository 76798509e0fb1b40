// The elements of a tensor, gathered into blocks: in order and without gaps, however they lie in memory.
//
// One thread or core owns what is here, as it does the writer. Freestanding but for <atomic>; memory is
// copied by
// __builtin_memcpy.
//
//   TensorBlocks blocks(writer, limit);
//   gather(description, data, blocks);
//   record.payload_bytes = blocks.finish();
#pragma once

#include "accelscope/recorder/record_writer.h"

namespace accelscope::recorder {

// An argument and how it lies in memory. Strides and the offset count elements.
struct TensorDescription {
  uint64_t task = 0;
  uint32_t argument = 0;
  TensorRole role = TensorRole::kIn;
  TensorStage stage = TensorStage::kBefore;
  DataType data_type = DataType::kUnknown;
  uint8_t dimensions = 0;  // at most kMaxDimensions; 0 for one element
  uint32_t shape[kMaxDimensions] = {};
  uint64_t strides[kMaxDimensions] = {};
  uint64_t start_offset = 0;  // from the pointer to the first element
};

// Strides of a tensor that lies row by row, without gaps.
constexpr void set_contiguous(TensorDescription& tensor) {
  uint64_t stride = 1;
  for (uint32_t i = tensor.dimensions; i > 0; --i) {
    tensor.strides[i - 1] = stride;
    stride *= tensor.shape[i - 1];
  }
}

// Puts bytes into blocks, each filled before the next one is begun. What does not fit the limit is cut; so is
// what follows a block that is dropped, because nobody could say where it belongs.
template <class Platform>
class TensorBlocks {
 public:
  using Writer = RecordWriter<TensorBlockRecord, Platform>;
  TensorBlocks(Writer& writer, uint64_t limit) : writer_(writer), left_(limit) {}

  bool full() const { return left_ == 0; }

  void append(const unsigned char* from, uint64_t bytes) {
    if (bytes > left_) bytes = left_;
    while (bytes > 0) {
      const uint64_t part =
          room_ == 0 && bytes >= kBlock ? copy_blocks(from, bytes) : copy_within(from, bytes);
      if (part == 0) return;
      from += part;
      bytes -= part;
    }
  }

  // Runs of bytes that lie `stride` bytes apart. Their width divides that of a block, and all that came
  // before is of it.
  template <uint32_t kWidth>
  void append_each(const unsigned char* from, uint64_t count, uint64_t stride) {
    while (count > 0 && has_room()) {
      const uint64_t some = least(count, room_ / kWidth, left_ / kWidth);
      if (some == 0) return append(from, left_);  // the limit is within what lies together
      unsigned char* to = at_;
      for (uint64_t i = 0; i < some; ++i, to += kWidth, from += stride) __builtin_memcpy(to, from, kWidth);
      take(some * kWidth);
      count -= some;
    }
  }

  // Fills up the last block: what an earlier use left there is nobody's. The answer is what was put in.
  uint64_t finish() {
    if (room_ > 0) {
      __builtin_memset(at_, 0, room_);
      writer_.filled();
    }
    return bytes_;
  }

 private:
  static constexpr uint64_t kBlock = TensorBlockRecord::kBytes;

  static constexpr uint64_t least(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t ab = a < b ? a : b;
    return ab < c ? ab : c;
  }

  // As many whole blocks as the buffer has room for.
  uint64_t copy_blocks(const unsigned char* from, uint64_t bytes) {
    uint64_t count = 0;
    TensorBlockRecord* blocks = writer_.slots(bytes / kBlock, count);
    if (is_lost()) return 0;
    __builtin_memcpy(blocks, from, count * kBlock);
    writer_.filled(static_cast<uint32_t>(count));
    left_ -= count * kBlock;
    bytes_ += count * kBlock;
    return count * kBlock;
  }

  // Within one block.
  uint64_t copy_within(const unsigned char* from, uint64_t bytes) {
    if (!has_room()) return 0;
    const uint64_t part = bytes < room_ ? bytes : room_;
    __builtin_memcpy(at_, from, part);
    take(part);
    return part;
  }

  // What is dropped has no place, and neither has what would follow it.
  bool is_lost() {
    if (!writer_.dropped_last()) return false;
    left_ = 0;
    return true;
  }

  bool has_room() {
    if (left_ == 0) return false;
    if (room_ > 0) return true;
    at_ = writer_.slot().bytes;
    if (is_lost()) return false;
    room_ = kBlock;
    return true;
  }

  void take(uint64_t bytes) {
    at_ += bytes;
    room_ -= bytes;
    left_ -= bytes;
    bytes_ += bytes;
    if (room_ == 0) writer_.filled();
  }

  Writer& writer_;
  unsigned char* at_ = nullptr;
  uint64_t room_ = 0;  // in the block
  uint64_t left_;      // of the limit
  uint64_t bytes_ = 0;
};

// The innermost dimensions that lie without gaps, as one.
struct TensorRun {
  uint64_t elements = 1;
  uint32_t outer = 0;  // dimensions that are not part of it; 0 when all of the tensor is one run
};
constexpr TensorRun innermost_run(const TensorDescription& tensor) {
  TensorRun run{1, tensor.dimensions};
  for (; run.outer > 0; --run.outer) {
    const uint32_t size = tensor.shape[run.outer - 1];
    if (size != 1 && tensor.strides[run.outer - 1] != run.elements) break;
    run.elements *= size;
  }
  return run;
}

constexpr uint64_t elements_of(const TensorDescription& tensor) {
  uint64_t elements = 1;
  for (uint32_t i = 0; i < tensor.dimensions; ++i) elements *= tensor.shape[i];
  return elements;
}

namespace tensor_detail {

template <class Platform>
void append_row(const unsigned char* from, uint64_t count, uint64_t stride, uint64_t run_bytes,
                TensorBlocks<Platform>& blocks) {
  switch (run_bytes) {
    case 1:
      return blocks.template append_each<1>(from, count, stride);
    case 2:
      return blocks.template append_each<2>(from, count, stride);
    case 4:
      return blocks.template append_each<4>(from, count, stride);
    case 8:
      return blocks.template append_each<8>(from, count, stride);
    default:
      for (uint64_t i = 0; i < count && !blocks.full(); ++i) blocks.append(from + i * stride, run_bytes);
  }
}

// Moves to the next row of the dimensions before `rows`; false behind the last one.
inline bool next_row(const TensorDescription& tensor, uint32_t rows, uint32_t width, uint32_t* index,
                     const unsigned char*& from) {
  for (uint32_t i = rows; i > 0; --i) {
    const uint64_t stride = uint64_t{tensor.strides[i - 1]} * width;
    if (++index[i - 1] < tensor.shape[i - 1]) {
      from += stride;
      return true;
    }
    from -= stride * (tensor.shape[i - 1] - 1);
    index[i - 1] = 0;
  }
  return false;
}

}  // namespace tensor_detail

// All elements, or as many as the blocks take. The type and the number of dimensions must be known ones.
template <class Platform>
void gather(const TensorDescription& tensor, const unsigned char* data, TensorBlocks<Platform>& blocks) {
  if (elements_of(tensor) == 0) return;
  const uint32_t width = element_bytes(tensor.data_type);
  const TensorRun run = innermost_run(tensor);
  const unsigned char* from = data + tensor.start_offset * width;
  if (run.outer == 0) return blocks.append(from, run.elements * width);
  const uint32_t rows = run.outer - 1;
  uint32_t index[kMaxDimensions] = {};
  do {
    tensor_detail::append_row(from, tensor.shape[rows], uint64_t{tensor.strides[rows]} * width,
                              run.elements * width, blocks);
  } while (!blocks.full() && tensor_detail::next_row(tensor, rows, width, index, from));
}

}  // namespace accelscope::recorder
