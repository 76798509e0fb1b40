#include "formats/chip_swimlane/era.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using base::Location;
using trace::Severity;

bool has_scheduler_times(const Draft& draft) {
  return draft.capture.counts.scheduler_rows > 0 || !draft.capture.fanout.empty();
}

// PR #500 wrote 0, 1, 2 for the levels 1, 2, 3; #782 wrote 1 to 4 for 1 to 4. 1 and 2 are told by what comes
// with them: dispatch and finish came with 1 in the first and with 2 in the second, phases with 2 and with 3.
Era era_of_version(const Draft& draft) {
  const bool phases = draft.has_phases || draft.has_submits;
  switch (*draft.version) {
    case 0:
      return Era::kObjectsByVersion0;
    case 1:
      return has_scheduler_times(draft) || phases ? Era::kObjectsByVersion0 : Era::kObjectsByVersion1;
    case 2:
      return phases ? Era::kObjectsByVersion0 : Era::kObjectsByVersion1;
    default:
      return Era::kObjectsByVersion1;
  }
}

// Neither generation has such a file, or both have.
bool is_ambiguous(const Draft& draft) {
  const bool phases = draft.has_phases || draft.has_submits;
  const bool rows = draft.capture.counts.core_rows > 0;
  if (*draft.version == 1) return phases || !rows;
  return *draft.version == 2 && !phases && rows && !has_scheduler_times(draft);
}

base::Status check_mixture(const Draft& draft, const std::string& path) {
  const bool rows = draft.has_core_rows || draft.scheduler.is_there;
  if (draft.has_objects && rows)
    return base::fail_at(Location::of_file(path), ErrorCode::kMalformed,
                         "the file has both \"tasks\" and \"aicore_tasks\": rows of two generations");
  if (!draft.has_objects && !rows && !draft.level_key)
    return base::fail_at(Location::of_file(path), ErrorCode::kMalformed,
                         "no swimlane: neither \"aicore_tasks\" nor \"tasks\" is there");
  if (rows && draft.first_microseconds)
    return base::fail_at(Location::byte(path, *draft.first_microseconds), ErrorCode::kMalformed,
                         "a time in microseconds, in a file whose rows count cycles");
  if (draft.has_objects && draft.first_cycles)
    return base::fail_at(Location::byte(path, *draft.first_cycles), ErrorCode::kMalformed,
                         "a time in cycles, in a file whose rows count microseconds");
  return {};
}

void set_stated_level(Draft& draft, const std::string& path) {
  Capture& capture = draft.capture;
  // Nonsense stays nonsense, but small.
  const auto small = [](std::uint64_t number) {
    return static_cast<int>(std::min<std::uint64_t>(number, 1000));
  };
  if (draft.level_key) {
    capture.stated_level = small(*draft.level_key);
  } else if (draft.version) {
    capture.stated_level = small(*draft.version) + (capture.era == Era::kObjectsByVersion0 ? 1 : 0);
    if (capture.era != Era::kRawCycles && is_ambiguous(draft))
      capture.quality.add(
          {.id = "chip_swimlane.ambiguous_version",
           .severity = Severity::kInfo,
           .sentence =
               fmt::format("\"version\" {} has meant two levels, and nothing in the file tells which: it is "
                           "taken for level {}.",
                           *draft.version, capture.stated_level),
           .first_place = Location::of_file(path)});
  }
}

void set_frequency(Draft& draft, const std::string& path) {
  Capture& capture = draft.capture;
  if (capture.era != Era::kRawCycles) {
    capture.frequency = base::Frequency::nanoseconds();
    return;
  }
  constexpr std::uint64_t kMaxHz = 1'000'000'000'000'000;
  if (draft.clock_freq_hz.value_or(0) > 0 && *draft.clock_freq_hz <= kMaxHz) {
    capture.frequency = base::Frequency::hz(static_cast<std::int64_t>(*draft.clock_freq_hz));
    return;
  }
  capture.quality.add({.id = "chip_swimlane.unknown_frequency",
                       .severity = Severity::kWarning,
                       .sentence =
                           "The file does not say how fast its counter runs (clock_freq_hz): times are "
                           "cycles, there are no seconds.",
                       .first_place = Location::of_file(path)});
}

// Whether the file was recorded at this level or above: rows say so, and so does the key of a stream without
// rows in a file that states the level.
bool reaches(const Draft& draft, int level) {
  const Capture& capture = draft.capture;
  const bool stated = capture.stated_level >= level;
  switch (level) {
    case 2:
      return capture.counts.scheduler_rows > 0 || (stated && capture.counts.core_rows == 0);
    case 3:
      return capture.counts.phases > 0 || (stated && draft.has_phases);
    case 4:
      return capture.counts.submits > 0 || capture.orchestrator_totals ||
             (stated && (draft.has_submits || draft.has_host_submits));
    default:
      return true;
  }
}

constexpr std::string_view stream_of_level(int level) {
  return level == 2 ? "dispatch and finish times" : level == 3 ? "scheduler phases" : "submissions";
}

}  // namespace

base::Status decide_era(Draft& draft, const std::string& path) {
  ACCELSCOPE_CHECK(check_mixture(draft, path));
  if (!draft.has_objects)
    draft.capture.era = Era::kRawCycles;
  else if (draft.level_key)
    draft.capture.era = Era::kObjectsByLevel;
  else
    draft.capture.era = draft.version ? era_of_version(draft) : Era::kObjectsByLevel;
  set_stated_level(draft, path);
  set_frequency(draft, path);
  return {};
}

void decide_level(Draft& draft, const std::string& path) {
  Capture& capture = draft.capture;
  capture.level = 4;
  while (!reaches(draft, capture.level)) --capture.level;
  // The highest level of the first generation was 3, with submissions.
  const int level_then = capture.era == Era::kObjectsByVersion0 ? std::min(capture.level, 3) : capture.level;
  if (level_then != capture.stated_level)
    capture.quality.add(
        {.id = "chip_swimlane.level_mismatch",
         .severity = Severity::kWarning,
         .sentence = fmt::format("The file says that it was recorded at level {}, but what is in it "
                                 "is level {}: it is read as that.",
                                 capture.stated_level, level_then),
         .first_place = Location::of_file(path)});
  for (int level = 2; level < capture.level; ++level) {
    if (reaches(draft, level)) continue;
    capture.quality.add({.id = "chip_swimlane.missing_stream",
                         .severity = Severity::kWarning,
                         .sentence = fmt::format("The file has no {}, which belong to its level {}.",
                                                 stream_of_level(level), capture.level),
                         .first_place = Location::of_file(path)});
  }
}

}  // namespace accelscope::formats::chip_swimlane
