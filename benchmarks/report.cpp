// A report on a run directory with two recordings of 14 MB, all four files written, and a comparison of a
// thousand operators.
//
// Floors in the same run: opening the two recordings and nothing else, and sorting the numbers that are
// compared. Wall time of the best repetition, because files are read and written.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare.h"
#include "formats/etdump/sample_dumps.h"
#include "formats/open/open.h"
#include "jobs/report.h"
#include "stats/random.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program

constexpr std::uint32_t kEvents = 173'201;
constexpr std::size_t kOperators = 1000;
constexpr std::size_t kRuns = 100;
constexpr int kRepetitions = 7;

double sum_of_results = 0;  // printed, so that nothing is optimised away

template <class Work>
double best_of(Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    sum_of_results += work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

void show(std::string_view what, double milliseconds, double floor) {
  fmt::print("{:<70} {:9.2f} ms  {:6.1f} times the floor\n", what, milliseconds, milliseconds / floor);
}

struct Folder {
  std::string path;
  Folder() : path((std::filesystem::temp_directory_path() / "accelscope-bench-XXXXXX").string()) {
    if (mkdtemp(path.data()) == nullptr) std::abort();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

template <class T>
const T& value_or_stop(const base::Result<T>& result) {
  if (result) return *result;
  fmt::print(stderr, "{}\n", result.error().to_string());
  std::abort();
}

void report_on_a_run_directory() {
  const Folder folder;
  const std::string bytes = formats::etdump::write_etdump(formats::etdump::large_dump(kEvents));
  std::vector<std::string> dumps;
  for (const std::string_view name : {"sme2_off", "sme2_on"}) {
    dumps.push_back(fmt::format("{}/large_{}_t1.etdump", folder.path, name));
    std::ofstream(dumps.back(), std::ios::binary) << bytes;
  }
  const double floor = best_of([&] {
    double slices = 0;
    for (const std::string& path : dumps)
      slices += static_cast<double>(value_or_stop(formats::open::open_trace(path, {})).slices().size());
    return slices;
  });
  show("floor: opening two ETDumps of 14 MB", floor, floor);
  show("report on both, four files written", best_of([&] {
         const auto outcome = jobs::report({.input = {.inputs = {folder.path}}, .version = "bench"});
         return static_cast<double>(value_or_stop(outcome).files.size());
       }),
       floor);
  for (const std::string_view name :
       {"report.md", "operator_analysis.json", "kernel_view.md", "findings.json"})
    fmt::print("  {:<24} {:>10} bytes\n", name,
               std::filesystem::file_size(fmt::format("{}/{}", folder.path, name)));
}

// Operators of 10 to 110 us with a noise of a few percent.
analysis::Profile made_up_profile(std::string name, stats::Generator& random, double scale) {
  analysis::MethodProfile method{.method = "forward", .frequency = base::Frequency::nanoseconds()};
  method.executions.resize(kRuns);
  for (std::size_t i = 0; i < kOperators; ++i) {
    analysis::Entry entry{.name = fmt::format("Fully Connected (NC, F32) GEMM #{}", i + 1),
                          .part = analysis::Part::kDelegateOperator,
                          .call = static_cast<std::int64_t>(i / 50),
                          .ordinal = static_cast<std::uint32_t>(i % 50),
                          .type = "Fully Connected",
                          .family = "Fully Connected",
                          .category = analysis::Category::kGemm,
                          .count = kRuns};
    const double length = scale * (10'000 + 100'000 * random.uniform());
    for (std::size_t run = 0; run < kRuns; ++run) {
      const double noise = 1 + 0.05 * (random.uniform() + random.uniform() - 1);
      const base::Ticks self{static_cast<std::int64_t>(length * noise)};
      entry.self.push_back(self);
      analysis::Execution& execution = method.executions[run];
      execution.run_index = static_cast<std::uint32_t>(run);
      execution.duration = base::Ticks{execution.duration.value + self.value};
    }
    method.entries.push_back(std::move(entry));
  }
  analysis::Profile profile{.name = std::move(name), .sources = {"made up"}};
  profile.methods.push_back(std::move(method));
  return profile;
}

void comparison_of_many_operators() {
  stats::Generator random(1);
  const analysis::Profile baseline = made_up_profile("off", random, 1);
  const analysis::Profile candidate = made_up_profile("on", random, 0.9);
  const double floor = best_of([&] {
    double sum = 0;
    for (const analysis::Profile* profile : {&baseline, &candidate})
      for (const analysis::Entry& entry : profile->methods.front().entries) {
        std::vector<double> values;
        for (const base::Ticks self : entry.self) values.push_back(static_cast<double>(self.value));
        std::sort(values.begin(), values.end());
        sum += values.front();
      }
    return sum;
  });
  show("floor: sorting the times of 1000 operators in 100 and 100 runs", floor, floor);
  show("comparison of them, 12 bootstrapped, Holm-adjusted",
       best_of([&] { return analysis::compare(baseline, candidate).methods.front().saving; }), floor);
}

}  // namespace

int main() {
  report_on_a_run_directory();
  comparison_of_many_operators();
  fmt::print("(sum of all results {:g})\n", sum_of_results);
}
