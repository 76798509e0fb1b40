// Joining traces: every id of the other trace is moved behind this builder's own.
#include <fmt/format.h>

#include "trace/trace_builder.h"

namespace accelscope::trace {
namespace {

// Where the other trace's rows begin in the builder's tables.
struct Shift {
  std::uint32_t slices, args, tracks, clocks, resources, runs, tasks;

  template <class Id>
  static Id moved(Id id, std::uint32_t by) {
    return id == Id::kNone ? id : static_cast<Id>(index(id) + by);
  }
  SliceId of(SliceId id) const { return moved(id, slices); }
  ArgId of(ArgId id) const { return moved(id, args); }
  TrackId of(TrackId id) const { return moved(id, tracks); }
  ClockId of(ClockId id) const { return moved(id, clocks); }
  ResourceId of(ResourceId id) const { return moved(id, resources); }
  RunId of(RunId id) const { return moved(id, runs); }
  TaskId of(TaskId id) const { return moved(id, tasks); }
};

}  // namespace

TraceBuilder::Offsets TraceBuilder::append(const Trace& other, std::string_view label) {
  const auto count = [](const auto& rows) { return static_cast<std::uint32_t>(rows.size()); };
  const Shift shift{count(trace_.slices_), count(trace_.args_),      count(trace_.tracks_),
                    count(trace_.clocks_), count(trace_.resources_), count(trace_.runs_),
                    count(trace_.tasks_)};
  std::vector<StringId> strings;
  strings.reserve(other.strings_.size());
  for (std::uint32_t id = 0; id < other.strings_.size(); ++id)
    strings.push_back(intern(other.text(StringId{id})));
  const auto text_of = [&](StringId id) { return strings[index(id)]; };
  const auto value_of = [&](Value value) {
    if (value.holds_text()) value.bits = index(text_of(value.as_text()));
    return value;
  };
  std::vector<CategoryId> categories;
  for (const StringId name : other.categories_) categories.push_back(category(text_of(name)));

  for (const ClockDomain& clock : other.clocks_) add_clock({text_of(clock.name), clock.frequency});
  for (ClockRelation relation : other.clock_relations_) {
    relation.from = shift.of(relation.from);
    relation.to = shift.of(relation.to);
    add_clock_relation(std::move(relation));
  }
  for (const Resource& row : other.resources_)
    add_resource({text_of(row.name), text_of(row.engine), row.peak_rate, text_of(row.rate_unit)});
  for (Track row : other.tracks_) {
    row.name = row.parent == TrackId::kNone && !label.empty()
                   ? intern(fmt::format("{}: {}", label, other.text(row.name)))
                   : text_of(row.name);
    row.parent = shift.of(row.parent);
    row.clock = shift.of(row.clock);
    row.resource = shift.of(row.resource);
    row.counter_unit = text_of(row.counter_unit);
    add_track(row, Nesting::kExplicit);
  }
  for (Run row : other.runs_) {
    row.name = text_of(row.name);
    row.method = text_of(row.method);
    row.root = shift.of(row.root);
    add_run(row);
  }
  for (const Fact& row : other.facts_) trace_.facts_.push_back({text_of(row.key), value_of(row.value)});
  for (Accounting row : other.accounting_) {
    row.producer = text_of(row.producer);
    row.drop_reason = text_of(row.drop_reason);
    add_accounting(row);
  }
  for (const SourceFile& row : other.sources_) add_source(row);
  quality().append(other.quality_);

  const SliceTable& slices = other.slices_;
  for (std::uint32_t row = 0; row < slices.size(); ++row) {
    const SliceId added = add_slice({.track = shift.of(slices.track[row]),
                                     .start = slices.start[row],
                                     .duration = slices.duration[row],
                                     .name = text_of(slices.name[row]),
                                     .category = categories[index(slices.category[row])],
                                     .flags = slices.flags[row],
                                     .parent = shift.of(slices.parent[row]),
                                     .owner = shift.of(slices.owner[row]),
                                     .task = shift.of(slices.task[row]),
                                     .run = shift.of(slices.run[row])});
    trace_.slices_.first_arg[index(added)] = shift.of(slices.first_arg[row]);
  }
  const InstantTable& instants = other.instants_;
  for (std::uint32_t row = 0; row < instants.size(); ++row) {
    const std::uint32_t added = add_instant({.track = shift.of(instants.track[row]),
                                             .time = instants.time[row],
                                             .name = text_of(instants.name[row]),
                                             .category = categories[index(instants.category[row])],
                                             .run = shift.of(instants.run[row])});
    trace_.instants_.first_arg[added] = shift.of(instants.first_arg[row]);
  }
  for (std::uint32_t row = 0; row < other.args_.size(); ++row) {
    const Value value = value_of(other.args_.value(ArgId{row}));
    trace_.args_.name.push_back(text_of(other.args_.name[row]));
    trace_.args_.next.push_back(shift.of(other.args_.next[row]));
    trace_.args_.bits.push_back(value.bits);
    trace_.args_.type.push_back(value.type);
  }
  for (std::uint32_t row = 0; row < other.flows_.size(); ++row)
    add_flow(shift.of(other.flows_.from[row]), shift.of(other.flows_.to[row]),
             text_of(other.flows_.type[row]), text_of(other.flows_.label[row]));
  for (std::uint32_t row = 0; row < other.counters_.size(); ++row)
    add_counter_bits(shift.of(other.counters_.track[row]), other.counters_.time[row],
                     other.counters_.bits[row]);
  for (std::uint32_t row = 0; row < other.states_.size(); ++row)
    add_state(shift.of(other.states_.track[row]), other.states_.start[row], other.states_.duration[row],
              text_of(other.states_.state[row]), text_of(other.states_.cause[row]));
  for (std::uint32_t row = 0; row < other.stages_.size(); ++row)
    add_stage(shift.of(other.stages_.slice[row]), text_of(other.stages_.stage[row]),
              other.stages_.offset[row]);
  for (std::uint32_t row = 0; row < other.tasks_.size(); ++row)
    add_task(other.tasks_.external_id[row], text_of(other.tasks_.name[row]), text_of(other.tasks_.kind[row]),
             other.tasks_.blocks[row]);
  for (std::uint32_t row = 0; row < other.task_edges_.size(); ++row)
    add_task_edge(shift.of(other.task_edges_.from[row]), shift.of(other.task_edges_.to[row]),
                  text_of(other.task_edges_.kind[row]));
  return {shift.slices, shift.tracks, shift.runs};
}

}  // namespace accelscope::trace
