// Recordings of a chip, made by hand row by row, and questions about the trace they become.
//
//   chip_swimlane::Capture capture = empty_capture(1, 2);
//   run(capture, 1, {.task = 7, .start = 10, .end = 20, .dispatch = 5, .finish = 25});
//   const trace::Trace trace = trace_of(std::move(capture));
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/chip_run/chip_run_files.h"
#include "trace/chip_run.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {

inline chip_swimlane::Capture empty_capture(int cubes, int vectors, int level = 4) {
  chip_swimlane::Capture capture;
  capture.level = level;
  capture.frequency = base::Frequency::mhz(50);
  capture.phase_kinds = {"submit",     "dispatch",        "complete",      "resolve",
                         "dummy_task", "predicated_skip", "graph_prepare", "dummy"};
  for (int i = 0; i < cubes + vectors; ++i) {
    capture.cores.emplace_back();
    capture.cores.back().type = i < cubes ? chip_swimlane::CoreType::kCube : chip_swimlane::CoreType::kVector;
  }
  return capture;
}

struct Row {
  std::uint64_t task = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t dispatch = chip_swimlane::kNoTime;
  std::int64_t finish = chip_swimlane::kNoTime;
  std::int64_t receive = chip_swimlane::kNoTime;
  std::int32_t function = chip_swimlane::kNoFunction;
  std::uint32_t sequence = 0;  // 0: the next one
};
inline void run(chip_swimlane::Capture& capture, std::size_t core, const Row& row) {
  chip_swimlane::CoreRows& rows = capture.cores[core];
  rows.task.push_back(row.task);
  rows.sequence.push_back(row.sequence != 0 ? row.sequence : static_cast<std::uint32_t>(rows.task.size()));
  rows.start.push_back(row.start);
  rows.end.push_back(row.end);
  rows.receive.push_back(row.receive);
  rows.dispatch.push_back(row.dispatch);
  rows.finish.push_back(row.finish);
  rows.function.push_back(row.function);
}

inline std::uint32_t kind(const chip_swimlane::Capture& capture, std::string_view name) {
  const auto found = std::find(capture.phase_kinds.begin(), capture.phase_kinds.end(), name);
  EXPECT_NE(found, capture.phase_kinds.end()) << name;
  return static_cast<std::uint32_t>(found - capture.phase_kinds.begin());
}
inline chip_swimlane::PhaseRow& phase(chip_swimlane::Capture& capture, std::size_t thread,
                                      std::string_view name, std::int64_t start, std::int64_t end) {
  if (capture.scheduler_threads.size() <= thread) capture.scheduler_threads.resize(thread + 1);
  capture.scheduler_threads[thread].push_back({.kind = kind(capture, name), .start = start, .end = end});
  return capture.scheduler_threads[thread].back();
}
inline void marker(chip_swimlane::Capture& capture, std::size_t thread, std::string_view name,
                   std::uint64_t task, std::int64_t time) {
  phase(capture, thread, name, time, time).task = task;
}
inline void submit(chip_swimlane::Capture& capture, std::uint64_t task, std::int64_t start,
                   std::int64_t end) {
  if (capture.orchestrators.empty()) capture.orchestrators.emplace_back();
  auto& rows = capture.orchestrators.front();
  rows.push_back({rows.size(), task, start, end, kind(capture, "submit")});
}
inline void submit_on_host(chip_swimlane::Capture& capture, std::uint64_t task, std::int64_t start,
                           std::int64_t end) {
  if (capture.host_orchestrators.empty()) capture.host_orchestrators.emplace_back();
  auto& rows = capture.host_orchestrators.front();
  rows.push_back({rows.size(), task, start, end, kind(capture, "submit")});
}

inline chip_swimlane::ClockAnchor anchor(chip_swimlane::ClockAnchor::Position position, std::int64_t host,
                                         std::int64_t device, std::int64_t round_trip) {
  return {.position = position,
          .host_before_ns = host,
          .host_after_ns = host + round_trip,
          .device_cycles = device,
          .round_trip_ns = round_trip};
}

// The device ticks every 20 ns. Host times 1000 and 9000 are device times 50 and 450.
inline chip_swimlane::Capture host_capture() {
  using chip_swimlane::ClockAnchor;
  chip_swimlane::Capture capture = empty_capture(1, 0);
  submit_on_host(capture, 1, 2000, 2100);
  capture.uploads = {{"arena_h2d", 3000, 3400, 4096}};
  run(capture, 0, {.task = 1, .start = 200, .end = 400});
  capture.clock_anchors.emplace();
  capture.clock_anchors->device_unit = "syscnt_cycles";
  capture.clock_anchors->raw_device_unit = "syscnt_cycles";
  capture.clock_anchors->samples = {anchor(ClockAnchor::Position::kBefore, 900, 49, 300),
                                    anchor(ClockAnchor::Position::kBefore, 980, 50, 40),
                                    anchor(ClockAnchor::Position::kBefore, 1980, 100, 40),
                                    anchor(ClockAnchor::Position::kAfter, 8970, 450, 60)};
  return capture;
}

inline trace::Trace trace_of(chip_swimlane::Capture capture, const Siblings& siblings = {}) {
  auto result = make_chip_trace(std::move(capture), siblings, {"run.json", "chip-swimlane", "", 1});
  EXPECT_TRUE(result) << result.error().to_string();
  return *std::move(result);
}

inline deps::Dependencies graph_of(std::vector<deps::Task> tasks, std::vector<deps::Edge> edges = {}) {
  deps::Dependencies graph;
  graph.tasks = std::move(tasks);
  graph.edges = std::move(edges);
  return graph;
}

inline std::optional<std::uint32_t> row_of_task(const trace::Trace& trace, std::uint64_t id) {
  for (std::uint32_t row = 0; row < trace.tasks().size(); ++row)
    if (trace.tasks().external_id[row] == id) return row;
  return std::nullopt;
}
inline std::string name_of_task(const trace::Trace& trace, std::uint64_t id) {
  const auto row = row_of_task(trace, id);
  return row ? std::string(trace.text(trace.tasks().name[*row])) : "no such task";
}
inline std::string kind_of_task(const trace::Trace& trace, std::uint64_t id) {
  const auto row = row_of_task(trace, id);
  return row ? std::string(trace.text(trace.tasks().kind[*row])) : "no such task";
}

// Names of a track's slices, in order.
inline std::vector<std::string> names_on(const trace::Trace& trace, trace::TrackId track) {
  std::vector<std::string> names;
  const trace::RowRange rows = trace.slices_of(track);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    names.emplace_back(trace.text(trace.slices().name[row]));
  return names;
}
inline trace::TrackId track_named(const trace::Trace& trace, std::string_view name) {
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id)
    if (trace.text(trace.tracks()[id].name) == name) return trace::TrackId{id};
  return trace::TrackId::kNone;
}
inline trace::Value arg_of(const trace::Trace& trace, std::uint32_t slice, std::string_view name) {
  return trace.find_arg(trace.slices().first_arg[slice], name);
}
inline trace::Value fact_of(const trace::Trace& trace, std::string_view key) {
  for (const trace::Fact& fact : trace.facts())
    if (trace.text(fact.key) == key) return fact.value;
  return trace::Value::null();
}
inline const trace::QualityRow* quality_of(const trace::Trace& trace, std::string_view id) {
  for (const trace::QualityRow& row : trace.quality().rows())
    if (row.id == id) return &row;
  return nullptr;
}

constexpr std::uint64_t task_id(std::uint64_t ring, std::uint64_t position) {
  return (ring << 32U) | position;
}

}  // namespace accelscope::formats::chip_run
