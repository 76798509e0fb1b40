#include "formats/deps/deps_writer.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace accelscope::formats::deps {
namespace {

using base::Output;

// One row, without an allocation.
template <class... Args>
void put(Output& out, fmt::format_string<Args...> format, Args&&... args) {
  constexpr std::size_t kMaxRow = 256;
  char* const start = out.reserve(kMaxRow);
  out.advance(fmt::format_to_n(start, kMaxRow, format, std::forward<Args>(args)...).size);
}

constexpr std::array<std::pair<Reason, std::string_view>, 4> kSources = {{{Reason::kExplicit, "explicit"},
                                                                          {Reason::kCreator, "creator"},
                                                                          {Reason::kTensorMap, "tensormap"},
                                                                          {Reason::kOther, "other"}}};

// A pair without a reason is listed without a source.
void write_edge(const Edge& edge, bool& first, Output& out) {
  const auto write_row = [&](std::string_view source) {
    put(out, R"({}    {{"pred": "{}", "succ": "{}"{}{}{}}})", first ? "\n" : ",\n", edge.from, edge.to,
        source.empty() ? "" : ", \"source\": \"", source, source.empty() ? "" : "\"");
    first = false;
  };
  if (edge.reasons == Reason::kNone) write_row({});
  for (const auto& [reason, source] : kSources)
    if (has_reason(edge.reasons, reason)) write_row(source);
}

}  // namespace

void write_dependencies(const Dependencies& dependencies, Output& out) {
  out.append("{\n  \"tasks\": [");
  bool first = true;
  for (const Task& task : dependencies.tasks) {
    put(out,
        R"({}    {{"task_id": "{}", "scope": "{}", "early_dispatch": {}, "kernel_ids": [{}, {}, {}], "block_num": {}}})",
        first ? "\n" : ",\n", task.id, task.manual_scope ? "manual" : "auto", task.early_dispatch,
        task.kernels[0], task.kernels[1], task.kernels[2], task.blocks);
    first = false;
  }
  out.append(first ? "],\n  \"tensors\": [],\n  \"edges\": [" : "\n  ],\n  \"tensors\": [],\n  \"edges\": [");
  first = true;
  for (const Edge& edge : dependencies.edges) write_edge(edge, first, out);
  out.append(first ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace accelscope::formats::deps
