#include "formats/chip_run/tensor_places.h"

#include <optional>

namespace accelscope::formats::chip_run {
namespace {

using recorder::TensorBlockRecord;
using recorder::TensorRecord;
using recorder::TensorRole;
using recorder::TensorStage;

// Nothing when they are more than 64 bits count.
std::optional<std::uint64_t> elements_of(const TensorRecord& record) {
  std::uint64_t elements = 1;
  bool too_many = false;
  for (std::uint32_t i = 0; i < record.dimensions; ++i) {
    if (record.shape[i] == 0) return 0;
    too_many |= __builtin_mul_overflow(elements, std::uint64_t{record.shape[i]}, &elements);
  }
  return too_many ? std::nullopt : std::optional(elements);
}

// Nothing when the record contradicts itself.
std::optional<PlacedTensor> checked(std::uint32_t producer, const TensorRecord& record) {
  if (record.role > TensorRole::kInOut || record.stage > TensorStage::kAfter) return std::nullopt;
  PlacedTensor tensor{.producer = producer, .record = record};
  if (tensor.is_scalar()) {
    tensor.record.payload_bytes = 0;
    tensor.record.dimensions = 0;
    return tensor;
  }
  if (record.dimensions > recorder::kMaxDimensions) return std::nullopt;
  const std::optional<std::uint64_t> elements = elements_of(record);
  if (!elements) return std::nullopt;
  tensor.elements = *elements;
  tensor.whole_bytes = record.payload_bytes;
  const std::uint64_t width = element_bytes(record.data_type);
  if (width > 0 && __builtin_mul_overflow(*elements, width, &tensor.whole_bytes)) return std::nullopt;
  std::uint64_t end = 0;
  const bool fits = record.payload_bytes <= tensor.whole_bytes &&
                    !__builtin_add_overflow(record.payload_offset, record.payload_bytes, &end) &&
                    end <= UINT64_MAX - TensorBlockRecord::kBytes;
  if (!fits || (record.payload_bytes > 0 && record.payload_offset % TensorBlockRecord::kBytes != 0))
    return std::nullopt;
  return tensor;
}

}  // namespace

void TensorPlaces::add_blocks(std::uint32_t producer, std::uint64_t first, std::uint64_t count) {
  std::uint64_t end = 0;
  if (count == 0 || __builtin_add_overflow(first, count, &end)) return;
  std::vector<Extent>& extents = producers_[producer].extents;
  if (!extents.empty() && extents.back().end == first)
    extents.back().end = end;
  else
    extents.push_back({first, end});
}

void TensorPlaces::add_tensor(std::uint32_t producer, const TensorRecord& record) {
  if (const std::optional<PlacedTensor> tensor = checked(producer, record))
    tensors_.push_back(*tensor);
  else
    ++impossible_;
}

void TensorPlaces::settle() {
  for (auto& [number, producer] : producers_) join_extents(producer.extents);
  leave_out_overlaps();
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    PlacedTensor& tensor = tensors_[i];
    if (tensor.record.payload_bytes == 0) continue;
    Producer& producer = producers_[tensor.producer];
    producer.tensors.push_back(i);
    tensor.bytes = bytes_there(tensor, producer.extents);
    tensor.begins_lost = tensor.bytes == 0;
    tensor.bin_offset = binary_bytes_;
    binary_bytes_ += tensor.bytes;
  }
  for (auto& [number, producer] : producers_)
    std::sort(producer.tensors.begin(), producer.tensors.end(), [&](std::size_t a, std::size_t b) {
      return tensors_[a].first_block() < tensors_[b].first_block();
    });
}

void TensorPlaces::join_extents(std::vector<Extent>& extents) {
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.first < b.first; });
  std::vector<Extent> joined;
  for (const Extent& extent : extents) {
    if (!joined.empty() && extent.first <= joined.back().end)
      joined.back().end = std::max(joined.back().end, extent.end);
    else
      joined.push_back(extent);
  }
  extents = std::move(joined);
}

// A producer gives every tensor blocks of its own: of two that claim one block, the later cannot be.
void TensorPlaces::leave_out_overlaps() {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (tensors_[i].record.payload_bytes > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(tensors_[a].producer, tensors_[a].first_block()) <
           std::pair(tensors_[b].producer, tensors_[b].first_block());
  });
  std::vector<bool> left_out(tensors_.size());
  const PlacedTensor* before = nullptr;
  for (const std::size_t i : order) {
    const PlacedTensor& tensor = tensors_[i];
    left_out[i] = before != nullptr && before->producer == tensor.producer &&
                  tensor.first_block() < before->end_block();
    if (!left_out[i]) before = &tensor;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (!left_out[i]) tensors_[kept++] = tensors_[i];
  impossible_ += tensors_.size() - kept;
  tensors_.resize(kept);
}

std::uint64_t TensorPlaces::bytes_there(const PlacedTensor& tensor, const std::vector<Extent>& extents) {
  const std::uint64_t first = tensor.first_block();
  const auto behind =
      std::upper_bound(extents.begin(), extents.end(), first,
                       [](std::uint64_t block, const Extent& extent) { return block < extent.first; });
  if (behind == extents.begin()) return 0;
  const Extent& extent = *(behind - 1);
  if (extent.end <= first) return 0;
  const std::uint64_t blocks = std::min(extent.end, tensor.end_block()) - first;
  return std::min(blocks * TensorBlockRecord::kBytes, tensor.record.payload_bytes);
}

}  // namespace accelscope::formats::chip_run
