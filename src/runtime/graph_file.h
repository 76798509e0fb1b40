// Graphs as JSON files that people write and read; docs/graph.md has the schema.
//
// Reading checks the graph as graph_check.h does and reports everything that is wrong at once, each with its
// line. What is written is the same for the same graph, byte for byte, and reads back to an equal graph.
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
#include "runtime/graph.h"
#include "runtime/graph_check.h"

namespace accelscope::runtime {

// How the graph is run when nobody says otherwise.
struct RunDefaults {
  std::optional<std::string> chip = {};      // a preset or a file
  std::optional<std::string> platform = {};  // "threads" or "virtual"
  std::optional<std::uint32_t> chip_swimlane = {};
  std::optional<std::uint32_t> rounds = {};
  std::optional<bool> deps = {};
  std::optional<bool> dump_tensor = {};
  std::optional<bool> scope_stats = {};

  bool operator==(const RunDefaults&) const = default;
};

struct GraphFile {
  Graph graph = {};
  RunDefaults run = {};

  bool operator==(const GraphFile&) const = default;
};

inline constexpr std::size_t kMaxGraphFileBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxScopeDepth = 64;
inline constexpr std::uint32_t kMaxSwimlaneLevel = 3;

base::Result<GraphFile> read_graph_file(const std::string& path, const KnownKernels& kernels = {});
// The same from text; `name` is for messages.
base::Result<GraphFile> parse_graph(const std::string& name, std::string_view json,
                                    const KnownKernels& kernels = {});

// The graph is one with which check() finds nothing wrong. The answer is the output's status.
base::Status write_graph(base::Output& out, const GraphFile& file);

// The view that stands for a whole buffer of this shape, and the strides that a view of a shape has when it
// names none: those of the buffer when it has as many dimensions, else as if it lay without gaps. What reader
// and writer agree on.
TensorView default_strides(const TensorView& whole, TensorView view);

}  // namespace accelscope::runtime
