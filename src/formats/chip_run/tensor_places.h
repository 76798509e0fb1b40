// Where the bytes of recorded tensors are: among the blocks of their producers, as far as those are there,
// and in the binary of a dump, one tensor behind the other.
//
// Records are claims, of which those that cannot be are left out. Memory grows with the number of tensors and
// of gaps, not with that of bytes. One thread.
//
//   TensorPlaces places;
//   places.add_blocks(producer, first, count);
//   places.add_tensor(producer, record);
//   places.settle();
//   places.for_each_part(producer, first, count, put);
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "accelscope/recorder/records.h"

namespace accelscope::formats::chip_run {

struct PlacedTensor {
  std::uint32_t producer = 0;
  recorder::TensorRecord record = {};
  std::uint64_t elements = 1;
  std::uint64_t whole_bytes = 0;  // of all elements; what was recorded where their type is not known
  std::uint64_t bytes = 0;        // that are there, from the first one on without a gap
  std::uint64_t bin_offset = 0;
  bool begins_lost = false;  // its first block is not there

  bool is_scalar() const { return (record.flags & recorder::TensorRecord::kScalar) != 0; }
  // When it was recorded. A type that is not known says by its flag alone that there should be more.
  bool was_cut() const {
    return record.payload_bytes < whole_bytes || (record.flags & recorder::TensorRecord::kCut) != 0;
  }
  bool is_described() const {
    return record.payload_bytes == 0 && (record.flags & recorder::TensorRecord::kDescribed) != 0;
  }
  std::uint64_t first_block() const { return record.payload_offset / recorder::TensorBlockRecord::kBytes; }
  std::uint64_t end_block() const {
    return first_block() + (record.payload_bytes + recorder::TensorBlockRecord::kBytes - 1) /
                               recorder::TensorBlockRecord::kBytes;
  }
};

class TensorPlaces {
 public:
  void add_blocks(std::uint32_t producer, std::uint64_t first, std::uint64_t count);
  void add_tensor(std::uint32_t producer, const recorder::TensorRecord& record);

  // When all have been added.
  void settle();

  // In the order in which they were recorded, which is that of their bytes in the binary.
  const std::vector<PlacedTensor>& tensors() const { return tensors_; }
  std::uint64_t impossible() const { return impossible_; }
  std::uint64_t binary_bytes() const { return binary_bytes_; }

  // Calls put(offset in the binary, first byte of the blocks, bytes) for every piece of these blocks that
  // belongs there, and answers how many of the blocks are of a tensor.
  template <class Put>
  std::uint64_t for_each_part(std::uint32_t producer, std::uint64_t first, std::uint64_t count,
                              Put&& put) const;

 private:
  struct Extent {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  struct Producer {
    std::vector<Extent> extents = {};       // of blocks that are there; once settled, apart and in order
    std::vector<std::size_t> tensors = {};  // with bytes; once settled, apart and in order
  };
  void join_extents(std::vector<Extent>& extents);
  void leave_out_overlaps();
  static std::uint64_t bytes_there(const PlacedTensor& tensor, const std::vector<Extent>& extents);

  std::map<std::uint32_t, Producer> producers_;
  std::vector<PlacedTensor> tensors_;
  std::uint64_t impossible_ = 0;
  std::uint64_t binary_bytes_ = 0;
};

template <class Put>
std::uint64_t TensorPlaces::for_each_part(std::uint32_t producer, std::uint64_t first, std::uint64_t count,
                                          Put&& put) const {
  constexpr std::uint64_t kBytes = recorder::TensorBlockRecord::kBytes;
  const auto found = producers_.find(producer);
  if (found == producers_.end()) return 0;
  const std::uint64_t end = first + count;
  std::uint64_t claimed = 0;
  const auto ends_before = [&](std::size_t tensor, std::uint64_t block) {
    return tensors_[tensor].end_block() <= block;
  };
  auto at = std::lower_bound(found->second.tensors.begin(), found->second.tensors.end(), first, ends_before);
  for (; at != found->second.tensors.end() && tensors_[*at].first_block() < end; ++at) {
    const PlacedTensor& tensor = tensors_[*at];
    const std::uint64_t from = std::max(first, tensor.first_block());
    const std::uint64_t to = std::min(end, tensor.end_block());
    claimed += to - from;
    const std::uint64_t skipped = (from - tensor.first_block()) * kBytes;
    if (skipped >= tensor.bytes) continue;
    put(tensor.bin_offset + skipped, (from - first) * kBytes,
        std::min((to - from) * kBytes, tensor.bytes - skipped));
  }
  return claimed;
}

}  // namespace accelscope::formats::chip_run
