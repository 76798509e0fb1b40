#include "jobs/demo_chip_schedule.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace accelscope::jobs {
namespace {

using formats::chip_swimlane::Capture;
using formats::chip_swimlane::CoreRows;
using formats::chip_swimlane::CoreType;
using formats::chip_swimlane::PhaseRow;
using formats::deps::Reason;

constexpr std::size_t kClusters = 8;
constexpr std::size_t kCores = 3 * kClusters;
constexpr std::size_t kThreads = 3;
constexpr std::size_t kLayers = 10;

// All times are ticks of 20 ns.
constexpr std::int64_t kFirstTick = 71'440'000'000;
constexpr std::int64_t kSubmit = 35;
constexpr std::int64_t kSlowSubmit = 900;
constexpr std::int64_t kBetweenSubmits = 4;
constexpr std::size_t kFirstSlowLayer = 4;
constexpr std::size_t kSlowLayers = 2;
constexpr std::int64_t kPoll = 12;
constexpr std::int64_t kPhase = 14;
constexpr std::int64_t kPerDispatch = 28;
constexpr std::int64_t kPerFinish = 9;
constexpr std::int64_t kPerConsumer = 4;
constexpr std::int64_t kPropagation = 16;
constexpr std::int64_t kSetup = 7;

// Positions in Capture::phase_kinds.
enum Kind : std::uint32_t { kDispatch, kComplete, kResolve, kDummy, kDummyTask, kSubmitKind };

// Which queue a task waits in. Dummies need no core.
enum class Queue : std::uint8_t { kCube, kVector, kMix, kDummy };
constexpr std::size_t kQueues = 4;

struct DemoTask {
  Queue queue = Queue::kDummy;
  std::array<std::int32_t, 3> kernels = {-1, -1, -1};
  std::array<std::int64_t, 3> durations = {};  // of the cube core and the two vector cores
  std::vector<std::size_t> consumers = {};
  std::size_t producers = 0;
  std::int64_t submitted = 0;
};

struct Graph {
  std::vector<DemoTask> tasks = {};
  std::vector<formats::deps::Edge> edges = {};

  std::size_t add(DemoTask task) {
    tasks.push_back(std::move(task));
    return tasks.size() - 1;
  }
  void connect(std::size_t from, std::size_t to, Reason reason) {
    tasks[from].consumers.push_back(to);
    ++tasks[to].producers;
    edges.push_back({from, to, reason});
  }
};

// A layer: 16 matrix products, 8 attention heads of two products each, 16 normalisations of halves of a head,
// and a barrier that the next layer waits for.
Graph decoder_graph(bool slow_norm) {
  Graph graph;
  std::minstd_rand random(4);  // the standard says what it draws
  const auto about = [&](std::int64_t ticks) {
    return ticks + static_cast<std::int64_t>(random() % static_cast<unsigned>(ticks / 5));
  };
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    const std::size_t barrier_before = graph.tasks.size() - 1;
    std::vector<std::size_t> products;
    std::vector<std::size_t> norms;
    for (std::size_t i = 0; i < 2 * kClusters; ++i) {
      products.push_back(
          graph.add({.queue = Queue::kCube, .kernels = {0, -1, -1}, .durations = {about(900), 0, 0}}));
      if (layer > 0) graph.connect(barrier_before, products.back(), Reason::kExplicit);
    }
    for (std::size_t i = 0; i < kClusters; ++i) {
      const std::size_t head = graph.add(
          {.queue = Queue::kMix, .kernels = {1, 2, 2}, .durations = {about(1500), about(1100), about(1100)}});
      graph.connect(products[2 * i], head, Reason::kTensorMap);
      graph.connect(products[2 * i + 1], head, Reason::kTensorMap);
      for (int half = 0; half < 2; ++half) {
        const std::int64_t duration = about(360);
        norms.push_back(graph.add({.queue = Queue::kVector,
                                   .kernels = {-1, 3, -1},
                                   .durations = {0, slow_norm ? duration * 5 / 4 : duration, 0}}));
        graph.connect(head, norms.back(), Reason::kTensorMap);
      }
    }
    const std::size_t barrier = graph.add({});
    for (const std::size_t norm : norms) graph.connect(norm, barrier, Reason::kExplicit);
  }
  return graph;
}

