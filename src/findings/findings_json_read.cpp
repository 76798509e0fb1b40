#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "findings/findings_json.h"

namespace accelscope::findings {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kMarker = "accelscope_findings";
// Findings of hours of runs have a few megabytes; a parsed document takes some ten times its text.
constexpr std::size_t kMaxBytes = std::size_t{100} * 1000 * 1000;
constexpr std::int64_t kMaxDecimals = 17;

static_assert(base::MappedFile::kPadding >= simdjson::SIMDJSON_PADDING);

// The first thing that was wrong. Everything read after it is thrown away.
struct Fault {
  std::string message = {};
  bool found() const { return !message.empty(); }
};

std::string_view name_of_type(dom::element element) {
  switch (element.type()) {
    case dom::element_type::ARRAY:
      return "an array";
    case dom::element_type::OBJECT:
      return "an object";
    case dom::element_type::STRING:
      return "a string";
    case dom::element_type::BOOL:
      return "true or false";
    case dom::element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

// A JSON value and where it is: "sections[2].metrics[0].value". A value that could not be had reads as zero,
// "" or an empty list, after the fault is noted. It points at the value around it, which must outlive it.
class Value {
 public:
  Value(dom::element root, Fault& fault) : element_(root), fault_(fault) {}

  Value member(std::string_view name) const { return {find(name), *this, name, 0}; }

  std::string text(std::string_view name) const { return member(name).as_text(); }
  std::uint64_t count(std::string_view name) const { return member(name).as_integer<std::uint64_t>(); }
  // null, which stands for what is not finite, comes back as not a number.
  double number(std::string_view name) const { return member(name).as_number_or_nan(); }

  std::string as_text() const {
    return std::string(get<std::string_view>("a string").value_or(std::string_view()));
  }
  bool as_truth() const { return get<bool>("true or false").value_or(false); }
  double as_number() const { return get<double>("a number").value_or(0.0); }
  double as_number_or_nan() const {
    return is_null() ? std::numeric_limits<double>::quiet_NaN() : as_number();
  }
  template <class Integer>
  Integer as_integer() const {
    return get<Integer>(std::is_signed_v<Integer> ? "an integer of 64 bits"
                                                  : "an integer of 64 bits from zero up")
        .value_or(Integer{0});
  }
  std::int64_t as_integer_between(std::int64_t least, std::int64_t most) const {
    const auto value = as_integer<std::int64_t>();
    if (value >= least && value <= most) return value;
    note(fmt::format("expected an integer from {} to {}, found {}", least, most, value));
    return least;
  }
  Cell as_cell() const {
    if (is_null() || !element_) return {};
    if (element_->is_string()) return as_text();
    if (element_->type() == dom::element_type::DOUBLE) return as_number();
    return get<std::int64_t>("a string, a number, an integer of 64 bits or null").value_or(0);
  }
  template <class Enum>
  Enum as_one_of(std::initializer_list<Enum> all, std::string_view (*name)(Enum)) const {
    const auto text = get<std::string_view>("a string");
    if (!text) return *all.begin();
    const auto* const found =
        std::find_if(all.begin(), all.end(), [&](Enum one) { return name(one) == *text; });
    if (found != all.end()) return *found;
    note(fmt::format("'{}' is not a known word here", text->substr(0, 40)));
    return *all.begin();
  }

  template <class Item>
  std::vector<Item> as_list(Item (*read)(const Value&)) const {
    std::vector<Item> items;
    const auto array = get<dom::array>("an array");
    if (!array) return items;
    std::size_t index = 0;
    for (const dom::element element : *array) {
      items.push_back(read(Value(element, *this, {}, index++)));
      if (fault_.found()) break;
    }
    return items;
  }
  template <class Item>
  std::vector<Item> list(std::string_view name, Item (*read)(const Value&)) const {
    return member(name).as_list(read);
  }
  // A list whose ids are looked for, so that no two may be the same.
  template <class Item>
  std::vector<Item> list_of_ids(std::string_view name, Item (*read)(const Value&)) const {
    const Value all = member(name);
    std::vector<Item> items = all.as_list(read);
    std::vector<std::string_view> ids;
    ids.reserve(items.size());
    for (const Item& item : items) ids.push_back(item.id);
    std::sort(ids.begin(), ids.end());
    if (const auto twin = std::adjacent_find(ids.begin(), ids.end()); twin != ids.end())
      all.note(fmt::format("two of them have the id '{}'", twin->substr(0, 100)));
    return items;
  }

  template <class Item>
  std::optional<Item> optional(std::string_view name, Item (*read)(const Value&)) const {
    const Value value = member(name);
    if (value.is_null() || !value.element_) return std::nullopt;
    return read(value);
  }

  bool has(std::string_view name) const {
    const auto object = get<dom::object>("an object");
    return object && object->at_key(name).error() == simdjson::SUCCESS;
  }
  bool is_null() const { return element_ && element_->is_null(); }

  void note(std::string_view what) const {
    if (fault_.found()) return;
    const std::string place = path();
    fault_.message = place.empty() ? std::string(what) : fmt::format("{}: {}", place, what);
  }

 private:
  Value(std::optional<dom::element> element, const Value& outer, std::string_view name, std::size_t index)
      : element_(element), fault_(outer.fault_), outer_(&outer), name_(name), index_(index) {}

  template <class Type>
  std::optional<Type> get(std::string_view expected) const {
    if (!element_) return std::nullopt;
    Type value{};
    if (element_->get(value) == simdjson::SUCCESS) return value;
    note(fmt::format("expected {}, found {}", expected, name_of_type(*element_)));
    return std::nullopt;
  }

  // Readers of JSON disagree about which of two members with one name counts, so neither does.
  std::optional<dom::element> find(std::string_view name) const {
    const auto object = get<dom::object>("an object");
    if (!object) return std::nullopt;
    std::optional<dom::element> found;
    for (const dom::key_value_pair pair : *object) {
      if (pair.key != name) continue;
      if (found) {
        note(fmt::format("has the member '{}' twice", name));
        return std::nullopt;
      }
      found = pair.value;
    }
    if (!found) note(fmt::format("has no member '{}'", name));
    return found;
  }

  std::string path() const {
    if (outer_ == nullptr) return {};
    std::string path = outer_->path();
    if (name_.empty()) return path + fmt::format("[{}]", index_);
    if (!path.empty()) path += '.';
    return path.append(name_);
  }

  std::optional<dom::element> element_;
  Fault& fault_;
  const Value* outer_ = nullptr;
  std::string_view name_ = {};  // empty for an item of an array
  std::size_t index_ = 0;
};

std::string read_text(const Value& value) {
  return value.as_text();
}

double read_number(const Value& value) {
  return value.as_number();
}

double read_number_or_nan(const Value& value) {
  return value.as_number_or_nan();
}

template <class Integer>
Integer read_integer(const Value& value) {
  return value.as_integer<Integer>();
}

Interval read_interval(const Value& value) {
  return {.low = value.number("low"),
          .high = value.number("high"),
          .level = value.number("level"),
          .method = value.text("method")};
}

Metric read_metric(const Value& value) {
  return {.id = value.text("id"),
          .label = value.text("label"),
          .value = value.optional("value", read_number),
          .unit = value.text("unit"),
          .interval = value.optional("interval", read_interval),
          .n = value.count("n"),
          .method = value.text("method"),
          .note = value.text("note"),
          .better =
              value.member("better").as_one_of({Better::kNeither, Better::kLower, Better::kHigher}, name_of)};
}

Column read_column(const Value& value) {
  return {
      .id = value.text("id"),
      .title = value.text("title"),
      .kind = value.member("kind").as_one_of({ColumnKind::kText, ColumnKind::kInteger, ColumnKind::kNumber,
                                              ColumnKind::kPercent, ColumnKind::kRatio},
                                             name_of),
      .unit = value.text("unit"),
      .decimals = static_cast<int>(value.member("decimals").as_integer_between(0, kMaxDecimals))};
}

Cell read_cell(const Value& value) {
  return value.as_cell();
}

std::vector<Cell> read_row(const Value& value) {
  return value.as_list(read_cell);
}

Table read_table(const Value& value) {
  Table table{.id = value.text("id"),
              .title = value.text("title"),
              .columns = value.list_of_ids("columns", read_column),
              .rows = value.list("rows", read_row),
              .note = value.text("note"),
              .rows_shown = value.count("rows_shown")};
  const auto odd = std::find_if(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell>& row) {
    return row.size() != table.columns.size();
  });
  if (odd != table.rows.end())
    value.note(fmt::format("rows[{}] has {} cells for {} columns", odd - table.rows.begin(), odd->size(),
                           table.columns.size()));
  return table;
}

Mark read_mark(const Value& value) {
  return {.position = value.count("position"), .label = value.text("label")};
}

Series read_series(const Value& value) {
  Series series{.id = value.text("id"),
                .title = value.text("title"),
                .unit = value.text("unit"),
                .x_title = value.text("x_title"),
                .values = value.list("values", read_number_or_nan),
                .marks = value.list("marks", read_mark),
                .labels = value.list("labels", read_text)};
  if (!series.labels.empty() && series.labels.size() != series.values.size())
    value.note(fmt::format("has {} labels for {} values", series.labels.size(), series.values.size()));
  return series;
}

Evidence read_evidence(const Value& value) {
  return {.text = value.text("text"),
          .input = value.text("input"),
          .slice = value.optional("slice", read_integer<std::uint64_t>),
          .track = value.text("track"),
          .from = value.optional("from", read_integer<std::int64_t>),
          .to = value.optional("to", read_integer<std::int64_t>)};
}

Gain read_gain(const Value& value) {
  return {.before = value.number("before"),
          .after = value.number("after"),
          .unit = value.text("unit"),
          .basis = value.text("basis")};
}

Statement read_statement(const Value& value) {
  return {.id = value.text("id"),
          .kind = value.member("kind").as_one_of(
              {StatementKind::kFinding, StatementKind::kVerdict, StatementKind::kAdvice}, name_of),
          .priority =
              value.member("priority")
                  .as_one_of({Priority::kHighest, Priority::kHigh, Priority::kInvestigate, Priority::kNote},
                             name_of),
          .subject = value.text("subject"),
          .text = value.text("text"),
          .group = value.text("group"),
          .gain = value.optional("gain", read_gain),
          .evidence = value.list("evidence", read_evidence)};
}

Section read_section(const Value& value) {
  return {.id = value.text("id"),
          .title = value.text("title"),
          .depth = static_cast<int>(value.member("depth").as_integer_between(2, 3)),
          .statements = value.list("statements", read_statement),
          .metrics = value.list_of_ids("metrics", read_metric),
          .tables = value.list_of_ids("tables", read_table),
          .series = value.list_of_ids("series", read_series),
          .notes = value.text("notes"),
          .empty_hint = value.text("empty_hint"),
          .data_only = value.member("data_only").as_truth()};
}

base::Location read_place(const Value& value) {
  using Kind = base::Location::Kind;
  base::Location place = base::Location::of_file(value.text("file"));
  place.kind = value.has("byte") ? Kind::kByte : value.has("line") ? Kind::kLine : Kind::kNone;
  if (place.kind != Kind::kNone) place.position = value.count(place.kind == Kind::kByte ? "byte" : "line");
  return place;
}

trace::QualityRow read_quality_row(const Value& value) {
  using trace::Severity;
  return {.id = value.text("id"),
          .severity =
              value.member("severity")
                  .as_one_of({Severity::kInfo, Severity::kWarning, Severity::kError}, trace::severity_name),
          .sentence = value.text("sentence"),
          .count = value.count("count"),
          .first_place = value.optional("first_place", read_place).value_or(base::Location{})};
}

trace::QualityTable read_quality(const Value& value) {
  std::vector<trace::QualityRow> rows = value.as_list(read_quality_row);
  std::vector<const trace::QualityRow*> sorted;
  sorted.reserve(rows.size());
  for (const trace::QualityRow& row : rows) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::tie(a->id, a->sentence) < std::tie(b->id, b->sentence);
  });
  const auto twin = std::adjacent_find(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->id == b->id && a->sentence == b->sentence;
  });
  if (twin != sorted.end())
    value.note(fmt::format("two rows have the id '{}' and the same sentence", (*twin)->id.substr(0, 100)));
  return trace::QualityTable::of_distinct(std::move(rows));
}

