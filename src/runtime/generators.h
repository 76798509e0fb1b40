// Graphs made to order, from a name and parameters: what runtimes see in practice, and what tests need.
//
// The same text gives the same graph on every machine. Small graphs carry what is expected of their outputs,
// from a plain computation that knows nothing of tiles, tasks or kernels. docs/graph.md has the list with all
// parameters. Pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const Graph graph, generate("bgemm:m=256,n=256,k=128,tile=64,batch=2"));
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/parameters.h"
#include "base/result.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

using GeneratorParameter = base::Parameter;

struct GeneratorFacts {
  std::string_view name;
  std::string_view help;
  std::span<const GeneratorParameter> parameters;
};

// In alphabetical order.
std::span<const GeneratorFacts> generators();

// A line for each generator and each of its parameters with default and range.
std::string generators_help();

// Whether a text begins like one for generate(), rather than like the path of a file.
bool names_generator(std::string_view text);

// More tasks than this are refused, not made.
inline constexpr std::uint64_t kMaxGeneratedTasks = 20'000'000;

// "name" or "name:parameter=value,parameter=value".
base::Result<Graph> generate(std::string_view text);

}  // namespace accelscope::runtime
