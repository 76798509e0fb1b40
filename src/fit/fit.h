// Whether a model fits a board, how it then lies there, and how fast it is: one question, one answer.
//
// Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const Fit fit, fit_model(model, machine, {.context = 2048, .prompt = 1920}));
//   if (fit.decode) fit.tokens_per_second();
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "fit/crossings.h"
#include "fit/footprint.h"
#include "fit/machine.h"
#include "fit/pass_work.h"
#include "fit/placement.h"
#include "fit/speed.h"

namespace accelscope::fit {

// One way of streaming, and what it gives.
struct StreamingChoice {
  Placement placement = {};
  PassSpeed prefill;
  PassSpeed decode;
};

struct Fit {
  Workload workload = {};
  std::uint64_t tokens_of_decode =
      1;  // that a decode pass gives; of a diffusion model all, after all its steps
  std::uint64_t passes_of_decode = 1;  // that it takes to give them
  Weights weights = {};
  Footprint footprint = {};
  memory::Regime regime = memory::Regime::kResident;
  PassWork prefill_work = {};
  PassWork decode_work = {};
  Placement placement = {};
  // Nothing where something must come over a link and the board has none.
  std::optional<PassSpeed> prefill = std::nullopt;
  std::optional<PassSpeed> decode = std::nullopt;
  std::vector<StreamingChoice> choices = {};  // of kWeightStream: all ways, if more than one was asked for

  // From the prompt to the first token. Without a speed, 0.
  base::Picoseconds first_token() const;
  // Of all sequences together, at the context. Without a speed, 0.
  double tokens_per_second() const;
  base::Picoseconds token_time() const;  // from one token of a sequence to its next
  // Of a prompt and all tokens that follow it up to the context, each as slow as the last.
  double request_seconds() const;
};

base::Result<Fit> fit_model(const boards::Model& model, const Machine& machine, const Workload& workload);

// Why a workload makes no sense for a model; "" where it does.
std::string wrong_workload(const boards::Model& model, const Workload& workload);

}  // namespace accelscope::fit
