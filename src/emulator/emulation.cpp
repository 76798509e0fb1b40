#include "emulator/emulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "emulator/images.h"
#include "emulator/overlap_timing.h"
#include "emulator/run_logger.h"
#include "emulator/run_loop.h"
#include "emulator/serial_timing.h"
#include "emulator/transfer_port.h"
#include "isa/disassembler.h"

namespace accelscope::emulator {
namespace {

using base::ErrorCode;
using base::Picoseconds;
using base::Result;

// The cycle of a clock in whole picoseconds; where that is not exact, a sentence for the reader.
Result<Picoseconds> period_of(base::Frequency clock, std::vector<std::string>& notes) {
  if (!clock.known())
    return base::fail(ErrorCode::kUsage, "the machine has no clock: expected one above 0 Hz");
  const base::Int128 numerator = base::Int128{1'000'000'000'000} * clock.seconds;
  const std::int64_t period = base::floor_divide(2 * numerator + clock.ticks, 2 * base::Int128{clock.ticks});
  if (period <= 0)
    return base::fail(ErrorCode::kUsage, "a clock of {} Hz has a cycle below a picosecond",
                      clock.ticks / clock.seconds);
  if (numerator % clock.ticks != 0)
    notes.push_back(fmt::format(
        "a cycle of this clock is {:.6f} ps; the run counts whole picoseconds, {} of them a cycle",
        static_cast<double>(numerator) / static_cast<double>(clock.ticks), period));
  return Picoseconds{period};
}

// Time is looked at every so many instructions; until then it must not leave its range.
base::Status check_costs(std::span<const Operation> operations, Picoseconds period) {
  constexpr base::Int128 kMost = std::int64_t{1} << 61;
  for (const Operation& operation : operations)
    if (static_cast<base::Int128>(operation.cost.whole()) * period.value * kLookAround > kMost)
      return base::fail(ErrorCode::kTooLarge, "{} takes {} cycles of {} ps: more than can be counted",
                        isa::find_instruction(operation.opcode)->mnemonic, operation.cost.whole(),
                        period.value);
  return {};
}

base::Error error_of(const RunEnd& end, const isa::Program& program) {
  const bool known = end.pc < program.words.size();
  const std::string text = known ? isa::text_of(program.words[end.pc], isa::Dialect::kStrict)
                                 : std::string("the end of the program");
  std::string message = fmt::format("pc {}: {}: {}", end.pc, text, end.fault.text());
  base::Location where = known && end.pc < program.lines.size()
                             ? base::Location::line(program.file, program.lines[end.pc])
                             : base::Location::of_file(program.file);
  return {ErrorCode::kMalformed, std::move(message), std::move(where)};
}

// What all timings need.
struct Run {
  const isa::Program& program;
  const EmulationOptions& options;
  std::span<const Operation> operations;
  TransferPort& port;
  Emulation& outcome;
};

template <template <class> class Timing, class Logger>
base::Status run_with(const Run& run, Logger logger) {
  const EmulationOptions& options = run.options;
  Emulation& outcome = run.outcome;
  Timing<Logger> timing(run.operations,
                        TimingSetup{*outcome.machine, run.program.words, outcome.period, options.costs,
                                    options.recovery_cycles},
                        run.port, logger);
  const RunEnd end = run_loop(run.operations, *outcome.core, timing,
                              {.most_instructions = options.most_instructions,
                               .longest_round = options.machine.max_loop_instructions,
                               .stop = options.stop,
                               .progress = options.progress,
                               .progress_context = options.progress_context});
  if (end.fault.found()) return tl::unexpected(error_of(end, run.program));
  outcome.partial = end.stopped;
  outcome.instructions = end.instructions;
  TimedRun timed = timing.finish();
  outcome.latency = timed.latency;
  outcome.accounts = timed.accounts;
  outcome.by_instruction = std::move(timed.by_instruction);
  outcome.critical_path = std::move(timed.critical_path);
  outcome.log = logger.take(timed.latency);
  return {};
}

template <template <class> class Timing>
base::Status run_logged(const Run& run) {
  if (run.options.log == LogDetail::kNone) return run_with<Timing>(run, NoLogger{});
  return run_with<Timing>(run, RunLogger(run.program, run.options.log, run.port.memory()));
}

}  // namespace

Result<Emulation> emulate(const isa::Program& program, const EmulationOptions& options, const Images& images,
                          std::unique_ptr<memory::Timing> memory) {
  Emulation outcome;
  ACCELSCOPE_TRY(outcome.period, period_of(options.machine.clock, outcome.notes));
  outcome.machine = std::make_unique<const isa::Machine>(options.machine);
  ACCELSCOPE_TRY(Core core, Core::make(*outcome.machine, options.rules));
  outcome.core = std::make_unique<Core>(std::move(core));
  ACCELSCOPE_CHECK(load_images(outcome.core->state(), images, *outcome.machine, options.rules));
  const std::vector<Operation> operations = decode(program.words, *outcome.machine, options.costs);
  ACCELSCOPE_CHECK(check_costs(operations, outcome.period));

  TransferPort port(*memory);
  const Run run{program, options, operations, port, outcome};
  ACCELSCOPE_CHECK(options.timing == TimingMode::kSerial ? run_logged<SerialTiming>(run)
                                                         : run_logged<OverlapTiming>(run));
  outcome.transfers = port.time();
  outcome.bytes_read = port.bytes_read();
  outcome.bytes_written = port.bytes_written();
  outcome.memory = memory->statistics();
  const TransferShares shares = shares_of(outcome.memory, outcome.transfers);
  split_transfers(outcome.accounts, shares.link, shares.refresh, outcome.transfers);
  return outcome;
}

}  // namespace accelscope::emulator
