// Random schedules of pipes, and a layout that no chip has, for tests that send events through encoder and
// decoder.
//
// The same number gives the same schedule everywhere.
//
//   const std::vector<Event> events = random_schedule(7, kBiuPerf);
//   const std::vector<std::byte> bytes = encoded(events, {});
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "base/splitmix.h"
#include "formats/perfmon/event_list.h"

namespace accelscope::formats::perfmon {

// An example for tests: eight bytes, most significant first, everything elsewhere and in another order, and a
// delta of 20 bits. It proves that nothing of kBiuPerf is wired in.
inline constexpr WordLayout kExampleOfAnotherChip{
    .name = "example-of-another-chip",
    .description = "made up for tests",
    .word_bytes = 8,
    .byte_order = std::endian::big,
    .ctrl = {2, 5},
    .events = {40, 10},
    .delta = {10, 20},
    .mark_ctrl = {30, 3, 17, 9, 8, 1, 2},
    .stamp_ctrl = 0,
    .state_ctrl = 12,
    .mask_bit = {9, 0, 4, 2, 8, 1, 5},
    .stamp = {.words = 3, .index = {7, 2}, .time_piece = {30, 20}, .block_piece = {56, 8}, .block_words = 3},
    .end_of_block = 0xFFFFFFFFFFFFFFFF,
    .filler = std::nullopt};
static_assert(fault_in(kExampleOfAnotherChip).empty());

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(base::splitmix(seed + base::kSplitmixStep)) {}
  std::uint64_t below(std::uint64_t end) {
    state_ += base::kSplitmixStep;
    return base::splitmix(state_) % end;
  }

 private:
  std::uint64_t state_;
};

// States and marks; what lies between two of them is often nothing, or around the greatest delta.
inline std::vector<Event> random_schedule(std::uint64_t number, const WordLayout& layout) {
  Random random(number);
  std::vector<Event> events(1 + random.below(16));
  const auto greatest = static_cast<std::int64_t>(layout.delta.greatest());
  std::int64_t time = static_cast<std::int64_t>(random.below(std::uint64_t{1} << random.below(50)));
  for (Event& event : events) {
    switch (random.below(6)) {
      case 0:
        break;
      case 1:
        time += greatest - 2 + static_cast<std::int64_t>(random.below(6));
        break;
      case 2:
        time += static_cast<std::int64_t>(random.below(10'000'000));
        break;
      default:
        time += static_cast<std::int64_t>(random.below(1000));
    }
    if (random.below(3) > 0)
      event = {"state", time, static_cast<std::uint32_t>(random.below(kAllPipes + 1))};
    else
      event = {"mark", time, static_cast<std::uint32_t>(random.below(layout.events.greatest() + 1)),
               static_cast<Pipe>(random.below(kPipes))};
  }
  return events;
}

template <class Sink>
void encode(const Event& event, Encoder& encoder, Sink&& sink) {
  const base::Cycles time{event.time};
  const base::Status put = event.kind == "state"
                               ? encoder.state(time, static_cast<PipeMask>(event.value), sink)
                               : encoder.mark(time, event.pipe, event.value, sink);
  ASSERT_TRUE(put) << put.error().message;
}

inline std::vector<std::byte> encoded(const std::vector<Event>& events, const EncoderOptions& options) {
  std::vector<std::byte> bytes;
  Encoder encoder(options);
  for (const Event& event : events) encode(event, encoder, appends_to(bytes));
  return bytes;
}

inline std::vector<Event> without_stamps(std::vector<Event> events) {
  std::erase_if(events, [](const Event& event) { return event.kind == "stamp"; });
  return events;
}

}  // namespace accelscope::formats::perfmon
