// The hooks that dump arguments of tasks: what each is, and its bytes.
//
// Bytes travel as records do, in blocks of 64 through a lane of their own: the same buffers, policies and
// accounts, so nothing is overwritten while the host reads it and what is lost is counted. A tensor's blocks
// come first and its record last, which says how much of it there is. Each hook tests one bit; with it set, a
// tensor costs its copy. One thread or core owns a recorder. Freestanding but for <atomic>.
//
//   TensorDumpRecorder recorder(flags, &tensors, &blocks, limit);
//   TensorDescription tensor{.task = 7, .argument = 0, .data_type = DataType::kFloat32, .dimensions = 2,
//                            .shape = {64, 64}};
//   set_contiguous(tensor);
//   recorder.on_tensor(tensor, data);
#pragma once

#include "accelscope/dfx_flags.h"
#include "accelscope/recorder/tensor_blocks.h"

namespace accelscope::recorder {

template <class Platform>
class TensorDumpRecorder {
 public:
  using Tensors = RecordWriter<TensorRecord, Platform>;
  using Blocks = RecordWriter<TensorBlockRecord, Platform>;
  // `payload_limit`: bytes of one tensor that are dumped at most; 0: all.
  TensorDumpRecorder(uint64_t flags, Tensors* tensors, Blocks* blocks, uint64_t payload_limit = 0)
      : flags_(flags), tensors_(tensors), blocks_(blocks), payload_limit_(payload_limit) {}

  // Null for an argument that is only to be described. So is one whose type is not known. Of one with too
  // many dimensions only that is recorded: readers leave it out, and count it.
  void on_tensor(const TensorDescription& tensor, const void* data) {
    if ((flags_ & kDfxDumpTensor) != 0) dump(tensor, static_cast<const unsigned char*>(data));
  }

  // `bits`: the value, in the lowest bytes.
  void on_scalar(uint64_t task, uint32_t argument, DataType type, uint64_t bits) {
    if ((flags_ & kDfxDumpTensor) == 0) return;
    tensors_->put({.task = task,
                   .payload_offset = 0,
                   .payload_bytes = 0,
                   .argument = argument,
                   .role = TensorRole::kIn,
                   .stage = TensorStage::kBefore,
                   .data_type = type,
                   .dimensions = 0,
                   .shape = {},
                   .flags = TensorRecord::kScalar,
                   .value = bits,
                   .start_offset = 0,
                   .strides = {},
                   .reserved = 0});
  }

 private:
  void dump(const TensorDescription& tensor, const unsigned char* data) {
    const uint32_t width = element_bytes(tensor.data_type);
    const uint64_t offset = blocks_->records() * TensorBlockRecord::kBytes;
    if (tensor.dimensions > kMaxDimensions || width == 0)
      return describe(tensor, offset, 0, TensorRecord::kDescribed);
    uint32_t flags = innermost_run(tensor).outer == 0 ? 0 : TensorRecord::kStrided;
    if (data == nullptr) return describe(tensor, offset, 0, flags | TensorRecord::kDescribed);
    // Between two elements, never within one.
    const uint64_t limit = payload_limit_ == 0 ? ~uint64_t{0} : payload_limit_ / width * width;
    TensorBlocks<Platform> blocks(*blocks_, limit);
    gather(tensor, data, blocks);
    const uint64_t bytes = blocks.finish();
    if (bytes < elements_of(tensor) * width) flags |= TensorRecord::kCut;
    describe(tensor, offset, bytes, flags);
  }

  void describe(const TensorDescription& tensor, uint64_t offset, uint64_t bytes, uint32_t flags) {
    TensorRecord& record = tensors_->slot();
    record = {.task = tensor.task,
              .payload_offset = offset,
              .payload_bytes = bytes,
              .argument = tensor.argument,
              .role = tensor.role,
              .stage = tensor.stage,
              .data_type = tensor.data_type,
              .dimensions = tensor.dimensions,
              .shape = {},
              .flags = flags,
              .value = 0,
              .start_offset = tensor.start_offset,
              .strides = {},
              .reserved = 0};
    for (uint32_t i = 0; i < kMaxDimensions; ++i) {
      record.shape[i] = tensor.shape[i];
      // Readers look at them only where there are gaps; without any, rows may be longer than 32 bits say.
      record.strides[i] = static_cast<uint32_t>(tensor.strides[i]);
    }
    tensors_->filled();
  }

  uint64_t flags_;
  Tensors* tensors_;
  Blocks* blocks_;
  uint64_t payload_limit_;
};

}  // namespace accelscope::recorder