Input read_input(const Value& value) {
  return {.path = value.text("path"),
          .format = value.text("format"),
          .bytes = value.count("bytes"),
          .hash = value.text("hash"),
          .role = value.text("role")};
}

KeyValue read_key_value(const Value& value) {
  return {.key = value.text("key"), .value = value.text("value")};
}

Provenance read_provenance(const Value& value) {
  return {.version = value.text("version"),
          .generated_at = value.text("generated_at"),
          .inputs = value.list("inputs", read_input),
          .options = value.list("options", read_key_value),
          .device = value.list("device", read_key_value),
          .seed = value.count("seed")};
}

Findings read_document(const Value& value) {
  return {.kind = value.text("kind"),
          .title = value.text("title"),
          .sections = value.list_of_ids("sections", read_section),
          .quality = read_quality(value.member("quality")),
          .provenance = read_provenance(value.member("provenance"))};
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  return from == std::string_view::npos ? std::string_view() : text.substr(from);
}

}  // namespace

bool is_findings(std::string_view bytes) {
  bytes = without_blanks(bytes);
  if (!bytes.starts_with('{')) return false;
  bytes = without_blanks(bytes.substr(1));
  return bytes.starts_with('"') && bytes.substr(1).starts_with(kMarker) &&
         bytes.substr(1 + kMarker.size()).starts_with('"');
}

