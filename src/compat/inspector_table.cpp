#include "compat/inspector_table.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "formats/timeline_csv/timeline_reader.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

using trace::ArgId;
using trace::SliceFlag;
using trace::StringId;
using trace::Trace;
using trace::Value;

constexpr std::int64_t kAbsent = -1;
constexpr double kNanosecondsPerMillisecond = 1e6;
constexpr double kUint32Max = 4294967295.0;

// What the Inspector tells events of one run apart by.
struct EventKey {
  std::int64_t instruction = kAbsent;
  std::int64_t position = kAbsent;  // for sources that have no instructions
  std::int64_t delegate_id = kAbsent;
  std::uint32_t name = 0;
  bool delegated = false;

  friend bool operator<(const EventKey& a, const EventKey& b) {
    return std::tie(a.instruction, a.position, a.delegate_id, a.name, a.delegated) <
           std::tie(b.instruction, b.position, b.delegate_id, b.name, b.delegated);
  }
};

struct Event {
  EventKey key;
  std::int64_t chain = 0;
  std::int64_t record = kAbsent;
  std::uint32_t slice = 0;
};

// The names of the arguments as ids, so that a slice's list is walked once and no text is compared.
struct ArgIds {
  explicit ArgIds(const Trace& trace)
      : record(trace.strings().find(trace::arg::kRecord)),
        chain(trace.strings().find(trace::arg::kChain)),
        instruction(trace.strings().find(trace::arg::kInstruction)),
        delegate_id(trace.strings().find(trace::arg::kDelegateId)),
        node_id(trace.strings().find(formats::timeline_csv::arg::kNodeId)) {}
  StringId record, chain, instruction, delegate_id, node_id;
};

class TableMaker {
 public:
  explicit TableMaker(const Trace& trace)
      : trace_(trace), args_(trace), delegated_(trace.find_category(trace::category::kDelegateOperator)) {
    wrapped_clocks_.resize(trace.clocks().size(), false);
    for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
      if (has_flag(trace.slices().flags[row], SliceFlag::kWrapped)) wrapped_clocks_[clock_of(row)] = true;
  }

  InspectorTable make() && {
    for (std::vector<Event>& block : blocks()) add_block(std::move(block));
    InspectorTable table;
    for (Group& group : groups_)
      for (InspectorEvent& event : group.events) table.events.push_back(std::move(event));
    return table;
  }

 private:
  struct Group {
    std::vector<InspectorEvent> events;
  };

  std::size_t clock_of(std::uint32_t slice) const {
    return index(trace_.track(trace_.slices().track[slice]).clock);
  }

  Event describe(std::uint32_t slice) const {
    Event event;
    event.slice = slice;
    event.key.name = index(trace_.slices().name[slice]);
    event.key.delegated =
        delegated_ != trace::CategoryId::kNone && trace_.slices().category[slice] == delegated_;
    const trace::ArgTable& args = trace_.args();
    for (ArgId arg = trace_.slices().first_arg[slice]; arg != ArgId::kNone; arg = args.next[index(arg)]) {
      const StringId name = args.name[index(arg)];
      const Value value = args.value(arg);
      const bool integer = value.type == trace::ValueType::kInt || value.type == trace::ValueType::kUint;
      if (!integer || name == StringId::kEmpty) continue;
      if (name == args_.record) event.record = value.as_int();
      if (name == args_.chain) event.chain = value.as_int();
      if (name == args_.instruction) event.key.instruction = value.as_int();
      if (name == args_.delegate_id) event.key.delegate_id = value.as_int();
      if (name == args_.node_id) event.key.position = value.as_int();
    }
    return event;
  }

  // The events of every block of the log, in the order in which they were logged.
  std::vector<std::vector<Event>> blocks() const {
    // What belongs to no run, as in a source that knows none, is one block more.
    const std::size_t outside_runs = trace_.runs().size();
    std::vector<std::vector<Event>> of_run(outside_runs + 1);
    for (std::uint32_t slice = 0; slice < trace_.slices().size(); ++slice) {
      const trace::RunId run = trace_.slices().run[slice];
      const bool recorded = !has_flag(trace_.slices().flags[slice], SliceFlag::kSynthetic);
      if (recorded) of_run[run == trace::RunId::kNone ? outside_runs : index(run)].push_back(describe(slice));
    }
    const std::vector<std::int64_t> first_record = first_records(of_run);
    std::vector<std::vector<Event>> blocks;
    for (std::size_t run = 0; run < of_run.size(); ++run) {
      sort_as_logged(of_run[run]);
      // Records are counted per block: a run that does not begin with the first continues the block before.
      if (first_record[run] > 0 && !blocks.empty())
        blocks.back().insert(blocks.back().end(), of_run[run].begin(), of_run[run].end());
      else
        blocks.push_back(std::move(of_run[run]));
    }
    return blocks;
  }

  std::vector<std::int64_t> first_records(std::span<const std::vector<Event>> of_run) const {
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> first(of_run.size(), kNone);
    for (std::size_t run = 0; run < of_run.size(); ++run)
      for (const Event& event : of_run[run]) first[run] = std::min(first[run], event.record);
    for (std::uint32_t row = 0; row < trace_.instants().size(); ++row) {
      const trace::RunId run = trace_.instants().run[row];
      const Value record = trace_.find_arg(trace_.instants().first_arg[row], trace::arg::kRecord);
      if (run != trace::RunId::kNone && record.type != trace::ValueType::kNull)
        first[index(run)] = std::min(first[index(run)], record.as_int());
    }
    std::replace(first.begin(), first.end(), kNone, std::int64_t{0});
    return first;
  }

