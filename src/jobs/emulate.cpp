#include "jobs/emulate.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>

#include "base/date.h"
#include "base/human.h"
#include "base/output_file.h"
#include "base/together.h"
#include "boards/board_file.h"
#include "emulator/run_trace.h"
#include "emulator/stage_profile.h"
#include "jobs/convert.h"
#include "jobs/emulate_document.h"
#include "jobs/emulate_reference.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using emulator::CostTable;
using emulator::Emulation;
using emulator::MemoryModel;
using emulator::TimingMode;

// What all combinations share.
struct Shared {
  const EmulateOptions& options;
  const EmulateFiles& files;
  const EmulateInputs& inputs;
  const std::vector<std::optional<boards::Board>>& boards;  // by machine
  const std::optional<emulator::Expectation>& expectation;
};

// Instructions of combinations that run at the same time, summed.
class SharedProgress {
 public:
  explicit SharedProgress(const std::function<void(std::uint64_t)>& tell) : tell_(tell) {}

  void advance(std::uint64_t& of_one, std::uint64_t instructions) {
    if (!tell_) return;
    const std::lock_guard lock(mutex_);
    sum_ += instructions - of_one;
    of_one = instructions;
    tell_(sum_);
  }

 private:
  std::mutex mutex_;
  std::uint64_t sum_ = 0;
  const std::function<void(std::uint64_t)>& tell_;
};

struct OneProgress {
  SharedProgress& all;
  std::uint64_t instructions = 0;
};

// Every combination, the last dimension fastest.
std::vector<EmulatedRun> combinations(const EmulateOptions& options, const IsaMachines& machines,
                                      const std::vector<std::optional<boards::Board>>& boards) {
  const std::vector<MemoryModel> models =
      options.memory.models.empty() ? std::vector<MemoryModel>{{}} : options.memory.models;
  const std::vector<TimingMode> timings =
      options.timings.empty() ? std::vector{TimingMode::kSerial} : options.timings;
  std::vector<EmulatedRun> runs;
  for (std::size_t i = 0; i < machines.machines.size(); ++i) {
    const std::vector<CostTable> costs =
        options.costs.empty() ? std::vector{boards[i] ? CostTable::kBoard : CostTable::kReference}
                              : options.costs;
    for (const MemoryModel& model : models)
      for (const TimingMode timing : timings)
        for (const CostTable table : costs) {
          EmulatedRun& run = runs.emplace_back();
          run.machine = &machines.machines[i];
          run.asked = model;
          run.timing = timing;
          run.costs = table;
          run.rules = options.rules;
        }
  }
  return runs;
}

emulator::MemoryWishes wishes_for(const EmulatedRun& run, const Shared& shared, const boards::Board* board) {
  const EmulateMemoryOptions& asked = shared.options.memory;
  const bool compat = shared.options.rules == emulator::Rules::kCompat;
  emulator::MemoryWishes wishes{.model = run.asked,
                                .semantics = asked.semantics.value_or(compat ? emulator::Semantics::kReference
                                                                             : emulator::Semantics::kRight),
                                .board = board,
                                .manifest = shared.inputs.manifest ? &*shared.inputs.manifest : nullptr,
                                .dram = asked.dram,
                                .channels = asked.channels,
                                .capacity = asked.capacity,
                                .host_bandwidth = asked.host_bandwidth,
                                .prefetch_depth = asked.prefetch_depth,
                                .policy = asked.policy};
  // The reference knows no boards.
  if (compat && !run.asked.streaming && wishes.dram.empty()) wishes.dram = "reference-hbm2-patched";
  return wishes;
}

Status carry_out(EmulatedRun& run, const Shared& shared, const boards::Board* board, SharedProgress& told) {
  const EmulateOptions& options = shared.options;
  ACCELSCOPE_TRY(run.memory, emulator::set_up_memory(wishes_for(run, shared, board)));
  OneProgress progress{told};
  emulator::EmulationOptions emulation{.machine = *run.machine,
                                       .timing = run.timing,
                                       .costs = run.costs,
                                       .rules = options.rules,
                                       .recovery_cycles = options.recovery_cycles,
                                       .log = options.trace,
                                       .stop = options.stop,
                                       .progress =
                                           [](void* context, std::uint64_t instructions) {
                                             auto* one = static_cast<OneProgress*>(context);
                                             one->all.advance(one->instructions, instructions);
                                           },
                                       .progress_context = &progress};
  if (options.most_instructions) emulation.most_instructions = *options.most_instructions;
  ACCELSCOPE_TRY(run.done, emulator::emulate(shared.inputs.program(), emulation, shared.inputs.images(),
                                             std::move(run.memory.timing)));
  if (!shared.expectation || run.done.partial) return {};
  ACCELSCOPE_TRY(run.differences,
                 differences_from(*shared.expectation, run.done.core->state(), options.tolerance));
  run.checked = true;
  return {};
}

