#include "isa/reference_profile.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/json_writer.h"
#include "base/line_reader.h"
#include "base/number_in.h"
#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;

constexpr std::string_view kSpaces = " \t\r\n\v\f";

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

// Where a word is one of its instructions; the number of types where it is none.
std::size_t type_of(std::string_view word) {
  return word.size() > 1 && word[1] == '_' ? std::min(kReferenceTypes.find(word[0]), kReferenceTypes.size())
                                           : kReferenceTypes.size();
}

std::uint64_t cycles_of_word(std::string_view word, const Latencies& latencies) {
  if (word.starts_with("H_STORE")) return latencies.store_vector;
  const Instruction* const instruction = find_instruction(word);
  if (instruction == nullptr) return 1;
  return cycles_of(instruction->opcode, CostVariant::kPlain, latencies, CycleModel::kReference);
}

// What it takes for the count of a loop: the number behind the last comma, else 1.
std::uint64_t count_in(std::string_view line) {
  const std::size_t comma = line.rfind(',');
  if (comma == std::string_view::npos) return 1;
  return base::number_in<std::uint64_t>(stripped(line.substr(comma + 1))).value_or(1);
}

class Reader {
 public:
  explicit Reader(const Latencies& latencies) : latencies_(latencies) {}

  // False when something does not fit.
  bool take(std::string_view line) {
    const std::string_view text = stripped(line);
    if (text.empty() || text.front() == ';') return true;
    const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
    const std::size_t type = type_of(word);
    if (type == kReferenceTypes.size()) return true;
    ++made.static_lines;
    const std::uint64_t times = multipliers_.back();
    std::uint64_t cycles = 0;
    if (__builtin_mul_overflow(times, cycles_of_word(word, latencies_), &cycles) ||
        __builtin_add_overflow(made.cycles, cycles, &made.cycles) ||
        __builtin_add_overflow(made.dynamic_count, times, &made.dynamic_count))
      return false;
    made.types[type] += times;
    const auto* const named = std::find(kReferenceOpcodes.begin(), kReferenceOpcodes.end(), word);
    if (named != kReferenceOpcodes.end())
      made.opcodes[static_cast<std::size_t>(named - kReferenceOpcodes.begin())] += times;
    return follow_loops(word, text);
  }

  ReferenceProfile made;

 private:
  bool follow_loops(std::string_view word, std::string_view text) {
    if (word == kLoopStart) {
      ++made.loop_starts;
      std::uint64_t inner = 0;
      if (__builtin_mul_overflow(multipliers_.back(), count_in(text), &inner)) return false;
      multipliers_.push_back(inner);
    } else if (word == kLoopEnd && multipliers_.size() > 1) {
      multipliers_.pop_back();
    }
    return true;
  }

  static constexpr std::string_view kLoopStart = find_instruction(opcode("C_LOOP_START"))->mnemonic;
  static constexpr std::string_view kLoopEnd = find_instruction(opcode("C_LOOP_END"))->mnemonic;

  const Latencies& latencies_;
  std::vector<std::uint64_t> multipliers_{1};
};

double megahertz(base::Frequency clock) {
  return 1e-6 / clock.to_seconds({1});
}

std::string description(const ReferenceReportFacts& facts) {
  return fmt::format("{} (MLEN={}, dc_en={}{}{})", facts.board, facts.mlen, facts.dc_enabled ? 1 : 0,
                     facts.latency_profile.empty() ? "" : ", ", facts.latency_profile);
}

}  // namespace

base::Result<ReferenceProfile> reference_profile(std::string_view text, const Latencies& latencies) {
  Reader reader(latencies);
  base::LineReader lines(text);
  while (lines.next())
    if (!reader.take(lines.line()))
      return base::fail(ErrorCode::kTooLarge, "line {}: the program takes more than 2^64 cycles",
                        lines.number());
  reader.made.source_lines = lines.number();
  return reader.made;
}

void write_reference_text(const ReferenceProfile& profile, const ReferenceReportFacts& facts,
                          base::Output& out) {
  const double clock = megahertz(facts.clock);
  out.append(fmt::format("=== {} ({} @{:g}MHz, MLEN={}) ===\n", facts.file, facts.board, clock, facts.mlen));
  out.append(fmt::format("Source lines:     {}\n", profile.source_lines));
  out.append(fmt::format("Static instrs:    {}\n", profile.static_lines));
  out.append(fmt::format("Dynamic instrs:   {}\n", profile.dynamic_count));
  out.append(fmt::format("Estimated cycles: {}\n", profile.cycles));
  out.append(
      fmt::format("Estimated time:   {:.3f} ms\n", static_cast<double>(profile.cycles) / (clock * 1000)));
  out.append(fmt::format("Cycle model:      {}\n", description(facts)));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < profile.opcodes.size(); ++i)
    if (profile.opcodes[i] > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return profile.opcodes[a] > profile.opcodes[b]; });
  for (const std::size_t i : order)
    out.append(fmt::format("  {:<14} {}\n", kReferenceOpcodes[i], profile.opcodes[i]));
}

void write_reference_json(const ReferenceProfile& profile, const ReferenceReportFacts& facts,
                          base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("source_lines", profile.source_lines);
  json.member("static_instruction_lines", profile.static_lines);
  json.member("comment_or_metadata_lines", profile.source_lines - profile.static_lines);
  json.member("dynamic_instruction_count", profile.dynamic_count);
  json.member("estimated_cycles", profile.cycles);
  json.member("estimated_ms_at_1ghz", static_cast<double>(profile.cycles) / 1e6);
  json.member("cycle_model", description(facts));
  json.member("cycle_model_dc_en", facts.dc_enabled ? 1 : 0);
  json.key("cycle_model_latency_profile");
  if (facts.latency_profile.empty())
    json.null();
  else
    json.value(facts.latency_profile);
  json.member("loop_start_lines", profile.loop_starts);
  json.key("instruction_types_dynamic").begin_object();
  for (std::size_t i = 0; i < kReferenceTypes.size(); ++i)
    json.member(kReferenceTypes.substr(i, 1), profile.types[i]);
  json.end_object();
  json.key("selected_opcodes_dynamic").begin_object();
  for (std::size_t i = 0; i < profile.opcodes.size(); ++i)
    if (profile.opcodes[i] > 0) json.member(kReferenceOpcodes[i], profile.opcodes[i]);
  json.end_object();
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::isa
