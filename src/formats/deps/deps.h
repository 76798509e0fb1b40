// deps.json: the task graph of a run, as the runtime's dependency recorder found it.
//
// Ids are 64-bit numbers written as strings. The same pair of tasks may be listed several times, once per
// reason; here every pair is one edge with all its reasons. What the arguments and tensors of a task are is
// not kept. Plain data; one thread reads.
//
//   ACCELSCOPE_TRY(const Dependencies deps, read_dependencies(file));
//   for (const Edge& edge : deps.edges) use(edge.from, edge.to);
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::deps {

struct Task {
  std::uint64_t id = 0;
  std::array<std::int32_t, 3> kernels = {-1, -1, -1};  // of the AIC and the two AIVs; -1: none
  std::uint32_t blocks = 1;
  bool early_dispatch = false;
  bool manual_scope = false;
};

enum class Reason : std::uint8_t { kNone = 0, kExplicit = 1, kCreator = 2, kTensorMap = 4, kOther = 8 };
constexpr Reason operator|(Reason a, Reason b) {
  return static_cast<Reason>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has_reason(Reason reasons, Reason reason) {
  return (static_cast<unsigned>(reasons) & static_cast<unsigned>(reason)) != 0;
}

struct Edge {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  Reason reasons = Reason::kNone;
};

struct Dependencies {
  std::vector<Task> tasks = {};    // in file order, each id once
  std::vector<Edge> edges = {};    // distinct pairs of two tasks, in the order of their first mention
  std::uint64_t listed_edges = 0;  // as the file lists them, before pairs are joined
  std::uint64_t tensors = 0;
  trace::QualityTable quality = {};
};

bool looks_like_dependencies(std::string_view bytes);

base::Result<Dependencies> read_dependencies(const base::MappedFile& file);

}  // namespace accelscope::formats::deps
