// The profiling kit's Markdown reports: one for a folder of runs, one for two platforms side by side.
//
// Known wrongs that are kept: which experiment is "on" and which "off" is read from names, whatever their
// thread counts; the device section describes the machine that writes the report; categories go by parts of
// names. Where the kit depends on the order of a directory listing, the order of `experiments` decides here;
// ties between categories go by name.
//
// Pure functions from plain facts to text; safe from any thread. kit_folder.h collects the facts of a folder.
//
//   KitReportFacts facts{.generated = "2026-11-15 19:39:52", .run_dir = "/runs/mac", .experiments = ...};
//   std::string markdown = kit_report(facts);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compat/kit_csv.h"

namespace accelscope::compat {

struct KitExperiment {
  std::string name;
  std::string timeline_csv = {};  // file names; empty where there is none
  std::string stats_csv = {};
  std::vector<double> latencies = {};
  std::map<std::string, double> category_ms = {};
};

struct KitRunner {
  enum class Status : unsigned char {
    kUnresolved,  // a relative path that leads nowhere: the kit says nothing more
    kExists,      // what the kit calls "Executable"
    kMissing,
  };
  std::string experiment;
  std::string path;            // as the configuration says; nothing is said of one without
  std::string full_path = {};  // of one that exists or is missing
  Status status = Status::kUnresolved;
  std::optional<std::uint64_t> bytes = {};
};

// The machine that writes the report.
struct KitHost {
  std::string architecture;
  std::string platform;
  std::string platform_version;
  std::string os = {};  // macOS only
  std::string os_version = {};
};

struct KitReportFacts {
  std::string title = {};  // empty: made from the model's name
  std::string generated;   // "2026-11-15 19:39:52"
  std::string run_dir;
  std::string model_path = {};  // of the manifest; may be empty, as the two below
  std::string config_path = {};
  std::string executorch_sha = {};
  bool executorch_dirty = false;
  std::vector<KitRunner> runners = {};
  KitHost host;
  std::vector<KitExperiment> experiments;
};

struct KitPlatform {
  std::string name;  // "macOS", "Android"
  std::vector<KitExperiment> experiments;
};

struct KitCombinedFacts {
  std::string model_name;
  std::string generated;
  std::vector<KitPlatform> platforms;
};

// The deviation is that of a sample (n - 1), and 0 for one value.
struct KitReportStats {
  double mean = 0;
  double median = 0;
  double min = 0;
  double max = 0;
  double deviation = 0;
};
// Nothing for no latencies.
std::optional<KitReportStats> kit_report_stats(const std::vector<double>& latencies);

// Milliseconds of the operators by coarse category, without what belongs to the framework.
std::map<std::string, double> kit_category_totals(const std::vector<KitOperatorTotal>& totals);

// The experiments that a report compares: by name, the one with most latencies first; null where none fits.
struct KitChoice {
  const KitExperiment* on = nullptr;
  const KitExperiment* off = nullptr;
};
KitChoice choose_kit_experiments(const std::vector<KitExperiment>& experiments);
// The combined report's own rule: only names with an underscore, the last one wins.
KitChoice choose_last_kit_experiments(const std::vector<KitExperiment>& experiments);

std::string kit_report(const KitReportFacts& facts);
std::string kit_combined_report(const KitCombinedFacts& facts);

}  // namespace accelscope::compat
