#include "jobs/isa_profile_advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/file_names.h"

namespace accelscope::jobs {
namespace {

using isa::Latency;

// Instructions that one change makes cheaper.
struct Family {
  std::string_view id;
  std::string_view subject;
  std::string_view what_to_do;
  bool (*has)(const isa::Instruction& instruction);
};

template <Latency... kinds>
bool costs(const isa::Instruction& instruction) {
  return ((instruction.latency == kinds) || ...);
}

bool is_loop(const isa::Instruction& instruction) {
  return instruction.opcode == isa::opcode("C_LOOP_START") || instruction.opcode == isa::opcode("C_LOOP_END");
}

bool is_set_register(const isa::Instruction& instruction) {
  return instruction.unit == isa::Unit::kControl && !is_loop(instruction);
}

constexpr auto kFamilies = std::to_array<Family>({
    {"isa.matrix_products", "products of matrices",
     "Each gives BLEN x BLEN results for MLEN cycles and the array's overhead, so that a larger BLEN needs "
     "fewer of them.",
     costs<Latency::kMatrixMatrix>},
    {"isa.matrix_vector", "products of a matrix and a vector",
     "Each gives only BLEN results for MLEN cycles; several rows at once (M_MM) give BLEN times as many.",
     costs<Latency::kMatrixVector, Latency::kBroadcastVector>},
    {"isa.write_out", "write-outs of accumulators",
     "Let an accumulator gather more products before it is written out.", costs<Latency::kWriteOut>},
    {"isa.integer_arithmetic", "integer arithmetic",
     "Most of it is addresses: unroll loops, keep cursors in registers, and use the immediates of "
     "instructions.",
     costs<Latency::kIntegerBasic>},
    {"isa.loop_overhead", "starts and ends of loops", "Unroll the innermost loops, or merge nested ones.",
     is_loop},
    {"isa.set_registers", "settings of address, scale, stride and mask",
     "Move those that do not change out of their loops.", is_set_register},
    {"isa.prefetch_matrix", "prefetches of matrices",
     "Nothing hides them today: keep tiles that are used again, or prefetch while other tiles are worked on "
     "where the hardware can overlap.",
     costs<Latency::kPrefetchMatrix>},
    {"isa.prefetch_vector", "prefetches of vectors",
     "Nothing hides them today: keep rows that are used again, and fetch more rows with one instruction.",
     costs<Latency::kPrefetchVector>},
    {"isa.store_vector", "stores of vectors",
     "Each block is read, changed and written: store whole rows, once.", costs<Latency::kStoreVector>},
    {"isa.map_vector", "scalars put into vectors (S_MAP_V_FP)",
     "Each costs twice the length of a row: keep what it makes, or use the instructions that take a scalar "
     "(V_ADD_VF, V_MUL_VF).",
     costs<Latency::kMapVector>},
    {"isa.reductions", "reductions of rows",
     "Each costs many element-wise instructions: add rows up first, and reduce once.",
     costs<Latency::kVectorSum, Latency::kVectorMaximum>},
    {"isa.exponentials", "exponentials, reciprocals and roots",
     "Work on whole rows, and take reciprocals once for a row that is then multiplied.",
     costs<Latency::kVectorExponential, Latency::kVectorReciprocal, Latency::kFloatExponential,
           Latency::kFloatReciprocal, Latency::kFloatSquareRoot>},
    {"isa.vector_arithmetic", "element-wise arithmetic on rows",
     "Join steps that go over the same rows; a sum with a scaled row needs no row in between.",
     costs<Latency::kVectorAdd, Latency::kVectorMultiply, Latency::kVectorClamp>},
    {"isa.routing", "choices of experts (V_TOPK)",
     "Each costs a maximum for every expert: choose once for a token.", costs<Latency::kRouting>},
    {"isa.float_arithmetic", "scalar arithmetic on floats", "Work on whole rows instead.",
     costs<Latency::kFloatBasic, Latency::kFloatMemory>},
});

struct Ranked {
  const Family* family = nullptr;
  std::uint64_t dynamic = 0;
  std::uint64_t cycles = 0;
};

std::vector<Ranked> ranked(const isa::StaticProfile& profile) {
  std::vector<Ranked> made;
  for (const Family& family : kFamilies) {
    Ranked one{.family = &family};
    for (const isa::Instruction& instruction : isa::instructions()) {
      if (!family.has(instruction)) continue;
      one.dynamic += profile.opcodes[instruction.opcode].dynamic;
      one.cycles += profile.opcodes[instruction.opcode].cycles;
    }
    if (one.cycles > 0) made.push_back(one);
  }
  std::stable_sort(made.begin(), made.end(),
                   [](const Ranked& a, const Ranked& b) { return a.cycles > b.cycles; });
  return made;
}

findings::Priority priority_of(double share) {
  if (share >= 0.3) return findings::Priority::kHighest;
  return share >= 0.1 ? findings::Priority::kHigh : findings::Priority::kInvestigate;
}

}  // namespace

void add_profile_advice(findings::Section& section, const ProfiledProgram& program,
                        const isa::Machine& machine) {
  // Less than this is not worth a sentence.
  constexpr double kLeastShare = 0.02;
  const isa::StaticProfile& profile = program.profiles.front();
  const auto total = static_cast<double>(profile.total.cycles);
  for (const Ranked& one : ranked(profile)) {
    const auto cycles = static_cast<double>(one.cycles);
    const double share = cycles / total;
    if (share < kLeastShare) break;
    section.statements.push_back(
        {.id = std::string(one.family->id),
         .kind = findings::StatementKind::kAdvice,
         .priority = priority_of(share),
         .subject = fmt::format("{} on {}", base::file_name(program.file), machine.name),
         .text = fmt::format(
             "{:.1f} % of the cycles and {:.1f} % of the instructions are {}: {} for {} cycles. "
             "{} Halved, the program would be {:.2f} times as fast.",
             100 * share, 100 * static_cast<double>(one.dynamic) / static_cast<double>(profile.total.dynamic),
             one.family->subject, one.dynamic, one.cycles, one.family->what_to_do,
             total / (total - cycles / 2)),
         .group = "What to optimise",
         .gain = findings::Gain{
             .before = total, .after = total - cycles, .unit = "cycles", .basis = "if they cost nothing"}});
  }
}

}  // namespace accelscope::jobs
