// What files of task objects can say of a capture, and what they cannot. Internal to write_objects().
//
// Pure functions of a capture, but for the Quality that they add to; one thread.
//
//   const int version = object_version(capture, remarks);
//   add_object_remarks(capture, version, remarks);
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

// 0, 1 or 2, one below the level; a run without the phases of its level gets 1, and a warning.
int object_version(const Capture& capture, trace::QualityTable& remarks);

// Whether there are submissions, or could be, and they are the device's.
bool has_device_submits(const Capture& capture);

// What the file's times count from, in ticks. A finish at 0 would be one that was not taken.
std::int64_t first_time(const Capture& capture, int version);

// Edges that a dispatch of the file can list, to tasks that the file names; by producer.
std::vector<FanoutEdge> listed_edges(const Capture& capture, int version);

// As recorded, or as they follow from the orchestrators' rows; at `zero` where there are none.
OrchestratorTotals totals_of(const Capture& capture, std::int64_t zero);

void add_object_remarks(const Capture& capture, int version, trace::QualityTable& remarks);

}  // namespace accelscope::formats::chip_swimlane
