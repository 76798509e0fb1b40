#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/chip/core_time.h"
#include "analysis/chip/exact_core_time.h"
#include "stats/random.h"
#include "support/chip_sketch.h"

// The accounting of random runs, against the definition taken literally: tick by tick, core by core.
namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::Dispatch;
using trace::is_known;
using trace::TaskId;
using trace::Trace;

constexpr int kCubes = 2;
constexpr int kVectors = 3;

std::int64_t random_below(stats::Generator& random, std::uint64_t bound) {
  return static_cast<std::int64_t>(random.below(bound));
}

// Tasks in the order of their submission, each part behind the last of its core, sometimes handed over early.
ChipSketch random_run(std::uint64_t seed) {
  stats::Generator random(seed);
  ChipSketch chip(kCubes, kVectors);
  std::vector<std::int64_t> free(kCubes + kVectors, 0);
  std::vector<std::int64_t> ends;
  std::int64_t submitted = 0;
  for (std::uint64_t id = 0; id < 25; ++id) {
    const std::int64_t parts = 1 + random_below(random, 3);
    const char* kind = random.below(2) == 0 ? "MIX" : "AIV";
    const TaskId task = chip.task(id, "A", kind, static_cast<std::uint32_t>(parts));
    std::int64_t ready = submitted + 1 + random_below(random, 12);
    chip.submit(task, submitted, ready);
    submitted = ready;
    for (std::uint32_t producer = 0; producer < id; ++producer) {
      if (random.below(8) != 0) continue;
      chip.edge(TaskId{producer}, task);
      ready = std::max(ready, ends[producer]);
    }
    std::int64_t end = 0;
    for (std::int64_t part = 0; part < parts; ++part) {
      const auto core = static_cast<std::size_t>(random.below(kCubes + kVectors));
      const std::int64_t start = std::max(free[core], ready) + random_below(random, 9);
      const std::int64_t dispatch = std::max(submitted, start - random_below(random, 20));
      free[core] = start + random_below(random, 15);
      end = std::max(end, free[core]);
      chip.run(static_cast<int>(core), task,
               {.dispatch = dispatch, .start = start, .end = free[core], .finish = free[core] + 1});
    }
    ends.push_back(end);
  }
  return chip;
}

class Literal {
 public:
  Literal(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times)
      : trace_(trace), chip_(chip), times_(times) {
    for (const trace::ChipCore& core : chip.cores)
      dispatches_.push_back(trace::dispatches_of(trace, core.track));
  }

  std::vector<ClassTimes> account() const {
    std::vector<ClassTimes> result(chip_.cores.size());
    for (Ticks now = times_.window.from; now < times_.window.to; now += Ticks{1})
      for (const std::string_view engine : {"AIC", "AIV"}) add_moment(now, engine, result);
    return result;
  }

  // Of that, what was for MIX tasks.
  std::vector<ClassTimes> account_mix() const {
    std::vector<ClassTimes> result(chip_.cores.size());
    for (Ticks now = times_.window.from; now < times_.window.to; now += Ticks{1})
      for (std::size_t core = 0; core < dispatches_.size(); ++core) {
        const Dispatch* running = running_on(core, now);
        const Dispatch* next = next_of(core, now);
        if (running != nullptr)
          result[core][CoreClass::kBusy].value += is_mix(*running) ? 1 : 0;
        else if (next != nullptr && earliest_hand_over(core, now) <= now && !is_gated(*next, now))
          result[core][CoreClass::kSwitch].value += is_mix(*next) ? 1 : 0;
      }
    return result;
  }

 private:
  void add_moment(Ticks now, std::string_view engine, std::vector<ClassTimes>& result) const {
    std::size_t ready = 0;
    bool waiting = false;
    bool to_come = false;
    std::vector<std::size_t> expecting;
    std::vector<std::size_t> others;
    for (std::size_t core = 0; core < dispatches_.size(); ++core) {
      if (chip_.cores[core].engine != engine) continue;
      for (const Dispatch& part : dispatches_[core]) {
        if (part.dispatch <= now) continue;
        if (submit_of(part) > now)
          to_come = true;
        else if (ready_of(part) > now)
          waiting = true;
        else
          ++ready;
      }
      if (const Dispatch* next = next_of(core, now); running_on(core, now) == nullptr) {
        if (next != nullptr && earliest_hand_over(core, now) <= now)
          ++result[core][is_gated(*next, now) ? CoreClass::kDependency : CoreClass::kSwitch].value;
        else
          (next != nullptr && ready_of(*next) <= now ? expecting : others).push_back(core);
      } else {
        ++result[core][CoreClass::kBusy].value;
      }
    }
    expecting.insert(expecting.end(), others.begin(), others.end());
    const CoreClass otherwise = waiting   ? CoreClass::kDependency
                                : to_come ? CoreClass::kNotSubmitted
                                          : CoreClass::kNoWorkLeft;
    for (std::size_t i = 0; i < expecting.size(); ++i)
      ++result[expecting[i]][i < ready ? CoreClass::kReady : otherwise].value;
  }

  const Dispatch* running_on(std::size_t core, Ticks now) const {
    for (const Dispatch& part : dispatches_[core])
      if (part.start <= now && now < part.end) return &part;
    return nullptr;
  }
  bool is_gated(const Dispatch& part, Ticks now) const {
    return ready_of(part) > now && ready_of(part) != submit_of(part);
  }
  bool is_mix(const Dispatch& part) const {
    return trace_.text(trace_.tasks().kind[index(part.task)]) == "MIX";
  }
  const Dispatch* next_of(std::size_t core, Ticks now) const {
    for (const Dispatch& part : dispatches_[core])
      if (part.start > now) return &part;
    return nullptr;
  }
  Ticks earliest_hand_over(std::size_t core, Ticks now) const {
    Ticks earliest = Ticks::max();
    for (const Dispatch& part : dispatches_[core])
      if (part.start > now) earliest = std::min(earliest, part.dispatch);
    return earliest;
  }
  Ticks submit_of(const Dispatch& part) const { return times_.submit[index(part.task)]; }
  Ticks ready_of(const Dispatch& part) const { return times_.ready[index(part.task)]; }

  const Trace& trace_;
  const trace::ChipRun& chip_;
  const TaskTimes& times_;
  std::vector<std::vector<Dispatch>> dispatches_;
};

TEST(CoreTimeOfRandomRuns, IsTheDefinitionTakenLiterally) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ChipSketch sketch = random_run(seed);
    const Trace trace = sketch.finish();
    const trace::ChipRun chip = trace::chip_run(trace);
    const TaskTimes times = task_times(trace, chip);
    if (trace.task_edges().size() == 0) continue;
    const CoreTime time = core_time(trace, chip, times, 13);
    tests::expect_every_tick_once(chip, time);
    const std::vector<ClassTimes> literal = Literal(trace, chip, times).account();
    const std::vector<ClassTimes> literal_mix = Literal(trace, chip, times).account_mix();
    ASSERT_EQ(time.mix.size(), literal_mix.size());
    for (std::size_t core = 0; core < literal.size(); ++core)
      ASSERT_EQ(time.mix[core].times, literal_mix[core].times) << "seed " << seed << ", core " << core;
    for (std::size_t core = 0; core < literal.size(); ++core)
      for (std::size_t i = 0; i < kCoreClasses; ++i)
        ASSERT_EQ(time.cores[core].times[i].value, literal[core].times[i].value)
            << "seed " << seed << ", core " << core << ", " << to_string(static_cast<CoreClass>(i));
  }
}

}  // namespace
}  // namespace accelscope::analysis::chip
