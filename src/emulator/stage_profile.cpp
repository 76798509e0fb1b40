#include "emulator/stage_profile.h"

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/line_reader.h"
#include "emulator/run_parts.h"

namespace accelscope::emulator {
namespace {

using base::JsonWriter;

constexpr int kSchemaVersion = 1;

std::string_view without_leading_blanks(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

InstructionAccount sum_of(const StageAccounts& stages) {
  InstructionAccount sum;
  for (const InstructionAccount& one : stages) add(sum, one);
  return sum;
}

double seconds(base::Picoseconds time) {
  return static_cast<double>(time.value) / 1e12;
}

double share(double part, double all) {
  return all == 0 ? 0 : part / all;
}

void write_account(JsonWriter& json, const InstructionAccount& account, const InstructionAccount& total) {
  json.begin_object();
  json.member("instructions", account.count);
  json.member("seconds", seconds(account.busy));
  json.member("instruction_fraction",
              share(static_cast<double>(account.count), static_cast<double>(total.count)));
  json.member("time_fraction",
              share(static_cast<double>(account.busy.value), static_cast<double>(total.busy.value)));
  json.member("hbm_bytes_read", account.bytes_read);
  json.member("hbm_bytes_written", account.bytes_written);
  json.end_object();
}

void write_stages(JsonWriter& json, const StageAccounts& stages, const InstructionAccount& total,
                  bool empty_ones) {
  json.key("stages").begin_object();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!empty_ones && stages[i].count == 0) continue;
    json.key(isa::name_of(static_cast<isa::Stage>(i)));
    write_account(json, stages[i], total);
  }
  json.end_object();
}

}  // namespace

std::vector<StageLabel> stage_labels(std::string_view listing) {
  std::vector<StageLabel> labels;
  isa::CommentLabels comments;
  base::LineReader lines(listing);
  while (lines.next()) {
    const std::string_view line = without_leading_blanks(lines.line());
    if (line.starts_with(';'))
      comments.take(line.substr(1));
    else if (!line.empty() && line.front() >= 'A' && line.front() <= 'Z')
      labels.push_back({comments.stage(), comments.pair()});
  }
  return labels;
}

StageProfile profile_stages(std::span<const StageLabel> labels, const Emulation& done) {
  static constexpr StageLabel kUnlabelled;
  StageProfile profile{.label_count = labels.size(), .program_length = done.by_instruction.size()};
  for (std::size_t i = 0; i < done.by_instruction.size(); ++i) {
    const InstructionAccount& account = done.by_instruction[i];
    if (account.count == 0) continue;
    const StageLabel& label = i < labels.size() ? labels[i] : kUnlabelled;
    const std::size_t stage = index(label.stage);
    add(profile.stages[stage], account);
    if (label.pair) add(profile.pairs[*label.pair][stage], account);
  }
  return profile;
}

void write_stage_profile(const StageProfile& profile, base::Output& out) {
  const InstructionAccount total = sum_of(profile.stages);
  JsonWriter json(out, JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("schema_version", kSchemaVersion);
  json.member("label_count", profile.label_count);
  json.member("total_instructions_executed", total.count);
  json.member("total_profiled_seconds", seconds(total.busy));
  json.member("total_hbm_bytes_read", total.bytes_read);
  json.member("total_hbm_bytes_written", total.bytes_written);
  write_stages(json, profile.stages, total, true);
  json.key("pairs").begin_object();
  for (const auto& [pair, stages] : profile.pairs) {
    const InstructionAccount sum = sum_of(stages);
    json.key(fmt::format("{}", pair)).begin_object();
    json.member("instructions", sum.count);
    json.member("seconds", seconds(sum.busy));
    json.member("hbm_bytes_read", sum.bytes_read);
    json.member("hbm_bytes_written", sum.bytes_written);
    write_stages(json, stages, sum, false);
    json.end_object();
  }
  json.end_object();
  json.member("caveat",
              "Stages are told by comments of the listing. Seconds are those that each instruction took by "
              "itself; they sum to the latency only where instructions run one after the other.");
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::emulator
