#include "isa/static_profile.h"

#include <limits>
#include <unordered_map>

namespace accelscope::isa {
namespace {

using base::ErrorCode;

// The product of the loops' counts around a position; 0 where it does not fit 64 bits.
class Multiplier {
 public:
  explicit Multiplier(const Program& program) : loops_(program.loops), of_loop_(program.loops.size()) {
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      const std::uint64_t outer = loops_[i].parent == kNoLoop ? 1 : of_loop_[loops_[i].parent];
      if (__builtin_mul_overflow(outer, std::uint64_t{loops_[i].count}, &of_loop_[i])) of_loop_[i] = 0;
    }
  }

  // For positions one after the other. The start of a loop is not yet in it, its end is.
  std::uint64_t at(std::uint32_t position) {
    while (inside_ != kNoLoop && loops_[inside_].end < position) inside_ = loops_[inside_].parent;
    const std::uint64_t times = inside_ == kNoLoop ? 1 : of_loop_[inside_];
    if (next_ < loops_.size() && loops_[next_].start == position) inside_ = next_++;
    return times;
  }

 private:
  const std::vector<Loop>& loops_;
  std::vector<std::uint64_t> of_loop_;
  std::uint32_t inside_ = kNoLoop;
  std::uint32_t next_ = 0;
};

// Which part of the counts an instruction belongs to.
class PartFinder {
 public:
  PartFinder(const Program& program, LabelKind kind, std::vector<Counts::Part>& parts)
      : program_(program), changes_(program.labels_of(kind)), parts_(parts) {}

  Counts::Part& at(std::uint32_t position) {
    bool changed = parts_.empty();
    for (; next_ < changes_.size() && changes_[next_].first <= position; ++next_) {
      name_ = changes_[next_].name;
      changed = true;
    }
    if (changed) current_ = part_of_name();
    return parts_[current_];
  }

 private:
  std::size_t part_of_name() {
    const auto [found, added] = by_name_.emplace(base::index(name_), parts_.size());
    if (added) parts_.push_back({std::string(program_.names.text(name_)), {}});
    return found->second;
  }

  const Program& program_;
  const std::vector<LabelChange>& changes_;
  std::vector<Counts::Part>& parts_;
  std::unordered_map<std::uint32_t, std::size_t> by_name_;
  base::StringId name_ = base::StringId::kEmpty;
  std::size_t next_ = 0;
  std::size_t current_ = 0;
};

// False when the sum does not fit.
bool add(std::uint64_t& sum, std::uint64_t more) {
  return !__builtin_add_overflow(sum, more, &sum);
}

bool add(Cost& sum, const Cost& more) {
  return add(sum.in_text, more.in_text) && add(sum.dynamic, more.dynamic) && add(sum.cycles, more.cycles);
}

// All variants of one opcode.
bool price_opcode(const std::array<Count, kCostVariants>& counts, std::uint32_t opcode,
                  const Latencies& latencies, CycleModel model, Cost& cost) {
  for (std::size_t i = 0; i < kCostVariants; ++i) {
    if (counts[i].in_text == 0) continue;
    const std::uint64_t each = cycles_of(opcode, static_cast<CostVariant>(i), latencies, model);
    Cost more{counts[i].in_text, counts[i].dynamic, 0};
    if (__builtin_mul_overflow(counts[i].dynamic, each, &more.cycles) || !add(cost, more)) return false;
  }
  return true;
}

}  // namespace

base::Result<Counts> count(const Program& program, LabelKind parts) {
  Counts counts;
  counts.loops = program.loops.size();
  Multiplier multiplier(program);
  PartFinder finder(program, parts, counts.parts);
  for (std::uint32_t i = 0; i < program.words.size(); ++i) {
    const std::uint32_t word = program.words[i];
    const std::uint64_t times = multiplier.at(i);
    Count& one = finder.at(i).opcodes[opcode_of_word(word)][static_cast<std::size_t>(cost_variant_of(word))];
    ++one.in_text;
    if (times == 0 || !add(one.dynamic, times))
      return base::fail_at(base::Location::line(program.file, program.lines[i]), ErrorCode::kTooLarge,
                           "is carried out more than 2^64 times: the loops around it multiply");
  }
  return counts;
}

base::Result<StaticProfile> price(const Counts& counts, const Latencies& latencies, CycleModel model) {
  StaticProfile profile;
  bool fits = true;
  for (const Counts::Part& part : counts.parts) {
    StaticProfile::Part& made = profile.parts.emplace_back();
    made.name = part.name;
    for (std::uint32_t opcode = 0; opcode < table::kOpcodes; ++opcode) {
      Cost cost;
      fits = fits && price_opcode(part.opcodes[opcode], opcode, latencies, model, cost) &&
             add(made.cost, cost) && add(profile.opcodes[opcode], cost) && add(profile.total, cost);
      if (const Instruction* const instruction = find_instruction(opcode))
        fits = fits && add(profile.units[static_cast<std::size_t>(instruction->unit)], cost);
    }
  }
  if (!fits) return base::fail(ErrorCode::kTooLarge, "the program takes more than 2^64 cycles");
  return profile;
}

}  // namespace accelscope::isa