constexpr std::size_t cube_core(std::size_t cluster) {
  return cluster;
}
constexpr std::size_t vector_core(std::size_t cluster, std::size_t which) {
  return kClusters + 2 * cluster + which;
}
// The cluster that a core belongs to, and so the thread that feeds it.
constexpr std::size_t thread_of(std::size_t core) {
  const std::size_t cluster = core < kClusters ? core : (core - kClusters) / 2;
  return cluster % kThreads;
}

class Simulation {
 public:
  Simulation(Graph& graph, Capture& capture) : tasks_(graph.tasks), capture_(capture) {
    capture_.scheduler_threads.resize(kThreads);
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      waits_for_.push_back(tasks_[task].producers);
      unfinished_parts_.push_back(static_cast<std::size_t>(
          std::count_if(tasks_[task].kernels.begin(), tasks_[task].kernels.end(), is_kernel)));
      if (tasks_[task].producers == 0) make_ready(task, kFirstTick);
    }
  }

  // Always the thread that is furthest behind, so that what it sees is what the others have done by then.
  void run() {
    while (done_ < tasks_.size())
      step(std::min_element(threads_.begin(), threads_.end(),
                            [](const Thread& a, const Thread& b) { return a.now < b.now; }) -
           threads_.begin());
    for (std::size_t thread = 0; thread < kThreads; ++thread) close_phase(thread);
  }

 private:
  struct Thread {
    std::int64_t now = kFirstTick + kSubmit;
    std::uint64_t loop = 0;
    std::uint32_t stage = 0;  // of the loop: complete, dummy, dispatch
    bool worked = false;
    bool phase_open = false;  // its last phase ends now, and has yet to look at the queues
  };
  struct Running {
    bool busy = false;
    std::size_t task = 0;
    std::int64_t end = 0;
  };

  static bool is_kernel(std::int32_t kernel) { return kernel >= 0; }

  void make_ready(std::size_t task, std::int64_t when) {
    queue(tasks_[task].queue).insert({std::max(when, tasks_[task].submitted), task});
  }

  std::set<std::pair<std::int64_t, std::size_t>>& queue(Queue which) {
    return queues_[static_cast<std::size_t>(which)];
  }

  std::array<std::int64_t, 3> depths(std::int64_t now) const {
    std::array<std::int64_t, 3> found{};
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = std::distance(queues_[i].begin(), queues_[i].lower_bound({now + 1, 0}));
    return found;
  }

  void step(std::ptrdiff_t which) {
    const auto number = static_cast<std::size_t>(which);
    close_phase(number);
    Thread& thread = threads_[number];
    const std::int64_t before = thread.now;
    switch (thread.stage) {
      case 0:
        complete(number);
        break;
      case 1:
        retire_dummies(number);
        break;
      default:
        dispatch(number);
    }
    thread.worked = thread.worked || thread.now > before;
    if (++thread.stage < 3) return;
    if (!thread.worked) thread.now += kPoll;
    thread.stage = 0;
    thread.worked = false;
    ++thread.loop;
  }

  PhaseRow& add_phase(std::size_t thread, Kind kind, std::int64_t start, std::int64_t end,
                      std::uint64_t processed) {
    std::vector<PhaseRow>& rows = capture_.scheduler_threads[thread];
    rows.push_back({.kind = kind,
                    .start = start,
                    .end = end,
                    .loop = threads_[thread].loop,
                    .tasks_processed = processed,
                    .queues_at_start = depths(start),
                    .queues_at_end = depths(start)});
    return rows.back();
  }

  // The phase ends with its thread's time; how deep the queues are then is known when that comes.
  void open_phase(std::size_t thread) { threads_[thread].phase_open = true; }
  void close_phase(std::size_t thread) {
    if (!std::exchange(threads_[thread].phase_open, false)) return;
    PhaseRow& row = capture_.scheduler_threads[thread].back();
    row.queues_at_end = depths(row.end);
  }

  // Returns when the consumers are woken, which is at once where there are none.
  std::int64_t resolve(std::size_t thread, const std::vector<std::size_t>& finished, std::int64_t start) {
    std::size_t consumers = 0;
    for (const std::size_t task : finished) consumers += tasks_[task].consumers.size();
    if (consumers == 0) return start;
    const std::int64_t end = start + kPerConsumer * static_cast<std::int64_t>(consumers);
    for (const std::size_t task : finished)
      for (const std::size_t consumer : tasks_[task].consumers)
        if (--waits_for_[consumer] == 0) make_ready(consumer, end);
    add_phase(thread, kResolve, start, end, consumers);
    return end;
  }

  void complete(std::size_t number) {
    Thread& thread = threads_[number];
    const std::int64_t start = thread.now;
    std::int64_t now = start + 2;
    std::uint64_t seen = 0;
    std::vector<std::size_t> finished;
    for (std::size_t core = 0; core < kCores; ++core) {
      Running& running = running_[core];
      if (thread_of(core) != number || !running.busy || running.end > start) continue;
      capture_.cores[core].finish.push_back(now);
      now += kPerFinish;
      running.busy = false;
      ++seen;
      if (--unfinished_parts_[running.task] == 0) finished.push_back(running.task);
    }
    if (seen == 0) return;
    done_ += finished.size();
    now = resolve(number, finished, now);
    thread.now = now + kPhase;
    add_phase(number, kComplete, start, thread.now, seen);
    open_phase(number);
  }

  void retire_dummies(std::size_t number) {
    Thread& thread = threads_[number];
    const std::int64_t start = thread.now;
    auto& waiting = queue(Queue::kDummy);
    if (waiting.empty() || waiting.begin()->first > start) return;
    const std::size_t task = waiting.begin()->second;
    waiting.erase(waiting.begin());
    const std::int64_t retired = start + kPhase;
    add_phase(number, kDummyTask, retired, retired, 1).task = task;
    ++done_;
    thread.now = resolve(number, {task}, retired) + 2;
    add_phase(number, kDummy, start, thread.now, 1);
    open_phase(number);
  }

  bool is_free(std::size_t core) const { return !running_[core].busy; }

  // The first that waits, if it has been put there by then.
  bool pop(Queue which, std::int64_t now, PhaseRow& row, std::size_t& task) {
    auto& waiting = queue(which);
    if (waiting.empty() || waiting.begin()->first > now) {
      ++*row.pop_misses;
      return false;
    }
    ++*row.pop_hits;
    task = waiting.begin()->second;
    waiting.erase(waiting.begin());
    return true;
  }

  // Whoever got ready first goes first: a block of three does not overtake what its cube core is wanted for.
  bool mix_is_first() {
    const auto& mixed = queue(Queue::kMix);
    const auto& cube = queue(Queue::kCube);
    return !mixed.empty() && (cube.empty() || mixed.begin()->first <= cube.begin()->first);
  }

  void hand_out(std::size_t core, std::size_t task, std::size_t part, PhaseRow& row) {
    row.end += kPerDispatch;
    CoreRows& rows = capture_.cores[core];
    const std::int64_t jitter = static_cast<std::int64_t>((task * 7 + core * 5) % 6);
    const std::int64_t receive = row.end + kPropagation + jitter;
    const std::int64_t start = receive + kSetup + jitter / 2;
    const std::int64_t end = start + tasks_[task].durations[part];
    rows.task.push_back(task);
    rows.sequence.push_back(static_cast<std::uint32_t>(rows.sequence.size() + 1));
    rows.dispatch.push_back(row.end);
    rows.receive.push_back(receive);
    rows.start.push_back(start);
    rows.end.push_back(end);
    running_[core] = {.busy = true, .task = task, .end = end};
    ++row.tasks_processed;
  }

  void fill_cluster(std::size_t cluster, std::int64_t now, PhaseRow& row) {
    const std::size_t cube = cube_core(cluster);
    const std::array vectors{vector_core(cluster, 0), vector_core(cluster, 1)};
    std::size_t task = 0;
    const bool all_free = is_free(cube) && is_free(vectors[0]) && is_free(vectors[1]);
    if (all_free && mix_is_first() && pop(Queue::kMix, now, row, task)) {
      hand_out(cube, task, 0, row);
      hand_out(vectors[0], task, 1, row);
      hand_out(vectors[1], task, 2, row);
      return;
    }
    if (is_free(cube) && pop(Queue::kCube, now, row, task)) hand_out(cube, task, 0, row);
    for (const std::size_t core : vectors)
      if (is_free(core) && pop(Queue::kVector, now, row, task)) hand_out(core, task, 1, row);
  }

  // Tasks are taken at the begin of the phase and handed to their cores one after the other.
  void dispatch(std::size_t number) {
    Thread& thread = threads_[number];
    PhaseRow row{.kind = kDispatch,
                 .start = thread.now,
                 .end = thread.now + kPhase,
                 .loop = thread.loop,
                 .pop_hits = 0,
                 .pop_misses = 0,
                 .queues_at_start = depths(thread.now)};
    for (std::size_t cluster = number; cluster < kClusters; cluster += kThreads)
      fill_cluster(cluster, thread.now, row);
    if (row.tasks_processed == 0) return;
    thread.now = row.end + 2;
    row.end = thread.now;
    capture_.scheduler_threads[number].push_back(row);
    open_phase(number);
  }

  const std::vector<DemoTask>& tasks_;
  Capture& capture_;
  std::array<Thread, kThreads> threads_ = {};
  std::array<Running, kCores> running_ = {};
  // Who is ready, from when on.
  std::array<std::set<std::pair<std::int64_t, std::size_t>>, kQueues> queues_ = {};
  std::vector<std::size_t> waits_for_ = {};
  std::vector<std::size_t> unfinished_parts_ = {};
  std::size_t done_ = 0;
};