  void sort_as_logged(std::vector<Event>& events) const {
    const bool has_records =
        std::all_of(events.begin(), events.end(), [](const Event& event) { return event.record != kAbsent; });
    std::stable_sort(events.begin(), events.end(), [&](const Event& a, const Event& b) {
      if (has_records) return a.record < b.record;
      return std::tuple(trace_.end_of(trace::SliceId{a.slice}), a.slice) <
             std::tuple(trace_.end_of(trace::SliceId{b.slice}), b.slice);
    });
    // Without instructions every event of a run is its own, and runs are compared position by position.
    for (std::size_t i = 0; i < events.size(); ++i) {
      EventKey& key = events[i].key;
      if (key.instruction != kAbsent)
        key.position = kAbsent;
      else if (key.position == kAbsent)
        key.position = static_cast<std::int64_t>(i);
    }
  }

  // Events of one instruction side by side, where the first of them was logged.
  static std::vector<Event> collate_by_instruction(const std::vector<Event>& events) {
    // The name of an ordinary event is no part of it.
    using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint32_t>;
    std::map<Place, std::size_t> known;
    std::vector<std::vector<Event>> instructions;
    for (const Event& event : events) {
      const Place place{event.key.instruction, event.chain, event.key.position, event.key.delegate_id,
                        event.key.delegated ? event.key.name + 1 : 0};
      const auto added = known.emplace(place, instructions.size());
      if (added.second) instructions.emplace_back();
      instructions[added.first->second].push_back(event);
    }
    std::vector<Event> collated;
    collated.reserve(events.size());
    for (const std::vector<Event>& instruction : instructions)
      collated.insert(collated.end(), instruction.begin(), instruction.end());
    return collated;
  }

  void add_block(std::vector<Event> block) {
    if (block.empty()) return;
    std::map<EventKey, std::size_t> places;
    std::vector<Event> kept;
    for (const Event& event : collate_by_instruction(block)) {
      const auto added = places.emplace(event.key, kept.size());
      if (added.second)
        kept.push_back(event);
      else
        kept[added.first->second] = event;
    }
    std::vector<EventKey> keys;
    keys.reserve(kept.size());
    for (const Event& event : kept) keys.push_back(event.key);
    const trace::RunId run = trace_.slices().run[block.front().slice];
    const StringId name = run == trace::RunId::kNone ? StringId::kEmpty : trace_.run(run).name;
    const auto added = group_of_.emplace(std::pair(index(name), std::move(keys)), groups_.size());
    if (added.second) groups_.push_back({describe_rows(kept, name)});
    Group& group = groups_[added.first->second];
    for (std::size_t i = 0; i < kept.size(); ++i) add_values(group.events[i], kept[i]);
  }

  std::vector<InspectorEvent> describe_rows(const std::vector<Event>& events, StringId block) const {
    std::vector<InspectorEvent> rows;
    rows.reserve(events.size());
    for (const Event& event : events) {
      InspectorEvent row;
      row.block = trace_.text(block);
      row.name = trace_.text(StringId{event.key.name});
      row.delegated = event.key.delegated;
      const ArgId args = trace_.slices().first_arg[event.slice];
      const Value source = trace_.find_arg(args, trace::arg::kBackendSource);
      const Value backend = trace_.find_arg(args, trace::arg::kBackend);
      if (source.holds_text() && trace_.text(source.as_text()) == trace::backend_source::kEtRecord &&
          backend.holds_text())
        row.backend = trace_.text(backend.as_text());
      rows.push_back(std::move(row));
    }
    return rows;
  }

  void add_values(InspectorEvent& row, const Event& event) const {
    const std::size_t clock = clock_of(event.slice);
    const bool picoseconds = trace_.clocks()[clock].frequency == base::Frequency::hz(1'000'000'000'000);
    const double ticks_per_nanosecond = picoseconds ? 1000 : 1;
    const bool wraps = wrapped_clocks_[clock];
    std::int64_t start = trace_.slices().start[event.slice].value;
    std::int64_t end = start + trace_.slices().duration[event.slice].value;
    if (wraps) {
      // The trace has continued the counter where it overflowed; the file has what the counter said.
      start &= 0xFFFFFFFF;
      end &= 0xFFFFFFFF;
    }
    const double start_ns = static_cast<double>(start) / ticks_per_nanosecond;
    const double end_ns = static_cast<double>(end) / ticks_per_nanosecond;
    row.start_ns.push_back(start_ns);
    if (row.delegated)
      row.duration_ms.push_back(
          elapsed(start_ns / kNanosecondsPerMillisecond, end_ns / kNanosecondsPerMillisecond));
    else
      row.duration_ms.push_back(start > end || picoseconds
                                    ? elapsed(start_ns, end_ns) / kNanosecondsPerMillisecond
                                    : static_cast<double>(end - start) / kNanosecondsPerMillisecond);
  }

  // One tick short across an overflow, and in whatever unit the times happen to be.
  static double elapsed(double start, double end) {
    return start > end ? kUint32Max - start + end : end - start;
  }

  const Trace& trace_;
  ArgIds args_;
  trace::CategoryId delegated_;
  std::vector<bool> wrapped_clocks_;
  std::map<std::pair<std::uint32_t, std::vector<EventKey>>, std::size_t> group_of_;
  std::vector<Group> groups_;
};

}  // namespace

InspectorTable inspector_table(const Trace& trace) {
  return TableMaker(trace).make();
}

}  // namespace accelscope::compat
