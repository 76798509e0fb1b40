#include "isa/register_flow.h"

#include <algorithm>

#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

using Kind = FlowValue::Kind;

constexpr std::uint32_t rd_of(std::uint32_t word) {
  return bits_of(Field::kRd).of(word);
}
constexpr std::uint32_t rs1_of(std::uint32_t word) {
  return bits_of(Field::kRs1).of(word);
}
constexpr std::uint32_t rs2_of(std::uint32_t word) {
  return bits_of(Field::kRs2).of(word);
}

constexpr unsigned kUpperShift = 12;  // of S_LUI_INT

std::int32_t wrapped(std::uint32_t bits) {
  return static_cast<std::int32_t>(bits);
}

template <class Combine>
FlowValue combined(const FlowValue& a, const FlowValue& b, Combine combine) {
  FlowValue made;
  made.kind = std::min(a.kind, b.kind);
  if (!made.known()) return made;
  made.base = combine(a.base, b.base);
  if (made.every_round())
    for (std::size_t i = 0; i < kMostNesting; ++i)
      made.steps[i] =
          wrapped(combine(static_cast<std::uint32_t>(a.steps[i]), static_cast<std::uint32_t>(b.steps[i])));
  return made;
}

FlowValue plus(FlowValue value, std::uint32_t number) {
  value.base += number;
  return value;
}

FlowValue first_round_of(const FlowValue& value) {
  if (!value.known()) return {};
  return {Kind::kFirstRound, value.base, {}};
}

}  // namespace

bool FlowValue::is_constant() const {
  return every_round() &&
         std::all_of(steps.begin(), steps.end(), [](std::int32_t step) { return step == 0; });
}

FlowValue operator+(const FlowValue& a, const FlowValue& b) {
  return combined(a, b, [](std::uint32_t x, std::uint32_t y) { return x + y; });
}

FlowValue operator-(const FlowValue& a, const FlowValue& b) {
  return combined(a, b, [](std::uint32_t x, std::uint32_t y) { return x - y; });
}

FlowValue operator*(const FlowValue& a, const FlowValue& b) {
  if (!a.known() || !b.known()) return {};
  if (!a.is_constant() && !b.is_constant()) return {Kind::kFirstRound, a.base * b.base, {}};
  FlowValue made = a.is_constant() ? b : a;
  const std::uint32_t factor = a.is_constant() ? a.base : b.base;
  made.base *= factor;
  for (std::int32_t& step : made.steps) step = wrapped(static_cast<std::uint32_t>(step) * factor);
  return made;
}

