#include <fmt/core.h>

#include <algorithm>

#include "base/file_names.h"
#include "base/human.h"
#include "findings/columns.h"
#include "jobs/isa_profile.h"
#include "jobs/isa_profile_advice.h"

namespace accelscope::jobs {
namespace {

using findings::Cell;
using findings::count_column;
using findings::Findings;
using findings::number_column;
using findings::percent_column;
using findings::Section;
using findings::Table;
using findings::text_column;
using findings::whole_cell;
using isa::Cost;
using isa::LabelKind;
using trace::Severity;

constexpr std::size_t kOpcodesShown = 15;
constexpr std::size_t kPartsShown = 20;

Cell share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return std::monostate{};
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

double milliseconds(std::uint64_t cycles, base::Frequency clock) {
  return static_cast<double>(cycles) * clock.to_seconds({1}) * 1e3;
}

std::uint64_t bytes_of(std::uint64_t accesses) {
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(accesses, isa::kBlockBytes, &bytes) ? ~std::uint64_t{0} : bytes;
}

void add_overview(Findings& findings, const std::vector<ProfiledProgram>& programs) {
  Section& section = findings::add_section(findings, "programs", "Programs");
  Table table{.id = "programs",
              .columns = {text_column("file", "File"), count_column("source_lines", "Lines"),
                          count_column("comment_lines", "Comments"), count_column("loops", "Loops"),
                          count_column("static", "Instructions"), count_column("dynamic", "Carried out")}};
  for (const ProfiledProgram& one : programs) {
    const Cost& total = one.profiles.front().total;
    table.rows.push_back({std::string(base::file_name(one.file)), whole_cell(one.source_lines),
                          whole_cell(one.comment_lines), whole_cell(one.loops), whole_cell(total.in_text),
                          whole_cell(total.dynamic)});
  }
  section.tables.push_back(std::move(table));
}

void add_boards(Findings& findings, const std::vector<ProfiledProgram>& programs,
                const std::vector<isa::Machine>& machines) {
  Section& section = findings::add_section(findings, "boards", "Cycles, time and external memory");
  Table table{
      .id = "boards",
      .columns = {text_column("file", "File"), text_column("board", "Board"),
                  number_column("clock_mhz", "Clock", "MHz", 0), count_column("cycles", "Cycles"),
                  number_column("time_ms", "Time", "ms", 3), count_column("memory_cycles", "Of it transfers"),
                  count_column("read_bytes", "Read", "B"), count_column("written_bytes", "Written", "B")}};
  for (const ProfiledProgram& one : programs)
    for (std::size_t i = 0; i < machines.size(); ++i) {
      const isa::StaticProfile& profile = one.profiles[i];
      const std::uint64_t memory = profile.units[static_cast<std::size_t>(isa::Unit::kMemory)].cycles;
      const isa::Accesses moved = one.traffic[i].total().accesses;
      table.rows.push_back({std::string(base::file_name(one.file)), machines[i].name,
                            1e-6 / machines[i].clock.to_seconds({1}), whole_cell(profile.total.cycles),
                            milliseconds(profile.total.cycles, machines[i].clock), whole_cell(memory),
                            whole_cell(bytes_of(moved.reads)), whole_cell(bytes_of(moved.writes))});
    }
  section.tables.push_back(std::move(table));
}

// Columns of cycles and shares, side by side for several boards.
void add_cycle_columns(Table& table, const std::vector<isa::Machine>& machines) {
  for (const isa::Machine& machine : machines) {
    const std::string on = machines.size() == 1 ? "" : " on " + machine.name;
    const std::string of = machines.size() == 1 ? "" : "_" + machine.name;
    table.columns.push_back(count_column("cycles" + of, "Cycles" + on));
    table.columns.push_back(percent_column("share" + of, machines.size() == 1 ? "Share" : "%", 1));
  }
}

void add_cycle_cells(std::vector<Cell>& row, const Cost& cost, const isa::StaticProfile& profile) {
  row.push_back(whole_cell(cost.cycles));
  row.push_back(share(cost.cycles, profile.total.cycles));
}

void add_units(Section& section, const ProfiledProgram& program, const std::vector<isa::Machine>& machines) {
  Table table{.id = "units",
              .title = "By unit",
              .columns = {text_column("unit", "Unit"), count_column("static", "Instructions"),
                          count_column("dynamic", "Carried out")}};
  add_cycle_columns(table, machines);
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit) {
    const Cost& first = program.profiles.front().units[unit];
    std::vector<Cell> row{std::string(isa::name_of(static_cast<isa::Unit>(unit))), whole_cell(first.in_text),
                          whole_cell(first.dynamic)};
    for (const isa::StaticProfile& profile : program.profiles)
      add_cycle_cells(row, profile.units[unit], profile);
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
}

// The parts of a program that labels name, the most expensive on the first board first.
void add_parts(Section& section, const ProfiledProgram& program, const std::vector<isa::Machine>& machines,
               LabelKind kind) {
  const auto& parts = program.profiles.front().parts_by(kind);
  if (parts.empty()) return;
  const std::string name(isa::name_of(kind));
  Table table{.id = name + "s",
              .title = "By " + name,
              .columns = {text_column(name, static_cast<char>(std::toupper(name[0])) + name.substr(1)),
                          count_column("static", "Instructions"), count_column("dynamic", "Carried out")},
              .rows_shown = kPartsShown};
  add_cycle_columns(table, machines);
  std::vector<std::size_t> order(parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a].cost.cycles > parts[b].cost.cycles; });
  for (const std::size_t i : order) {
    std::vector<Cell> row{parts[i].name.empty() ? "(no " + name + ")" : parts[i].name,
                          whole_cell(parts[i].cost.in_text), whole_cell(parts[i].cost.dynamic)};
    for (const isa::StaticProfile& profile : program.profiles)
      add_cycle_cells(row, profile.parts_by(kind)[i].cost, profile);
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
}

void add_metrics(Section& section, const isa::StaticProfile& profile, const isa::Machine& machine,
                 const isa::Traffic& traffic) {
  const auto add = [&](std::string id, std::string label, double value, std::string unit) {
    section.metrics.push_back({.id = std::move(id),
                               .label = std::move(label),
                               .value = value,
                               .unit = std::move(unit),
                               .better = findings::Better::kLower});
  };
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const isa::TransferTraffic moved = traffic.total();
  add("static", "instructions", number(profile.total.in_text), "");
  add("dynamic", "instructions carried out", number(profile.total.dynamic), "");
  add("cycles", "cycles", number(profile.total.cycles), "");
  add("time", fmt::format("time at {}", base::format_frequency(machine.clock)),
      milliseconds(profile.total.cycles, machine.clock), "ms");
  add("memory_cycles", "cycles of transfers",
      number(profile.units[static_cast<std::size_t>(isa::Unit::kMemory)].cycles), "");
  if (!machine.charges_transfers) section.metrics.back().note = "memory not charged";
  add("external_reads", "external reads of 64 bytes", number(moved.accesses.reads), "");
  add("external_writes", "external writes of 64 bytes", number(moved.accesses.writes), "");
  add("external_bytes", "external bytes",
      number(bytes_of(moved.accesses.reads)) + number(bytes_of(moved.accesses.writes)), "B");
}

void add_opcodes(Section& section, const isa::StaticProfile& profile) {
  Table table{.id = "opcodes",
              .title = "By instruction",
              .columns = {text_column("opcode", "Instruction"), text_column("unit", "Unit"),
                          count_column("static", "In the text"), count_column("dynamic", "Carried out"),
                          number_column("cycles_each", "Cycles each", "", 1),
                          count_column("cycles", "Cycles"), percent_column("share", "Share", 1)},
              .rows_shown = kOpcodesShown};
  std::vector<std::uint32_t> order;
  for (std::uint32_t opcode = 0; opcode < profile.opcodes.size(); ++opcode)
    if (profile.opcodes[opcode].in_text > 0) order.push_back(opcode);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Cost& first = profile.opcodes[a];
    const Cost& second = profile.opcodes[b];
    return first.cycles != second.cycles ? first.cycles > second.cycles : first.dynamic > second.dynamic;
  });
  for (const std::uint32_t opcode : order) {
    const Cost& cost = profile.opcodes[opcode];
    const isa::Instruction* const instruction = isa::find_instruction(opcode);
    table.rows.push_back(
        {instruction == nullptr ? fmt::format("0x{:02X}", opcode) : std::string(instruction->mnemonic),
         instruction == nullptr ? "none" : std::string(isa::name_of(instruction->unit)),
         whole_cell(cost.in_text), whole_cell(cost.dynamic),
         static_cast<double>(cost.cycles) / static_cast<double>(cost.dynamic), whole_cell(cost.cycles),
         share(cost.cycles, profile.total.cycles)});
  }
  section.tables.push_back(std::move(table));
}

