// How long a run of a chip would have taken if something were different: a function faster, the scheduler or
// the submission free of cost, one core more. An estimate: the recorded tasks are scheduled again, event by
// event, on the recorded graph.
//
// The model: a task may run when its submission has ended and its producers have; its parts go to free cores
// of their engine in the order in which tasks got ready, the cores of a MIX block together; each scheduler
// thread hands out one part after the other, and takes as long for it as it did in the recording, and so does
// the core until it starts. What the model leaves out shows in `calibration`: how far the same simulation,
// with nothing changed, is from what was recorded.
//
// Pure function of a read-only trace; deterministic; the answer owns what it holds, except for names, which
// are the trace's.
//
//   const WhatIf answers = what_if(trace, chip, times);
//   for (const WhatIfAnswer& answer : answers.answers) use(answer.question, answer.estimate);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/chip/critical_path.h"

namespace accelscope::analysis::chip {

enum class Question : std::uint8_t { kFasterFunction, kNoSchedulerCost, kNoSubmissionCost, kOneMoreCore };

struct WhatIfAnswer {
  Question question = Question::kFasterFunction;
  trace::StringId function = trace::StringId::kEmpty;  // kFasterFunction: which
  double speedup = 1;                                  // kFasterFunction: how many times faster
  std::string_view engine = {};                        // kOneMoreCore: of which kind (vocabulary: engine)
  Ticks simulated = {};                                // makespan of the changed simulation
  // What was observed, changed in the ratio by which the simulation changed: the errors of the model that
  // are in both simulations cancel.
  Ticks estimate = {};
};

enum class WhatIfState : std::uint8_t {
  kAnswered,
  kNothingRan,
  kTooManyTasks,  // more than the options allow
};

struct WhatIf {
  WhatIfState state = WhatIfState::kNothingRan;
  Ticks observed = {};   // first moment on the device to the last end, as the observed path has it
  Ticks simulated = {};  // the same, with nothing changed
  std::vector<WhatIfAnswer> answers = {};  // functions by their total time, then scheduler, submission, cores
  // No schedule is shorter than these; 0 when not known.
  Ticks dependency_bound = {};  // the static path
  Ticks cube_bound = {};        // work of the matrix cores, evenly spread
  Ticks vector_bound = {};
  // Without submissions or dependencies nobody knows when work was ready, so that the costs of scheduling and
  // of submission cannot be told from each other and from waiting: these questions are then left out.
  bool has_dependencies = false;  // they were recorded, if only to say that there are none
  bool has_submissions = false;
  std::uint32_t tasks_on_cycles = 0;  // left out of the simulation, like what waits for them

  // Error of the simulation with nothing changed, as a fraction of what was observed: +0.05 is 5 % too long.
  double calibration() const;
  // How much of what was observed an answer would save: 0.25 is a quarter; negative when it would take
  // longer.
  double saving(const WhatIfAnswer& answer) const;
  // Whether an answer says more than the error of the simulation could.
  bool is_beyond_error(const WhatIfAnswer& answer) const;
};

struct WhatIfOptions {
  double speedup = 2;
  std::size_t functions = 4;           // how many to ask about
  std::uint32_t most_tasks = 200'000;  // beyond this nothing is simulated
};

WhatIf what_if(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
               const WhatIfOptions& options = {});

}  // namespace accelscope::analysis::chip
