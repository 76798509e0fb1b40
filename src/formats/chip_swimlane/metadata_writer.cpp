#include "formats/chip_swimlane/metadata_writer.h"

#include <algorithm>

#include "base/json_writer.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::JsonWriter;

void write_text_or_null(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  if (text.empty())
    json.null();
  else
    json.value(text);
}

std::string_view name_of(CoreType type) {
  return type == CoreType::kCube ? "aic" : type == CoreType::kVector ? "aiv" : "unknown";
}

void write_host_keys(const Capture& capture, JsonWriter& json) {
  json.member("orchestrator_source", capture.orchestrator_source);
  json.member("orchestrator_clock_domain", "host_monotonic_ns");
  json.member("device_clock_domain", "device_syscnt_cycles");
  json.member("host_timestamp_resolution_ns", 1);
  json.member("host_timestamp_quantization_ns", capture.host_quantization_ns);
  if (!capture.host_orchestrators.empty() && !capture.host_orchestrators[0].empty())
    json.member("host_orchestration_origin_ns", capture.host_orchestrators[0][0].start);
  json.member("timeline_relation", "host_orchestration_precedes_device");
}

void write_host_capture(const HostCapture& host, JsonWriter& json) {
  json.key("host_capture").begin_object();
  json.member("status", host.status);
  json.member("expected_records", host.expected);
  json.member("recorded_records", host.recorded);
  json.member("pool_records", host.pool);
  json.member("dropped_records", host.dropped);
  write_text_or_null(json, "error", host.error);
  json.end_object();
}

void write_clock_anchors(const ClockAnchors& anchors, JsonWriter& json) {
  std::array<std::uint64_t, 2> counts{};
  for (const ClockAnchor& anchor : anchors.samples) ++counts[static_cast<std::size_t>(anchor.position)];
  json.key("clock_anchors").begin_object();
  json.member("schema_version", 1);
  json.member("provider", anchors.provider);
  json.member("device_timestamp_unit", anchors.device_unit);
  json.member("raw_device_timestamp_unit", anchors.raw_device_unit);
  json.member("samples_per_position", std::max(counts[0], counts[1]));
  json.key("samples").begin_array();
  counts = {};
  for (const ClockAnchor& anchor : anchors.samples) {
    const bool before = anchor.position == ClockAnchor::Position::kBefore;
    json.begin_object();
    json.member("position", before ? "pre_host_orchestration" : "post_device_execution");
    json.member("sample_idx", counts[static_cast<std::size_t>(anchor.position)]++);
    json.member("host_before_ns", anchor.host_before_ns);
    json.member("raw_device_timestamp", anchor.raw_device_timestamp);
    json.member("device_cycles", anchor.device_cycles);
    json.member("host_after_ns", anchor.host_after_ns);
    json.member("rtt_ns", anchor.round_trip_ns);
    json.member("uncertainty_ns", anchor.round_trip_ns / 2 + anchor.round_trip_ns % 2);
    write_text_or_null(json, "error", anchor.error);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_metadata(const Capture& capture, base::Output& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("clock_freq_hz", capture.frequency.ticks);
  json.member("num_cores", capture.cores.size());
  json.key("core_types").begin_array();
  for (const CoreRows& core : capture.cores) json.value(name_of(core.type));
  json.end_array();
  if (!capture.orchestrator_source.empty()) write_host_keys(capture, json);
  if (capture.host_capture) write_host_capture(*capture.host_capture, json);
  if (capture.clock_anchors) write_clock_anchors(*capture.clock_anchors, json);
  if (!capture.core_to_thread.empty()) {
    json.key("core_to_thread").begin_array();
    for (const std::int32_t thread : capture.core_to_thread) json.value(thread);
    json.end_array();
  }
  json.end_object();
}

}  // namespace accelscope::formats::chip_swimlane
