// Costs as files: JSON objects with the fields of Costs, times in nanoseconds (`register_read_ns`). A file
// gives what differs from the defaults; docs/costs.md lists every field with its reason.
//
// Plain functions; safe from any thread.
//
//   ACCELSCOPE_TRY(const Costs slow, load_costs("slow_scheduler.json"));
//   write_costs(slow, out);
#pragma once

#include <span>
#include <string>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "device/costs.h"

namespace accelscope::device {

// Costs that are part of the program: default.
std::span<const base::EmbeddedFile> cost_presets();

base::Result<Costs> read_costs(const base::MappedFile& file);
// The name of a preset, else the path of a file.
base::Result<Costs> load_costs(const std::string& name_or_path);

void write_costs(const Costs& costs, base::Output& out);

}  // namespace accelscope::device
