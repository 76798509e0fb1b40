// Dependencies for a run of write_synthetic_run(), as long as real ones are (about 740 bytes per task): every
// task needs the one before it on its core, and every second one also the one before that.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/output.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::benchmarks {

// Calls edge(from, to) for all of them.
template <class Edge>
void for_each_synthetic_edge(const formats::chip_swimlane::SyntheticRun& run, Edge&& edge) {
  for (std::uint64_t task = 0; task < run.tasks; ++task)
    for (const std::uint64_t distance : {1, 2}) {
      const std::uint64_t ahead = distance * run.cores;
      if (task >= ahead && (distance == 1 || task % 2 == 1)) edge(task - ahead, task);
    }
}

inline void write_synthetic_dependencies(const formats::chip_swimlane::SyntheticRun& run, base::Output& out) {
  constexpr std::string_view kTensor =
      R"("tensor_id":"2297108776165228044","dtype":"FLOAT32","shape":[16384],"start_offset":"0","strides":[1])";
  out.append(R"({"tasks":[)");
  for (std::uint64_t task = 0; task < run.tasks; ++task) {
    const bool cube = task % run.cores < run.cores / 3;
    out.append(fmt::format(
        R"({}{{"task_id":"{}","scope":"auto","early_dispatch":false,"kernel_ids":{},"block_num":1,"args":[)"
        R"({{"idx":0,"type":"INPUT",{}}},{{"idx":1,"type":"INPUT",{}}},{{"idx":2,"type":"OUTPUT"}}]}})",
        task == 0 ? "" : ",", task, cube ? "[0,-1,-1]" : "[-1,1,-1]", kTensor, kTensor));
  }
  out.append(R"(],"tensors":[],"edges":[)");
  bool first = true;
  for_each_synthetic_edge(run, [&](std::uint64_t from, std::uint64_t to) {
    out.append(fmt::format(
        R"({}{{"pred":"{}","succ":"{}","arg":0,"source":"creator","flags":["wait","retain"],)"
        R"("tensor_id":"2297108776165228044","consumer_dtype":"FLOAT32","consumer_shape":[16384],)"
        R"("consumer_start_offset":"0","consumer_strides":[1]}})",
        first ? "" : ",", from, to));
    first = false;
  });
  out.append("]}");
}

}  // namespace accelscope::benchmarks
