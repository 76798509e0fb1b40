#include "jobs/isa_machines.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/human.h"
#include "boards/board_file.h"
#include "boards/settings_file.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;

bool is_preset(const std::string& name) {
  const auto presets = boards::board_presets();
  return std::any_of(presets.begin(), presets.end(),
                     [&](const base::EmbeddedFile& preset) { return preset.name == name; });
}

// What was said outright, for provenance.
void add_overrides(IsaMachines& made, const isa::MachineOverrides& said) {
  const auto add = [&](std::string_view key, const std::optional<std::uint64_t>& value) {
    if (value) made.options.push_back({std::string(key), fmt::format("{} (option)", *value)});
  };
  add("MLEN", said.mlen);
  add("VLEN", said.vlen);
  add("BLEN", said.blen);
  add("HLEN", said.hlen);
  if (said.clock)
    made.options.push_back({"clock", fmt::format("{} (option)", base::format_frequency(*said.clock))});
}

std::string latencies_in_words(const isa::Machine& machine, bool from_board) {
  if (from_board) return "the board's";
  return fmt::format("the settings', {}{}{}", machine.dc_enabled ? "dc_lib_en" : "dc_lib_dis",
                     machine.latency_profile.empty() ? "" : " with profile ", machine.latency_profile);
}

void add_machine(IsaMachines& made, isa::Machine machine, const boards::Board* board) {
  const std::string transfers =
      machine.charges_transfers
          ? fmt::format("M {}, V {}, store {} cycles", machine.latencies.prefetch_matrix,
                        machine.latencies.prefetch_vector, machine.latencies.store_vector)
          : "not charged";
  made.options.push_back(
      {machine.name,
       fmt::format("MLEN {}, VLEN {}, BLEN {}; {}; latencies: {}; transfers: {} rows M, {} V, {} store, {}",
                   machine.mlen, machine.vlen, machine.blen, base::format_frequency(machine.clock),
                   latencies_in_words(machine, board != nullptr), machine.matrix_prefetch_rows,
                   machine.vector_prefetch_rows, machine.vector_writeback_rows, transfers)});
  made.charged_rows.push_back(board == nullptr ? 0 : board->memory.matrix_prefetch_rows.value_or(0));
  made.machines.push_back(std::move(machine));
}

}  // namespace

Result<IsaMachines> load_machines(const IsaMachineOptions& options) {
  IsaMachines made;
  std::optional<boards::ReadSettings> settings;
  if (!options.settings.empty()) {
    ACCELSCOPE_TRY(boards::ReadSettings read, boards::load_settings(options.settings));
    made.remarks = read.remarks;
    settings = std::move(read);
    made.inputs.push_back({.path = options.settings, .format = "settings", .role = "settings"});
  }
  made.options.push_back({"settings", settings ? options.settings : "as shipped"});
  isa::MachineSources sources{.settings = settings ? &settings->settings.transactional : nullptr,
                              .overrides = options.overrides};
  add_overrides(made, options.overrides);
  for (const std::string& name : options.boards) {
    ACCELSCOPE_TRY(const boards::Board board, boards::load_board(name));
    const auto same = std::find_if(made.machines.begin(), made.machines.end(),
                                   [&](const isa::Machine& machine) { return machine.name == board.name; });
    if (same != made.machines.end())
      return base::fail(ErrorCode::kUsage, "--board {}: there is a board {} already", name, board.name);
    sources.board = &board;
    ACCELSCOPE_TRY(isa::Machine machine, isa::make_machine(sources));
    if (!is_preset(name)) made.inputs.push_back({.path = name, .format = "board", .role = "board"});
    add_machine(made, std::move(machine), &board);
  }
  if (made.machines.empty()) {
    ACCELSCOPE_TRY(isa::Machine machine, isa::make_machine(sources));
    add_machine(made, std::move(machine), nullptr);
  }
  return made;
}

}  // namespace accelscope::jobs
