// What must hold for the accounting of any run: every tick of every core is in one class, however it is added
// up.
//
//   expect_every_tick_once(chip, core_time(trace, chip, times));
#pragma once

#include <gtest/gtest.h>

#include "analysis/chip/core_time.h"

namespace accelscope::tests {

inline void expect_a_part(const analysis::chip::ClassTimes& part, const analysis::chip::ClassTimes& whole) {
  for (std::size_t i = 0; i < part.times.size(); ++i) {
    EXPECT_GE(part.times[i], trace::Ticks{0});
    EXPECT_LE(part.times[i], whole.times[i]);
  }
}

inline void expect_mix_is_a_part(const analysis::chip::EngineTime& engine) {
  expect_a_part(engine.mix, engine.times);
  analysis::chip::ClassTimes over_time;
  for (std::size_t i = 0; i < engine.mix_buckets.size(); ++i) {
    expect_a_part(engine.mix_buckets[i], engine.buckets[i]);
    over_time += engine.mix_buckets[i];
  }
  if (!engine.buckets.empty()) {
    EXPECT_EQ(over_time.times, engine.mix.times) << engine.engine;
  }
}

inline void expect_every_tick_once(const trace::ChipRun& chip, const analysis::chip::CoreTime& time) {
  using analysis::chip::ClassTimes;
  const trace::Ticks window = time.window.length();
  ASSERT_EQ(time.cores.size(), chip.cores.size());
  for (std::size_t core = 0; core < time.cores.size(); ++core) {
    EXPECT_EQ(time.cores[core].sum(), window) << "core " << chip.cores[core].number;
    for (const trace::Ticks part : time.cores[core].times) EXPECT_GE(part, trace::Ticks{0});
  }
  EXPECT_EQ(time.total.sum(), window * static_cast<std::int64_t>(chip.cores.size()));
  for (const analysis::chip::EngineTime& engine : time.engines) {
    EXPECT_EQ(engine.times.sum(), window * engine.cores) << engine.engine;
    ClassTimes over_time;
    for (std::size_t i = 0; i < engine.buckets.size(); ++i) {
      over_time += engine.buckets[i];
      EXPECT_EQ(engine.buckets[i].sum(), (time.bounds[i + 1] - time.bounds[i]) * engine.cores)
          << engine.engine << " bucket " << i;
    }
    if (!engine.buckets.empty()) {
      EXPECT_EQ(over_time.times, engine.times.times);
    }
    expect_mix_is_a_part(engine);
  }
  for (const analysis::chip::CoreGap& gap : time.longest_gaps) EXPECT_EQ(gap.times.sum(), gap.length());
}

}  // namespace accelscope::tests