Capture chip_facts() {
  Capture facts;
  facts.level = 4;
  facts.stated_level = 4;
  facts.frequency = base::Frequency::mhz(50);
  facts.phase_kinds = {"dispatch", "complete", "resolve", "dummy", "dummy_task", "submit"};
  facts.cores.resize(kCores);
  for (std::size_t core = 0; core < kCores; ++core) {
    facts.cores[core].type = core < kClusters ? CoreType::kCube : CoreType::kVector;
    facts.core_to_thread.push_back(static_cast<std::int32_t>(thread_of(core)));
  }
  return facts;
}

void submit_all(Graph& graph, bool slow, Capture& capture) {
  const std::size_t per_layer = graph.tasks.size() / kLayers;
  capture.orchestrators.resize(1);
  std::int64_t now = kFirstTick;
  for (std::size_t task = 0; task < graph.tasks.size(); ++task) {
    const std::size_t layer = task / per_layer;
    const bool slow_here = slow && layer >= kFirstSlowLayer && layer < kFirstSlowLayer + kSlowLayers;
    const std::int64_t end = now + (slow_here ? kSlowSubmit : kSubmit);
    capture.orchestrators[0].push_back({task, task, now, end, kSubmitKind});
    graph.tasks[task].submitted = end;
    now = end + kBetweenSubmits;
  }
}

}  // namespace

DemoChipSchedule demo_chip_schedule(const DemoChipOptions& options) {
  Graph graph = decoder_graph(options.slow_norm);
  DemoChipSchedule made{.capture = chip_facts()};
  submit_all(graph, options.slow_submission, made.capture);
  Simulation(graph, made.capture).run();
  for (std::size_t task = 0; task < graph.tasks.size(); ++task)
    made.dependencies.tasks.push_back({.id = task, .kernels = graph.tasks[task].kernels});
  made.dependencies.edges = std::move(graph.edges);
  made.dependencies.listed_edges = made.dependencies.edges.size();
  return made;
}

}  // namespace accelscope::jobs
