#include "formats/chip_run/captured_cores.h"

#include <algorithm>
#include <numeric>

#include "formats/chip_swimlane/row_order.h"
#include "trace/function_numbers.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::CoreRows;
using chip_swimlane::CoreType;
using chip_swimlane::kNoFunction;
using chip_swimlane::kNoTime;
using trace::ChipCore;
using trace::Dispatch;
using trace::Trace;

class RowsOfCores {
 public:
  RowsOfCores(const Trace& trace, LeftOut& left_out)
      : trace_(trace),
        left_out_(left_out),
        functions_(trace, trace::FunctionNumbers::Unnumbered::kNumbered),
        sequence_(trace.strings().find(trace::arg::kSequence)) {}

  CoreRows rows_of(const ChipCore& core) {
    CoreRows rows;
    rows.type = core.engine == trace::engine::kCube ? CoreType::kCube : CoreType::kVector;
    const std::vector<Dispatch> dispatches = trace::dispatches_of(trace_, core.track);
    left_out_.slices_written += dispatches.size();
    std::uint32_t position = 0;
    for (const Dispatch& dispatch : dispatches) add(dispatch, ++position, rows);
    drop_empty_columns(rows);
    put_in_order(rows);
    return rows;
  }

 private:
  void add(const Dispatch& dispatch, std::uint32_t position, CoreRows& rows) {
    if (dispatch.task == trace::TaskId::kNone) {
      ++left_out_.rows_without_task;
      return;
    }
    const auto time = [](trace::Ticks moment) { return trace::is_known(moment) ? moment.value : kNoTime; };
    const std::uint32_t slice = trace::index(dispatch.slice);
    rows.task.push_back(trace_.tasks().external_id[trace::index(dispatch.task)]);
    rows.sequence.push_back(sequence_of(slice, position));
    rows.start.push_back(dispatch.start.value);
    rows.end.push_back(dispatch.end.value);
    rows.receive.push_back(time(dispatch.receive));
    rows.dispatch.push_back(time(dispatch.dispatch));
    rows.finish.push_back(time(dispatch.finish));
    rows.function.push_back(functions_.number(dispatch.function));
    rows.end_unknown.push_back(has_flag(trace_.slices().flags[slice], trace::SliceFlag::kEndUnknown) ? 1 : 0);
  }

  std::uint32_t sequence_of(std::uint32_t slice, std::uint32_t position) {
    const trace::ArgTable& args = trace_.args();
    std::uint32_t sequence = position;
    bool others = false;
    for (trace::ArgId arg = trace_.slices().first_arg[slice]; arg != trace::ArgId::kNone;
         arg = args.next[trace::index(arg)]) {
      if (args.name[trace::index(arg)] == sequence_)
        sequence = static_cast<std::uint32_t>(args.value(arg).as_uint());
      else
        others = true;
    }
    if (others) ++left_out_.dispatches_with_arguments;
    return sequence;
  }

  static void drop_empty_columns(CoreRows& rows) {
    const auto drop_if_all = [](auto& column, auto nothing) {
      if (std::all_of(column.begin(), column.end(), [&](auto value) { return value == nothing; }))
        column = {};
    };
    drop_if_all(rows.receive, kNoTime);
    drop_if_all(rows.function, kNoFunction);
    drop_if_all(rows.end_unknown, std::uint8_t{0});
    drop_if_all(rows.dispatch, kNoTime);
    drop_if_all(rows.finish, kNoTime);
    // These two are there together.
    if (rows.dispatch.size() < rows.finish.size()) rows.dispatch.resize(rows.finish.size(), kNoTime);
    if (rows.finish.size() < rows.dispatch.size()) rows.finish.resize(rows.dispatch.size(), kNoTime);
  }

  // A trace has them by start, which is another order only where the recording is odd.
  static void put_in_order(CoreRows& rows) {
    if (std::is_sorted(rows.sequence.begin(), rows.sequence.end())) return;
    std::vector<std::size_t> order(rows.sequence.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows.sequence[a] < rows.sequence[b]; });
    chip_swimlane::take_rows(rows, order);
  }

  const Trace& trace_;
  LeftOut& left_out_;
  trace::FunctionNumbers functions_;
  trace::StringId sequence_;
};

}  // namespace

void add_core_rows(const Trace& trace, const trace::ChipRun& chip, Capture& capture, LeftOut& left_out) {
  RowsOfCores rows(trace, left_out);
  for (const ChipCore& core : chip.cores) {
    const auto number = static_cast<std::size_t>(core.number);
    while (capture.cores.size() < number) {
      capture.cores.emplace_back().exists = false;
      ++left_out.absent_cores;
    }
    capture.cores.push_back(rows.rows_of(core));
  }
  if (chip.schedulers.empty()) return;
  capture.core_to_thread.assign(capture.cores.size(), -1);
  for (const ChipCore& core : chip.cores)
    if (core.scheduler != trace::TrackId::kNone)
      capture.core_to_thread[static_cast<std::size_t>(core.number)] =
          static_cast<std::int32_t>(trace.track(core.scheduler).external_id);
}

}  // namespace accelscope::formats::chip_run
