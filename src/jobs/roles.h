// Which experiments are compared with which: by the names the user gives, else by the pairs of the
// experiments' config, else by names that say on and off. Never by the order of arguments, and never across
// thread counts unless asked.
//
// Pure function; positions are those of the list it is given.
//
//   ACCELSCOPE_TRY(const Roles roles, choose_roles(candidates, config_pairs, {.baseline = "off", .candidate =
//   "on"}));
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::jobs {

struct RoleCandidate {
  std::string name = {};
  std::optional<std::int64_t> threads = std::nullopt;
  bool timing = true;  // false: recorded for kernels, not for time
};

struct ConfigPair {
  std::string baseline = {};
  std::optional<std::int64_t> baseline_threads = std::nullopt;
  std::string candidate = {};
  std::optional<std::int64_t> candidate_threads = std::nullopt;
};

struct RoleOptions {
  std::string baseline = {};
  std::string candidate = {};
  bool allow_thread_mismatch = false;
};

struct Roles {
  std::vector<analysis::RolePair> pairs = {};
  std::string chosen_by = {};  // for people: "--baseline and --candidate", "the config's compare pairs", ...
  trace::QualityTable quality = {};  // pairs that were asked for and could not be made
};

// Whether a name says that something is switched on or off: "mac_sme2_on"; nothing when it says neither.
std::optional<bool> says_on(std::string_view name);

base::Result<Roles> choose_roles(std::span<const RoleCandidate> experiments,
                                 std::span<const ConfigPair> config_pairs, const RoleOptions& options);

}  // namespace accelscope::jobs
