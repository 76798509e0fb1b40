// What the names of events say: the part an event plays in a run, the backend a delegate event comes from,
// the unit of a number that was stored as a time.
//
// NameTable interns the names of a file, each of which every event carries as a copy of its own, and keeps
// what it found out about each. One thread uses one table; it belongs to the builder it interns into.
//
//   const StringId name = names.intern(event.text(VT_NAME));
//   if (names.traits(name).role == EventRole::kDelegateCall) ...
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/executorch_names.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::etdump {

enum class Backend : std::uint8_t { kUnknown, kXnnpack, kVulkan, kVgf, kEthosU, kQnn };
std::string_view backend_name(Backend backend);

// What a delegate event's start and end are counted in, where its name says so.
enum class ValueUnit : std::uint8_t { kNotSaid, kNanoseconds, kMicroseconds, kCycles, kBytes, kCount };
std::string_view unit_name(ValueUnit unit);
constexpr bool is_time(ValueUnit unit) {
  return unit != ValueUnit::kBytes && unit != ValueUnit::kCount;
}

struct NameTraits {
  trace::EventRole role = trace::EventRole::kOther;
  Backend backend = Backend::kUnknown;
  ValueUnit unit = ValueUnit::kNotSaid;
  bool numbered = false;
};

NameTraits traits_of(std::string_view name);

class NameTable {
 public:
  // Names stored or hashed may not exceed a multiple of the file's size: strings that overlap could otherwise
  // make a small file fill the memory.
  NameTable(trace::TraceBuilder& builder, std::size_t file_bytes);

  trace::StringId intern(std::string_view raw);
  // Bytes that are no text.
  trace::StringId intern_bytes(std::string_view raw);
  // Of a name that intern() gave.
  const NameTraits& traits(trace::StringId name) const { return known_[index(name)].traits; }

  std::uint64_t repaired() const { return repaired_; }
  bool exhausted() const { return exhausted_; }

 private:
  struct KnownName {
    bool examined = false;
    NameTraits traits;
  };

  // Models run the same events again and again: after two names, the third is known.
  trace::StringId& guess();
  bool within_budget(std::size_t bytes);
  trace::StringId look_up(std::string_view raw);

  trace::TraceBuilder& builder_;
  std::uint64_t budget_;
  std::vector<trace::StringId> guesses_;
  std::vector<KnownName> known_;  // by string id
  std::string_view last_bytes_;
  trace::StringId last_bytes_id_ = trace::StringId::kEmpty;
  trace::StringId last_ = trace::StringId::kEmpty;
  trace::StringId before_last_ = trace::StringId::kEmpty;
  std::uint64_t repaired_ = 0;
  bool exhausted_ = false;
};

}  // namespace accelscope::formats::etdump