// A state may be large: only that of a single run is kept for dumps.
Status carry_out_all(std::vector<EmulatedRun>& runs, const IsaMachines& machines, const Shared& shared) {
  SharedProgress told(shared.options.progress);
  std::vector<Status> statuses(runs.size());
  std::vector<std::function<void()>> jobs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    jobs.emplace_back([&, i] {
      const auto machine = static_cast<std::size_t>(runs[i].machine - machines.machines.data());
      const std::optional<boards::Board>& board = shared.boards[machine];
      statuses[i] = carry_out(runs[i], shared, board ? &*board : nullptr, told);
      if (runs.size() > 1) runs[i].done.core.reset();
    });
  base::do_together(jobs);
  for (Status& status : statuses)
    if (!status) return std::move(status);
  return {};
}

std::string timing_in_words(const EmulatedRun& run) {
  return fmt::format("{}, {} costs", name_of(run.timing), emulator::name_of(run.costs));
}

Status write_files(EmulateOutcome& outcome, const EmulatedRun& run, const Shared& shared) {
  const EmulateOptions& options = shared.options;
  for (const DumpWish& wish : options.dumps) {
    ACCELSCOPE_CHECK(write_dump(wish, run.done.core->state(), *run.machine));
    outcome.files.push_back({wish.file, describe(wish)});
  }
  if (shared.inputs.stage_listing) {
    const emulator::StageProfile profile =
        emulator::profile_stages(emulator::stage_labels(shared.inputs.stage_listing->text()), run.done);
    ACCELSCOPE_CHECK(base::write_file(
        options.stage_profile_out, [&](base::Output& out) { emulator::write_stage_profile(profile, out); }));
    outcome.files.push_back({options.stage_profile_out, "time and traffic of each stage"});
    if (profile.label_count != profile.program_length)
      outcome.findings.quality.add(
          {.id = "emulation.stage_labels",
           .severity = trace::Severity::kWarning,
           .sentence =
               fmt::format("{} has {} instructions and the program {}: stages may be those of others.",
                           shared.files.stage_listing, profile.label_count, profile.program_length)});
  }
  if (options.output.empty()) return {};
  ACCELSCOPE_TRY(const trace::Trace trace, emulator::run_trace(shared.inputs.program(), run.done,
                                                               {.machine = run.machine->name,
                                                                .memory = run.memory.description,
                                                                .timing = timing_in_words(run),
                                                                .dialect = options.dialect}));
  const ConvertOptions convert{.inputs = {}, .output = options.output};
  ACCELSCOPE_TRY(const OutputFormat format, check_output(convert));
  ACCELSCOPE_TRY(const ConvertOutcome written, write_trace(trace, format, convert));
  outcome.files.push_back({options.output, std::string(info_of(format).description)});
  return {};
}

Status check_options(const EmulateOptions& options, std::size_t runs, const IsaMachines& machines) {
  if (!options.output.empty()) ACCELSCOPE_CHECK(check_output({.inputs = {}, .output = options.output}));
  const auto refuse = [&](std::string_view what) {
    return base::fail(ErrorCode::kUsage, "{} is of one run, and these are {} combinations", what, runs);
  };
  if (runs > 1) {
    if (!options.output.empty()) return refuse("a trace (--output)");
    if (!options.dumps.empty()) return refuse("a dump");
    if (!options.files.stage_listing.empty()) return refuse("a stage profile");
  }
  for (const DumpWish& wish : options.dumps) ACCELSCOPE_CHECK(check_dump(wish, machines.machines.front()));
  return {};
}

