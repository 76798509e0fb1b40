// Numbers of the fields and enum values of Perfetto's public trace schema that the writer uses. Compile-time
// constants.
//
//   event.varint(track_event::kType, track_event::kSliceBegin);
#pragma once

#include <cstdint>

namespace accelscope::formats::perfetto {

namespace trace_file {
inline constexpr std::uint32_t kPacket = 1;
}

namespace packet {
inline constexpr std::uint32_t kClockSnapshot = 6;
inline constexpr std::uint32_t kTimestamp = 8;
inline constexpr std::uint32_t kSequenceId = 10;
inline constexpr std::uint32_t kTrackEvent = 11;
inline constexpr std::uint32_t kInternedData = 12;
inline constexpr std::uint32_t kSequenceFlags = 13;
inline constexpr std::uint32_t kTimestampClockId = 58;
inline constexpr std::uint32_t kDefaults = 59;
inline constexpr std::uint32_t kTrackDescriptor = 60;

inline constexpr std::uint64_t kStateCleared = 1;
inline constexpr std::uint64_t kNeedsState = 2;
}  // namespace packet

// TracePacketDefaults repeats numbers of TracePacket, and TrackEventDefaults those of TrackEvent.
namespace defaults {
inline constexpr std::uint32_t kTrackEvent = 11;
inline constexpr std::uint32_t kTimestampClockId = 58;
}  // namespace defaults

namespace clock_snapshot {
inline constexpr std::uint32_t kClocks = 1;
inline constexpr std::uint32_t kPrimaryTraceClock = 2;
inline constexpr std::uint32_t kClockId = 1;
inline constexpr std::uint32_t kTimestamp = 2;
inline constexpr std::uint32_t kIsIncremental = 3;

inline constexpr std::uint64_t kBootTime = 6;
inline constexpr std::uint64_t kSequenceClock = 64;  // the first of those that belong to one sequence
}  // namespace clock_snapshot

namespace track_event {
inline constexpr std::uint32_t kCategoryIds = 3;
inline constexpr std::uint32_t kAnnotations = 4;
inline constexpr std::uint32_t kType = 9;
inline constexpr std::uint32_t kNameId = 10;
inline constexpr std::uint32_t kTrackUuid = 11;
inline constexpr std::uint32_t kName = 23;
inline constexpr std::uint32_t kCounterValue = 30;
inline constexpr std::uint32_t kDoubleCounterValue = 44;
inline constexpr std::uint32_t kFlowIds = 47;
inline constexpr std::uint32_t kTerminatingFlowIds = 48;
}  // namespace track_event

enum class EventType : std::uint8_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };

namespace track_descriptor {
inline constexpr std::uint32_t kUuid = 1;
inline constexpr std::uint32_t kName = 2;
inline constexpr std::uint32_t kProcess = 3;
inline constexpr std::uint32_t kThread = 4;
inline constexpr std::uint32_t kParentUuid = 5;
inline constexpr std::uint32_t kCounter = 8;
inline constexpr std::uint32_t kChildOrdering = 11;
inline constexpr std::uint32_t kSiblingOrderRank = 12;
inline constexpr std::uint32_t kSiblingMergeBehavior = 15;
inline constexpr std::uint32_t kProcessOrdering = 19;
inline constexpr std::uint32_t kThreadOrdering = 20;

inline constexpr std::uint64_t kExplicitChildren = 3;
inline constexpr std::uint64_t kNeverMerge = 2;
inline constexpr std::uint64_t kExplicitProcesses = 1;
inline constexpr std::uint64_t kExplicitThreads = 1;
}  // namespace track_descriptor

namespace process_descriptor {
inline constexpr std::uint32_t kPid = 1;
inline constexpr std::uint32_t kName = 6;
}  // namespace process_descriptor

namespace thread_descriptor {
inline constexpr std::uint32_t kPid = 1;
inline constexpr std::uint32_t kTid = 2;
inline constexpr std::uint32_t kName = 5;
}  // namespace thread_descriptor

namespace counter_descriptor {
inline constexpr std::uint32_t kUnit = 3;
inline constexpr std::uint32_t kUnitName = 6;

inline constexpr std::uint64_t kNanoseconds = 1;
inline constexpr std::uint64_t kCount = 2;
inline constexpr std::uint64_t kBytes = 3;
}  // namespace counter_descriptor

namespace annotation {
inline constexpr std::uint32_t kNameId = 1;
inline constexpr std::uint32_t kBool = 2;
inline constexpr std::uint32_t kUint = 3;
inline constexpr std::uint32_t kInt = 4;
inline constexpr std::uint32_t kDouble = 5;
inline constexpr std::uint32_t kString = 6;
inline constexpr std::uint32_t kName = 10;
inline constexpr std::uint32_t kDictEntries = 11;
inline constexpr std::uint32_t kArrayValues = 12;
inline constexpr std::uint32_t kStringId = 17;
}  // namespace annotation

namespace interned_data {
inline constexpr std::uint32_t kCategories = 1;
inline constexpr std::uint32_t kEventNames = 2;
inline constexpr std::uint32_t kAnnotationNames = 3;
inline constexpr std::uint32_t kAnnotationStrings = 29;
// The same in all four kinds of entries.
inline constexpr std::uint32_t kEntryId = 1;
inline constexpr std::uint32_t kEntryText = 2;
}  // namespace interned_data

}  // namespace accelscope::formats::perfetto
