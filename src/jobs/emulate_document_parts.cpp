#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "emulator/run_parts.h"
#include "findings/columns.h"
#include "isa/instruction_set.h"
#include "jobs/emulate_document.h"
#include "jobs/emulate_numbers.h"

namespace accelscope::jobs {
namespace {

using base::Picoseconds;
using emulator::Emulation;
using emulator::RunPart;
using findings::count_column;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;
using findings::whole_cell;
using isa::LabelKind;

constexpr std::size_t kOpcodesShown = 15;
constexpr std::size_t kPartsShown = 20;

bool overlaps(const Emulation& done) {
  return done.critical_path.has_value();
}

bool has_path(const Emulation& done) {
  return overlaps(done) && !done.critical_path->by_instruction.empty();
}

void add_time_columns(Table& table, const Emulation& done) {
  table.columns.push_back(number_column("time", overlaps(done) ? "Busy" : "Time", "us", 3));
  table.columns.push_back(percent_column("share", overlaps(done) ? "Of the latency" : "Share", 1));
  if (overlaps(done)) table.columns.push_back(number_column("stalled", "Issue waited", "us", 3));
  if (has_path(done)) {
    table.columns.push_back(number_column("path", "On the path", "us", 3));
    table.columns.push_back(percent_column("path_share", "Of the path", 1));
  }
  table.columns.push_back(count_column("read", "Read", "B"));
  table.columns.push_back(count_column("written", "Written", "B"));
}

void add_time_cells(std::vector<findings::Cell>& row, const RunPart& part, const Emulation& done) {
  row.emplace_back(microseconds(part.account.busy));
  row.push_back(share_cell(part.account.busy, done.latency));
  if (overlaps(done)) row.emplace_back(microseconds(part.account.stalled));
  if (has_path(done)) {
    row.emplace_back(microseconds(part.on_path));
    row.push_back(share_cell(part.on_path, done.latency));
  }
  row.push_back(whole_cell(part.account.bytes_read));
  row.push_back(whole_cell(part.account.bytes_written));
}

// What matters most first: of the path where it is known, else by itself.
void sort_parts(std::vector<RunPart>& parts, const Emulation& done) {
  const bool path = has_path(done);
  std::stable_sort(parts.begin(), parts.end(), [&](const RunPart& a, const RunPart& b) {
    return path ? a.on_path > b.on_path : a.account.busy > b.account.busy;
  });
}

void add_opcodes(Section& section, const isa::Program& program, const Emulation& done) {
  Table table{.id = "opcodes",
              .title = "By instruction",
              .columns = {text_column("opcode", "Instruction"), text_column("unit", "Unit"),
                          count_column("count", "Carried out"), number_column("each", "Time each", "ns", 3)},
              .rows_shown = kOpcodesShown};
  add_time_columns(table, done);
  std::vector<RunPart> parts = parts_by_opcode(program, done);
  sort_parts(parts, done);
  for (const RunPart& part : parts) {
    const isa::Instruction* const instruction = isa::find_instruction(part.opcode);
    std::vector<findings::Cell> row{
        part.name, std::string(instruction == nullptr ? "none" : isa::name_of(instruction->unit)),
        whole_cell(part.account.count),
        static_cast<double>(part.account.busy.value) / 1e3 / static_cast<double>(part.account.count)};
    add_time_cells(row, part, done);
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
}

// The compiler's labels begin with "other" and may never say anything else.
bool says_something(const std::vector<RunPart>& parts) {
  return parts.size() > 1 ||
         (parts.size() == 1 && !parts.front().name.empty() && parts.front().name != "other");
}

void add_labels(Section& section, const isa::Program& program, const Emulation& done, LabelKind kind) {
  std::vector<RunPart> parts = parts_by_label(program, done, kind);
  if (!says_something(parts)) return;
  sort_parts(parts, done);
  const std::string name(isa::name_of(kind));
  Table table{.id = name + "s",
              .title = "By " + name,
              .columns = {text_column(name, static_cast<char>(std::toupper(name[0])) + name.substr(1)),
                          count_column("count", "Carried out")},
              .rows_shown = kPartsShown};
  add_time_columns(table, done);
  for (const RunPart& part : parts) {
    std::vector<findings::Cell> row{part.name.empty() ? "(no " + name + ")" : part.name,
                                    whole_cell(part.account.count)};
    add_time_cells(row, part, done);
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
}

}  // namespace

void add_run_parts(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run) {
  Section& section = findings::add_section(findings, "parts", "By part of the program");
  add_opcodes(section, program, run.done);
  for (const LabelKind kind :
       {LabelKind::kLayer, LabelKind::kSection, LabelKind::kKernel, LabelKind::kStage, LabelKind::kTensor})
    add_labels(section, program, run.done, kind);
}

}  // namespace accelscope::jobs
