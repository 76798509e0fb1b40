// Joining traces: every id of the other trace is moved behind this builder's own.
#include <fmt/core.h>

#include "trace/trace_builder.h"

namespace accelscope::trace {

// Copies the rows of one trace into a builder, table by table.
class TraceBuilder::Appender {
 public:
  Appender(TraceBuilder& builder, const Trace& other)
      : builder_(builder),
        into_(builder.trace_),
        other_(other),
        slices_(into_.slices_.size()),
        args_(into_.args_.size()),
        tracks_(count(into_.tracks_)),
        clocks_(count(into_.clocks_)),
        resources_(count(into_.resources_)),
        runs_(count(into_.runs_)),
        tasks_(into_.tasks_.size()) {
    strings_.reserve(other.strings_.size());
    for (std::uint32_t id = 0; id < other.strings_.size(); ++id)
      strings_.push_back(builder.intern(other.text(StringId{id})));
    for (const StringId name : other.categories_) categories_.push_back(builder.category(of(name)));
  }

  Offsets append(std::string_view label) {
    add_clocks();
    add_tracks(label);
    add_small_tables();
    add_slices();
    add_instants();
    add_args();
    add_side_tables();
    add_tasks();
    return {slices_, tracks_, runs_};
  }

 private:
  template <class Rows>
  static std::uint32_t count(const Rows& rows) {
    return static_cast<std::uint32_t>(rows.size());
  }
  template <class Id>
  static Id moved(Id id, std::uint32_t by) {
    return id == Id::kNone ? id : static_cast<Id>(index(id) + by);
  }
  StringId of(StringId id) const { return strings_[index(id)]; }
  CategoryId of(CategoryId id) const { return categories_[index(id)]; }
  SliceId of(SliceId id) const { return moved(id, slices_); }
  ArgId of(ArgId id) const { return moved(id, args_); }
  TrackId of(TrackId id) const { return moved(id, tracks_); }
  ClockId of(ClockId id) const { return moved(id, clocks_); }
  ResourceId of(ResourceId id) const { return moved(id, resources_); }
  RunId of(RunId id) const { return moved(id, runs_); }
  TaskId of(TaskId id) const { return moved(id, tasks_); }
  Value of(Value value) const {
    if (value.holds_text()) value.bits = index(of(value.as_text()));
    return value;
  }

  void add_clocks() {
    for (const ClockDomain& clock : other_.clocks_) builder_.add_clock({of(clock.name), clock.frequency});
    for (ClockRelation relation : other_.clock_relations_) {
      relation.from = of(relation.from);
      relation.to = of(relation.to);
      builder_.add_clock_relation(std::move(relation));
    }
  }

  void add_tracks(std::string_view label) {
    for (const Resource& row : other_.resources_)
      builder_.add_resource({of(row.name), of(row.engine), row.peak_rate, of(row.rate_unit)});
    for (Track row : other_.tracks_) {
      const bool labelled = row.parent == TrackId::kNone && !label.empty();
      row.name =
          labelled ? builder_.intern(fmt::format("{}: {}", label, other_.text(row.name))) : of(row.name);
      row.parent = of(row.parent);
      row.controller = of(row.controller);
      row.clock = of(row.clock);
      row.resource = of(row.resource);
      row.counter_unit = of(row.counter_unit);
      // Parents are known already and are copied with the slices.
      builder_.add_track(row, Nesting::kExplicit);
    }
  }

  void add_small_tables() {
    for (Run row : other_.runs_) {
      row.name = of(row.name);
      row.method = of(row.method);
      row.root = of(row.root);
      builder_.add_run(row);
    }
    for (const Fact& row : other_.facts_) into_.facts_.push_back({of(row.key), of(row.value)});
    for (Accounting row : other_.accounting_) {
      row.producer = of(row.producer);
      row.drop_reason = of(row.drop_reason);
      builder_.add_accounting(row);
    }
    for (const SourceFile& row : other_.sources_) builder_.add_source(row);
    builder_.quality().append(other_.quality_);
  }

