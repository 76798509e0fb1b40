// The parts of the reader of graph_file.h. For graph_file_*.cpp only.
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/closest_name.h"
#include "runtime/graph_file.h"
#include "runtime/graph_json.h"

namespace accelscope::runtime {

// Where things stand in the file, and what is not to be complained about twice.
struct Places {
  std::vector<std::uint64_t> offsets = {};
  std::vector<bool> bad = {};

  void add(std::uint64_t offset, bool is_bad) {
    offsets.push_back(offset);
    bad.push_back(is_bad);
  }
};

struct GraphReading {
  GraphJson& json;
  GraphFile& file;
  tsl::robin_map<std::string, std::uint32_t> buffers = {};
  std::vector<TensorView> wholes =
      {};  // of each buffer; without a shape when it has too many elements for one
  tsl::robin_map<std::string, std::int32_t> functions = {};
  Places buffer_places = {}, function_places = {}, task_places = {}, expectation_places = {};
};

// Suggestions cost time: they are made from so many names at most, and for as many errors as are shown.
inline constexpr std::size_t kMaxNames = 300;
inline constexpr std::uint64_t kMaxSuggestions = 50;

template <class Map>
std::string suggestion_from(const std::string& name, const Map& known, std::uint64_t problems) {
  if (known.size() > kMaxNames || problems >= kMaxSuggestions) return {};
  std::vector<std::string_view> names;
  for (const auto& entry : known) names.push_back(entry.first);
  std::ranges::sort(names);
  return base::suggestion(name, names);
}

using Extents = std::vector<std::uint32_t>;

// An array of whole numbers from `least` on, as many as there may be dimensions.
std::optional<Extents> read_extents(GraphJson& json, std::uint64_t least);

// The fields of which a view is made, in whatever order they come.
class ViewFields {
 public:
  explicit ViewFields(GraphReading& reading) : reading_(reading), at_(reading.json.offset()) {}

  // Each reads the value that stands next.
  void take_buffer();
  void take_offset();
  void take_shape() { take(shape_, 1); }
  void take_strides() { take(strides_, 0); }

  bool has_buffer() const { return tried_buffer_; }
  // Nothing when something is wrong, which has been noted. Without a shape, the view is the whole buffer, or
  // only the element at the offset.
  std::optional<TensorView> resolve(bool single_without_shape);

 private:
  void take(std::optional<Extents>& extents, std::uint64_t least);
  void complain(std::string_view text);
  std::optional<std::uint64_t> start(const TensorView& whole);

  GraphReading& reading_;
  std::uint64_t at_;
  bool bad_ = false;
  bool tried_buffer_ = false;
  std::optional<std::uint32_t> buffer_;
  std::vector<std::uint64_t> offset_;
  bool offset_is_list_ = false;
  std::optional<Extents> shape_;
  std::optional<Extents> strides_;
};

// The array of steps that stands next, and what tasks named only later were waited for.
void read_steps(GraphReading& reading);

}  // namespace accelscope::runtime
