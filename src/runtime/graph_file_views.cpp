#include <fmt/core.h>

#include <algorithm>

#include "runtime/graph_reader.h"

namespace accelscope::runtime {

std::optional<Extents> read_extents(GraphJson& json, std::uint64_t least) {
  const std::uint64_t at = json.offset();
  const std::uint64_t before = json.problems();
  Extents extents;
  std::size_t count = 0;
  json.array([&](std::size_t) {
    ++count;
    if (const auto extent = json.whole_number(least, 0xFFFFFFFF); extent && count <= kMaxDimensions)
      extents.push_back(static_cast<std::uint32_t>(*extent));
  });
  if (count > kMaxDimensions)
    json.complain(at, fmt::format("has {} dimensions; {} are the most", count, kMaxDimensions));
  return json.problems() == before ? std::optional(extents) : std::nullopt;
}

void ViewFields::complain(std::string_view text) {
  bad_ = true;
  reading_.json.complain(at_, text);
}

void ViewFields::take_buffer() {
  const std::uint64_t at = reading_.json.offset();
  tried_buffer_ = true;
  const auto name = reading_.json.text();
  if (!name) {
    bad_ = true;
    return;
  }
  const auto found = reading_.buffers.find(*name);
  if (found != reading_.buffers.end()) {
    buffer_ = found->second;
    return;
  }
  bad_ = true;
  reading_.json.complain(at, fmt::format("no buffer is called `{}`{}", *name,
                                         suggestion_from(*name, reading_.buffers, reading_.json.problems())));
}

void ViewFields::take_offset() {
  const std::uint64_t before = reading_.json.problems();
  offset_is_list_ = reading_.json.kind() == base::JsonKind::kArray;
  const auto one = [&] { offset_.push_back(reading_.json.whole_number(0, ~0ULL).value_or(0)); };
  if (offset_is_list_)
    reading_.json.array([&](std::size_t) { one(); });
  else
    one();
  bad_ = bad_ || reading_.json.problems() > before;
}

void ViewFields::take(std::optional<Extents>& extents, std::uint64_t least) {
  extents = read_extents(reading_.json, least);
  if (!extents) bad_ = true;
}

std::optional<std::uint64_t> ViewFields::start(const TensorView& whole) {
  if (!offset_is_list_) return offset_.empty() ? 0 : offset_.front();
  if (offset_.size() != whole.dimensions) {
    complain(
        fmt::format("the offset has {} indices, the buffer {} dimensions", offset_.size(), whole.dimensions));
    return std::nullopt;
  }
  std::uint64_t element = 0;
  for (std::size_t i = 0; i < offset_.size(); ++i) {
    if (offset_[i] >= whole.shape[i]) {
      complain(fmt::format("offset[{}] is {}, the buffer has {} there", i, offset_[i], whole.shape[i]));
      return std::nullopt;
    }
    element += offset_[i] * whole.strides[i];
  }
  return element;
}

std::optional<TensorView> ViewFields::resolve(bool single_without_shape) {
  if (bad_ || !buffer_ || reading_.buffer_places.bad[*buffer_]) return std::nullopt;
  const TensorView& whole = reading_.wholes[*buffer_];
  const auto from = start(whole);
  if (!from) return std::nullopt;
  if (!shape_ && strides_) complain("strides are given, but no shape");
  if (!shape_ && !single_without_shape) {
    if (!offset_.empty()) complain("an offset is given, but no shape");
    if (whole.dimensions == 1 && whole.shape[0] == 0)
      complain("the buffer has more elements than a dimension can have: a shape is needed");
    return bad_ ? std::nullopt : std::optional(whole);
  }
  TensorView view{.buffer = *buffer_, .start = *from};
  if (shape_) {
    view.dimensions = static_cast<std::uint32_t>(shape_->size());
    std::ranges::copy(*shape_, view.shape.begin());
    if (!strides_ && !can_be_contiguous(*shape_))
      complain("the shape has too many elements: only the first dimension may go beyond 32 bits");
    else if (!strides_)
      view = default_strides(whole, view);
    else if (strides_->size() == shape_->size())
      std::ranges::copy(*strides_, view.strides.begin());
    else
      complain(fmt::format("the shape has {} dimensions, the strides {}", shape_->size(), strides_->size()));
  }
  return bad_ ? std::nullopt : std::optional(view);
}

}  // namespace accelscope::runtime
