// Whatever the bytes, the readers of the files beside a swimlane answer with what is in them or with an error
// that names the file; what they answer keeps the promises of their headers. The first byte picks the reader.
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "formats/deps/deps.h"
#include "formats/host_phases/host_phases.h"
#include "formats/name_map/name_map.h"
#include "formats/pmu_csv/pmu_csv.h"
#include "formats/scope_stats/scope_stats.h"
#include "formats/strace_log/strace_log.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace formats = accelscope::formats;

constexpr std::string_view kName = "fuzzed-input";

template <class T>
bool is_good(const base::Result<T>& result) {
  if (result) return true;
  require(!result.error().message.empty(), "an error has a message");
  require(result.error().where.file == kName, "an error names the file");
  return false;
}

void check_dependencies(const base::MappedFile& file) {
  (void)formats::deps::looks_like_dependencies(file.text());
  const auto deps = formats::deps::read_dependencies(file);
  if (!is_good(deps)) return;
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const formats::deps::Edge& edge : deps->edges) {
    require(edge.from != edge.to, "no task depends on itself");
    require(pairs.insert({edge.from, edge.to}).second, "pairs are distinct");
  }
  require(deps->listed_edges >= deps->edges.size(), "every edge was listed");
  std::set<std::uint64_t> tasks;
  for (const formats::deps::Task& task : deps->tasks)
    require(tasks.insert(task.id).second, "tasks are distinct");
}

void check_pmu(const base::MappedFile& file) {
  (void)formats::pmu_csv::looks_like_pmu_csv(file.text());
  const auto pmu = formats::pmu_csv::read_pmu(file);
  if (!is_good(pmu)) return;
  for (const formats::pmu_csv::PmuRow& row : pmu->rows)
    require(row.values.size() == pmu->counters.size(), "a row has a value for every counter");
}

void check_scope_stats(const base::MappedFile& file) {
  (void)formats::scope_stats::looks_like_scope_stats(file.text());
  const auto stats = formats::scope_stats::read_scope_stats(file);
  if (!is_good(stats)) return;
  for (const formats::scope_stats::ScopeBoundary& boundary : stats->boundaries)
    require(boundary.ring < formats::scope_stats::kRings, "a ring is one of those there are");
}

void check_host_phases(const base::MappedFile& file) {
  (void)formats::host_phases::looks_like_host_phases(file.text());
  const auto phases = formats::host_phases::read_host_phases(file);
  if (!is_good(phases)) return;
  for (const formats::host_phases::HostPass& pass : phases->passes)
    for (const formats::host_phases::HostPhase& phase : pass.records)
      require(phase.start_ns <= phase.end_ns, "a phase does not end before it starts");
}

void check_log(const base::MappedFile& file) {
  (void)formats::strace_log::looks_like_strace_log(file.text());
  const auto log = formats::strace_log::read_strace_log(file);
  if (!is_good(log)) return;
  for (const formats::strace_log::Span& span : log->spans) {
    std::int64_t end = 0;
    require(span.duration_ns >= 0 && !__builtin_add_overflow(span.start_ns, span.duration_ns, &end),
            "a span has an end");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const base::MappedFile file = base::MappedFile::from_memory(std::string(kName), bytes);
  switch (data[0]) {
    case 'd':
      check_dependencies(file);
      break;
    case 'n':
      (void)formats::name_map::looks_like_name_map(bytes);
      (void)is_good(formats::name_map::read_name_map(file));
      break;
    case 'p':
      check_pmu(file);
      break;
    case 's':
      check_scope_stats(file);
      break;
    case 'h':
      check_host_phases(file);
      break;
    default:
      check_log(file);
  }
  return 0;
}
