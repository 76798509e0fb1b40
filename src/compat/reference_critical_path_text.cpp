#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "compat/reference_critical_path.h"
#include "compat/reference_labels.h"

namespace accelscope::compat {
namespace {

class PathText {
 public:
  PathText(const ReferenceCriticalPath& path, const ReferenceRun& run) : path_(path), run_(run) {}

  std::string totals(std::string_view rank) const;
  std::string families() const;
  std::string table() const;

 private:
  double ms(Ticks ticks) const { return 1e3 * run_.clock.frequency.to_seconds(ticks); }
  double us(Ticks ticks) const { return 1e6 * run_.clock.frequency.to_seconds(ticks); }
  double share(Ticks ticks) const {
    return path_.makespan.value > 0
               ? 100 * static_cast<double>(ticks.value) / static_cast<double>(path_.makespan.value)
               : 0;
  }
  // The first of the functions that the task names.
  std::string kernel_of(std::uint32_t task) const {
    const std::string_view names =
        run_.trace->text(run_.trace->tasks().name[trace::index(run_.tasks[task].task)]);
    return std::string(names.substr(0, names.find('+')));
  }

  const ReferenceCriticalPath& path_;
  const ReferenceRun& run_;
};

// Kernels that differ in a number at their end, or in the kind of core, are of one family.
std::string family_of(std::string name) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  for (bool changed = true; changed;) {
    changed = false;
    const std::size_t line = name.rfind('_');
    if (line == std::string::npos || line == 0) break;
    const std::string_view ending = std::string_view(name).substr(line + 1);
    const bool number = !ending.empty() && std::all_of(ending.begin(), ending.end(), is_digit);
    if (number || ending == "aic" || ending == "aiv") {
      name.resize(line);
      changed = true;
    }
  }
  return name;
}

std::string PathText::totals(std::string_view rank) const {
  Ticks compute;
  Ticks stall;
  std::array<Ticks, 3> by_kind = {};
  for (const PathStep& step : path_.steps) {
    compute += step.compute;
    stall += step.stall;
    by_kind[static_cast<std::size_t>(step.kind)] += step.stall;
  }
  std::string text = fmt::format("## Rank `{}`\n\n", rank);
  text += fmt::format("- tasks: {} | happens-before edges: {}\n", path_.tasks, path_.edges);
  text += fmt::format("- **makespan**: {:.3f} ms\n", ms(path_.makespan));
  text += fmt::format("- **static CPM path**: {:.3f} ms ({:.1f}% of makespan) over {} tasks\n",
                      ms(path_.static_length), share(path_.static_length), path_.static_tasks);
  text += fmt::format("- **observed critical path**: {} tasks\n", path_.steps.size());
  text += fmt::format("  - compute: {:.3f} ms ({:.1f}%)\n", ms(compute), share(compute));
  text += fmt::format("  - stall (runtime scheduling): {:.3f} ms ({:.1f}%)\n", ms(stall), share(stall));
  std::array<Stall, 3> kinds = {Stall::kFrontGap, Stall::kDataWait, Stall::kCoreWait};
  std::stable_sort(kinds.begin(), kinds.end(), [&](Stall a, Stall b) {
    return by_kind[static_cast<std::size_t>(a)] > by_kind[static_cast<std::size_t>(b)];
  });
  for (const Stall kind : kinds) {
    const Ticks total = by_kind[static_cast<std::size_t>(kind)];
    if (total > Ticks{0})
      text += fmt::format("    - {}: {:.3f} ms ({:.1f}%)\n", stall_name(kind), ms(total), share(total));
  }
  const Ticks tiled = compute + stall;
  text += fmt::format("  - tiling check: compute+stall = {} ticks vs makespan {} ticks ({})\n", tiled.value,
                      path_.makespan.value, tiled == path_.makespan ? "exact" : "MISMATCH");
  return text;
}

std::string PathText::families() const {
  struct Family {
    std::string name = {};
    Ticks compute = {};
    Ticks stall = {};
    std::size_t count = 0;
  };
  std::map<std::string, Family> by_name;
  for (const PathStep& step : path_.steps) {
    const std::string name = family_of(kernel_of(step.task));
    Family& family = by_name[name];
    family.name = name;
    family.compute += step.compute;
    family.stall += step.stall;
    ++family.count;
  }
  std::vector<Family> families;
  families.reserve(by_name.size());
  for (auto& [name, family] : by_name) families.push_back(std::move(family));
  std::stable_sort(families.begin(), families.end(),
                   [](const Family& a, const Family& b) { return a.compute > b.compute; });
  std::string text =
      "\n### Time on the observed critical path, by kernel family\n\n"
      "| kernel family | compute ms | % makespan | stall ms | # on path |\n|---|---:|---:|---:|---:|\n";
  for (const Family& family : families)
    text += fmt::format("| {} | {:.3f} | {:.1f}% | {:.3f} | {} |\n", family.name, ms(family.compute),
                        share(family.compute), ms(family.stall), family.count);
  return text;
}

std::string PathText::table() const {
  std::string text = fmt::format("\n### Observed critical path — all {} tasks\n\n", path_.steps.size());
  text +=
      "| # | kernel | task µs | compute µs (%mk) | stall µs (%mk) | stall kind |\n"
      "|---:|---|---:|---:|---:|---|\n";
  for (std::size_t i = 0; i < path_.steps.size(); ++i) {
    const PathStep& step = path_.steps[i];
    text += fmt::format("| {} | {} | {:.1f} | {:.1f} ({:.2f}%) | {:.1f} ({:.2f}%) | {} |\n", i,
                        kernel_of(step.task), us(step.length), us(step.compute), share(step.compute),
                        us(step.stall), share(step.stall),
                        step.stall > Ticks{0} ? stall_name(step.kind) : std::string_view());
  }
  return text;
}

}  // namespace

std::string reference_critical_path_text(const ReferenceCriticalPath& path, const ReferenceRun& run,
                                         std::string_view rank) {
  const PathText text(path, run);
  return text.totals(rank) + text.families();
}

std::string reference_path_table(const ReferenceCriticalPath& path, const ReferenceRun& run) {
  return PathText(path, run).table();
}

}  // namespace accelscope::compat
