#include "analysis/profile_data.h"

#include <fmt/core.h>

#include <cmath>
#include <concepts>
#include <limits>

namespace accelscope::analysis {
namespace {

using base::ErrorCode;
using base::Result;
using findings::Cell;
using findings::Column;
using findings::ColumnKind;
using findings::Findings;
using findings::Section;
using findings::Series;
using findings::Table;

constexpr std::string_view kProfilePrefix = "profile.";

// Columns of the tables, in order. Reading asks for exactly these.
enum ExecutionColumn : std::size_t {
  kRecording,
  kRunIndex,
  kRoot,
  kStart,
  kDuration,
  kWarmUp,
  kExecutionColumns
};
enum EntryColumn : std::size_t {
  kName,
  kPart,
  kCall,
  kOrdinal,
  kType,
  kFamily,
  kCategory,
  kKnown,
  kBackend,
  kBackendSource,
  kCount,
  kEstimated,
  kFirst,
  kFirstRecording,
  kEntryColumns
};

Column text(std::string id) {
  return {.id = std::move(id), .kind = ColumnKind::kText};
}
Column integer(std::string id) {
  return {.id = std::move(id), .kind = ColumnKind::kInteger};
}

Cell cell(std::integral auto value) {
  return static_cast<std::int64_t>(value);
}
Cell cell(const std::string& value) {
  return value;
}

Table execution_table(const MethodProfile& method) {
  Table table{.id = "executions",
              .columns = {integer("recording"), integer("run_index"), integer("slice"),
                          integer("start_ticks"), integer("duration_ticks"), integer("warm_up")}};
  for (const Execution& execution : method.executions)
    table.rows.push_back({cell(execution.recording), cell(execution.run_index), cell(index(execution.root)),
                          cell(execution.start.value), cell(execution.duration.value),
                          cell(execution.warm_up)});
  return table;
}

Table entry_table(const MethodProfile& method) {
  Table table{.id = "entries",
              .columns = {text("name"), integer("part"), integer("call"), integer("ordinal"), text("type"),
                          text("family"), integer("category"), integer("known"), text("backend"),
                          text("backend_source"), integer("count"), integer("estimated"), integer("slice"),
                          integer("recording")}};
  for (const Entry& entry : method.entries)
    table.rows.push_back({cell(entry.name), cell(static_cast<int>(entry.part)), cell(entry.call),
                          cell(entry.ordinal), cell(entry.type), cell(entry.family),
                          cell(static_cast<int>(entry.category)), cell(entry.known), cell(entry.backend),
                          cell(entry.backend_source), cell(entry.count), cell(entry.estimated),
                          cell(index(entry.first)), cell(entry.first_recording)});
  return table;
}

Table foreign_table(const MethodProfile& method) {
  Table table{
      .id = "foreign",
      .columns = {text("name"), text("clock"), text("unit"), integer("count"), integer("total_ticks")}};
  for (const ForeignEntry& entry : method.foreign)
    table.rows.push_back(
        {cell(entry.name), cell(entry.clock), cell(entry.unit), cell(entry.count), cell(entry.total.value)});
  return table;
}

Table frequency_table(base::Frequency frequency, Ticks all_rows) {
  return {.id = "clock",
          .columns = {integer("ticks"), integer("seconds"), integer("all_rows_ticks")},
          .rows = {{cell(frequency.ticks), cell(frequency.seconds), cell(all_rows.value)}}};
}

Table load_table(const Profile& profile) {
  Table table{.id = "loads",
              .columns = {text("name"), integer("recording"), integer("duration_ticks"), integer("ticks"),
                          integer("seconds")}};
  for (const LoadPhase& phase : profile.loads)
    table.rows.push_back({cell(phase.name), cell(phase.recording), cell(phase.duration.value),
                          cell(phase.frequency.ticks), cell(phase.frequency.seconds)});
  return table;
}

Table profile_table(const Profile& profile) {
  return {.id = "profile",
          .columns = {text("name"), integer("use"), integer("aborted_runs"), integer("empty_runs"),
                      integer("estimated_entries")},
          .rows = {{cell(profile.name), cell(static_cast<int>(profile.use)), cell(profile.aborted_runs),
                    cell(profile.empty_runs), cell(profile.estimated_entries)}}};
}

Table source_table(const Profile& profile) {
  Table table{.id = "sources", .columns = {text("path")}};
  for (const std::string& source : profile.sources) table.rows.push_back({cell(source)});
  return table;
}

// Checked access to one section's tables.
class SectionReader {
 public:
  explicit SectionReader(const Section& section) : section_(section) {}

  Result<const Table*> table(std::string_view id, std::size_t columns) const {
    const Table* table = findings::find_table(section_, id);
    if (table == nullptr) return trouble(fmt::format("has no table \"{}\"", id));
    for (const std::vector<Cell>& row : table->rows)
      if (row.size() != columns) return trouble(fmt::format("table \"{}\" has rows of another width", id));
    return table;
  }