std::optional<FlowRange> range_of(const FlowValue& value, const RegisterState& state) {
  if (!value.every_round()) return std::nullopt;
  std::int64_t least = value.base;
  std::int64_t most = value.base;
  for (std::size_t i = 0; i < state.loops.size(); ++i) {
    const std::int64_t last = std::int64_t{value.steps[i]} * (std::int64_t{state.rounds_of(i)} - 1);
    (last < 0 ? least : most) += last;
  }
  if (least < 0 || most > std::int64_t{0xFFFFFFFF}) return std::nullopt;
  return FlowRange{static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
}

RegisterFlow::RegisterFlow(const Program& program) : program_(program), loops_(program.loops.size()) {
  find_effects();
}

// Whether the word writes an integer register.
bool RegisterFlow::apply(Effects& effects, std::uint32_t word) {
  const auto set = [&](std::size_t slot, Effect effect) { effects[slot] = effect; };
  const Effect a = effects[slots::kInteger + rs1_of(word)];
  const Effect b = effects[slots::kInteger + rs2_of(word)];
  const bool both_numbers = a.source == Effect::kNumber && b.source == Effect::kNumber;
  const std::size_t target = slots::kInteger + rd_of(word);
  const Effect unknown;
  switch (opcode_of_word(word)) {
    case opcode("S_ADDI_INT"):
      set(target, {a.source, 0, a.number + bits_of(Field::kImmediate18).of(word)});
      return true;
    case opcode("S_LUI_INT"):
      set(target, {Effect::kNumber, 0, bits_of(Field::kImmediate22).of(word) << kUpperShift});
      return true;
    case opcode("S_ADD_INT"):
      if (b.source == Effect::kNumber)
        set(target, {a.source, 0, a.number + b.number});
      else
        set(target, a.source == Effect::kNumber ? Effect{b.source, 0, a.number + b.number} : unknown);
      return true;
    case opcode("S_SUB_INT"):
      set(target, b.source == Effect::kNumber ? Effect{a.source, 0, a.number - b.number} : unknown);
      return true;
    case opcode("S_MUL_INT"):
      set(target, both_numbers ? Effect{Effect::kNumber, 0, a.number * b.number} : unknown);
      return true;
    case opcode("S_LD_INT"):
      set(target, unknown);
      return true;
    case opcode("C_SET_ADDR_REG"):
      set(slots::kAddressLow + rd_of(word), b);
      set(slots::kAddressHigh + rd_of(word), a);
      return false;
    case opcode("C_SET_SCALE_REG"):
      set(slots::kScale, effects[target]);
      return false;
    case opcode("C_SET_STRIDE_REG"):
      set(slots::kStride, effects[target]);
      return false;
    case opcode("C_SET_V_MASK_REG"):
      set(slots::kMask, effects[target]);
      return false;
    default:
      return false;
  }
}

RegisterFlow::Effect RegisterFlow::after_rounds(const Effects& round, std::size_t slot, std::uint32_t count) {
  const Effect one = round[slot];
  if (count == 1 || one.source >= Effect::kNumber) return one;
  if (one.source == slot) return {one.source, 0, one.number * count};
  const Effect other = round[one.source];
  if (other.source == Effect::kNumber) return {Effect::kNumber, 0, other.number + one.number};
  if (other.source == one.source) return {one.source, 0, other.number * (count - 1) + one.number};
  return {};
}

void RegisterFlow::find_effects() {
  const std::vector<Loop>& loops = program_.loops;
  std::vector<Effects> open;
  std::vector<std::uint32_t> around;  // loops, outermost first
  std::array<std::uint32_t, 16> counted_by{};
  counted_by.fill(kNoLoop);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < program_.words.size(); ++i) {
    // Nothing outside of loops is of interest here.
    if (around.empty()) {
      if (next == loops.size()) return;
      i = loops[next].start;
    }
    if (next < loops.size() && loops[next].start == i) {
      std::uint32_t& counter = counted_by[loops[next].counter];
      if (counter != kNoLoop) loops_[counter].odd = true;
      counter = next;
      if (around.size() < kMostNesting) {
        Effects& fresh = open.emplace_back();
        for (std::size_t slot = 0; slot < slots::kCount; ++slot)
          fresh[slot] = {static_cast<std::uint8_t>(slot), 0, 0};
        fresh[slots::kInteger + loops[next].counter] = {};
      } else if (around.size() == kMostNesting) {
        open.back().fill({});
      }
      around.push_back(next++);
    } else if (loops[around.back()].end == i) {
      const std::uint32_t closed = around.back();
      if (around.size() <= kMostNesting) close(closed, open);
      counted_by[loops[closed].counter] = kNoLoop;
      around.pop_back();
    } else if (around.size() <= kMostNesting && apply(open.back(), program_.words[i])) {
      if (const std::uint32_t loop = counted_by[rd_of(program_.words[i])]; loop != kNoLoop)
        loops_[loop].odd = true;
    }
  }
}

// The effects of a whole loop become part of those of the loop around it.
void RegisterFlow::close(std::uint32_t loop, std::vector<Effects>& open) {
  const Effects round = open.back();
  open.pop_back();
  LoopFacts& facts = loops_[loop];
  const std::uint32_t count = program_.loops[loop].count;
  const std::size_t counter = slots::kInteger + program_.loops[loop].counter;
  facts.first_effect = static_cast<std::uint32_t>(round_effects_.size());
  for (std::size_t slot = 0; slot < slots::kCount; ++slot) {
    if (round[slot].source == slot && round[slot].number == 0) continue;
    Effect one = round[slot];
    Effect all = facts.odd ? Effect{} : after_rounds(round, slot, count);
    if (slot == counter) all = {Effect::kNumber, 0, 0};
    one.slot = all.slot = static_cast<std::uint8_t>(slot);
    round_effects_.push_back(one);
    loop_effects_.push_back(all);
  }
  facts.effect_count = static_cast<std::uint32_t>(round_effects_.size()) - facts.first_effect;
  if (open.empty()) return;
  const Effects before = open.back();
  for (std::uint32_t i = 0; i < facts.effect_count; ++i) {
    const Effect& all = loop_effects_[facts.first_effect + i];
    Effect& made = open.back()[all.slot];
    made = all.source >= Effect::kNumber
               ? all
               : Effect{before[all.source].source, 0, before[all.source].number + all.number};
  }
}

void RegisterFlow::begin() {
  state_ = {};
  state_.program = &program_;
  state_.values[slots::kInteger] = FlowValue::constant(0);
  state_.values[slots::kScale] = FlowValue::constant(0);
  state_.values[slots::kStride] = FlowValue::constant(1);
  state_.values[slots::kMask] = FlowValue::constant(0);
  saved_.clear();
  first_saved_.clear();
  too_deep_ = 0;
  next_loop_ = 0;
  inside_ = kNoLoop;
}

