#include "compat/reference_critical_path.h"

#include <algorithm>
#include <numeric>

namespace accelscope::compat {
namespace {

// How much later than its consumer's start a producer may end.
constexpr Ticks kTolerance{2};

struct Span {
  Ticks start = Ticks::max();
  Ticks end = trace::kUnknownTime;
  std::uint32_t first_row = 0;  // the one that started first

  bool ran() const { return trace::is_known(end); }
  Ticks length() const { return end - start; }
};

std::vector<Span> spans_of(const ReferenceRun& run) {
  std::vector<Span> spans(run.tasks.size());
  for (std::uint32_t row = 0; row < run.rows.size(); ++row) {
    Span& span = spans[run.rows[row].task];
    if (run.rows[row].start < span.start) {
      span.start = run.rows[row].start;
      span.first_row = row;
    }
    span.end = std::max(span.end, run.rows[row].end);
  }
  return spans;
}

bool keeps(const Span& producer, const Span& consumer) {
  return producer.ran() && consumer.ran() && producer.end <= consumer.start + kTolerance &&
         producer.start < consumer.start;
}

// For each row the row of the same core that ended last of all that started earlier.
std::vector<std::uint32_t> rows_before(const ReferenceRun& run) {
  std::vector<std::uint32_t> order(run.rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const ReferenceRow& left = run.rows[a];
    const ReferenceRow& right = run.rows[b];
    return left.core != right.core ? left.core < right.core : left.start < right.start;
  });
  std::vector<std::uint32_t> before(run.rows.size(), ReferenceRun::kNoTask);
  std::uint32_t last = ReferenceRun::kNoTask;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && run.rows[order[i]].core != run.rows[order[i - 1]].core) last = ReferenceRun::kNoTask;
    before[order[i]] = last;
    if (last == ReferenceRun::kNoTask || run.rows[order[i]].end > run.rows[last].end) last = order[i];
  }
  return before;
}

void find_static_path(const ReferenceRun& run, const std::vector<Span>& spans, ReferenceCriticalPath& path) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t task = 0; task < spans.size(); ++task)
    if (spans[task].ran()) order.push_back(task);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return spans[a].start < spans[b].start; });
  struct Longest {
    Ticks length = {};
    std::size_t tasks = 0;
  };
  std::vector<Longest> longest(spans.size());
  for (const std::uint32_t task : order) {
    Longest best;
    for (const std::uint32_t producer : run.producers_of(task)) {
      if (!keeps(spans[producer], spans[task])) continue;
      ++path.edges;
      if (longest[producer].length > best.length) best = longest[producer];
    }
    longest[task] = {best.length + spans[task].length(), best.tasks + 1};
    if (longest[task].length > path.static_length) {
      path.static_length = longest[task].length;
      path.static_tasks = longest[task].tasks;
    }
  }
}

struct Before {
  std::uint32_t task = ReferenceRun::kNoTask;
  Stall kind = Stall::kFrontGap;
};

// What a task waited for last: of its producers and of what its core did before, whichever ended last.
Before before_task(const ReferenceRun& run, const std::vector<Span>& spans,
                   const std::vector<std::uint32_t>& before, std::uint32_t task) {
  Before answer;
  Ticks latest = Ticks::min();
  for (const std::uint32_t producer : run.producers_of(task))
    if (keeps(spans[producer], spans[task]) && spans[producer].end > latest) {
      latest = spans[producer].end;
      answer = {producer, Stall::kDataWait};
    }
  const std::uint32_t row = before[spans[task].first_row];
  if (row != ReferenceRun::kNoTask && run.rows[row].end > latest && run.rows[row].task != task)
    answer = {run.rows[row].task, Stall::kCoreWait};
  return answer;
}

void find_observed_path(const ReferenceRun& run, const std::vector<Span>& spans, Ticks begin,
                        ReferenceCriticalPath& path) {
  std::uint32_t task = ReferenceRun::kNoTask;
  for (std::uint32_t i = 0; i < spans.size(); ++i)
    if (spans[i].ran() && (task == ReferenceRun::kNoTask || spans[i].end > spans[task].end)) task = i;
  const std::vector<std::uint32_t> before = rows_before(run);
  std::vector<bool> seen(spans.size(), false);
  while (task != ReferenceRun::kNoTask && !seen[task]) {
    seen[task] = true;
    const Before previous = before_task(run, spans, before, task);
    path.steps.push_back({.task = task, .length = spans[task].length(), .kind = previous.kind});
    task = previous.task;
  }
  std::reverse(path.steps.begin(), path.steps.end());
  Ticks frontier = begin;
  for (PathStep& step : path.steps) {
    const Span& span = spans[step.task];
    step.stall = std::max(Ticks{0}, span.start - frontier);
    step.compute = std::max(Ticks{0}, span.end - std::max(span.start, frontier));
    frontier = std::max(frontier, span.end);
  }
}

}  // namespace

std::string_view stall_name(Stall stall) {
  switch (stall) {
    case Stall::kFrontGap:
      return "front-gap";
    case Stall::kDataWait:
      return "data-wait";
    case Stall::kCoreWait:
      return "core-wait";
  }
  return "";
}

ReferenceCriticalPath reference_critical_path(const ReferenceRun& run) {
  ReferenceCriticalPath path;
  const std::vector<Span> spans = spans_of(run);
  Ticks begin = Ticks::max();
  Ticks end = Ticks::min();
  for (const Span& span : spans) {
    if (!span.ran()) continue;
    ++path.tasks;
    begin = std::min(begin, span.start);
    end = std::max(end, span.end);
  }
  if (path.tasks == 0) return path;
  path.makespan = end - begin;
  find_static_path(run, spans, path);
  find_observed_path(run, spans, begin, path);
  return path;
}

}  // namespace accelscope::compat