base::Result<Findings> read_json(const base::MappedFile& file) {
  const auto failed = [&](base::ErrorCode code, std::string_view what) {
    return base::fail_at(base::Location::of_file(file.path()), code, "{}", what);
  };
  if (!is_findings(file.text()))
    return failed(base::ErrorCode::kUnknownFormat,
                  fmt::format("not a findings file: it does not begin with {{\"{}\": ...", kMarker));
  if (file.size() > kMaxBytes)
    return failed(base::ErrorCode::kTooLarge,
                  fmt::format("{} bytes; a findings file has {} at most", file.size(), kMaxBytes));
  dom::parser parser;
  dom::element root;
  if (const auto error = parser.parse(file.text().data(), file.size(), false).get(root);
      error != simdjson::SUCCESS)
    return failed(base::ErrorCode::kMalformed,
                  fmt::format("not valid JSON, or not all of it: {}; write the file again",
                              simdjson::error_message(error)));
  Fault fault;
  const Value document(root, fault);
  const std::uint64_t version = document.count(kMarker);
  if (!fault.found() && version != std::uint64_t{kSchemaVersion})
    return failed(base::ErrorCode::kUnknownFormat,
                  fmt::format("has the schema version {}; this program reads version {}: use the one that "
                              "wrote it, or a newer one",
                              version, kSchemaVersion));
  Findings findings = read_document(document);
  if (fault.found()) return failed(base::ErrorCode::kMalformed, fault.message);
  return findings;
}

}  // namespace accelscope::findings