void add_traffic(Section& section, const isa::Traffic& traffic) {
  Table table{
      .id = "traffic",
      .title = "External memory",
      .columns = {text_column("opcode", "Instruction"), count_column("transfers", "Carried out"),
                  count_column("reads", "Reads"), count_column("writes", "Writes"),
                  count_column("bytes", "Bytes", "B"), count_column("crossing_rows", "Rows off a block"),
                  count_column("proven", "Address certain")},
      .note =
          "Reads and writes are of 64 bytes: the blocks that each row touches, and one for its "
          "scales; nothing is joined across rows."};
  const auto add = [&](std::uint32_t opcode, const isa::TransferTraffic& one) {
    if (one.transfers == 0) return;
    table.rows.push_back({std::string(isa::find_instruction(opcode)->mnemonic), whole_cell(one.transfers),
                          whole_cell(one.accesses.reads), whole_cell(one.accesses.writes),
                          whole_cell(bytes_of(one.accesses.reads + one.accesses.writes)),
                          whole_cell(one.crossing_rows), whole_cell(one.proven_transfers)});
  };
  add(isa::opcode("H_PREFETCH_M"), traffic.prefetch_matrix);
  add(isa::opcode("H_PREFETCH_V"), traffic.prefetch_vector);
  add(isa::opcode("H_STORE_V"), traffic.store_vector);
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
}

