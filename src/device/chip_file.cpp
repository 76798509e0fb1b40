#include "device/chip_file.h"

#include <fmt/core.h>

#include <array>
#include <limits>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "device/settings_file.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;

// Ids of cores are numbers of 16 bits in some records, and every core has memory of its own.
constexpr std::uint64_t kMaxClusters = 4096;
constexpr std::uint64_t kMaxSchedulers = 64;
constexpr std::uint64_t kMaxCounterHz = 1'000'000'000'000;

enum Key : std::size_t {
  kName,
  kClusters,
  kSchedulerThreads,
  kCounterHz,
  kPmuFamily,
  kMemory,
  kKeys,
};
constexpr std::array<std::string_view, kKeys> kKeyNames = {"name",       "clusters",   "scheduler_threads",
                                                           "counter_hz", "pmu_family", "memory"};

// True for the first of two words, false for the second.
bool choice(base::JsonCursor& json, std::string_view yes, std::string_view no) {
  const std::string_view word = json.string();
  if (json.ok() && word != yes && word != no)
    json.fail_here(ErrorCode::kMalformed, fmt::format("is neither \"{}\" nor \"{}\"", yes, no));
  return word == yes;
}

std::uint32_t count(base::JsonCursor& json, std::uint64_t least, std::uint64_t most) {
  return static_cast<std::uint32_t>(integer_setting(json, least, most));
}

void read_key(std::size_t key, base::JsonCursor& json, Chip& chip) {
  switch (key) {
    case kName:
      chip.name = base::replace_invalid_utf8(json.string());
      break;
    case kClusters:
      chip.clusters = count(json, 1, kMaxClusters);
      break;
    case kSchedulerThreads:
      chip.scheduler_threads = count(json, 1, kMaxSchedulers);
      break;
    case kCounterHz:
      chip.counter = base::Frequency::hz(static_cast<std::int64_t>(integer_setting(json, 1, kMaxCounterHz)));
      break;
    case kPmuFamily:
      chip.pmu_family = choice(json, "a2a3", "a5") ? PmuFamily::kA2A3 : PmuFamily::kA5;
      break;
    default:
      chip.memory_is_mapped = choice(json, "mapped", "copied");
      break;
  }
}

}  // namespace

base::Result<Chip> read_chip(const base::MappedFile& file) {
  Chip chip;
  std::array<bool, kKeys> given = {};
  ACCELSCOPE_CHECK(read_settings(file, "chip", kKeyNames, [&](std::size_t key, base::JsonCursor& json) {
    given[key] = true;
    read_key(key, json, chip);
  }));
  for (const Key needed : {kClusters, kSchedulerThreads, kCounterHz})
    if (!given[needed])
      return base::fail_at(base::Location::of_file(file.path()), ErrorCode::kMalformed,
                           "`{}` is missing: a chip needs it", kKeyNames[needed]);
  if (chip.scheduler_threads > chip.clusters)
    return base::fail_at(base::Location::of_file(file.path()), ErrorCode::kMalformed,
                         "has {} scheduler threads for {} clusters: each needs one at least",
                         chip.scheduler_threads, chip.clusters);
  return chip;
}

base::Result<Chip> load_chip(const std::string& name_or_path) {
  ACCELSCOPE_TRY(const base::MappedFile file, open_settings(name_or_path, "chip", chip_presets()));
  return read_chip(file);
}

void write_chip(const Chip& chip, base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("name", chip.name);
  json.member("clusters", chip.clusters);
  json.member("scheduler_threads", chip.scheduler_threads);
  json.member("counter_hz", chip.counter.ticks);
  json.member("pmu_family", chip.pmu_family == PmuFamily::kA5 ? "a5" : "a2a3");
  json.member("memory", chip.memory_is_mapped ? "mapped" : "copied");
  json.end_object();
  out.append('\n');
}

}  // namespace accelscope::device
