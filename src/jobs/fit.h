// The job behind `accelscope fit`: models and boards by name, and what they give together, as findings.
//
// Prints and writes nothing. Safe from any thread.
//
//   ACCELSCOPE_TRY(const findings::Findings findings, fit({.models = {"smolvlm2"}, .boards =
//   {"nexys_video"}}));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sweep.h"
#include "findings/findings.h"
#include "fit/machine.h"
#include "fit/sweep.h"

namespace accelscope::jobs {

struct FitJobOptions {
  std::vector<std::string> models = {};  // names or paths; "*" for all that are part of the program
  std::vector<std::string> boards = {};  // likewise
  std::string settings = {};             // a path; "" for the shipped ones
  accelscope::fit::WorkloadWish wish = {};
  accelscope::fit::Overrides overrides = {};
  std::string sweep = {};  // "" for none
  std::optional<base::Shard> shard = std::nullopt;
  std::string version = {};  // of the program, for provenance
};

base::Result<findings::Findings> fit(const FitJobOptions& options);

// What the reference's models say of one model; nothing of the options but models, settings and, where they
// were given, batch, prompt and output counts.
struct ReferenceFitOptions {
  std::string model = {};
  std::string settings = {};
  std::optional<std::uint64_t> batch = std::nullopt;
  std::optional<std::uint64_t> prompt = std::nullopt;
  std::optional<std::uint64_t> output_tokens = std::nullopt;
  std::optional<std::uint64_t> steps = std::nullopt;
  std::string version = {};
};
base::Result<findings::Findings> fit_by_reference(const ReferenceFitOptions& options);

// The models and boards that are part of the program.
base::Result<findings::Findings> fit_list(const std::string& version);

}  // namespace accelscope::jobs
