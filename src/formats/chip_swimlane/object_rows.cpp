#include "formats/chip_swimlane/object_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "formats/chip_swimlane/metadata.h"
#include "formats/chip_swimlane/row_order.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using base::JsonCursor;

struct TaskObject {
  std::optional<std::uint64_t> task = std::nullopt;
  std::optional<std::uint64_t> core = std::nullopt;
  std::int64_t start = kNoTime;
  std::int64_t end = kNoTime;
  std::int64_t dispatch = kNoTime;
  std::int64_t finish = kNoTime;
  std::int32_t function = kNoFunction;
  CoreType type = CoreType::kUnknown;
};

void read_fanout(JsonCursor& json, std::vector<std::uint64_t>& consumers) {
  json.begin_array();
  while (json.next_element()) consumers.push_back(json.unsigned_integer());
}

std::int32_t read_function(JsonCursor& json) {
  const std::int64_t function = json.integer();
  if (function < kNoFunction || function > std::numeric_limits<std::int32_t>::max())
    json.fail_here(ErrorCode::kMalformed, "the number of a function is expected here");
  return static_cast<std::int32_t>(function);
}

void read_member(JsonCursor& json, TaskObject& object, std::vector<std::uint64_t>& consumers) {
  const std::string_view key = json.key();
  if (json.take_null()) return;
  if (key == "task_id")
    object.task = json.unsigned_integer();
  else if (key == "core_id")
    object.core = json.unsigned_integer();
  else if (key == "start_time_us")
    object.start = json.scaled_decimal(3);
  else if (key == "end_time_us")
    object.end = json.scaled_decimal(3);
  else if (key == "dispatch_time_us")
    object.dispatch = json.scaled_decimal(3);
  else if (key == "finish_time_us")
    object.finish = json.scaled_decimal(3);
  else if (key == "func_id")
    object.function = read_function(json);
  else if (key == "core_type")
    object.type = core_type_of(json.string());
  else if (key == "fanout")
    read_fanout(json, consumers);
  else
    json.skip_value();
}

void store(const TaskObject& object, std::uint64_t offset, Draft& draft) {
  CoreRows* rows = rows_of_core(draft.capture.cores, *object.core);
  if (rows == nullptr) return draft.impossible_cores.note(offset);
  if (object.type != CoreType::kUnknown) {
    if (rows->type != CoreType::kUnknown && rows->type != object.type)
      draft.core_type_conflicts.note(offset);
    else
      rows->type = object.type;
  }
  if (object.end < object.start) draft.end_before_start.note(offset);
  const std::size_t before = rows->task.size();
  rows->task.push_back(*object.task);
  rows->start.push_back(object.start);
  rows->end.push_back(std::max(object.start, object.end));
  push_sparse(rows->end_unknown, before, static_cast<std::uint8_t>(object.end < object.start),
              std::uint8_t{0});
  push_sparse(rows->dispatch, before, object.dispatch, kNoTime);
  push_sparse(rows->finish, before, object.finish, kNoTime);
  push_sparse(rows->function, before, object.function, kNoFunction);
}

// Columns that stop before the last row because it has no such value.
void fill_up(CoreRows& rows) {
  const std::size_t size = rows.task.size();
  if (!rows.dispatch.empty() || !rows.finish.empty()) {
    rows.dispatch.resize(size, kNoTime);
    rows.finish.resize(size, kNoTime);
  }
  if (!rows.function.empty()) rows.function.resize(size, kNoFunction);
  if (!rows.end_unknown.empty()) rows.end_unknown.resize(size, 0);
}

}  // namespace

void read_task_objects(JsonCursor& json, Draft& draft) {
  draft.has_objects = true;
  std::vector<std::uint64_t> consumers;
  json.begin_array();
  while (json.next_element()) {
    json.kind();  // moves to the object, past blanks
    const std::uint64_t offset = json.offset();
    TaskObject object;
    consumers.clear();
    json.begin_object();
    while (json.next_key()) read_member(json, object, consumers);
    if (!object.task || !object.core || object.start == kNoTime || object.end == kNoTime)
      return json.fail_here(ErrorCode::kMalformed,
                            "a task needs task_id, core_id, start_time_us and end_time_us");
    ++draft.capture.counts.core_rows;
    // The first time of a file is 0, so a dispatch at 0 is real; a finish at 0 was never taken.
    if (object.finish == 0 && object.end > 0) {
      draft.zero_times.note(offset);
      object.finish = kNoTime;
      if (object.dispatch == 0) object.dispatch = kNoTime;
    }
    if (object.dispatch != kNoTime || object.finish != kNoTime) ++draft.capture.counts.scheduler_rows;
    if (!draft.first_microseconds) draft.first_microseconds = offset;
    for (const std::uint64_t consumer : consumers) draft.capture.fanout.push_back({*object.task, consumer});
    store(object, offset, draft);
  }
  for (CoreRows& rows : draft.capture.cores) fill_up(rows);
}

std::uint64_t number_object_rows(std::vector<CoreRows>& cores) {
  std::uint64_t copies = 0;
  for (CoreRows& rows : cores) {
    std::vector<std::size_t> order(rows.task.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t row) {
      return std::tuple(rows.start[row], rows.end[row], rows.task[row]);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    // Two rows of no length may well look alike.
    const auto last = std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return key(a) == key(b) && rows.end[a] > rows.start[a];
    });
    copies += static_cast<std::uint64_t>(order.end() - last);
    order.erase(last, order.end());
    take_rows(rows, order);
    rows.sequence.resize(rows.task.size());
    std::iota(rows.sequence.begin(), rows.sequence.end(), 1U);
  }
  return copies;
}

}  // namespace accelscope::formats::chip_swimlane
