#include "analysis/profile.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/operator_name.h"
#include "base/hash.h"
#include "trace/parents_first.h"
#include "trace/self_time.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis {
namespace {

using trace::CategoryId;
using trace::RowRange;
using trace::RunId;
using trace::RunKind;
using trace::RunStatus;
using trace::SliceFlag;
using trace::SliceId;
using trace::StringId;
using trace::Trace;
using trace::TrackId;

constexpr std::uint32_t kNoExecution = 0xFFFFFFFF;
// Calls without an instruction are numbered from here, so that they never meet a real instruction.
constexpr std::int64_t kFirstUnnumberedCall = std::int64_t{1} << 40;

Part part_of_category(std::string_view category) {
  if (category == trace::category::kDelegateOperator) return Part::kDelegateOperator;
  if (category == trace::category::kOperator) return Part::kLibraryOperator;
  if (category == trace::category::kDelegateCall) return Part::kDelegateOverhead;
  if (category == trace::category::kOperatorCall) return Part::kOperatorCallOverhead;
  if (category == trace::category::kControl) return Part::kControl;
  if (category == trace::category::kMethod) return Part::kFramework;
  return Part::kOther;
}

Category category_of_part(Part part) {
  switch (part) {
    case Part::kDelegateOverhead:
      return Category::kDelegateOverhead;
    case Part::kOperatorCallOverhead:
      return Category::kOperatorCallOverhead;
    case Part::kControl:
      return Category::kControl;
    case Part::kFramework:
      return Category::kFramework;
    case Part::kDelegateOperator:
    case Part::kLibraryOperator:
    case Part::kOther:
      break;
  }
  return Category::kOther;
}

bool is_integer(const trace::Value& value) {
  return value.type == trace::ValueType::kInt || value.type == trace::ValueType::kUint;
}

struct EntryKey {
  std::uint32_t method;
  Part part;
  std::int64_t call;
  std::uint32_t ordinal;
  std::uint32_t name;
  bool operator==(const EntryKey&) const = default;
};
struct EntryKeyHash {
  std::size_t operator()(const EntryKey& key) const noexcept {
    return base::hash_of(key.method, key.part, key.call, key.ordinal, key.name);
  }
};

// Names of several traces, each with its own table of strings, as one numbering.
class SharedNames {
 public:
  void begin_trace(const Trace& trace) {
    trace_ = &trace;
    known_.clear();
  }
  std::uint32_t number(StringId id) {
    const auto [found, added] = known_.try_emplace(id, 0U);
    if (added) found.value() = static_cast<std::uint32_t>(strings_.intern(trace_->text(id)));
    return found->second;
  }

 private:
  const Trace* trace_ = nullptr;
  tsl::robin_map<StringId, std::uint32_t, base::IntegerHash> known_;
  base::StringInterner strings_;
};

// Where a slice stands in its execution.
struct Place {
  std::int64_t call = -1;
  std::uint32_t call_row = 0;  // of the call's slice
  bool in_call = false;
  bool in_delegate = false;
};

class ProfileMaker {
 public:
  ProfileMaker(std::string name, TimingUse use) {
    profile_.name = std::move(name);
    profile_.use = use;
  }

  void add(const Recording& recording) {
    trace_ = recording.trace;
    recording_ = static_cast<std::uint32_t>(profile_.sources.size());
    profile_.sources.push_back(recording.source);
    names_.begin_trace(*trace_);
    parts_.clear();
    for (const StringId category : trace_->categories())
      parts_.push_back(part_of_category(trace_->text(category)));
    instruction_ = trace_->strings().find(trace::arg::kInstruction);
    add_runs(recording.warm_up);
    for (std::uint32_t track = 0; track < trace_->tracks().size(); ++track) add_track(TrackId{track});
  }

