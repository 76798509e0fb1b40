#include "formats/chip_swimlane/metadata.h"

#include <limits>

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using base::JsonCursor;

void read_core_types(JsonCursor& json, Draft& draft) {
  json.begin_array();
  while (json.next_element()) {
    const CoreType type = core_type_of(json.string());
    if (draft.core_types.size() < kMaxCores)
      draft.core_types.push_back(type);
    else
      draft.impossible_cores_named.note(json.value_offset());
  }
}

void read_host_capture(JsonCursor& json, HostCapture& host) {
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (json.take_null()) continue;
    if (key == "status")
      host.status = json.string();
    else if (key == "expected_records")
      host.expected = json.unsigned_integer();
    else if (key == "recorded_records")
      host.recorded = json.unsigned_integer();
    else if (key == "pool_records")
      host.pool = json.unsigned_integer();
    else if (key == "dropped_records")
      host.dropped = json.unsigned_integer();
    else if (key == "error")
      host.error = json.string();
    else
      json.skip_value();
  }
}

ClockAnchor read_anchor(JsonCursor& json) {
  ClockAnchor anchor;
  bool known_position = false;
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (json.take_null()) continue;
    if (key == "position") {
      const std::string_view position = json.string();
      known_position = position == "pre_host_orchestration" || position == "post_device_execution";
      anchor.position = position == "post_device_execution" ? ClockAnchor::Position::kAfter
                                                            : ClockAnchor::Position::kBefore;
    } else if (key == "host_before_ns") {
      anchor.host_before_ns = read_ticks(json);
    } else if (key == "host_after_ns") {
      anchor.host_after_ns = read_ticks(json);
    } else if (key == "device_cycles") {
      anchor.device_cycles = read_ticks(json);
    } else if (key == "raw_device_timestamp") {
      anchor.raw_device_timestamp = read_ticks(json);
    } else if (key == "rtt_ns") {
      anchor.round_trip_ns = read_ticks(json);
    } else if (key == "error") {
      anchor.error = json.string();
    } else {
      json.skip_value();
    }
  }
  if (!known_position && anchor.error.empty()) anchor.error = "its position is not known";
  anchor.usable = anchor.error.empty();
  return anchor;
}

void read_clock_anchors(JsonCursor& json, ClockAnchors& anchors) {
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (json.take_null()) continue;
    if (key == "provider") {
      anchors.provider = json.string();
    } else if (key == "device_timestamp_unit") {
      anchors.device_unit = json.string();
    } else if (key == "raw_device_timestamp_unit") {
      anchors.raw_device_unit = json.string();
    } else if (key == "samples") {
      json.begin_array();
      while (json.next_element()) anchors.samples.push_back(read_anchor(json));
    } else {
      json.skip_value();
    }
  }
}

}  // namespace

CoreType core_type_of(std::string_view name) {
  if (name == "aic") return CoreType::kCube;
  if (name == "aiv") return CoreType::kVector;
  return CoreType::kUnknown;
}

void read_core_to_thread(JsonCursor& json, Draft& draft) {
  std::vector<std::int32_t>& threads = draft.capture.core_to_thread;
  threads.clear();
  json.begin_array();
  while (json.next_element()) {
    const std::int64_t thread = json.integer();
    if (thread < -1 || thread > std::numeric_limits<std::int32_t>::max())
      return json.fail_here(ErrorCode::kMalformed, "the number of a thread, or -1, is expected here");
    if (threads.size() < kMaxCores)
      threads.push_back(static_cast<std::int32_t>(thread));
    else
      draft.impossible_cores_named.note(json.value_offset());
  }
}

void read_metadata(JsonCursor& json, Draft& draft) {
  json.begin_object();
  while (json.next_key()) {
    const std::string_view key = json.key();
    if (json.take_null()) continue;
    if (key == "clock_freq_hz")
      draft.clock_freq_hz = json.unsigned_integer();
    else if (key == "num_cores")
      draft.num_cores = json.unsigned_integer();
    else if (key == "core_types")
      read_core_types(json, draft);
    else if (key == "core_to_thread")
      read_core_to_thread(json, draft);
    else if (key == "orchestrator_source")
      draft.capture.orchestrator_source = json.string();
    else if (key == "host_timestamp_quantization_ns")
      draft.capture.host_quantization_ns = read_ticks(json);
    else if (key == "host_capture")
      read_host_capture(json, draft.capture.host_capture.emplace());
    else if (key == "clock_anchors")
      read_clock_anchors(json, draft.capture.clock_anchors.emplace());
    else
      json.skip_value();
  }
}

}  // namespace accelscope::formats::chip_swimlane
