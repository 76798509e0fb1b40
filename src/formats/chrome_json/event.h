// One event of the file, taken apart but not yet understood.
//
// Plain data, filled by EventReader and used again for the next event.
//
//   Event event;
//   if (event.has(Event::kTime)) rounded(event.time);
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chrome_json/number.h"
#include "trace/ids.h"
#include "trace/value.h"

namespace accelscope::formats::chrome_json {

using trace::StringId;

// A pid, tid or id: an integer, or text when it is none that fits 64 bits. "12" is the integer 12, as it is
// for JavaScript.
struct ExternalId {
  enum class Kind : std::uint8_t { kInt, kUint, kText };

  std::uint64_t bits = 0;  // the integer, or a StringId
  Kind kind = Kind::kInt;

  bool operator==(const ExternalId&) const = default;
  // What a track can keep of it.
  std::int64_t as_number() const { return kind == Kind::kText ? 0 : static_cast<std::int64_t>(bits); }
};

struct Argument {
  StringId name = StringId::kEmpty;
  trace::Value value = {};
};

struct Event {
  enum Presence : std::uint32_t {
    kTime = 1U << 0U,
    kDuration = 1U << 1U,
    kTimeOutOfRange = 1U << 2U,
    kId = 1U << 3U,
    kIdIsLocal = 1U << 4U,  // to its process
    kBindId = 1U << 5U,
    kFlowIn = 1U << 6U,
    kFlowOut = 1U << 7U,
    kBindsEnclosing = 1U << 8U,
    kIgnoredFields = 1U << 9U,
    kLateArguments = 1U << 10U,  // skipped so far, at `arguments_token`
    kThreadTime = 1U << 11U,
    kThreadDuration = 1U << 12U,
  };
  static constexpr char kNoPhase = '\0';
  static constexpr char kOddPhase = '\1';  // not a string of one character

  std::uint32_t present = 0;
  char phase = kNoPhase;
  char scope = 't';
  std::uint32_t levels_up = 0;
  std::uint32_t arguments_token = 0;
  std::size_t offset = 0;
  ExternalId process;
  ExternalId thread;
  StringId name = StringId::kEmpty;
  StringId category = StringId::kEmpty;
  StringId id_scope = StringId::kEmpty;
  StringId unit = StringId::kEmpty;
  PreciseTime time;          // with kTime
  PreciseTime duration;      // with kDuration
  ExternalId id;             // with kId
  ExternalId bind_id;        // with kBindId
  trace::Value thread_time;  // with kThreadTime, as in the file; likewise below
  trace::Value thread_duration;
  std::vector<Argument> arguments;

  bool has(Presence what) const { return (present & what) != 0; }

  void reset(std::size_t new_offset) {
    present = 0;
    phase = kNoPhase;
    scope = 't';
    levels_up = 0;
    offset = new_offset;
    process = {};
    thread = {};
    name = category = id_scope = unit = StringId::kEmpty;
    arguments.clear();
  }
};

}  // namespace accelscope::formats::chrome_json