void add_program(Findings& findings, const ProfiledProgram& program, std::size_t number,
                 const std::vector<isa::Machine>& machines) {
  const std::string id = fmt::format("program_{}", number);
  const std::string name(base::file_name(program.file));
  Section& whole_program = findings::add_section(findings, id, name);
  add_units(whole_program, program, machines);
  for (const LabelKind kind :
       {LabelKind::kLayer, LabelKind::kSection, LabelKind::kKernel, LabelKind::kStage, LabelKind::kTensor})
    add_parts(whole_program, program, machines, kind);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    Section& part = findings::add_part(findings, fmt::format("{}_{}", id, machines[i].name),
                                       fmt::format("{} on {}", name, machines[i].name));
    add_metrics(part, program.profiles[i], machines[i], program.traffic[i]);
    add_opcodes(part, program.profiles[i]);
    add_traffic(part, program.traffic[i]);
  }
}

void add_machine_doubts(Findings& findings, const IsaMachines& machines) {
  const auto add = [&](std::string id, Severity severity, std::string sentence) {
    findings.quality.add({.id = std::move(id), .severity = severity, .sentence = std::move(sentence)});
  };
  for (std::size_t i = 0; i < machines.machines.size(); ++i) {
    const isa::Machine& machine = machines.machines[i];
    const std::uint64_t rows = machines.charged_rows[i];
    if (!machine.charges_transfers)
      add("isa.memory_not_charged", Severity::kWarning,
          fmt::format(
              "Memory not charged: {} what a transfer costs, so that H_* instructions take no cycles.",
              machine.name == "settings" ? "settings do not say"
                                         : fmt::format("the board {} does not say", machine.name)));
    else if (rows != 0 && rows != machine.matrix_prefetch_rows)
      add("isa.transfer_size", Severity::kWarning,
          fmt::format("The board {} gives the cycles of transfers for {} rows of a matrix; they are charged "
                      "as they are, although this program's have {}.",
                      machine.name, rows, machine.matrix_prefetch_rows));
  }
  for (const std::string& remark : machines.remarks) add("isa.settings", Severity::kInfo, remark);
}