  template <class T>
  Result<T> number(const Cell& value, std::int64_t low, std::int64_t high) const {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number < low || *number > high) return trouble("holds a number that cannot be");
    return static_cast<T>(*number);
  }
  Result<std::string> text(const Cell& value) const {
    const auto* found = std::get_if<std::string>(&value);
    if (found == nullptr) return trouble("holds something else where a text belongs");
    return *found;
  }
  tl::unexpected<base::Error> trouble(const std::string& what) const {
    return base::fail(ErrorCode::kMalformed, "section \"{}\" of the findings {}", section_.id, what);
  }
  const Section& section() const { return section_; }

 private:
  const Section& section_;
};

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinInt = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMaxId = 0xFFFFFFFF;

Result<std::vector<Execution>> read_executions(const SectionReader& reader) {
  ACCELSCOPE_TRY(const Table* table, reader.table("executions", kExecutionColumns));
  std::vector<Execution> executions;
  for (const std::vector<Cell>& row : table->rows) {
    Execution execution;
    ACCELSCOPE_TRY(execution.recording, reader.number<std::uint32_t>(row[kRecording], 0, kMaxId));
    ACCELSCOPE_TRY(execution.run_index, reader.number<std::uint32_t>(row[kRunIndex], 0, kMaxId));
    ACCELSCOPE_TRY(execution.root, reader.number<trace::SliceId>(row[kRoot], 0, kMaxId));
    ACCELSCOPE_TRY(execution.start.value, reader.number<std::int64_t>(row[kStart], kMinInt, kMaxInt));
    ACCELSCOPE_TRY(execution.duration.value, reader.number<std::int64_t>(row[kDuration], 0, kMaxInt));
    ACCELSCOPE_TRY(execution.warm_up, reader.number<bool>(row[kWarmUp], 0, 1));
    executions.push_back(execution);
  }
  return executions;
}

Result<std::vector<Ticks>> read_self_times(const SectionReader& reader, std::size_t entry,
                                           std::size_t executions) {
  const Series* series = findings::find_series(reader.section(), fmt::format("self.{}", entry));
  if (series == nullptr || series->values.size() != executions)
    return reader.trouble(fmt::format("has no times for entry {}", entry));
  std::vector<Ticks> self;
  for (const double value : series->values) {
    if (!(std::abs(value) < 9.0e18) || value != std::trunc(value))
      return reader.trouble(fmt::format("has a time that cannot be at entry {}", entry));
    self.push_back(Ticks{static_cast<std::int64_t>(value)});
  }
  return self;
}

Result<std::vector<Entry>> read_entries(const SectionReader& reader, std::size_t executions) {
  ACCELSCOPE_TRY(const Table* table, reader.table("entries", kEntryColumns));
  std::vector<Entry> entries;
  for (const std::vector<Cell>& row : table->rows) {
    Entry entry;
    ACCELSCOPE_TRY(entry.name, reader.text(row[kName]));
    ACCELSCOPE_TRY(entry.part, reader.number<Part>(row[kPart], 0, kPartCount - 1));
    ACCELSCOPE_TRY(entry.call, reader.number<std::int64_t>(row[kCall], kMinInt, kMaxInt));
    ACCELSCOPE_TRY(entry.ordinal, reader.number<std::uint32_t>(row[kOrdinal], 0, kMaxId));
    ACCELSCOPE_TRY(entry.type, reader.text(row[kType]));
    ACCELSCOPE_TRY(entry.family, reader.text(row[kFamily]));
    ACCELSCOPE_TRY(entry.category, reader.number<Category>(row[kCategory], 0, kCategoryCount - 1));
    ACCELSCOPE_TRY(entry.known, reader.number<bool>(row[kKnown], 0, 1));
    ACCELSCOPE_TRY(entry.backend, reader.text(row[kBackend]));
    ACCELSCOPE_TRY(entry.backend_source, reader.text(row[kBackendSource]));
    ACCELSCOPE_TRY(entry.count, reader.number<std::uint64_t>(row[kCount], 0, kMaxInt));
    ACCELSCOPE_TRY(entry.estimated, reader.number<bool>(row[kEstimated], 0, 1));
    ACCELSCOPE_TRY(entry.first, reader.number<trace::SliceId>(row[kFirst], 0, kMaxId));
    ACCELSCOPE_TRY(entry.first_recording, reader.number<std::uint32_t>(row[kFirstRecording], 0, kMaxId));
    ACCELSCOPE_TRY(entry.self, read_self_times(reader, entries.size(), executions));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<base::Frequency> read_frequency(const SectionReader& reader, const Cell& ticks, const Cell& seconds) {
  base::Frequency frequency;
  ACCELSCOPE_TRY(frequency.ticks, reader.number<std::int64_t>(ticks, 0, kMaxInt));
  ACCELSCOPE_TRY(frequency.seconds, reader.number<std::int64_t>(seconds, 1, kMaxInt));
  return frequency;
}

Result<MethodProfile> read_method(const Section& section) {
  const SectionReader reader(section);
  MethodProfile method;
  method.method = section.title;
  ACCELSCOPE_TRY(const Table* clock, reader.table("clock", 3));
  if (clock->rows.size() != 1) return reader.trouble("has no clock");
  const std::vector<Cell>& row = clock->rows.front();
  ACCELSCOPE_TRY(method.frequency, read_frequency(reader, row[0], row[1]));
  ACCELSCOPE_TRY(method.all_rows.value, reader.number<std::int64_t>(row[2], kMinInt, kMaxInt));
  ACCELSCOPE_TRY(method.executions, read_executions(reader));
  ACCELSCOPE_TRY(method.entries, read_entries(reader, method.executions.size()));
  ACCELSCOPE_TRY(const Table* foreign, reader.table("foreign", 5));
  for (const std::vector<Cell>& cells : foreign->rows) {
    ForeignEntry entry;
    ACCELSCOPE_TRY(entry.name, reader.text(cells[0]));
    ACCELSCOPE_TRY(entry.clock, reader.text(cells[1]));
    ACCELSCOPE_TRY(entry.unit, reader.text(cells[2]));
    ACCELSCOPE_TRY(entry.count, reader.number<std::uint64_t>(cells[3], 0, kMaxInt));
    ACCELSCOPE_TRY(entry.total.value, reader.number<std::int64_t>(cells[4], kMinInt, kMaxInt));
    method.foreign.push_back(std::move(entry));
  }
  return method;
}

Result<Profile> read_profile(const Section& section) {
  const SectionReader reader(section);
  Profile profile;
  ACCELSCOPE_TRY(const Table* table, reader.table("profile", 5));
  if (table->rows.size() != 1) return reader.trouble("describes no profile");
  const std::vector<Cell>& row = table->rows.front();
  ACCELSCOPE_TRY(profile.name, reader.text(row[0]));
  ACCELSCOPE_TRY(profile.use, reader.number<TimingUse>(row[1], 0, static_cast<int>(TimingUse::kAggregated)));
  ACCELSCOPE_TRY(profile.aborted_runs, reader.number<std::uint64_t>(row[2], 0, kMaxInt));
  ACCELSCOPE_TRY(profile.empty_runs, reader.number<std::uint64_t>(row[3], 0, kMaxInt));
  ACCELSCOPE_TRY(profile.estimated_entries, reader.number<std::uint64_t>(row[4], 0, kMaxInt));
  ACCELSCOPE_TRY(const Table* sources, reader.table("sources", 1));
  for (const std::vector<Cell>& cells : sources->rows) {
    ACCELSCOPE_TRY(std::string path, reader.text(cells[0]));
    profile.sources.push_back(std::move(path));
  }
  ACCELSCOPE_TRY(const Table* loads, reader.table("loads", 5));
  for (const std::vector<Cell>& cells : loads->rows) {
    LoadPhase phase;
    ACCELSCOPE_TRY(phase.name, reader.text(cells[0]));
    ACCELSCOPE_TRY(phase.recording, reader.number<std::uint32_t>(cells[1], 0, kMaxId));
    ACCELSCOPE_TRY(phase.duration.value, reader.number<std::int64_t>(cells[2], 0, kMaxInt));
    ACCELSCOPE_TRY(phase.frequency, read_frequency(reader, cells[3], cells[4]));
    profile.loads.push_back(std::move(phase));
  }
  return profile;
}

}  // namespace

void add_profile_data(Findings& findings, const Profile& profile) {
  std::size_t number = 0;
  for (const Section& section : findings.sections)
    if (section.id.starts_with(kProfilePrefix) && section.depth == 2) ++number;
  const std::string id = fmt::format("{}{}", kProfilePrefix, number);
  Section& section = findings::add_section(findings, id, profile.name);
  section.data_only = true;
  section.tables = {profile_table(profile), source_table(profile), load_table(profile)};
  for (std::size_t i = 0; i < profile.methods.size(); ++i) {
    const MethodProfile& method = profile.methods[i];
    Section& part = findings::add_part(findings, fmt::format("{}.method.{}", id, i), method.method);
    part.data_only = true;
    part.tables = {frequency_table(method.frequency, method.all_rows), execution_table(method),
                   entry_table(method), foreign_table(method)};
    for (std::size_t entry = 0; entry < method.entries.size(); ++entry) {
      Series series{.id = fmt::format("self.{}", entry), .unit = "ticks", .x_title = "execution"};
      for (const Ticks self : method.entries[entry].self)
        series.values.push_back(static_cast<double>(self.value));
      part.series.push_back(std::move(series));
    }
  }
}

Result<std::vector<Profile>> profiles_in(const Findings& findings) {
  std::vector<Profile> profiles;
  for (const Section& section : findings.sections) {
    if (!section.data_only || !section.id.starts_with(kProfilePrefix)) continue;
    if (section.depth == 2) {
      ACCELSCOPE_TRY(Profile profile, read_profile(section));
      profiles.push_back(std::move(profile));
    } else {
      if (profiles.empty()) return SectionReader(section).trouble("belongs to no profile");
      ACCELSCOPE_TRY(MethodProfile method, read_method(section));
      profiles.back().methods.push_back(std::move(method));
    }
  }
  return profiles;
}

}  // namespace accelscope::analysis
