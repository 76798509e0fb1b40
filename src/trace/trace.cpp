#include "trace/trace.h"

namespace accelscope::trace {
namespace {

template <class Table>
std::size_t table_bytes(const Table& table) {
  std::size_t bytes = 0;
  for_each_column(table, [&](const ColumnInfo&, const auto& values) { bytes += values.memory_bytes(); });
  return bytes;
}

}  // namespace

Trace::Trace() {
  categories_.push_back(StringId::kEmpty);
}

Trace with_quality(Trace trace, QualityRow row) {
  trace.quality_.add(std::move(row));
  return trace;
}

CategoryId Trace::find_category(std::string_view name) const {
  const StringId id = strings_.find(name);
  if (id == StringId::kEmpty) return CategoryId::kNone;
  for (std::size_t i = 1; i < categories_.size(); ++i)
    if (categories_[i] == id) return static_cast<CategoryId>(i);
  return CategoryId::kNone;
}

RowRange Trace::stages_of(SliceId slice) const {
  const std::uint32_t rows = stages_.size();
  std::uint32_t first = 0;
  for (std::uint32_t count = rows; count > 0;) {
    const std::uint32_t half = count / 2;
    if (stages_.slice[first + half] < slice) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  std::uint32_t end = first;
  while (end < rows && stages_.slice[end] == slice) ++end;
  return {first, end - first};
}

Value Trace::find_arg(ArgId first, std::string_view name) const {
  const StringId id = strings_.find(name);
  if (id == StringId::kEmpty) return Value::null();
  for (ArgId arg = first; arg != ArgId::kNone; arg = args_.next[index(arg)])
    if (args_.name[index(arg)] == id) return args_.value(arg);
  return Value::null();
}

std::size_t Trace::memory_bytes() const {
  return strings_.memory_bytes() + table_bytes(slices_) + table_bytes(args_) + table_bytes(flows_) +
         table_bytes(flow_ends_) + table_bytes(counters_) + table_bytes(instants_) + table_bytes(states_) +
         table_bytes(stages_) + table_bytes(tasks_) + table_bytes(task_edges_) +
         tracks_.capacity() * sizeof(Track) + rows_of_track_.capacity() * sizeof(RowsOfTrack);
}

}  // namespace accelscope::trace