  Profile finish() && {
    for (MethodProfile& method : profile_.methods) {
      for (Entry& entry : method.entries) entry.self.resize(method.executions.size());
      std::stable_sort(method.entries.begin(), method.entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.call, a.ordinal) < std::tie(b.call, b.ordinal);
      });
    }
    return std::move(profile_);
  }

 private:
  struct RunPlace {
    std::uint32_t method = 0;
    std::uint32_t execution = kNoExecution;
    TrackId track = TrackId::kNone;  // of the root
  };

  void add_runs(std::uint32_t warm_up) {
    run_places_.assign(trace_->runs().size(), {});
    for (std::uint32_t id = 0; id < trace_->runs().size(); ++id) {
      const trace::Run& run = trace_->run(RunId{id});
      if (run.kind == RunKind::kLoad) add_load(run);
      if (run.kind != RunKind::kExecution) continue;
      if (run.status == RunStatus::kEmpty) ++profile_.empty_runs;
      if (run.status == RunStatus::kAborted || has_no_end(run))
        ++profile_.aborted_runs;
      else if (run.status == RunStatus::kComplete && run.root != SliceId::kNone)
        add_execution(id, run, warm_up);
    }
  }

  // An end that is missing or makes no sense is drawn as no time at all, which is no latency.
  bool has_no_end(const trace::Run& run) const {
    return run.root != SliceId::kNone &&
           has_flag(trace_->slices().flags[index(run.root)], trace::SliceFlag::kEndUnknown);
  }

  void add_load(const trace::Run& run) {
    if (run.root == SliceId::kNone) return;
    const std::uint32_t root = index(run.root);
    const trace::SliceTable& slices = trace_->slices();
    const RowRange rows = trace_->slices_of(slices.track[root]);
    const base::Frequency frequency = trace_->clock_of(slices.track[root]).frequency;
    const auto add = [&](std::uint32_t row) {
      profile_.loads.push_back(
          {std::string(trace_->text(slices.name[row])), recording_, slices.duration[row], frequency});
    };
    add(root);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      if (slices.parent[row] == run.root) add(row);
  }

  void add_execution(std::uint32_t id, const trace::Run& run, std::uint32_t warm_up) {
    const std::uint32_t root = index(run.root);
    const TrackId track = trace_->slices().track[root];
    const std::uint32_t number = method_number(trace_->text(run.method), trace_->clock_of(track).frequency);
    MethodProfile& method = profile_.methods[number];
    run_places_[id] = {number, static_cast<std::uint32_t>(method.executions.size()), track};
    // Not the run's own index, which counts aborted and empty runs as well.
    const bool first = method.executions.empty() || method.executions.back().recording != recording_;
    method.executions.push_back({.recording = recording_,
                                 .run_index = first ? 0 : method.executions.back().run_index + 1,
                                 .root = run.root,
                                 .start = trace_->slices().start[root],
                                 .duration = trace_->slices().duration[root],
                                 .warm_up = run.index < warm_up});
  }

  std::uint32_t method_number(std::string_view name, base::Frequency frequency) {
    for (std::uint32_t i = 0; i < profile_.methods.size(); ++i)
      if (profile_.methods[i].method == name && profile_.methods[i].frequency == frequency) return i;
    profile_.methods.push_back({.method = std::string(name), .frequency = frequency});
    return static_cast<std::uint32_t>(profile_.methods.size() - 1);
  }

  void add_track(TrackId track) {
    const RowRange rows = trace_->slices_of(track);
    if (rows.empty()) return;
    const std::vector<Ticks> self = trace::self_times(*trace_, rows);
    places_.assign(rows.count, {});
    operators_in_call_.assign(rows.count, 0);
    std::uint32_t calls = 0;
    RunId current = RunId::kNone;
    trace::for_each_parent_first(trace_->slices(), rows, [&](std::uint32_t row) {
      const RunId run = trace_->slices().run[row];
      if (run == RunId::kNone || run_places_[index(run)].execution == kNoExecution) return;
      if (run_places_[index(run)].track != track) return add_foreign(run, row);
      if (run != std::exchange(current, run)) calls = 0;
      add_slice(run_places_[index(run)], rows, row, self[row - rows.first], calls);
    });
  }

  void add_slice(const RunPlace& run, RowRange rows, std::uint32_t row, Ticks self, std::uint32_t& calls) {
    const trace::SliceTable& slices = trace_->slices();
    Part part = parts_[index(slices.category[row])];
    Place place;
    const SliceId parent = slices.parent[row];
    if (parent != SliceId::kNone) place = places_[index(parent) - rows.first];
    if (!place.in_call && part != Part::kFramework) {
      place = {call_number(row, calls), row - rows.first, true, part == Part::kDelegateOverhead};
      ++calls;
    }
    // Some backends log ordinary events of their own inside their call.
    if (part == Part::kOther && place.in_delegate) part = Part::kDelegateOperator;
    places_[row - rows.first] = place;
    const std::uint32_t ordinal = place.in_call ? operators_in_call_[place.call_row]++ : 0;
    Entry& entry = entry_of({run.method, part, place.call, ordinal, names_.number(slices.name[row])}, row);
    ++entry.count;
    trace::add_wrapping(profile_.methods[run.method].all_rows, slices.duration[row]);
    const std::size_t execution = run.execution;
    if (entry.self.size() <= execution) entry.self.resize(execution + 1);
    trace::add_wrapping(entry.self[execution], self);
  }

  // The call an outermost slice of an execution makes. A call that is made again in the same execution (a
  // loop) has the same instruction; its operators are counted from zero again because each call's slice
  // counts its own.
  std::int64_t call_number(std::uint32_t row, std::uint32_t calls) const {
    if (instruction_ != StringId::kEmpty)
      for (trace::ArgId arg = trace_->slices().first_arg[row]; arg != trace::ArgId::kNone;
           arg = trace_->args().next[index(arg)])
        if (trace_->args().name[index(arg)] == instruction_ && is_integer(trace_->args().value(arg)))
          return trace_->args().value(arg).as_int();
    return kFirstUnnumberedCall + calls;
  }

  Entry& entry_of(const EntryKey& key, std::uint32_t row) {
    const auto [found, added] = entries_.try_emplace(key, 0U);
    std::vector<Entry>& entries = profile_.methods[key.method].entries;
    if (!added) return entries[found->second];
    found.value() = static_cast<std::uint32_t>(entries.size());
    entries.push_back(new_entry(key, row));
    if (entries.back().estimated) ++profile_.estimated_entries;
    return entries.back();
  }

  Entry new_entry(const EntryKey& key, std::uint32_t row) const {
    const trace::SliceTable& slices = trace_->slices();
    Entry entry;
    entry.name = trace_->text(slices.name[row]);
    if (entry.name.empty()) entry.name = "(no name)";
    entry.part = key.part;
    entry.call = key.call;
    entry.ordinal = key.ordinal;
    entry.first = SliceId{row};
    entry.first_recording = recording_;
    entry.estimated = has_flag(slices.flags[row], SliceFlag::kEstimated);
    if (is_operator(key.part) || key.part == Part::kOther) {
      const std::string op_types = text_arg(row, trace::arg::kOpTypes);
      const OperatorName meaning = classify(entry.name, op_types);
      entry.type = meaning.type;
      entry.family = meaning.family;
      entry.category = meaning.category;
      entry.known = meaning.known();
    } else {
      entry.category = category_of_part(key.part);
    }
    set_backend(entry, row);
    return entry;
  }

  // Its own backend, or that of a slice around it: readers put it on the call.
  void set_backend(Entry& entry, std::uint32_t row) const {
    for (SliceId at = SliceId{row}; at != SliceId::kNone; at = trace_->slices().parent[index(at)]) {
      entry.backend = text_arg(index(at), trace::arg::kBackend);
      if (entry.backend.empty()) continue;
      entry.backend_source = text_arg(index(at), trace::arg::kBackendSource);
      return;
    }
  }

  std::string text_arg(std::uint32_t row, std::string_view name) const {
    const trace::Value value = trace_->find_arg(trace_->slices().first_arg[row], name);
    return value.holds_text() ? std::string(trace_->text(value.as_text())) : std::string();
  }

  void add_foreign(RunId run, std::uint32_t row) {
    const trace::SliceTable& slices = trace_->slices();
    if (has_flag(slices.flags[row], SliceFlag::kMarker)) return;  // counts bytes or occurrences, not time
    const trace::ClockDomain& clock = trace_->clock_of(slices.track[row]);
    const std::uint32_t method = run_places_[index(run)].method;
    std::vector<ForeignEntry>& entries = profile_.methods[method].foreign;
    const auto [found, added] = foreign_.try_emplace(
        std::tuple(method, names_.number(slices.name[row]), names_.number(clock.name)), entries.size());
    if (added)
      entries.push_back({.name = std::string(trace_->text(slices.name[row])),
                         .clock = std::string(trace_->text(clock.name)),
                         .unit = clock.frequency.is_nanoseconds() ? "ns" : "ticks"});
    ++entries[found->second].count;
    trace::add_wrapping(entries[found->second].total, slices.duration[row]);
  }

  Profile profile_;
  const Trace* trace_ = nullptr;
  std::uint32_t recording_ = 0;
  SharedNames names_;
  std::vector<Part> parts_;                  // by CategoryId
  StringId instruction_ = StringId::kEmpty;  // kEmpty when no slice has one
  std::vector<RunPlace> run_places_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> operators_in_call_;
  tsl::robin_map<EntryKey, std::uint32_t, EntryKeyHash> entries_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> foreign_;
};

}  // namespace

std::string_view name_of(Part part) {
  switch (part) {
    case Part::kDelegateOperator:
      return "delegate operators";
    case Part::kLibraryOperator:
      return "operators outside delegates";
    case Part::kDelegateOverhead:
      return "delegate overhead";
    case Part::kOperatorCallOverhead:
      return "operator-call overhead";
    case Part::kControl:
      return "control";
    case Part::kFramework:
      return "framework";
    case Part::kOther:
      return "other recorded work";
  }
  return "unknown";
}

Profile profile_of(std::string name, std::span<const Recording> recordings, TimingUse use) {
  ProfileMaker maker(std::move(name), use);
  for (const Recording& recording : recordings) maker.add(recording);
  return std::move(maker).finish();
}

std::string_view unit_of(const MethodProfile& method) {
  return method.frequency.known() ? "ms" : "ticks";
}

double to_unit(const MethodProfile& method, Ticks ticks) {
  return method.frequency.known() ? method.frequency.to_seconds(ticks) * 1e3
                                  : static_cast<double>(ticks.value);
}

}  // namespace accelscope::analysis
