// What is known about the machine that ran: its processor, its system, and the state that makes times differ
// (frequencies, governors, temperatures, load). What cannot be read is absent; nothing is guessed.
//
// Pure functions of what a Target could read; safe from any thread. Plain data.
//
//   const DeviceFacts facts = device_facts(target.read_facts(fact_patterns(Facts::kAll)));
//   for (const auto& [name, value] : facts.named) fmt::print("{}: {}\n", name, value);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "experiments/target.h"

namespace accelscope::experiments {

struct CoreFacts {
  std::int64_t core = 0;
  std::string governor = {};
  std::optional<std::int64_t> current_khz = {};
  std::optional<std::int64_t> max_khz = {};
};

struct Temperature {
  std::string zone;       // "thermal_zone0"
  std::string type = {};  // "cpu-0-0", as the kernel calls it
  double celsius = 0;
};

struct DeviceFacts {
  // cpu_model, cpu_parts, cpu_features, cpu_cores, architecture, os, kernel, build_fingerprint, product,
  // affinity, load_average: those that are known, in this order.
  std::vector<std::pair<std::string, std::string>> named = {};
  std::vector<CoreFacts> cores = {};
  std::vector<Temperature> temperatures = {};

  // "" when it is not known.
  std::string find(std::string_view name) const;
};

// kState is what changes while experiments run: frequencies, temperatures, load.
enum class Facts : std::uint8_t { kAll, kState };
std::vector<std::string> fact_patterns(Facts which);

DeviceFacts device_facts(const RawFacts& raw);
// Of these only what changes while experiments run.
DeviceFacts device_state(const RawFacts& raw);

void write_device_facts(base::JsonWriter& json, const DeviceFacts& facts);

}  // namespace accelscope::experiments
