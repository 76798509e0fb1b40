#include "jobs/perfmon_dump.h"

#include <fmt/core.h>

#include <array>
#include <utility>
#include <vector>

#include "base/human.h"
#include "base/json_writer.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "formats/perfmon/word_walk.h"

namespace accelscope::jobs {
namespace {

using formats::perfmon::Counters;
using formats::perfmon::WordKind;
using formats::perfmon::WordLayout;
using formats::perfmon::WordRow;

std::string_view name_of(WordKind kind) {
  switch (kind) {
    case WordKind::kStamp:
      return "stamp";
    case WordKind::kState:
      return "state";
    case WordKind::kMark:
      return "mark";
    case WordKind::kEndOfBlock:
      return "end of block";
    case WordKind::kFiller:
      return "filler";
    case WordKind::kUnknown:
      return "unknown";
  }
  return "unknown";
}

bool has_delta(const WordRow& row) {
  return row.kind == WordKind::kState || row.kind == WordKind::kMark || row.kind == WordKind::kUnknown;
}

// What stands last in a line: pipes, a mark, a block.
std::string meaning_of(const WordRow& row, const WordLayout& layout) {
  switch (row.kind) {
    case WordKind::kStamp:
      return row.stamp ? fmt::format("block {}", row.block) : "";
    case WordKind::kState:
      return formats::perfmon::pipes_text(row.busy);
    case WordKind::kMark:
      return fmt::format("{} {}", formats::perfmon::name_of(row.pipe), row.id);
    case WordKind::kUnknown:
      return fmt::format("control code {}", layout.ctrl.of(row.word));
    case WordKind::kEndOfBlock:
    case WordKind::kFiller:
      return "";
  }
  return "";
}

void write_line(const WordRow& row, const WordLayout& layout, base::Output& out) {
  std::string kind(name_of(row.kind));
  if (row.kind == WordKind::kStamp) kind += fmt::format(" {}/{}", row.stamp_index + 1, layout.stamp.words);
  const std::string time = row.time         ? fmt::format("{}", row.time->value)
                           : row.stamp      ? fmt::format("{}", row.stamp->value)
                           : has_delta(row) ? "?"
                                            : "";
  const std::string delta = has_delta(row) ? fmt::format("+{}", row.delta) : "";
  std::string line = fmt::format("{:08x}  {:0{}x}  {:<12} {:>20} {:>11}  {}", row.offset, row.word,
                                 layout.word_bytes * 2, kind, time, delta, meaning_of(row, layout));
  line.erase(line.find_last_not_of(' ') + 1);
  out.append(line);
  out.append('\n');
}

using Named = std::pair<std::string_view, std::uint64_t Counters::*>;
constexpr std::array<Named, 13> kCounters{{{"words", &Counters::words},
                                           {"stamps", &Counters::stamps},
                                           {"states", &Counters::states},
                                           {"marks", &Counters::marks},
                                           {"ends_of_block", &Counters::ends_of_block},
                                           {"filler", &Counters::filler},
                                           {"unknown", &Counters::unknown},
                                           {"undatable", &Counters::undatable},
                                           {"stamp_fragments", &Counters::stamp_fragments},
                                           {"losses", &Counters::losses},
                                           {"early_stamps", &Counters::early_stamps},
                                           {"backward_stamps", &Counters::backward_stamps},
                                           {"torn_bytes", &Counters::torn_bytes}}};

// Those that are not zero, in one line.
std::string summary_of(const Counters& counters) {
  std::string text;
  for (const auto& [name, member] : kCounters) {
    if (counters.*member == 0 && name != "words") continue;
    std::string words(name);
    for (char& c : words) c = c == '_' ? ' ' : c;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words, base::format_count(counters.*member));
  }
  return text;
}

void write_json_row(const WordRow& row, const WordLayout& layout, base::JsonWriter& json) {
  json.begin_object();
  json.member("offset", row.offset)
      .member("word", fmt::format("{:#0{}x}", row.word, layout.word_bytes * 2 + 2));
  json.member("kind", name_of(row.kind));
  if (row.kind == WordKind::kStamp) json.member("index", row.stamp_index);
  if (row.stamp) json.member("base", row.stamp->value).member("block", row.block);
  if (has_delta(row)) {
    json.member("delta", row.delta).key("time");
    row.time ? json.value(row.time->value) : json.null();
  }
  if (row.kind == WordKind::kState) {
    json.member("mask", row.busy).key("busy").begin_array();
    for (std::size_t pipe = 0; pipe < formats::perfmon::kPipes; ++pipe)
      if (((row.busy >> pipe) & 1U) != 0) json.value(formats::perfmon::kPipeNames[pipe]);
    json.end_array();
  }
  if (row.kind == WordKind::kMark)
    json.member("pipe", formats::perfmon::name_of(row.pipe)).member("id", row.id);
  json.end_object();
}

// Calls it with every row up to the limit, and says what was counted in these.
template <class Take>
Counters walk(std::span<const std::byte> bytes, const WordLayout& layout, const PerfmonDumpOptions& options,
              Take take) {
  if (options.limit && *options.limit < bytes.size() / layout.word_bytes)
    bytes = bytes.first(*options.limit * layout.word_bytes);
  return formats::perfmon::walk_words(bytes, {.layout = &layout, .ratio = options.ratio},
                                      [&](const WordRow& row) {
                                        take(row);
                                        return true;
                                      });
}

void write_text(const base::MappedFile& file, const WordLayout& layout, const PerfmonDumpOptions& options,
                base::Output& out) {
  const Counters counters =
      walk(file.bytes(), layout, options, [&](const WordRow& row) { write_line(row, layout, out); });
  const std::uint64_t left = file.size() / layout.word_bytes - counters.words;
  out.append(fmt::format("{}{}{}\n", counters.words > 0 ? "\n" : "", summary_of(counters),
                         left > 0 ? fmt::format("; {} words left out", base::format_count(left)) : ""));
}

void write_document(const base::MappedFile& file, const WordLayout& layout, const PerfmonDumpOptions& options,
                    base::Output& out) {
  base::JsonWriter json(out);
  json.begin_object();
  json.member("schema", "accelscope.perfmon_dump/1")
      .member("file", file.path())
      .member("layout", layout.name);
  json.member("bytes", file.size());
  json.key("clock_ratio").begin_array();
  json.value(options.ratio.ticks).value(options.ratio.cycles).end_array();
  json.key("words").begin_array();
  const Counters counters =
      walk(file.bytes(), layout, options, [&](const WordRow& row) { write_json_row(row, layout, json); });
  json.end_array();
  json.key("counters").begin_object();
  for (const auto& [name, member] : kCounters) json.member(name, counters.*member);
  json.end_object();
  json.end_object();
  out.append('\n');
}

}  // namespace

base::Status dump_perfmon(const PerfmonDumpOptions& options) {
  ACCELSCOPE_TRY(const WordLayout* const layout, formats::perfmon::layout_of(options.layout));
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.file));
  return base::write_file(options.output, [&](base::Output& out) {
    options.json ? write_document(file, *layout, options, out) : write_text(file, *layout, options, out);
  });
}

}  // namespace accelscope::jobs
