#include "formats/etdump/sample_dumps.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"

namespace accelscope::formats::etdump {
namespace {

using Nanoseconds = std::uint64_t;

ProfileEvent method_event(std::string name, Nanoseconds start, Nanoseconds end) {
  return {.name = std::move(name), .chain = -1, .instruction = 0, .start = start, .end = end};
}

ProfileEvent call_event(std::string name, std::int32_t instruction, Nanoseconds start, Nanoseconds end) {
  return {.name = std::move(name), .instruction = instruction, .start = start, .end = end};
}

ProfileEvent delegate_event(std::string name, std::int32_t instruction, Nanoseconds start, Nanoseconds end) {
  return {.instruction = instruction, .delegate_name = std::move(name), .start = start, .end = end};
}

Block load_block(Nanoseconds start, Nanoseconds length) {
  return {.name = "Default",
          .events = {method_event("Method::init", start + 1200, start + length - 900),
                     method_event("Program::load_method", start, start + length)}};
}

// Lays the events of one run behind each other on a clock of its own.
class RunWriter {
 public:
  explicit RunWriter(Nanoseconds start) : start_(start), now_(start + 600) {}

  struct Operator {
    std::string_view name;
    Nanoseconds length;
  };

  // As XNNPACK reports: computed starts, whole microseconds.
  void delegate_call(std::int32_t instruction, const std::vector<Operator>& operators) {
    const Nanoseconds call_start = now_;
    Nanoseconds at = call_start + 1800;
    for (const Operator& op : operators) {
      const Nanoseconds reported = op.length / 1000 * 1000;
      block_.events.emplace_back(delegate_event(std::string(op.name), instruction, at, at + reported));
      at += reported;
      now_ += op.length;
    }
    now_ += 6700;
    block_.events.emplace_back(call_event("DELEGATE_CALL", instruction, call_start, now_));
    now_ += 150;
  }

  void operator_call(std::int32_t instruction, std::string_view kernel, Nanoseconds length) {
    const Nanoseconds kernel_start = now_ + 90;
    block_.events.emplace_back(
        call_event(fmt::format("native_call_{}", kernel), instruction, kernel_start, kernel_start + length));
    block_.events.emplace_back(call_event("OPERATOR_CALL", instruction, now_, kernel_start + length + 70));
    now_ = kernel_start + length + 70 + 150;
  }

  Block finish() {
    now_ += 400;
    block_.name = "Execute";
    block_.events.emplace_back(method_event("Method::execute", start_, now_));
    return std::move(block_);
  }
  Nanoseconds now() const { return now_; }

