#include "isa/lint.h"

#include <algorithm>

#include "base/line_reader.h"
#include "isa/latencies.h"
#include "isa/lint_checks.h"
#include "isa/listing_reader.h"

namespace accelscope::isa {
namespace {

// How many cycles have passed when an instruction of the first rounds is carried out: loops that are done
// count with all their rounds. Stays at the largest number.
class FirstRoundClock {
 public:
  explicit FirstRoundClock(const Program& program) : program_(program) {}

  std::uint64_t now() const { return now_; }
  void pass(std::uint32_t word, std::uint64_t cycles) {
    add(cycles);
    if (opcode_of_word(word) == opcode("C_LOOP_START")) {
      open_.push_back({next_loop_++, now_});
    } else if (opcode_of_word(word) == opcode("C_LOOP_END")) {
      const Open one = open_.back();
      open_.pop_back();
      std::uint64_t others = 0;
      if (__builtin_mul_overflow(now_ - one.start, std::uint64_t{program_.loops[one.loop].count} - 1,
                                 &others))
        others = kEnd;
      add(others);
    }
  }

 private:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  struct Open {
    std::uint32_t loop = 0;
    std::uint64_t start = 0;
  };

  void add(std::uint64_t cycles) {
    if (__builtin_add_overflow(now_, cycles, &now_)) now_ = kEnd;
  }

  const Program& program_;
  std::uint64_t now_ = 0;
  std::vector<Open> open_;
  std::uint32_t next_loop_ = 0;
};

void run_checks(const Program& program, const Machine& machine, LintReport& report) {
  RegisterFlow flow(program);
  RegisterCheck registers(machine, report);
  LoopCheck loops(program, flow, machine, report);
  AddressCheck addresses(machine, report);
  AccumulatorCheck accumulators(program, report);
  ContentCheck matrix(program, machine, true, report);
  ContentCheck vector(program, machine, false, report);
  FirstRoundClock clock(program);
  MemoryAccesses accesses;
  flow.walk([&](std::uint32_t position, std::uint32_t word, const RegisterState& state) {
    find_accesses(word, state, machine, accesses);
    const LintStep step{position, word, instruction_of_word(word), &state, &accesses};
    registers.take(step);
    loops.take(step);
    addresses.take(step);
    accumulators.take(step);
    // The distance to a prefetch is counted from its issue, without its own cycles.
    const bool is_transfer = step.instruction != nullptr && step.instruction->unit == Unit::kMemory;
    if (!accesses.all().empty()) {
      matrix.take(step, clock.now());
      vector.take(step, clock.now());
    }
    clock.pass(word, is_transfer ? 0 : cycles_of(word, machine.latencies, CycleModel::kEmulator));
  });
  accumulators.finish();
  matrix.finish();
  vector.finish();
}

// The column of an operand; that of the instruction where the line is not a plain one.
std::uint32_t column_in(std::string_view text, std::uint32_t operand) {
  Diagnostics ignored("");
  ListingReader reader(text, ignored);
  ListingLine line;
  if (!reader.next(line)) return 0;
  const bool plain = line.kind == ListingLine::Kind::kInstruction && operand > 0;
  return plain && operand <= line.operand_count && operand <= ListingLine::kMostOperands
             ? line.operands[operand - 1].column
             : line.column;
}

// Findings have positions; what people want are lines.
void add_lines(const Program& program, std::string_view text, LintReport& report, Diagnostics& diagnostics) {
  std::vector<LintFinding>& findings = report.findings();
  std::stable_sort(findings.begin(), findings.end(),
                   [](const LintFinding& a, const LintFinding& b) { return a.position < b.position; });
  base::LineReader lines(text);
  bool more = lines.next();
  for (LintFinding& one : findings) {
    const std::uint64_t number = program.lines[one.position];
    while (more && lines.number() < number) more = lines.next();
    const std::string_view line = more ? lines.line() : std::string_view();
    diagnostics.add(facts_of(one.rule).severity, one.rule, {number, column_in(line, one.operand), line},
                    std::move(one.message));
  }
  for (const RuleFacts& rule : rules())
    if (report.count(rule.rule) > LintReport::kMostOfRule)
      diagnostics.count_more(rule.severity, report.count(rule.rule) - LintReport::kMostOfRule);
}

}  // namespace

void lint_program(const Program& program, std::string_view text, const Machine& machine,
                  Diagnostics& diagnostics) {
  LintReport report;
  run_checks(program, machine, report);
  add_lines(program, text, report, diagnostics);
}

Diagnostics lint(std::string file, std::string_view text, Dialect dialect, const Machine& machine) {
  ReadProgram read = read_program(std::move(file), text, dialect);
  if (read.diagnostics.ok()) lint_program(read.program, text, machine, read.diagnostics);
  return std::move(read.diagnostics);
}

}  // namespace accelscope::isa