void add_provenance(findings::Findings& findings, const Shared& shared, const IsaMachines& machines) {
  const EmulateOptions& options = shared.options;
  findings::Provenance& provenance = findings.provenance;
  provenance.version = options.version;
  provenance.generated_at = base::iso_date(base::report_time());
  provenance.inputs = shared.inputs.inputs;
  provenance.inputs.insert(provenance.inputs.end(), machines.inputs.begin(), machines.inputs.end());
  provenance.options = machines.options;
  const auto add = [&](std::string key, std::string value) {
    provenance.options.push_back({std::move(key), std::move(value)});
  };
  add("rules", options.rules == emulator::Rules::kCompat ? "compat" : "strict");
  add("dialect", std::string(isa::name_of(options.dialect)));
  if (!options.recovery_cycles) add("recovery-cycles", "off");
  if (options.memory.external_size) add("hbm-size", fmt::format("{}", options.memory.external_size->value));
  if (!options.memory.dram.empty()) add("dram", options.memory.dram);
  if (options.memory.channels != 0) add("channels", fmt::format("{}", options.memory.channels));
  for (const std::string& taken : shared.files.taken) add("from the folder", taken);
  for (const std::string& remark : machines.remarks)
    findings.quality.add({.id = "isa.settings", .severity = trace::Severity::kInfo, .sentence = remark});
}

Result<std::vector<std::optional<boards::Board>>> load_boards(const IsaMachineOptions& options) {
  std::vector<std::optional<boards::Board>> boards;
  for (const std::string& name : options.boards) {
    ACCELSCOPE_TRY(boards::Board board, boards::load_board(name));
    boards.emplace_back(std::move(board));
  }
  if (boards.empty()) boards.emplace_back();
  return boards;
}

Status set_external_size(IsaMachines& machines, const EmulateOptions& options, const EmulateFiles& files) {
  const std::optional<base::Bytes> size =
      options.memory.external_size ? options.memory.external_size : files.external_size;
  if (!size) return {};
  if (size->value % 64 != 0)
    return base::fail(ErrorCode::kUsage,
                      "an external memory of {} bytes: expected a multiple of its blocks of 64 bytes",
                      size->value);
  for (isa::Machine& machine : machines.machines) machine.external_memory = *size;
  return {};
}

}  // namespace

std::string_view name_of(TimingMode timing) {
  return timing == TimingMode::kSerial ? "serial" : "overlap";
}

std::optional<TimingMode> timing_mode_named(std::string_view name) {
  if (name == "serial") return TimingMode::kSerial;
  if (name == "overlap") return TimingMode::kOverlap;
  return std::nullopt;
}

Result<EmulateOutcome> emulate(const EmulateOptions& options) {
  ACCELSCOPE_TRY(const EmulateFiles files, with_files_of_folder(options.files));
  IsaMachineOptions machine_options = options.machine;
  machine_options.settings = files.settings;
  ACCELSCOPE_TRY(IsaMachines machines, load_machines(machine_options));
  ACCELSCOPE_CHECK(set_external_size(machines, options, files));
  ACCELSCOPE_TRY(const auto boards, load_boards(options.machine));
  std::vector<EmulatedRun> runs = combinations(options, machines, boards);
  ACCELSCOPE_CHECK(check_options(options, runs.size(), machines));
  EmulateOutcome outcome;
  ACCELSCOPE_TRY(EmulateInputs inputs, read_emulate_inputs(files, options.dialect));
  if (!inputs.read.diagnostics.ok()) {
    outcome.rejected = std::move(inputs.read.diagnostics);
    return outcome;
  }
  ACCELSCOPE_TRY(const std::optional<emulator::Expectation> expectation,
                 expectation_in(files.expectation, inputs.inputs));
  for (const isa::Machine& machine : machines.machines)
    ACCELSCOPE_CHECK(check_images(inputs, machine, options.rules));
  const Shared shared{options, files, inputs, boards, expectation};
  ACCELSCOPE_CHECK(carry_out_all(runs, machines, shared));
  outcome.findings = emulate_document(inputs.program(), runs);
  add_provenance(outcome.findings, shared, machines);
  if (runs.size() == 1) {
    ACCELSCOPE_CHECK(write_files(outcome, runs.front(), shared));
    outcome.reference_lines = reference_lines(runs.front());
  }
  for (const EmulatedRun& run : runs) {
    outcome.partial = outcome.partial || run.done.partial;
    outcome.differences.insert(outcome.differences.end(), run.differences.begin(), run.differences.end());
  }
  return outcome;
}

}  // namespace accelscope::jobs
