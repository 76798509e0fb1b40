#include "formats/etrecord/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "formats/etrecord/method_match.h"
#include "formats/etrecord/trace_events.h"
#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etrecord {
namespace {

using base::Location;
using trace::ArgId;
using trace::EventRole;
using trace::RunId;
using trace::Severity;
using trace::SliceId;
using trace::StringId;
using trace::Trace;
using trace::Value;

// Fused operators can stand for hundreds of nodes; nobody reads more than these.
constexpr std::size_t kMaxListed = 16;

// What an event gets; empty ids where nothing is known.
struct Annotation {
  StringId backend = StringId::kEmpty;
  StringId op_types = StringId::kEmpty;
  StringId stack_trace = StringId::kEmpty;
  StringId module_hierarchy = StringId::kEmpty;

  bool empty() const {
    return backend == StringId::kEmpty && op_types == StringId::kEmpty && stack_trace == StringId::kEmpty &&
           module_hierarchy == StringId::kEmpty;
  }
};

// Distinct texts in the order they came.
class Listing {
 public:
  explicit Listing(std::string_view separator) : separator_(separator) {}

  void add(const std::string& text) {
    if (text.empty() || std::find(texts_.begin(), texts_.end(), text) != texts_.end()) return;
    if (texts_.size() < kMaxListed)
      texts_.push_back(text);
    else
      ++left_out_;
  }
  std::string text() const {
    if (texts_.empty()) return {};
    std::string joined = fmt::format("{}", fmt::join(texts_, separator_));
    if (left_out_ > 0) joined += fmt::format("{}and {} more", separator_, left_out_);
    return joined;
  }

 private:
  std::string_view separator_;
  std::vector<std::string> texts_;
  std::size_t left_out_ = 0;
};

class Joiner {
 public:
  Joiner(const Trace& trace, const EtRecord& record) : trace_(trace), record_(record), events_(trace) {
    builder_.append(trace);
    method_of_run_.resize(trace.runs().size(), nullptr);
  }

  base::Result<Trace> join() && {
    choose_methods();
    for (std::uint32_t slice = 0; slice < trace_.slices().size(); ++slice) {
      const RunId run = trace_.slices().run[slice];
      if (run == RunId::kNone || method_of_run_[index(run)] == nullptr) continue;
      const std::optional<TraceEvent> event = events_.at(slice);
      if (!event) continue;
      const Annotation& annotation = annotation_of(*method_of_run_[index(run)], *event, slice);
      if (annotation.empty())
        ++unmatched_;
      else
        annotate(SliceId{slice}, annotation);
    }
    name_runs();
    report();
    return std::move(builder_).finish();
  }

 private:
  // Runs of one method of the trace are decided together, by the first of them.
  std::vector<std::uint32_t> representatives() const {
    std::vector<std::uint32_t> first_of_run(trace_.runs().size());
    std::map<std::uint32_t, std::uint32_t> first_of_method;
    for (std::uint32_t run = 0; run < trace_.runs().size(); ++run) {
      const trace::Run& row = trace_.runs()[run];
      first_of_run[run] = run;
      if (row.kind == trace::RunKind::kExecution && row.method != StringId::kEmpty)
        first_of_run[run] = first_of_method.emplace(index(row.method), run).first->second;
    }
    return first_of_run;
  }

  void choose_methods() {
    const std::vector<std::uint32_t> representative = representatives();
    std::vector<std::vector<TraceEvent>> events_of_run(trace_.runs().size());
    for (std::uint32_t slice = 0; slice < trace_.slices().size(); ++slice) {
      const RunId run = trace_.slices().run[slice];
      if (run == RunId::kNone || representative[index(run)] != index(run)) continue;
      if (const std::optional<TraceEvent> event = events_.at(slice))
        events_of_run[index(run)].push_back(*event);
    }
    std::vector<MethodMatch> matches(trace_.runs().size());
    for (std::uint32_t run = 0; run < trace_.runs().size(); ++run) {
      if (trace_.runs()[run].kind != trace::RunKind::kExecution || events_of_run[representative[run]].empty())
        continue;
      if (representative[run] == run) matches[run] = best_method(record_, events_of_run[run]);
      const MethodMatch& match = matches[representative[run]];
      if (match.ambiguous) ++ambiguous_runs_;
      if (match.hits == 0) ++strange_runs_;
      method_of_run_[run] = match.method;
    }
  }

  void name_runs() {
    std::map<std::uint32_t, std::uint32_t> next_index;
    const bool renamed = std::any_of(method_of_run_.begin(), method_of_run_.end(),
                                     [](const Method* method) { return method != nullptr; });
    if (!renamed) return;
    for (std::uint32_t run = 0; run < method_of_run_.size(); ++run) {
      trace::Run& row = builder_.run(RunId{run});
      if (row.kind != trace::RunKind::kExecution) continue;
      if (method_of_run_[run] != nullptr) row.method = builder_.intern(method_of_run_[run]->name);
      row.index = next_index[index(row.method)]++;
    }
  }

  const Annotation& annotation_of(const Method& method, const TraceEvent& event, std::uint32_t slice) {
    const bool delegated = event.role == EventRole::kDelegateOperator;
    // Only a backend's events differ within an instruction, by their identifiers.
    const std::uint32_t name = delegated ? index(trace_.slices().name[slice]) : 0;
    const Key key{&method, event.instruction, event.role, name, event.delegate_number.value_or(-1)};
    const auto known = annotations_.find(key);
    if (known != annotations_.end()) return known->second;
    return annotations_.emplace(key, make_annotation(method, event)).first->second;
  }

