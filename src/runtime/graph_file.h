// Graphs as JSON files that people write and read; docs/graph.md has the schema.
//
// Reading checks the graph as graph_check.h does and reports everything that is wrong at once, each with its
// line. What is written is the same for the same graph, byte for byte. A graph that was read or that
// graph_builder.h made reads back equal; one whose pools have another order to one that does the same.
// Memory grows with the graph, not with the depth of the file: files have kMaxGraphFileBytes at most, scopes
// are nested kMaxScopeDepth deep at most. Functions without state, safe from any thread.
//
//   ACCELSCOPE_TRY(const GraphFile file, read_graph_file("attention.json", kernels));
//   run(file.graph, file.run.chip.value_or("a2a3"));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/output.h"
#include "base/result.h"
#include "capture/run_policy.h"
#include "runtime/graph.h"
#include "runtime/graph_check.h"
#include "runtime/platform_name.h"

namespace accelscope::runtime {

// How the graph is run when nobody says otherwise.
struct RunDefaults {
  std::optional<std::string> chip = {};  // a preset or a file
  std::optional<Platform> platform = {};
  std::optional<std::uint32_t> chip_swimlane = {};
  std::optional<std::uint32_t> rounds = {};
  std::optional<bool> deps = {};
  std::optional<bool> dump_tensor = {};
  std::optional<bool> scope_stats = {};
  std::optional<std::uint32_t> pmu = {};  // a group of counters
  std::optional<capture::RunPolicy> policy = {};

  bool operator==(const RunDefaults&) const = default;
};

struct GraphFile {
  Graph graph = {};
  RunDefaults run = {};

  bool operator==(const GraphFile&) const = default;
};

inline constexpr std::size_t kMaxGraphFileBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxScopeDepth = 64;

base::Result<GraphFile> read_graph_file(const std::string& path, const KnownKernels& kernels = {});
// The same from text; `name` is for messages.
base::Result<GraphFile> parse_graph(const std::string& name, std::string_view json,
                                    const KnownKernels& kernels = {});

// The graph is one with which check() finds nothing wrong. The answer is the output's status, or an error
// before anything is written: of what no file can say (scopes nested deeper than kMaxScopeDepth, scopes and
// functions without a name, predicates that look at more than an element, text that is no UTF-8) or that
// would not be read (defaults of a run that there are not).
base::Status write_graph(base::Output& out, const GraphFile& file);

// The view that stands for a whole buffer of this shape, and the strides that a view of a shape has when it
// names none: those of the buffer when it has as many dimensions, else as if it lay without gaps. What reader
// and writer agree on.
TensorView default_strides(const TensorView& whole, TensorView view);

}  // namespace accelscope::runtime
