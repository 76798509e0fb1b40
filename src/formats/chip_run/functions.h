// Names of the functions that tasks run, by their numbers.
//
// A function without a name is "func_3". Two functions with one name are told apart: "ADD (func 3)".
// Belongs to one builder, whose strings it fills.
//
//   Functions functions(builder, names);
//   StringId name = functions.name(3);
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "formats/name_map/name_map.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

class Functions {
 public:
  Functions(trace::TraceBuilder& builder, const std::optional<name_map::NameMap>& names);

  trace::StringId name(std::int32_t function) {
    const auto place = static_cast<std::size_t>(function);
    if (function >= 0 && place < small_.size() && small_[place] != trace::StringId::kEmpty)
      return small_[place];
    return find_or_make(function);
  }

 private:
  trace::StringId find_or_make(std::int32_t function);

  trace::TraceBuilder& builder_;
  std::vector<trace::StringId> small_;  // of small numbers, which nearly all are; kEmpty: not asked for yet
  tsl::robin_map<std::int32_t, trace::StringId, base::IntegerHash> known_;
};

}  // namespace accelscope::formats::chip_run
