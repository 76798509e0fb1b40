// Captures from JSON text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

inline Capture capture_of(std::string_view json) {
  auto capture = read_capture(base::MappedFile::from_memory("run.json", json));
  EXPECT_TRUE(capture) << (capture ? "" : capture.error().to_string());
  return capture ? std::move(*capture) : Capture{};
}

inline std::string error_of(std::string_view json) {
  const auto capture = read_capture(base::MappedFile::from_memory("run.json", json));
  return capture ? "" : capture.error().to_string();
}

inline base::ErrorCode error_code_of(std::string_view json) {
  const auto capture = read_capture(base::MappedFile::from_memory("run.json", json));
  return capture ? base::ErrorCode::kInternal : capture.error().code;
}

// Today's file around streams: level, two cores of each type, 50 MHz.
inline std::string current_file(int level, std::string_view streams) {
  return "{\"chip_swimlane_level\": " + std::to_string(level) +
         ", \"metadata\": {\"clock_freq_hz\": 50000000, \"num_cores\": 4, "
         "\"core_types\": [\"aic\", \"aic\", \"aiv\", \"aiv\"]}, " +
         std::string(streams) + "}";
}

}  // namespace accelscope::formats::chip_swimlane
