// Whatever swimlane can be read can be written in both generations, or is refused in words; what is written
// can be read, and has the same rows.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_run/trace_capture.h"
#include "formats/chip_run/trace_graph.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "formats/chip_swimlane/cycle_limits.h"
#include "formats/chip_swimlane/object_writer.h"
#include "formats/deps/deps_writer.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace formats = accelscope::formats;
using formats::chip_swimlane::Capture;

std::uint64_t rows_of(const Capture& capture) {
  std::uint64_t rows = 0;
  for (const formats::chip_swimlane::CoreRows& core : capture.cores) rows += core.task.size();
  return rows;
}

template <class T>
void check_refusal(const base::Result<T>& result) {
  require(!result.error().message.empty(), "an error has a message");
  require(result.error().code != base::ErrorCode::kInternal, "the writer's promises are kept");
}

Capture read_again(std::string_view bytes) {
  auto capture = formats::chip_swimlane::read_capture(base::MappedFile::from_memory("written", bytes));
  require(capture.has_value(), "what is written can be read");
  return *std::move(capture);
}

void check_cycles(Capture capture) {
  const auto remarks = formats::chip_swimlane::fit_to_cycles(capture);
  if (!remarks) return check_refusal(remarks);
  base::MemoryOutput out;
  formats::chip_swimlane::write_capture(capture, out);
  const Capture again = read_again(out.bytes());
  require(rows_of(again) == rows_of(capture), "rows of cycles are all there");
  require(again.counts.phases == capture.counts.phases, "phases are all there");
  require(again.counts.submits == capture.counts.submits, "submissions are all there");
}

void check_objects(const Capture& capture) {
  base::MemoryOutput out;
  const auto remarks = formats::chip_swimlane::write_objects(capture, out);
  if (!remarks) return check_refusal(remarks);
  const Capture again = read_again(out.bytes());
  require(again.counts.core_rows == rows_of(capture), "objects are all there");
}

void check_graph(const accelscope::trace::Trace& trace) {
  const auto graph = formats::chip_run::dependencies_of(trace);
  if (!graph) return check_refusal(graph);
  base::MemoryOutput out;
  formats::deps::write_dependencies(*graph, out);
  const auto again = formats::deps::read_dependencies(base::MappedFile::from_memory("written", out.bytes()));
  require(again && again->edges.size() == graph->edges.size(), "edges are all there");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const base::MappedFile file = base::MappedFile::from_memory(
      "fuzzed-input", std::string_view(reinterpret_cast<const char*>(data), size));
  const auto trace = formats::chip_run::read_run(file, {});
  if (!trace) return 0;
  auto capture = formats::chip_run::capture_of(*trace);
  if (!capture) {
    check_refusal(capture);
    return 0;
  }
  check_objects(*capture);
  check_cycles(*std::move(capture));
  check_graph(*trace);
  return 0;
}
