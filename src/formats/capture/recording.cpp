#include "formats/capture/recording.h"

#include <algorithm>
#include <tuple>

#include "formats/capture/container_reader.h"

namespace accelscope::formats::capture {
namespace {

// A named column of a table: a member of its rows.
template <class Row, class T>
struct NamedColumn {
  std::string_view name;
  T Row::*member;
};
template <class Row, class T>
constexpr NamedColumn<Row, T> column(std::string_view name, T Row::*member) {
  return {name, member};
}

// The rows as they stand in the file, one struct per form of a table.
struct RunRow {
  std::uint64_t dfx_flags = 0;
  base::Frequency clock = base::Frequency::unknown();
  std::uint64_t generation = 0;
  std::uint32_t scheduler_threads = 0;
  std::uint32_t orchestrators = 0;
  std::string policy = {};
  std::int32_t pmu_event_type = 0;
  std::uint64_t tensormap = 0;
  std::string perfmon_layout = {};
  std::uint32_t perfmon_ticks = 1;
  std::uint32_t perfmon_cycles = 1;
  std::string perfmon_words = {};
  std::string perfmon_functions = {};

  static constexpr auto columns() {
    return std::make_tuple(
        column("dfx_flags", &RunRow::dfx_flags), column("clock", &RunRow::clock),
        column("generation", &RunRow::generation), column("scheduler_threads", &RunRow::scheduler_threads),
        column("orchestrators", &RunRow::orchestrators), column("policy", &RunRow::policy),
        column("pmu_event_type", &RunRow::pmu_event_type), column("tensormap", &RunRow::tensormap),
        column("perfmon_layout", &RunRow::perfmon_layout), column("perfmon_ticks", &RunRow::perfmon_ticks),
        column("perfmon_cycles", &RunRow::perfmon_cycles), column("perfmon_words", &RunRow::perfmon_words),
        column("perfmon_functions", &RunRow::perfmon_functions));
  }
};

struct CoreRow {
  std::uint8_t type = 0;
  std::uint8_t has_pipes = 1;  // they were asked for

  static constexpr auto columns() {
    return std::make_tuple(column("type", &CoreRow::type), column("has_pipes", &CoreRow::has_pipes));
  }
};

struct NumberedName {
  std::uint32_t id = 0;
  std::string name = {};

  static constexpr auto columns() {
    return std::make_tuple(column("id", &NumberedName::id), column("name", &NumberedName::name));
  }
};

struct NameRow {
  std::string name = {};

  static constexpr auto columns() { return std::make_tuple(column("name", &NameRow::name)); }
};

struct FreeFact {
  std::string key = {};
  std::string value = {};

  static constexpr auto columns() {
    return std::make_tuple(column("key", &FreeFact::key), column("value", &FreeFact::value));
  }
};

struct RingRow {
  std::uint64_t task_window = 0;
  std::uint64_t heap = 0;
  std::uint64_t dep_pool = 0;

  static constexpr auto columns() {
    return std::make_tuple(column("task_window", &RingRow::task_window), column("heap", &RingRow::heap),
                           column("dep_pool", &RingRow::dep_pool));
  }
};

static_assert(recorder::kDropReasons == 5);
struct LaneRow {
  std::uint16_t kind = 0;
  std::uint32_t producer = 0;
  std::uint64_t produced = 0;
  std::uint64_t collected = 0;
  std::uint64_t dropped_no_buffer = 0;
  std::uint64_t dropped_time_limit = 0;
  std::uint64_t dropped_stopped = 0;
  std::uint64_t dropped_sink_failed = 0;
  std::uint64_t dropped_overwritten = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t refused_buffers = 0;
  std::uint64_t paused_ticks = 0;
  bool flushed = false;

  static constexpr auto columns() {
    return std::make_tuple(
        column("kind", &LaneRow::kind), column("producer", &LaneRow::producer),
        column("produced", &LaneRow::produced), column("collected", &LaneRow::collected),
        column("dropped_no_buffer", &LaneRow::dropped_no_buffer),
        column("dropped_time_limit", &LaneRow::dropped_time_limit),
        column("dropped_stopped", &LaneRow::dropped_stopped),
        column("dropped_sink_failed", &LaneRow::dropped_sink_failed),
        column("dropped_overwritten", &LaneRow::dropped_overwritten), column("timeouts", &LaneRow::timeouts),
        column("refused_buffers", &LaneRow::refused_buffers), column("paused_ticks", &LaneRow::paused_ticks),
        column("flushed", &LaneRow::flushed));
  }
};

struct RemarkRow {
  std::string id = {};
  std::uint8_t severity = 0;
  std::string sentence = {};
  std::uint64_t count = 0;

