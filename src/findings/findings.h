// Findings: what an analysis has to say, as one plain document, whoever says it and whoever shows it.
//
// Sections hold metrics, tables, series and statements; the document adds the Quality table (the trust box)
// and where everything comes from. Ids are stable and are what gates, comparisons and histories look for;
// titles and sentences are for people and may change. Analyses fill the document, renderers show it and
// compute nothing. Plain data: copied, moved and read freely; not locked, so one thread fills it.
//
//   Findings findings{.kind = "latency", .title = "toy.etdump"};
//   Section& latency = add_section(findings, "latency", "Latency");
//   latency.metrics.push_back({.id = "latency.median", .label = "median", .value = 0.262, .unit = "ms", .n =
//   9}); write_json(findings, output);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trace/quality.h"

namespace accelscope::findings {

// Version of the JSON form (docs/findings.schema.json). It grows by one when a reader must know.
inline constexpr int kSchemaVersion = 1;

struct Interval {
  double low = 0;
  double high = 0;
  double level = 0.95;
  std::string method = {};  // "BCa bootstrap", "order statistics", "Hodges-Lehmann"
};

// Which way is better; gates need it.
enum class Better : std::uint8_t { kNeither, kLower, kHigher };

// One number. A value that could not be had is absent and the note says why.
struct Metric {
  std::string id = {};  // "latency.median"; unique in its section
  std::string label = {};
  std::optional<double> value = std::nullopt;
  std::string unit = {};  // "ms", "%", "x", "ticks", ""
  std::optional<Interval> interval = std::nullopt;
  std::uint64_t n = 0;      // how many measurements stand behind it; 0 when that means nothing
  std::string method = {};  // how it was computed, where there is a choice
  std::string note = {};    // "n too small: needs 20 runs"
  Better better = Better::kNeither;
};

using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

enum class ColumnKind : std::uint8_t { kText, kInteger, kNumber, kPercent, kRatio };

struct Column {
  std::string id = {};
  std::string title = {};
  ColumnKind kind = ColumnKind::kText;
  std::string unit = {};  // of numbers: "ms"; percentages and ratios need none
  int decimals = 3;       // how many a person wants to see; JSON has all
};

struct Table {
  std::string id = {};
  std::string title = {};  // "" when the section's title says it
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  // as wide as columns
  std::string note = {};                     // a sentence under the table
  // How many rows a person wants to see; renderers for people say how many they leave out. 0: all.
  std::size_t rows_shown = 0;
};

// A point of a series that deserves a word: a cold run, an outlier.
struct Mark {
  std::uint64_t position = 0;
  std::string label = {};
};

// Numbers in order, for plots and for whoever compares later.
struct Series {
  std::string id = {};
  std::string title = {};
  std::string unit = {};
  std::string x_title = {};  // what the positions are: "execution"
  std::vector<double> values = {};
  std::vector<Mark> marks = {};
  std::vector<std::string> labels = {};  // one per value for bars; empty for a run of measurements
};

// What a statement rests on: a slice of an input, or a stretch of a track.
struct Evidence {
  std::string text = {};                              // for people: "run 6, Convolution #3"
  std::string input = {};                             // a path of provenance.inputs
  std::optional<std::uint64_t> slice = std::nullopt;  // position in the trace's slice table
  std::string track = {};                             // with from and to, in nanoseconds of its clock
  std::optional<std::int64_t> from = std::nullopt;
  std::optional<std::int64_t> to = std::nullopt;
};

// What following an advice would bring, at most.
struct Gain {
  double before = 0;
  double after = 0;
  std::string unit = {};
  std::string basis = {};  // "if it took no time at all (Amdahl's bound)"
};

enum class StatementKind : std::uint8_t { kFinding, kVerdict, kAdvice };
enum class Priority : std::uint8_t { kHighest, kHigh, kInvestigate, kNote };

struct Statement {
  std::string id = {};  // "delegation.outside"; several statements may share it
  StatementKind kind = StatementKind::kFinding;
  Priority priority = Priority::kNote;
  std::string subject = {};  // what it is about: an operator, a category
  std::string text = {};     // whole sentences
  std::string group = {};    // for advice: "What to optimise next", "Model changes", ...
  std::optional<Gain> gain = std::nullopt;
  std::vector<Evidence> evidence = {};
};

struct Section {
  std::string id = {};
  std::string title = {};
  int depth = 2;  // 2 for a section, 3 for a part of the section before it
  std::vector<Statement> statements = {};
  std::vector<Metric> metrics = {};
  std::vector<Table> tables = {};
  std::vector<Series> series = {};
  std::string notes = {};       // Markdown by a person, shown as it is
  std::string empty_hint = {};  // what to run to fill it; shown when there is nothing else
  bool data_only = false;       // for machines: only the JSON form has it
};

struct Input {
  std::string path = {};
  std::string format = {};
  std::uint64_t bytes = 0;
  std::string hash = {};  // XXH3 of the bytes, 16 hex digits; "" when not computed
  std::string role = {};  // "baseline", "candidate", ""
};

struct KeyValue {
  std::string key = {};
  std::string value = {};
};

struct Provenance {
  std::string version = {};       // of the program
  std::string generated_at = {};  // ISO 8601, UTC; honours SOURCE_DATE_EPOCH
  std::vector<Input> inputs = {};
  std::vector<KeyValue> options = {};  // everything that changes a number
  std::vector<KeyValue> device = {};   // facts recorded with the data, never of the machine that analyses
  std::uint64_t seed = 0;              // of the bootstrap
};

struct Findings {
  std::string kind = {};  // "report", "comparison", "latency", "operators", "kernels"
  std::string title = {};
  std::vector<Section> sections = {};
  trace::QualityTable quality = {};
  Provenance provenance = {};
};

Section& add_section(Findings& findings, std::string id, std::string title);
// A part of the section before it.
Section& add_part(Findings& findings, std::string id, std::string title);

// nullptr when there is none.
const Section* find_section(const Findings& findings, std::string_view id);
const Metric* find_metric(const Section& section, std::string_view id);
// In any section.
const Metric* find_metric(const Findings& findings, std::string_view id);
const Table* find_table(const Section& section, std::string_view id);
const Series* find_series(const Section& section, std::string_view id);

// Whether it has nothing to show but its hint.
bool is_empty(const Section& section);

std::string_view name_of(Better better);
std::string_view name_of(ColumnKind kind);
std::string_view name_of(StatementKind kind);
std::string_view name_of(Priority priority);

}  // namespace accelscope::findings
