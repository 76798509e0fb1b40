// What a fit and a sweep cost: 10 000 combinations of arrays, contexts, formats and batches on a board that
// holds the model, and on one to which its weights are streamed.
//
// The floor in the same run: adding up the footprint of each combination, without any time. Times are of the
// clock on the wall, because a sweep uses two threads; the median of several runs.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "boards/board_file.h"
#include "boards/model_file.h"
#include "boards/settings.h"
#include "fit/sweep.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program

constexpr int kRepetitions = 5;
constexpr std::string_view kSweep =
    "mlen=64..1024*2 blen=4..64*2 context=1024..1048576*2 weights=mxfp8/8,mxfp4,bf16 kv=mxfp8/8,mxfp4 "
    "batch=1..7";

std::int64_t sum_of_results = 0;  // printed, so that nothing is optimised away

double median_ms(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + kRepetitions / 2, times.end());
  return times[kRepetitions / 2];
}

void print(std::string_view what, double ms, std::uint64_t points) {
  fmt::print("{:<48} {:9.1f} ms {:9.2f} us/point\n", what, ms, ms * 1e3 / static_cast<double>(points));
}

int measure() {
  const auto model = boards::load_model("llama-3.1-8b");
  const auto board = boards::load_board("v80");
  if (!model || !board) return 1;
  const auto plan_with = [&](base::Bytes capacity) {
    auto sweep = base::parse_sweep(kSweep, fit::sweep_kinds({}, {}), 1'000'000);
    fit::SweepCommon common;
    common.settings = boards::default_settings().transactional;
    common.overrides.capacity = capacity;
    common.overrides.host_bandwidth = base::BytesPerSecond{25'000'000'000};
    return fit::plan_sweep(std::move(*sweep), {*model}, {*board}, common);
  };
  const auto resident = plan_with(base::Bytes{std::int64_t{1} << 50});
  const auto streamed = plan_with(base::Bytes{std::int64_t{4} << 30});
  if (!resident || !streamed) return 1;
  const std::uint64_t points = resident->sweep.points();
  fmt::print("{} combinations\n", points);
  print("floor: footprints alone, one thread", median_ms([&] {
          for (std::uint64_t i = 0; i < points; ++i)
            sum_of_results += fit::footprint_of(*model, {}, {.context = 1024 + i, .batch = 1})->total().value;
        }),
        points);
  const auto sweep = [&](const fit::SweepPlan& plan) {
    for (const fit::SweepPoint& point : fit::run_sweep(plan, {}))
      sum_of_results += point.first_token.value & 1;
  };
  print("sweep, resident", median_ms([&] { sweep(*resident); }), points);
  print("sweep, weights streamed in three ways", median_ms([&] { sweep(*streamed); }), points);
  fmt::print("checksum {}\n", sum_of_results);
  return 0;
}

}  // namespace

int main() {
  return measure();
}