  static constexpr auto columns() {
    return std::make_tuple(column("id", &RemarkRow::id), column("severity", &RemarkRow::severity),
                           column("sentence", &RemarkRow::sentence), column("count", &RemarkRow::count));
  }
};

template <class Row>
void write_table(std::string_view table, const std::vector<Row>& rows, ContainerWriter& writer) {
  RowsEncoder encoder;
  for (std::size_t first = 0; first < rows.size(); first += kMaxRowsOfChunk) {
    const auto count =
        static_cast<std::uint32_t>(std::min<std::size_t>(rows.size() - first, kMaxRowsOfChunk));
    encoder.begin(table, static_cast<std::uint32_t>(first), count);
    std::apply(
        [&](const auto&... columns) {
          (encoder.add<std::remove_cvref_t<decltype(rows.front().*(columns.member))>>(
               columns.name,
               [&](std::uint32_t row) -> const auto& { return rows[first + row].*(columns.member); }),
           ...);
        },
        Row::columns());
    writer.add_chunk(ChunkKind::kRecordingRows, count, encoder.finish());
  }
}

std::vector<NameRow> name_rows(const std::vector<std::string>& names) {
  std::vector<NameRow> rows;
  rows.reserve(names.size());
  for (const std::string& name : names) rows.push_back({name});
  return rows;
}

CoreType core_type_of(std::uint8_t number) {
  return number < static_cast<std::uint8_t>(CoreType::kUnknown) ? static_cast<CoreType>(number)
                                                                : CoreType::kUnknown;
}

}  // namespace

void write_facts(const RecordingFacts& facts, ContainerWriter& writer) {
  // First, also when nothing else is known: it is what a recording is recognised by.
  write_table<RunRow>(
      "recording",
      {{facts.dfx_flags, facts.clock, facts.generation, facts.scheduler_threads, facts.orchestrators,
        facts.policy, facts.pmu_event_type, facts.rings.tensormap, facts.perfmon_layout, facts.perfmon_ticks,
        facts.perfmon_cycles, facts.perfmon_words, facts.perfmon_functions}},
      writer);
  std::vector<CoreRow> cores;
  cores.reserve(facts.cores.size());
  for (std::size_t i = 0; i < facts.cores.size(); ++i) {
    const bool has_pipes = i >= facts.perfmon_cores.size() || facts.perfmon_cores[i];
    cores.push_back({static_cast<std::uint8_t>(facts.cores[i]), static_cast<std::uint8_t>(has_pipes)});
  }
  write_table("cores", cores, writer);
  std::vector<NumberedName> functions;
  functions.reserve(facts.functions.size());
  for (const auto& [id, name] : facts.functions) functions.push_back({id, name});
  write_table("functions", functions, writer);
  write_table("phases", name_rows(facts.phases), writer);
  write_table("pmu_counters", name_rows(facts.pmu_counters), writer);
  write_table("scope_sites", name_rows(facts.scope_sites), writer);
  std::vector<RingRow> rings;
  for (std::size_t ring = 0; ring < facts.rings.heap.size(); ++ring)
    rings.push_back({facts.rings.task_window[ring], facts.rings.heap[ring], facts.rings.dep_pool[ring]});
  write_table("rings", rings, writer);
  std::vector<FreeFact> more;
  more.reserve(facts.more.size());
  for (const auto& [key, value] : facts.more) more.push_back({key, value});
  write_table("more", more, writer);
}

void write_lanes(std::span<const LaneTotals> lanes, ContainerWriter& writer) {
  std::vector<LaneRow> rows;
  rows.reserve(lanes.size());
  for (const LaneTotals& lane : lanes)
    rows.push_back({static_cast<std::uint16_t>(lane.kind), lane.producer, lane.produced, lane.collected,
                    lane.dropped[0], lane.dropped[1], lane.dropped[2], lane.dropped[3], lane.dropped[4],
                    lane.timeouts, lane.refused_buffers, lane.paused_ticks, lane.flushed});
  write_table("lanes", rows, writer);
}

void write_remarks(std::span<const RecordingRemark> remarks, ContainerWriter& writer) {
  std::vector<RemarkRow> rows;
  rows.reserve(remarks.size());
  for (const RecordingRemark& remark : remarks)
    rows.push_back({remark.id, remark.severity, remark.sentence, remark.count});
  write_table("remarks", rows, writer);
}

// Calls put(row) for every row, when the rows at hand are of this table; false when a column is malformed.
template <class Row, class Put>
bool RecordingTables::read(std::string_view table, Put&& put) {
  if (decoder_.table() != table) return true;
  known_table_ = true;
  std::vector<Row> rows(decoder_.rows());
  bool good = true;
  std::apply(
      [&](const auto&... columns) {
        ((good = good &&
                 decoder_.read<std::remove_cvref_t<decltype(rows.front().*(columns.member))>>(
                     columns.name, Row{}.*(columns.member),
                     [&](std::uint32_t row, const auto& value) { rows[row].*(columns.member) = value; })),
         ...);
      },
      Row::columns());
  if (!good) return false;
  for (Row& row : rows) put(row);
  unknown_ += decoder_.columns_left();
  return true;
}

bool RecordingTables::take(std::string_view payload) {
  if (!decoder_.parse(payload)) return false;
  known_table_ = false;
  const auto add_name = [](std::vector<std::string>& names) {
    return [&names](NameRow& row) { names.push_back(std::move(row.name)); };
  };
  std::size_t ring = 0;
  const bool good =
      read<RunRow>("recording",
                   [&](RunRow& row) {
                     facts_.dfx_flags = row.dfx_flags;
                     facts_.clock = row.clock;
                     facts_.generation = row.generation;
                     facts_.scheduler_threads = row.scheduler_threads;
                     facts_.orchestrators = row.orchestrators;
                     facts_.policy = std::move(row.policy);
                     facts_.pmu_event_type = row.pmu_event_type;
                     facts_.rings.tensormap = row.tensormap;
                     facts_.perfmon_layout = std::move(row.perfmon_layout);
                     facts_.perfmon_ticks = row.perfmon_ticks;
                     facts_.perfmon_cycles = row.perfmon_cycles;
                     facts_.perfmon_words = std::move(row.perfmon_words);
                     facts_.perfmon_functions = std::move(row.perfmon_functions);
                   }) &&
      read<CoreRow>("cores",
                    [&](CoreRow& row) {
                      facts_.cores.push_back(core_type_of(row.type));
                      if (row.has_pipes == 0) facts_.perfmon_cores.resize(facts_.cores.size() - 1, true);
                      if (row.has_pipes == 0 || !facts_.perfmon_cores.empty())
                        facts_.perfmon_cores.push_back(row.has_pipes != 0);
                    }) &&
      read<NumberedName>(
          "functions",
          [&](NumberedName& row) { facts_.functions.emplace_back(row.id, std::move(row.name)); }) &&
      read<NameRow>("phases", add_name(facts_.phases)) &&
      read<NameRow>("pmu_counters", add_name(facts_.pmu_counters)) &&
      read<NameRow>("scope_sites", add_name(facts_.scope_sites)) &&
      read<RingRow>("rings",
                    [&](const RingRow& row) {
                      if (ring >= facts_.rings.heap.size()) return;
                      facts_.rings.task_window[ring] = row.task_window;
                      facts_.rings.heap[ring] = row.heap;
                      facts_.rings.dep_pool[ring++] = row.dep_pool;
                    }) &&
      read<FreeFact>(
          "more",
          [&](FreeFact& row) { facts_.more.emplace_back(std::move(row.key), std::move(row.value)); }) &&
      read<RemarkRow>(
          "remarks",
          [&](RemarkRow& row) {
            remarks_.push_back({std::move(row.id), row.severity, std::move(row.sentence), row.count});
          }) &&
      read<LaneRow>("lanes", [&](const LaneRow& row) {
        lanes_.push_back({static_cast<recorder::RecordKind>(row.kind),
                          row.producer,
                          row.produced,
                          row.collected,
                          {row.dropped_no_buffer, row.dropped_time_limit, row.dropped_stopped,
                           row.dropped_sink_failed, row.dropped_overwritten},
                          row.timeouts,
                          row.refused_buffers,
                          row.paused_ticks,
                          row.flushed});
      });
  if (!known_table_) ++unknown_;
  return good;
}

std::vector<LaneTotals> lanes_at_end(const base::MappedFile& file) {
  const base::Result<std::vector<IndexEntry>> index = read_index(file);
  if (!index) return {};
  const auto last = std::find_if(index->rbegin(), index->rend(), [](const IndexEntry& entry) {
    return entry.kind == ChunkKind::kRecordingRows;
  });
  if (last == index->rend()) return {};
  const std::optional<std::string> payload = read_payload(file, *last);
  RecordingTables tables;
  if (!payload || !tables.take(*payload)) return {};
  return tables.lanes();
}

}  // namespace accelscope::formats::capture
