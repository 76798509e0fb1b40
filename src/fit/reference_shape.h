// What the reference's analytic models know of a model: its shapes, and how many layers there are of each
// sort.
//
// Plain data and pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const ReferenceShape shape, reference_shape(model.text));
//   layers_of(model.text).sliding
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/result.h"
#include "boards/model.h"

namespace accelscope::fit {

struct ReferenceShape {
  std::uint64_t hidden = 0;
  std::uint64_t intermediate = 0;  // 0 where every layer has experts
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;
  std::uint64_t head_dim = 0;
  std::uint64_t vocabulary = 0;
  std::uint64_t sliding_window = 0;
  std::uint64_t experts = 0;
  std::uint64_t experts_per_token = 0;
  std::uint64_t expert_intermediate = 0;
};

struct ReferenceLayers {
  std::uint64_t all = 0;
  std::uint64_t sliding = 0;
  std::uint64_t experts = 0;
};

ReferenceLayers layers_of(const boards::TextModel& model);

// An error names what is missing, or what would be divided by zero; the vocabulary may be.
base::Result<ReferenceShape> reference_shape(const boards::TextModel& model);

// The same for models of memory, which need a vocabulary and a workload, too.
base::Result<ReferenceShape> reference_shape_in_memory(const boards::TextModel& model, std::uint64_t batch,
                                                       std::uint64_t input_tokens);

struct NeededValue {
  std::string_view name;
  std::uint64_t value;
};
// The first value that is 0 is an error with its name.
base::Status check_needed(std::initializer_list<NeededValue> values);

}  // namespace accelscope::fit