  void add_slices() {
    const SliceTable& slices = other_.slices_;
    for (std::uint32_t row = 0; row < slices.size(); ++row) {
      const SliceId added = builder_.add_slice({.track = of(slices.track[row]),
                                                .start = slices.start[row],
                                                .duration = slices.duration[row],
                                                .name = of(slices.name[row]),
                                                .category = of(slices.category[row]),
                                                .flags = slices.flags[row],
                                                .parent = of(slices.parent[row]),
                                                .owner = of(slices.owner[row]),
                                                .task = of(slices.task[row]),
                                                .run = of(slices.run[row])});
      into_.slices_.first_arg[index(added)] = of(slices.first_arg[row]);
    }
  }

  void add_instants() {
    const InstantTable& instants = other_.instants_;
    for (std::uint32_t row = 0; row < instants.size(); ++row) {
      const std::uint32_t added = builder_.add_instant({.track = of(instants.track[row]),
                                                        .time = instants.time[row],
                                                        .name = of(instants.name[row]),
                                                        .category = of(instants.category[row]),
                                                        .run = of(instants.run[row])});
      into_.instants_.first_arg[added] = of(instants.first_arg[row]);
    }
  }

  void add_args() {
    const ArgTable& args = other_.args_;
    for (std::uint32_t row = 0; row < args.size(); ++row) {
      const Value value = of(args.value(ArgId{row}));
      into_.args_.name.push_back(of(args.name[row]));
      into_.args_.next.push_back(of(args.next[row]));
      into_.args_.bits.push_back(value.bits);
      into_.args_.type.push_back(value.type);
    }
  }

  void add_side_tables() {
    const FlowTable& flows = other_.flows_;
    for (std::uint32_t row = 0; row < flows.size(); ++row)
      builder_.add_flow(of(flows.from[row]), of(flows.to[row]), of(flows.type[row]), of(flows.label[row]));
    const FlowEndTable& ends = other_.flow_ends_;
    for (std::uint32_t row = 0; row < ends.size(); ++row)
      builder_.add_flow_end(of(ends.slice[row]), ends.flow[row], of(ends.type[row]), ends.leaves[row]);
    const CounterTable& counters = other_.counters_;
    for (std::uint32_t row = 0; row < counters.size(); ++row)
      builder_.add_counter_bits(of(counters.track[row]), counters.time[row], counters.bits[row]);
    const StateTable& states = other_.states_;
    for (std::uint32_t row = 0; row < states.size(); ++row)
      builder_.add_state(of(states.track[row]), states.start[row], states.duration[row],
                         of(states.state[row]), of(states.cause[row]));
    const StageTable& stages = other_.stages_;
    for (std::uint32_t row = 0; row < stages.size(); ++row)
      builder_.add_stage(of(stages.slice[row]), of(stages.stage[row]), stages.offset[row]);
  }

  void add_tasks() {
    const TaskTable& tasks = other_.tasks_;
    for (std::uint32_t row = 0; row < tasks.size(); ++row)
      builder_.add_task({.external_id = tasks.external_id[row],
                         .name = of(tasks.name[row]),
                         .kind = of(tasks.kind[row]),
                         .blocks = tasks.blocks[row],
                         .parent = of(tasks.parent[row]),
                         .flags = tasks.flags[row]});
    const TaskEdgeTable& edges = other_.task_edges_;
    for (std::uint32_t row = 0; row < edges.size(); ++row)
      builder_.add_task_edge(of(edges.from[row]), of(edges.to[row]), of(edges.kind[row]));
  }

  TraceBuilder& builder_;
  Trace& into_;
  const Trace& other_;
  // Where the other trace's rows begin in the builder's tables.
  std::uint32_t slices_;
  std::uint32_t args_;
  std::uint32_t tracks_;
  std::uint32_t clocks_;
  std::uint32_t resources_;
  std::uint32_t runs_;
  std::uint32_t tasks_;
  std::vector<StringId> strings_;
  std::vector<CategoryId> categories_;
};

TraceBuilder::Offsets TraceBuilder::append(const Trace& other, std::string_view label) {
  return Appender(*this, other).append(label);
}

}  // namespace accelscope::trace