void add_program_doubts(Findings& findings, const ProfiledProgram& program) {
  const std::string name(base::file_name(program.file));
  const auto add = [&](std::string id, Severity severity, std::string sentence) {
    findings.quality.add({.id = std::move(id),
                          .severity = severity,
                          .sentence = std::move(sentence),
                          .first_place = base::Location::of_file(program.file)});
  };
  const isa::TransferTraffic moved = program.traffic.front().total();
  if (moved.proven_transfers < moved.transfers)
    add("isa.addresses_assumed", Severity::kInfo,
        fmt::format(
            "{}: the addresses of {} of {} transfers are not certain; their rows are assumed to begin "
            "with a block of 64 bytes.",
            name, base::format_count(moved.transfers - moved.proven_transfers),
            base::format_count(moved.transfers)));
  if (program.changed_counters > 0)
    add("isa.changed_counter", Severity::kError,
        fmt::format(
            "{}: the bodies of {} loops change their own counter; they are counted as written and may "
            "end sooner or later.",
            name, program.changed_counters));
  if (program.breaks > 0)
    add("isa.break", Severity::kWarning,
        fmt::format("{} has C_BREAK, which is counted as any other instruction.", name));
  if (program.unknown_words > 0)
    add("isa.unknown_word", Severity::kError,
        fmt::format("{} has {} words of no instruction, which cost nothing here and stop the hardware.", name,
                    program.unknown_words));
  if (program.warnings > 0)
    add("isa.warnings", Severity::kInfo,
        fmt::format("{} was read with {} warnings; accelscope isa lint shows them.", name,
                    base::format_count(program.warnings)));
}

}  // namespace

Findings isa_profile_document(const std::vector<ProfiledProgram>& programs, const IsaMachines& machines,
                              isa::CycleModel model) {
  Findings findings{.kind = "isa profile",
                    .title = programs.size() == 1
                                 ? fmt::format("Static profile of {}", base::file_name(programs.front().file))
                                 : fmt::format("Static profile of {} programs", programs.size())};
  const bool reference = model == isa::CycleModel::kReference;
  findings.provenance.options = machines.options;
  findings.provenance.options.push_back({"cycles", reference ? "reference" : "emulator"});
  findings.quality.add({.id = "isa.serial",
                        .severity = Severity::kInfo,
                        .sentence =
                            "Cycles add up: nothing overlaps, as in the emulator. Transfers cost what "
                            "the board says, whatever they find in memory."});
  if (reference)
    findings.quality.add({.id = "isa.reference_cycles",
                          .severity = Severity::kInfo,
                          .sentence = "Cycles are those of the reference's profiler, which differ from its "
                                      "emulator's for some instructions."});
  add_machine_doubts(findings, machines);
  for (const ProfiledProgram& one : programs) add_program_doubts(findings, one);
  add_overview(findings, programs);
  add_boards(findings, programs, machines.machines);
  Section& advice = findings::add_section(findings, "advice", "What to optimise");
  for (const ProfiledProgram& one : programs) add_profile_advice(advice, one, machines.machines.front());
  advice.empty_hint = "Nothing is carried out.";
  for (std::size_t i = 0; i < programs.size(); ++i)
    add_program(findings, programs[i], i + 1, machines.machines);
  return findings;
}

}  // namespace accelscope::jobs
