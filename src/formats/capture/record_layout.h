// How records are laid out, and from what each of their fields is best guessed: what the codec needs to know
// of a kind of record. A new kind is one more RecordLayoutOf.
//
// Only what a guess misses by is stored, so guesses decide how small a recording is. The layout of its
// records stands in every chunk: a better guess changes no reader.
//
// Constants; safe from any thread.
//
//   const RecordLayout* layout = layout_of(recorder::RecordKind::kCoreTask);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "accelscope/recorder/records.h"

namespace accelscope::formats::capture {

enum class Guess : std::uint8_t {
  kNothing = 0,      // 0
  kPrevious = 1,     // as in the record before
  kPreviousEnd = 2,  // as in the record before, plus that one's other field: a start after the last end
  kOther = 3,        // as the other field of the same record
};

struct RecordField {
  std::uint8_t offset = 0;
  std::uint8_t bytes = 0;  // 1, 2, 4 or 8
  Guess guess = Guess::kNothing;
  std::uint8_t other_offset = 0;  // of a field that comes earlier in the list
  std::uint8_t other_bytes = 1;

  // Whether the first record of a buffer has nothing to be guessed from.
  constexpr bool needs_base() const { return guess == Guess::kPrevious || guess == Guess::kPreviousEnd; }
  constexpr bool needs_other() const { return guess == Guess::kPreviousEnd || guess == Guess::kOther; }
};

inline constexpr std::size_t kMaxRecordBytes = 256;

struct RecordLayout {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint16_t record_bytes = 0;
  std::span<const RecordField> fields = {};
};

constexpr RecordField plain(std::size_t offset, std::size_t bytes) {
  return {static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(bytes), Guess::kNothing, 0, 1};
}
constexpr RecordField like_previous(std::size_t offset, std::size_t bytes) {
  return {static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(bytes), Guess::kPrevious, 0, 1};
}
// At `offset`, eight bytes, a time behind the end of the record before.
constexpr RecordField after_previous(std::size_t offset, std::size_t length_offset) {
  return {static_cast<std::uint8_t>(offset), 8, Guess::kPreviousEnd, static_cast<std::uint8_t>(length_offset),
          4};
}
// At `offset`, eight bytes, near another eight of the same record.
constexpr RecordField like_other(std::size_t offset, std::size_t other_offset) {
  return {static_cast<std::uint8_t>(offset), 8, Guess::kOther, static_cast<std::uint8_t>(other_offset), 8};
}

// The fields of a kind, as a constant `kFields`: each byte of the record in exactly one of them.
template <class Record>
struct RecordLayoutOf;

template <>
struct RecordLayoutOf<recorder::CoreTaskRecord> {
  using Record = recorder::CoreTaskRecord;
  static constexpr std::array kFields{
      plain(offsetof(Record, duration), 4),
      after_previous(offsetof(Record, start), offsetof(Record, duration)),
      like_previous(offsetof(Record, task), 8),
      plain(offsetof(Record, receive_to_start), 4),
      like_previous(offsetof(Record, sequence), 4),
      plain(offsetof(Record, function), 4),
  };
};

template <>
struct RecordLayoutOf<recorder::TaskLifecycleRecord> {
  using Record = recorder::TaskLifecycleRecord;
  static constexpr std::array kFields{
      like_previous(offsetof(Record, finish), 8),
      like_other(offsetof(Record, dispatch), offsetof(Record, finish)),
      like_previous(offsetof(Record, sequence), 4),
      plain(offsetof(Record, core), 4),
  };
};

template <>
struct RecordLayoutOf<recorder::EdgeRecord> {
  using Record = recorder::EdgeRecord;
  static constexpr std::array kFields{
      like_previous(offsetof(Record, consumer), 8),
      like_other(offsetof(Record, producer), offsetof(Record, consumer)),
      plain(offsetof(Record, reason), 4),
      plain(offsetof(Record, argument), 4),
  };
};

template <>
struct RecordLayoutOf<recorder::SchedulerPhaseRecord> {
  using Record = recorder::SchedulerPhaseRecord;
  static constexpr std::array kFields{
      plain(offsetof(Record, duration), 4),
      after_previous(offsetof(Record, start), offsetof(Record, duration)),
      like_previous(offsetof(Record, loop), 4),
      plain(offsetof(Record, tasks_processed), 4),
      plain(offsetof(Record, phase), 2),
      plain(offsetof(Record, ready), 2),
      plain(offsetof(Record, ready) + 2, 2),
      plain(offsetof(Record, ready) + 4, 2),
      plain(offsetof(Record, pop_hits), 2),
      plain(offsetof(Record, pop_misses), 2),
  };
};

template <>
struct RecordLayoutOf<recorder::OrchestratorPhaseRecord> {
  using Record = recorder::OrchestratorPhaseRecord;
  static constexpr std::array kFields{
      plain(offsetof(Record, duration), 4),
      after_previous(offsetof(Record, start), offsetof(Record, duration)),
      like_previous(offsetof(Record, task), 8),
      like_previous(offsetof(Record, submit_index), 4),
      plain(offsetof(Record, phase), 2),
      plain(offsetof(Record, reserved), 2),
      plain(offsetof(Record, reserved) + 2, 4),
  };
};

template <>
struct RecordLayoutOf<recorder::TaskDescriptionRecord> {
  using Record = recorder::TaskDescriptionRecord;
  static constexpr std::array kFields{
      like_previous(offsetof(Record, task), 8), plain(offsetof(Record, kernels), 4),
      plain(offsetof(Record, kernels) + 4, 4),  plain(offsetof(Record, kernels) + 8, 4),
      plain(offsetof(Record, blocks), 4),       plain(offsetof(Record, flags), 4),
      plain(offsetof(Record, reserved), 4),
  };
};

template <>
struct RecordLayoutOf<recorder::TensorRecord> {
  using Record = recorder::TensorRecord;
  static constexpr std::array kFields{
      like_previous(offsetof(Record, task), 8),  like_previous(offsetof(Record, payload_offset), 8),
      plain(offsetof(Record, payload_bytes), 8), plain(offsetof(Record, argument), 4),
      plain(offsetof(Record, role), 1),          plain(offsetof(Record, stage), 1),
      plain(offsetof(Record, data_type), 1),     plain(offsetof(Record, dimensions), 1),
      plain(offsetof(Record, shape), 4),         plain(offsetof(Record, shape) + 4, 4),
      plain(offsetof(Record, shape) + 8, 4),     plain(offsetof(Record, shape) + 12, 4),
      plain(offsetof(Record, shape) + 16, 4),    plain(offsetof(Record, flags), 4),
      plain(offsetof(Record, value), 8),         plain(offsetof(Record, start_offset), 8),
      plain(offsetof(Record, strides), 4),       plain(offsetof(Record, strides) + 4, 4),
      plain(offsetof(Record, strides) + 8, 4),   plain(offsetof(Record, strides) + 12, 4),
      plain(offsetof(Record, strides) + 16, 4),  plain(offsetof(Record, reserved), 4),
  };
};

// The widest fields are the fastest, and narrower ones make no type of numbers much smaller.
template <>
struct RecordLayoutOf<recorder::TensorBlockRecord> {
  using Record = recorder::TensorBlockRecord;
  static constexpr std::size_t kWidth = 8;
  static constexpr std::array kFields = [] {
    std::array<RecordField, Record::kBytes / kWidth> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = plain(i * kWidth, kWidth);
    return all;
  }();
};

// Drains of several cores are mixed in a thread's lane; positions in a buffer are those of no other core.
template <>
struct RecordLayoutOf<recorder::PerfmonDrainRecord> {
  using Record = recorder::PerfmonDrainRecord;
  static constexpr std::array kFields{
      like_previous(offsetof(Record, time), 8),
      like_previous(offsetof(Record, task), 8),
      like_previous(offsetof(Record, core), 4),
      like_previous(offsetof(Record, sequence), 4),
      plain(offsetof(Record, from), 4),
      plain(offsetof(Record, to), 4),
      plain(offsetof(Record, written), 4),
      plain(offsetof(Record, copied), 4),
      plain(offsetof(Record, lost), 4),
      plain(offsetof(Record, state), 4),
      like_previous(offsetof(Record, sampled), 4),
      plain(offsetof(Record, counted), 4),
      plain(offsetof(Record, pointer), 4),
      plain(offsetof(Record, notes), 4),
  };
};

// Word by word: what happened and how long after the word before are in planes of their own then.
template <>
struct RecordLayoutOf<recorder::PerfmonBlockRecord> {
  using Record = recorder::PerfmonBlockRecord;
  static constexpr std::size_t kWidth = 4;
  static constexpr std::array kFields = [] {
    std::array<RecordField, Record::kBytes / kWidth> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = plain(i * kWidth, kWidth);
    return all;
  }();
};

template <>
struct RecordLayoutOf<recorder::PmuRecord> {
  using Record = recorder::PmuRecord;
  static constexpr std::array kFields = [] {
    constexpr std::size_t kBefore = 4;
    std::array<RecordField, kBefore + Record::kCounters> all{
        like_previous(offsetof(Record, task), 8), plain(offsetof(Record, total_cycles), 8),
        like_previous(offsetof(Record, sequence), 4), plain(offsetof(Record, core), 4)};
    for (std::size_t i = 0; i < Record::kCounters; ++i)
      all[kBefore + i] = plain(offsetof(Record, counters) + 4 * i, 4);
    return all;
  }();
};

template <>
struct RecordLayoutOf<recorder::ControlTaskRecord> {
  using Record = recorder::ControlTaskRecord;
  static constexpr std::array kFields{
      plain(offsetof(Record, duration), 4),
      after_previous(offsetof(Record, start), offsetof(Record, duration)),
      like_previous(offsetof(Record, task), 8),
      like_previous(offsetof(Record, loop), 4),
      plain(offsetof(Record, tasks_processed), 4),
      plain(offsetof(Record, phase), 2),
      plain(offsetof(Record, reserved), 2),
  };
};

template <>
struct RecordLayoutOf<recorder::QueueDepthRecord> {
  using Record = recorder::QueueDepthRecord;
  static constexpr std::array kFields{
      like_previous(offsetof(Record, start), 8), plain(offsetof(Record, ready), 2),
      plain(offsetof(Record, ready) + 2, 2),     plain(offsetof(Record, ready) + 4, 2),
      plain(offsetof(Record, reserved), 2),
  };
};

template <>
struct RecordLayoutOf<recorder::ScopeRecord> {
  using Record = recorder::ScopeRecord;
  static constexpr std::array kFields{
      plain(offsetof(Record, site), 4),
      plain(offsetof(Record, depth), 2),
      plain(offsetof(Record, ring), 1),
      plain(offsetof(Record, begins), 1),
      like_previous(offsetof(Record, task_window_start), 8),
      like_previous(offsetof(Record, task_window_end), 8),
      like_previous(offsetof(Record, heap_start), 8),
      like_previous(offsetof(Record, heap_end), 8),
      like_previous(offsetof(Record, dep_pool_start), 8),
      like_previous(offsetof(Record, dep_pool_end), 8),
      plain(offsetof(Record, tensormap), 8),
  };
};

// Whether every byte of the record is in exactly one field, and every field can be restored from those before
// it.
constexpr bool is_sound(const RecordLayout& layout) {
  std::array<bool, kMaxRecordBytes> covered{};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    const RecordField& field = layout.fields[i];
    if (field.bytes != 1 && field.bytes != 2 && field.bytes != 4 && field.bytes != 8) return false;
    for (std::size_t byte = field.offset; byte < std::size_t{field.offset} + field.bytes; ++byte) {
      if (byte >= layout.record_bytes || byte >= covered.size() || covered[byte]) return false;
      covered[byte] = true;
    }
    bytes += field.bytes;
    if (field.guess > Guess::kOther) return false;
    bool other_is_known = !field.needs_other();
    for (std::size_t before = 0; before < i; ++before)
      other_is_known |= layout.fields[before].offset == field.other_offset &&
                        layout.fields[before].bytes == field.other_bytes;
    if (!other_is_known) return false;
  }
  return bytes == layout.record_bytes;
}

template <class Record>
constexpr RecordLayout layout_of() {
  constexpr RecordLayout kLayout{Record::kKind, sizeof(Record), RecordLayoutOf<Record>::kFields};
  static_assert(is_sound(kLayout));
  return kLayout;
}

// Nothing for a kind that is not known.
const RecordLayout* layout_of(recorder::RecordKind kind);

// "core tasks", as people say it; "" for a kind that is not known.
std::string_view records_name(recorder::RecordKind kind);

}  // namespace accelscope::formats::capture
