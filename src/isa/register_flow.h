// What is in the registers of a program before each instruction, without running it.
//
// A value is worked out as a sum over the loops around the instruction: where it begins, and what each round
// of each loop adds. A loop of four million rounds costs as much as one of two. Everything that is said is
// certain: what cannot be worked out is unknown. Where only the first round of all loops is certain, the
// value says so. One thread uses one object; it reads a program that must outlive it.
//
//   RegisterFlow flow(program);
//   flow.walk([&](std::uint32_t position, std::uint32_t word, const RegisterState& state) {
//     state.gp(2).base              // in the first round of all loops
//     state.gp(2).steps[0]          // what a round of the outermost loop adds
//   });
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/program.h"

namespace accelscope::isa {

// Loops inside of more than this many others are not looked into.
inline constexpr std::size_t kMostNesting = 8;

struct FlowValue {
  enum class Kind : std::uint8_t {
    kUnknown,
    kFirstRound,  // `base` in the first round of all loops around; later unknown
    kEveryRound   // base + the sum of steps[i] * (round of the i-th loop, from 0), modulo 2^32
  };

  Kind kind = Kind::kUnknown;
  std::uint32_t base = 0;
  std::array<std::int32_t, kMostNesting> steps{};

  static FlowValue constant(std::uint32_t value) { return {Kind::kEveryRound, value, {}}; }

  bool known() const { return kind != Kind::kUnknown; }
  bool every_round() const { return kind == Kind::kEveryRound; }
  bool is_constant() const;
  bool operator==(const FlowValue&) const = default;
};

FlowValue operator+(const FlowValue& a, const FlowValue& b);
FlowValue operator-(const FlowValue& a, const FlowValue& b);
FlowValue operator*(const FlowValue& a, const FlowValue& b);

// The registers that are followed, in one row.
namespace slots {
inline constexpr std::size_t kInteger = 0;       // gp0 to gp15
inline constexpr std::size_t kAddressLow = 16;   // a0 to a15, lower half
inline constexpr std::size_t kAddressHigh = 32;  // upper half
inline constexpr std::size_t kScale = 48;
inline constexpr std::size_t kStride = 49;
inline constexpr std::size_t kMask = 50;
inline constexpr std::size_t kCount = 51;
}  // namespace slots

struct RegisterState {
  std::array<FlowValue, slots::kCount> values;
  // The loops around, outermost first; steps[i] of a value belongs to the i-th.
  std::vector<std::uint32_t> loops;
  const Program* program = nullptr;

  const FlowValue& gp(std::size_t number) const { return values[slots::kInteger + number]; }
  const FlowValue& address_low(std::size_t number) const { return values[slots::kAddressLow + number]; }
  const FlowValue& address_high(std::size_t number) const { return values[slots::kAddressHigh + number]; }
  const FlowValue& scale() const { return values[slots::kScale]; }
  const FlowValue& stride() const { return values[slots::kStride]; }
  const FlowValue& mask() const { return values[slots::kMask]; }
  std::uint32_t rounds_of(std::size_t nesting) const { return program->loops[loops[nesting]].count; }
};

// The smallest and the largest that a value is in any round; nothing where that is not known, or where it
// wraps around.
struct FlowRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};
std::optional<FlowRange> range_of(const FlowValue& value, const RegisterState& state);

class RegisterFlow {
 public:
  // The program must have been read without errors.
  explicit RegisterFlow(const Program& program);

  // Calls `visit` before each instruction takes effect, in the order of the listing.
  template <class Visitor>
  void walk(Visitor&& visit) {
    begin();
    for (std::uint32_t i = 0; i < program_.words.size(); ++i) {
      const std::uint32_t word = program_.words[i];
      visit(i, word, static_cast<const RegisterState&>(state_));
      carry_out(word);
    }
  }

  // Whether the body of a loop changes its own counter.
  bool changes_its_counter(std::uint32_t loop) const { return loops_[loop].odd; }

 private:
  // What a register has after a piece of program: another one's value before it plus a number, a number, or
  // something unknown.
  struct Effect {
    static constexpr std::uint8_t kNumber = 254;
    static constexpr std::uint8_t kUnknown = 255;
    std::uint8_t source = kUnknown;
    std::uint8_t slot = 0;  // whose effect it is, in lists
    std::uint32_t number = 0;
  };
  using Effects = std::array<Effect, slots::kCount>;

  struct LoopFacts {
    std::uint32_t first_effect = 0;  // in round_effects_ and loop_effects_
    std::uint32_t effect_count = 0;
    bool odd = false;  // its body changes its counter
  };

  struct Saved {
    std::uint8_t slot = 0;
    FlowValue before;
  };

  static bool apply(Effects& effects, std::uint32_t word);
  static Effect after_rounds(const Effects& round, std::size_t slot, std::uint32_t count);
  void find_effects();
  void close(std::uint32_t loop, std::vector<Effects>& open);

  void begin();
  void carry_out(std::uint32_t word);
  void enter();
  void leave();
  const FlowValue& before_loop(std::size_t slot) const;
  FlowValue at_round_start(std::uint32_t loop, std::uint32_t effect) const;
  FlowValue after_loop(const Effect& effect) const;

  const Program& program_;
  std::vector<LoopFacts> loops_;       // as program.loops
  std::vector<Effect> round_effects_;  // of one round; registers that it leaves alone are not listed
  std::vector<Effect> loop_effects_;   // of all rounds, of the same registers
  RegisterState state_;
  std::vector<Saved> saved_;
  std::vector<std::size_t> first_saved_;  // by nesting
  std::size_t too_deep_ = 0;              // loops around that are not looked into
  std::uint32_t next_loop_ = 0;
  std::uint32_t inside_ = kNoLoop;
};

}  // namespace accelscope::isa