 private:
  Nanoseconds start_;
  Nanoseconds now_;
  Block block_;
};

}  // namespace

Dump toy_dump(ToySpeed speed, ToyRuns runs) {
  const bool fast = speed == ToySpeed::kFast;
  const std::string_view type = fast ? "PF16" : "F16";
  const Nanoseconds convolution = fast ? 52'300 : 236'400;
  std::array<std::string, 3> convolutions;
  for (std::size_t i = 0; i < convolutions.size(); ++i)
    convolutions[i] = fmt::format("Convolution (NHWC, {}) IGEMM #{}", type, i + 1);
  Dump dump{{load_block(350'000, 4'202'100)}};
  Nanoseconds at = 4'579'000;
  for (std::uint32_t run = 0; run < runs.count; ++run) {
    // A wobble of up to 2 percent that looks like noise and is not.
    const Nanoseconds percent = (run == 0 ? 135 : run == 6 ? 122 : 100) + run * 7 % 3;
    const Nanoseconds noise = runs.seed == 0 ? 0 : base::hash_of(runs.seed, run) % 21;
    const auto scaled = [&](Nanoseconds length) { return length * (percent * 10 + noise) / 1000; };
    RunWriter writer(at);
    writer.delegate_call(0, {{"Convert (NC, F32, F16) #1", scaled(10'400)},
                             {"Transpose (ND, X16) #1", scaled(38'100)},
                             {convolutions[0], scaled(convolution * 3 / 4)},
                             {convolutions[1], scaled(convolution)},
                             {convolutions[2], scaled(convolution * 21 / 20)},
                             {"Mean (ND) #1", scaled(7'200)},
                             {"Copy (ND, X16) #1", scaled(600)}});
    writer.operator_call(1, "permute_copy.out", scaled(33'100));
    writer.operator_call(2, "clone.out", scaled(11'700));
    dump.blocks.push_back(writer.finish());
    at = writer.now() + 20'000;
  }
  return dump;
}

Dump quirks_dump() {
  Block block{.name = "Execute", .allocators = {"method_allocator", "temp_allocator"}};
  std::vector<Event>& events = block.events;
  events.emplace_back(AllocationEvent{1, 4096});
  events.emplace_back(AllocationEvent{2, 128});
  events.emplace_back(ProfileEvent{.instruction = 7,
                                   .delegate_number = 0,
                                   .metadata = "\x11\x22\x33",
                                   .start = 1'000'600,
                                   .end = 1'003'100});
  events.emplace_back(
      ProfileEvent{.instruction = 7, .delegate_number = 12, .start = 1'003'100, .end = 1'004'600});
  events.emplace_back(delegate_event("Accelerator (execute) time (cycles)", 7, 0, 812'345));
  events.emplace_back(delegate_event("convolution:OpId_3", 7, 0, 650'000));
  events.emplace_back(delegate_event("Input tensors (bytes)", 7, 0, 150'528));
  ProfileEvent shader =
      delegate_event("{conv2d_dw_3x3, \"dispatch_id\": 4}", 7, 987'654'321'000, 987'654'399'000);
  shader.metadata = "\x01\x02";
  events.emplace_back(shader);
  events.emplace_back(call_event("DELEGATE_CALL", 7, 1'000'500, 1'004'900));
  events.emplace_back(call_event("", 8, 1'004'910, 1'005'900));
  events.emplace_back(call_event("OPERATOR_CALL", 8, 1'004'900, 1'005'910));
  Nanoseconds at = 1'005'910;
  for (Nanoseconds length = 1000; length <= 3000; length += 1000) {
    events.emplace_back(call_event("native_call_add.out", 9, at + 5, at + 5 + length));
    events.emplace_back(call_event("OPERATOR_CALL", 9, at, at + 10 + length));
    events.emplace_back(call_event("JF_CALL", 10, at + 10 + length, at + 50 + length));
    at += 50 + length;
  }
  events.emplace_back(call_event("MOVE_CALL", 11, at, at + 30));
  events.emplace_back(method_event("Method::execute", 1'000'000, at + 130));
  events.emplace_back(DebugEvent{.value = std::int64_t{42}});
  events.emplace_back(DebugEvent{.value = 2.5});
  events.emplace_back(DebugEvent{.value = true});
  events.emplace_back(DebugEvent{.delegate_name = "dq_out", .value = std::int64_t{7}});
  events.emplace_back(
      DebugEvent{.chain = 0,
                 .instruction = 9,
                 .name = "native_call_add.out",
                 .value = TensorValue{.sizes = {1, 3, 8}, .strides = {24, 8, 1}, .offset = 64},
                 .is_output = true});
  return {{std::move(block)}};
}

Dump wrap_dump() {
  constexpr Nanoseconds kOverflow = Nanoseconds{1} << 32U;
  const auto prefill = [](Nanoseconds start, Nanoseconds length, Nanoseconds modulus) {
    const auto reading = [&](Nanoseconds time) { return time % modulus; };
    return Block{
        .name = "Execute",
        .events = {call_event("native_call_mm.out", 0, reading(start + 200), reading(start + length - 100)),
                   call_event("OPERATOR_CALL", 0, reading(start + 100), reading(start + length - 50)),
                   method_event("Method::execute", reading(start), reading(start + length))}};
  };
  // Loops over its second instruction `rounds` times, which does not make it another method.
  const auto decode = [](Nanoseconds start, int rounds) {
    Block block{.name = "Execute"};
    Nanoseconds at = start + 50;
    for (int round = 0; round < rounds; ++round, at += 1300) {
      block.events.emplace_back(call_event("native_call_bmm.out", 1, at + 10, at + 1200));
      block.events.emplace_back(call_event("OPERATOR_CALL", 1, at, at + 1250));
    }
    block.events.emplace_back(method_event("Method::execute", start, at));
    return block;
  };
  Block aborted = prefill(40'000, 9'500, kOverflow);
  aborted.events.pop_back();
  return {{prefill(kOverflow - 5'000, 9'300, kOverflow), decode(10'000, 2), decode(20'000, 3),
           std::move(aborted), prefill(60'000, 9'400, kOverflow), Block{.name = "Execute"},
           decode(80'000, 2)}};
}

Dump large_dump(std::uint32_t events) {
  constexpr std::array<std::string_view, 6> kKinds = {"Convolution (NHWC, F32) IGEMM",
                                                      "Fully Connected (NC, F32) GEMM",
                                                      "Add (ND)",
                                                      "Clamp (NC, F32)",
                                                      "Softmax (NC, F32)",
                                                      "Transpose (ND, X32) Transpose"};
  constexpr std::array<std::string_view, 5> kKernels = {"add.out", "permute_copy.out", "_softmax.out",
                                                        "mul.out", "native_layer_norm.out"};
  constexpr std::uint32_t kOperatorsPerDelegate = 24;
  constexpr std::uint32_t kEventsPerRun = 866;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < kOperatorsPerDelegate; ++i)
    names.push_back(fmt::format("{} #{}", kKinds[i % kKinds.size()], i / kKinds.size() + 1));

  Dump dump;
  Nanoseconds at = 1'000'000;
  std::uint32_t left = events;
  if (left > 0) {
    dump.blocks.push_back(
        {.name = "Default", .events = {method_event("Program::load_method", 350'000, 990'000)}});
    --left;
  }
  while (left > 0) {
    RunWriter writer(at);
    // One event is kept for Method::execute.
    std::uint32_t room = std::min(left, kEventsPerRun) - 1;
    left -= room + 1;
    for (std::int32_t instruction = 0; room > 0; ++instruction) {
      if (instruction % 2 == 0) {
        const std::uint32_t count = std::min(room - 1, kOperatorsPerDelegate);
        std::vector<RunWriter::Operator> operators;
        for (std::uint32_t i = 0; i < count; ++i)
          operators.push_back(
              {names[i], 1'000 + (i * 7919 + static_cast<std::uint32_t>(instruction) * 104'729) % 90'000});
        writer.delegate_call(instruction, operators);
        room -= count + 1;
      } else if (room >= 2) {
        writer.operator_call(instruction, kKernels[static_cast<std::size_t>(instruction) % kKernels.size()],
                             21'000);
        room -= 2;
      }
    }
    dump.blocks.push_back(writer.finish());
    at = writer.now() + 20'000;
  }
  return dump;
}

}  // namespace accelscope::formats::etdump