void RegisterFlow::carry_out(std::uint32_t word) {
  auto& values = state_.values;
  FlowValue& target = values[slots::kInteger + rd_of(word)];
  const auto rs1 = [&]() -> const FlowValue& { return values[slots::kInteger + rs1_of(word)]; };
  const auto rs2 = [&]() -> const FlowValue& { return values[slots::kInteger + rs2_of(word)]; };
  switch (opcode_of_word(word)) {
    case opcode("S_ADDI_INT"):
      target = plus(rs1(), bits_of(Field::kImmediate18).of(word));
      break;
    case opcode("S_LUI_INT"):
      target = FlowValue::constant(bits_of(Field::kImmediate22).of(word) << kUpperShift);
      break;
    case opcode("S_ADD_INT"):
      target = rs1() + rs2();
      break;
    case opcode("S_SUB_INT"):
      target = rs1() - rs2();
      break;
    case opcode("S_MUL_INT"):
      target = rs1() * rs2();
      break;
    case opcode("S_LD_INT"):
      target = {};
      break;
    case opcode("C_SET_ADDR_REG"):
      values[slots::kAddressLow + rd_of(word)] = rs2();
      values[slots::kAddressHigh + rd_of(word)] = rs1();
      break;
    case opcode("C_SET_SCALE_REG"):
      values[slots::kScale] = target;
      break;
    case opcode("C_SET_STRIDE_REG"):
      values[slots::kStride] = target;
      break;
    case opcode("C_SET_V_MASK_REG"):
      values[slots::kMask] = target;
      break;
    case opcode("C_LOOP_START"):
      enter();
      break;
    case opcode("C_LOOP_END"):
      leave();
      break;
    default:
      break;
  }
}

const FlowValue& RegisterFlow::before_loop(std::size_t slot) const {
  for (std::size_t i = first_saved_.back(); i < saved_.size(); ++i)
    if (saved_[i].slot == slot) return saved_[i].before;
  return state_.values[slot];
}

// A register that each round changes, as a sum with a step for each round.
FlowValue RegisterFlow::at_round_start(std::uint32_t loop, std::uint32_t effect) const {
  const LoopFacts& facts = loops_[loop];
  const Effect& one = round_effects_[effect];
  FlowValue before = before_loop(one.slot);
  if (program_.loops[loop].count == 1) return before;
  const FlowValue first = first_round_of(before);
  if (facts.odd || one.source == Effect::kUnknown) return first;
  if (one.source == Effect::kNumber) return before == FlowValue::constant(one.number) ? before : first;
  std::uint32_t step = 0;
  if (one.source == one.slot) {
    step = one.number;
  } else {
    // Follows another register, one round behind it.
    for (std::uint32_t i = facts.first_effect; i < facts.first_effect + facts.effect_count; ++i) {
      if (round_effects_[i].slot != one.source) continue;
      if (round_effects_[i].source != one.source) return first;
      step = round_effects_[i].number;
    }
    if (before != plus(before_loop(one.source), one.number - step)) return first;
  }
  if (before.every_round()) before.steps[state_.loops.size()] = wrapped(step);
  return before;
}

FlowValue RegisterFlow::after_loop(const Effect& effect) const {
  if (effect.source == Effect::kUnknown) return {};
  if (effect.source == Effect::kNumber) return FlowValue::constant(effect.number);
  return plus(before_loop(effect.source), effect.number);
}

void RegisterFlow::enter() {
  const std::uint32_t loop = next_loop_++;
  inside_ = loop;
  if (state_.loops.size() == kMostNesting) {
    ++too_deep_;
    state_.values.fill({});
    return;
  }
  const LoopFacts& facts = loops_[loop];
  first_saved_.push_back(saved_.size());
  for (std::uint32_t i = facts.first_effect; i < facts.first_effect + facts.effect_count; ++i) {
    const std::uint8_t slot = round_effects_[i].slot;
    saved_.push_back({slot, state_.values[slot]});
  }
  for (std::uint32_t i = facts.first_effect; i < facts.first_effect + facts.effect_count; ++i)
    state_.values[round_effects_[i].slot] = at_round_start(loop, i);
  const Loop& entered = program_.loops[loop];
  FlowValue counter = FlowValue::constant(entered.count);
  counter.steps[state_.loops.size()] = -1;
  state_.values[slots::kInteger + entered.counter] = facts.odd ? first_round_of(counter) : counter;
  state_.loops.push_back(loop);
}

void RegisterFlow::leave() {
  const std::uint32_t loop = inside_;
  inside_ = program_.loops[loop].parent;
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  state_.loops.pop_back();
  const LoopFacts& facts = loops_[loop];
  for (std::uint32_t i = facts.first_effect; i < facts.first_effect + facts.effect_count; ++i)
    state_.values[loop_effects_[i].slot] = after_loop(loop_effects_[i]);
  saved_.resize(first_saved_.back());
  first_saved_.pop_back();
}

}  // namespace accelscope::isa
