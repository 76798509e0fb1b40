#include "isa/static_profile.h"

#include <algorithm>
#include <unordered_map>

#include "isa/rounds.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;

// The parts of one kind of labels. What an instruction adds goes to a small table, and from there to its part
// when the label changes.
class PartCounter {
 public:
  PartCounter(const Program& program, LabelKind kind, std::vector<Counts::Part>& parts)
      : program_(program), changes_(program.labels_of(kind)), parts_(parts) {}

  // What fits the whole program's sum fits a part's.
  void take(std::uint32_t position, std::size_t key, std::uint64_t times) {
    if (next_ < changes_.size() && changes_[next_].first <= position) {
      flush();
      name_ = changes_[next_++].name;
    }
    Count& one = counts_[key];
    if (one.in_text++ == 0) used_.push_back(static_cast<std::uint32_t>(key));
    one.dynamic += times;
  }

  void finish() { flush(); }

 private:
  void flush() {
    if (used_.empty()) return;
    const auto [found, added] = by_name_.emplace(base::index(name_), parts_.size());
    if (added) parts_.push_back({std::string(program_.names.text(name_)), {}});
    std::vector<KeyedCount>& counts = parts_[found->second].counts;
    for (const std::uint32_t key : used_) {
      add(counts, key, counts_[key]);
      counts_[key] = {};
    }
    used_.clear();
  }

  static void add(std::vector<KeyedCount>& counts, std::uint32_t key, const Count& more) {
    const auto same =
        std::find_if(counts.begin(), counts.end(), [&](const KeyedCount& one) { return one.key == key; });
    if (same == counts.end()) {
      counts.push_back({key, more});
      return;
    }
    same->count.in_text += more.in_text;
    same->count.dynamic += more.dynamic;
  }

  const Program& program_;
  const std::vector<LabelChange>& changes_;
  std::vector<Counts::Part>& parts_;
  std::unordered_map<std::uint32_t, std::size_t> by_name_;
  std::array<Count, kCountKeys> counts_{};
  std::vector<std::uint32_t> used_;
  base::StringId name_ = base::StringId::kEmpty;
  std::size_t next_ = 0;
};

// False when the sum does not fit.
bool add(std::uint64_t& sum, std::uint64_t more) {
  return !__builtin_add_overflow(sum, more, &sum);
}

bool add(Cost& sum, const Cost& more) {
  return add(sum.in_text, more.in_text) && add(sum.dynamic, more.dynamic) && add(sum.cycles, more.cycles);
}

// What one count costs; false when it does not fit.
class Prices {
 public:
  Prices(const Latencies& latencies, CycleModel model) {
    for (std::uint32_t opcode = 0; opcode < table::kOpcodes; ++opcode)
      for (std::size_t i = 0; i < kCostVariants; ++i) {
        const auto variant = static_cast<CostVariant>(i);
        cycles_[count_key(opcode, variant)] = cycles_of(opcode, variant, latencies, model);
      }
  }

  bool price(std::size_t key, const Count& count, Cost& cost) const {
    cost = {count.in_text, count.dynamic, 0};
    return !__builtin_mul_overflow(count.dynamic, cycles_[key], &cost.cycles);
  }

 private:
  std::array<std::uint64_t, kCountKeys> cycles_{};
};

bool price_parts(const std::vector<Counts::Part>& parts, const Prices& prices,
                 std::vector<StaticProfile::Part>& made) {
  made.reserve(parts.size());
  for (const Counts::Part& part : parts) {
    made.push_back({part.name, {}});
    for (const KeyedCount& one : part.counts) {
      Cost cost;
      if (!prices.price(one.key, one.count, cost) || !add(made.back().cost, cost)) return false;
    }
  }
  return true;
}

}  // namespace

base::Result<Counts> count(const Program& program, std::initializer_list<LabelKind> parts) {
  return count(program, std::span<const LabelKind>(parts.begin(), parts.size()));
}

base::Result<Counts> count(const Program& program, std::span<const LabelKind> parts) {
  Counts counts;
  counts.loops = program.loops.size();
  std::vector<PartCounter> counters;
  for (const LabelKind kind : parts)
    counters.emplace_back(program, kind, counts.parts[static_cast<std::size_t>(kind)]);
  Rounds rounds(program);
  for (std::uint32_t i = 0; i < program.words.size(); ++i) {
    const std::uint32_t word = program.words[i];
    const std::uint64_t times = rounds.at(i);
    const std::size_t key = count_key(opcode_of_word(word), cost_variant_of(word));
    Count& one = counts.all[key];
    ++one.in_text;
    if (times == 0 || !add(one.dynamic, times))
      return base::fail_at(base::Location::line(program.file, program.lines[i]), ErrorCode::kTooLarge,
                           "is carried out more than 2^64 times: the loops around it multiply");
    for (PartCounter& counter : counters) counter.take(i, key, times);
  }
  for (PartCounter& counter : counters) counter.finish();
  return counts;
}

base::Result<StaticProfile> price(const Counts& counts, const Latencies& latencies, CycleModel model) {
  StaticProfile profile;
  const Prices prices(latencies, model);
  bool fits = true;
  for (std::uint32_t opcode = 0; opcode < table::kOpcodes; ++opcode) {
    for (std::size_t i = 0; i < kCostVariants; ++i) {
      const std::size_t key = count_key(opcode, static_cast<CostVariant>(i));
      Cost cost;
      fits = fits && prices.price(key, counts.all[key], cost) && add(profile.opcodes[opcode], cost);
    }
    fits = fits && add(profile.total, profile.opcodes[opcode]);
    if (const Instruction* const instruction = find_instruction(opcode))
      fits = fits && add(profile.units[static_cast<std::size_t>(instruction->unit)], profile.opcodes[opcode]);
  }
  for (std::size_t kind = 0; kind < kLabelKinds; ++kind)
    fits = fits && price_parts(counts.parts[kind], prices, profile.parts[kind]);
  if (!fits) return base::fail(ErrorCode::kTooLarge, "the program takes more than 2^64 cycles");
  return profile;
}

}  // namespace accelscope::isa