  Annotation make_annotation(const Method& method, const TraceEvent& event) {
    Annotation annotation;
    const auto own = method.handles.find(event.instruction);
    const std::vector<DebugHandle>* handles = own == method.handles.end() ? nullptr : &own->second;
    const auto delegate = method.delegates.find(event.instruction);
    const bool delegated = event.role == EventRole::kDelegateOperator;
    if (delegate != method.delegates.end() && (delegated || event.role == EventRole::kDelegateCall)) {
      annotation.backend = builder_.intern(delegate->second.backend);
      if (delegated) handles = find_handles(delegate->second, event.delegate_id());
    }
    if (handles == nullptr) return annotation;
    Listing op_types(", ");
    Listing stack_traces("\n");
    Listing modules("; ");
    for_each_node(method, *handles, [&](const GraphNode& node) {
      op_types.add(node.op);
      stack_traces.add(node.stack_trace);
      modules.add(readable_module_stack(node.module_stack));
    });
    annotation.op_types = builder_.intern(op_types.text());
    annotation.stack_trace = builder_.intern(stack_traces.text());
    annotation.module_hierarchy = builder_.intern(modules.text());
    return annotation;
  }

  void annotate(SliceId slice, const Annotation& annotation) {
    const auto add = [&](std::string_view name, StringId text) {
      if (text != StringId::kEmpty) builder_.add_slice_arg(slice, name, Value::of_string(text));
    };
    if (annotation.backend != StringId::kEmpty) {
      drop_backend(slice);
      add(trace::arg::kBackend, annotation.backend);
      add(trace::arg::kBackendSource, builder_.intern(trace::backend_source::kEtRecord));
    }
    add(trace::arg::kOpTypes, annotation.op_types);
    add(trace::arg::kStackTrace, annotation.stack_trace);
    add(trace::arg::kModuleHierarchy, annotation.module_hierarchy);
  }

  // An inferred backend gives way: the slice's list of arguments is made again without it.
  void drop_backend(SliceId slice) {
    const ArgId first = trace_.slices().first_arg[index(slice)];
    if (trace_.find_arg(first, trace::arg::kBackend).type == trace::ValueType::kNull) return;
    builder_.slices().first_arg[index(slice)] = ArgId::kNone;
    const trace::ArgTable& args = trace_.args();
    for (ArgId arg = first; arg != ArgId::kNone; arg = args.next[index(arg)]) {
      const std::string_view name = trace_.text(args.name[index(arg)]);
      if (name == trace::arg::kBackend || name == trace::arg::kBackendSource) continue;
      Value value = args.value(arg);
      if (value.holds_text()) value.bits = index(builder_.intern(trace_.text(value.as_text())));
      builder_.add_slice_arg(slice, name, value);
    }
  }

  void report() {
    builder_.quality().append(record_.remarks);
    builder_.add_source({.path = record_.path,
                         .format = "etrecord",
                         .detail = fmt::format("{} methods", record_.methods.size()),
                         .bytes = record_.bytes});
    const auto add = [&](std::string_view id, Severity severity, std::string_view sentence,
                         std::uint64_t count) {
      if (count > 0)
        builder_.quality().add({.id = std::string(id),
                                .severity = severity,
                                .sentence = std::string(sentence),
                                .count = count,
                                .first_place = Location::of_file(record_.path)});
    };
    add("etrecord.ambiguous_method", Severity::kWarning,
        "Several methods of the ETRecord fit these runs equally well: their events get no names from it.",
        ambiguous_runs_);
    add("etrecord.no_match", Severity::kWarning,
        "No event of these runs agrees with the ETRecord: it may belong to another program.", strange_runs_);
    add("etrecord.unmatched_event", Severity::kInfo, "Events of which the ETRecord knows nothing.",
        unmatched_);
  }

  using Key = std::tuple<const Method*, Instruction, EventRole, std::uint32_t, std::int64_t>;

  const Trace& trace_;
  const EtRecord& record_;
  EventReader events_;
  trace::TraceBuilder builder_;
  std::vector<const Method*> method_of_run_;
  std::map<Key, Annotation> annotations_;
  std::uint64_t ambiguous_runs_ = 0;
  std::uint64_t strange_runs_ = 0;
  std::uint64_t unmatched_ = 0;
};

}  // namespace

std::string readable_module_stack(std::string_view stored) {
  std::string readable;
  while (!stored.empty()) {
    const std::size_t end = std::min(stored.find(';'), stored.size());
    const std::string_view module = stored.substr(0, end);
    stored.remove_prefix(std::min(end + 1, stored.size()));
    const std::size_t path_begin = module.find(',');
    const std::size_t type_begin = module.rfind(',');
    if (path_begin == std::string_view::npos) continue;
    const std::string_view path = type_begin > path_begin
                                      ? module.substr(path_begin + 1, type_begin - path_begin - 1)
                                      : std::string_view{};
    std::string_view type = module.substr(type_begin + 1);
    type = type.substr(type.rfind('.') + 1);
    if (!readable.empty()) readable += " > ";
    readable += path.empty() ? std::string(type) : fmt::format("{} ({})", path, type);
  }
  return readable;
}

base::Result<Trace> join(const Trace& trace, const EtRecord& record) {
  return Joiner(trace, record).join();
}

}  // namespace accelscope::formats::etrecord
