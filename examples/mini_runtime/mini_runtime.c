/* A miniature runtime that records itself with AccelScope; docs/embedding.md walks through it.
 *
 * An orchestrator (the main thread) submits the tasks of C = A x B + 1, tile by tile, with their
 * dependencies; a scheduler thread hands tasks that wait for nothing to idle cores; four cores, threads here,
 * carry them out: two cube cores multiply, two vector cores do the rest. The hooks, accelscope_...(), stay in
 * the code whatever is recorded. With PREFIX where AccelScope is installed:
 *
 *   cc -std=c99 -O2 -I$PREFIX/include mini_runtime.c -o mini_runtime -L$PREFIX/lib \
 *     -laccelscope_recorder -lstdc++ -lfmt -lzstd -lxxhash -lpthread -lm
 *
 *   ./mini_runtime 3 run.astrace && accelscope report run.astrace
 *
 * With "all" behind the file it also dumps the tiles and records how full its window of tasks is:
 *
 *   ./mini_runtime 3 all.astrace all && accelscope convert all.astrace --to tensor-dump -o args_dump
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelscope/accelscope_recorder.h"

enum { CORES = 4, TILES = 4, SIDE = 48, TILE = SIDE * SIDE }; /* 4 x 4 tiles of 48 x 48 numbers */
enum { MAX_TASKS = 2 * TILES * TILES + TILES * TILES * (TILES + 1), MAX_CONSUMERS = TILES };

/* Functions and phases have numbers; their names go into the recording once. */
enum { FILL, MULTIPLY, ADD, FUNCTIONS };
static const char* const function_names[FUNCTIONS] = {"fill", "multiply", "add"};
enum { SUBMIT, COMPLETE, DISPATCH, PHASES };
static const char* const phase_names[PHASES] = {"submit", "complete", "dispatch"};
enum { FILL_TILES, MULTIPLY_TILES, SITES };
static const char* const site_names[SITES] = {"mini_runtime.c:fill", "mini_runtime.c:multiply"};
static const uint8_t core_types[CORES] = {ACCELSCOPE_CUBE, ACCELSCOPE_CUBE, ACCELSCOPE_VECTOR,
                                          ACCELSCOPE_VECTOR};

struct task {
  int function;
  float* out;
  const float *left, *right;
  float value;
  int waits_for; /* producers that are not done */
  int consumers[MAX_CONSUMERS], consumer_count, done;
};

enum core_state { IDLE, DISPATCHED, FINISHED };

struct core {
  struct runtime* runtime;
  accelscope_core* recorder;
  pthread_t thread;
  uint8_t type;
  enum core_state state;
  int task;
  uint32_t sequence;   /* dispatches to this core so far: how the two sides of a task are joined */
  uint64_t dispatched; /* when the last one was */
};

/* Ready tasks of one type of core, oldest first. */
struct queue {
  int tasks[MAX_TASKS], first, last;
};

struct runtime {
  pthread_mutex_t lock; /* guards all that follows, but recorders, which belong to their threads */
  pthread_cond_t changed;
  struct task tasks[MAX_TASKS];
  int submitted, completed, all_submitted, over;
  struct queue ready[2]; /* by type of core */
  struct core cores[CORES];
  accelscope_scheduler* scheduler;
  accelscope_orchestrator* orchestrator;
};

static float a[TILES][TILES][TILE], b[TILES][TILES][TILE], c[TILES][TILES][TILE];

/* --- the cores */

static void run_kernel(const struct task* task) {
  for (int i = 0; i < TILE; ++i) {
    if (task->function == FILL) task->out[i] = task->value;
    if (task->function == ADD) task->out[i] += task->value;
  }
  if (task->function != MULTIPLY) return;
  for (int row = 0; row < SIDE; ++row)
    for (int k = 0; k < SIDE; ++k)
      for (int column = 0; column < SIDE; ++column)
        task->out[row * SIDE + column] += task->left[row * SIDE + k] * task->right[k * SIDE + column];
}

static int wait_for_task(struct core* core) {
  struct runtime* runtime = core->runtime;
  pthread_mutex_lock(&runtime->lock);
  while (core->state != DISPATCHED && !runtime->over) pthread_cond_wait(&runtime->changed, &runtime->lock);
  const int has_task = core->state == DISPATCHED;
  pthread_mutex_unlock(&runtime->lock);
  return has_task;
}

static void* run_core(void* argument) {
  struct core* core = argument;
  struct runtime* runtime = core->runtime;
  while (wait_for_task(core)) {
    accelscope_core_receive(core->recorder);
    const struct task* task = &runtime->tasks[core->task];
    accelscope_core_start(core->recorder);
    run_kernel(task);
    accelscope_core_end(core->recorder, (uint64_t)core->task, core->sequence, (uint32_t)task->function);
    pthread_mutex_lock(&runtime->lock);
    core->state = FINISHED;
    pthread_cond_broadcast(&runtime->changed);
    pthread_mutex_unlock(&runtime->lock);
  }
  accelscope_core_flush(core->recorder);
  return NULL;
}

/* --- the scheduler; its functions are called with the lock */

static void dump_tile(struct runtime* runtime, int task, uint32_t argument, accelscope_role role,
                      accelscope_stage stage, const float* tile) {
  const accelscope_argument tensor = {.task = (uint64_t)task,
                                      .argument = argument,
                                      .role = role,
                                      .stage = stage,
                                      .data_type = ACCELSCOPE_TYPE_FLOAT32,
                                      .dimensions = 2,
                                      .shape = {SIDE, SIDE}};
  accelscope_scheduler_tensor(runtime->scheduler, &tensor, tile);
}

/* Argument 0 is the tile that is written, 1 and 2 are what it is made of. */
static void dump_inputs(struct runtime* runtime, int number) {
  const struct task* task = &runtime->tasks[number];
  if (task->function != FILL) dump_tile(runtime, number, 0, ACCELSCOPE_INOUT, ACCELSCOPE_BEFORE, task->out);
  if (task->function == MULTIPLY) {
    dump_tile(runtime, number, 1, ACCELSCOPE_IN, ACCELSCOPE_BEFORE, task->left);
    dump_tile(runtime, number, 2, ACCELSCOPE_IN, ACCELSCOPE_BEFORE, task->right);
  } else {
    uint32_t bits = 0;
    memcpy(&bits, &task->value, sizeof bits);
    accelscope_scheduler_scalar(runtime->scheduler, (uint64_t)number, 1, ACCELSCOPE_TYPE_FLOAT32, bits);
  }
}

static void dump_output(struct runtime* runtime, int number) {
  const struct task* task = &runtime->tasks[number];
  const accelscope_role role = task->function == FILL ? ACCELSCOPE_OUT : ACCELSCOPE_INOUT;
  dump_tile(runtime, number, 0, role, ACCELSCOPE_AFTER, task->out);
}

static int depth(const struct queue* queue) {
  return queue->last - queue->first;
}

static void make_ready(struct runtime* runtime, int task) {
  struct queue* queue =
      &runtime->ready[runtime->tasks[task].function == MULTIPLY ? ACCELSCOPE_CUBE : ACCELSCOPE_VECTOR];
  queue->tasks[queue->last++] = task;
}

static uint32_t complete_tasks(struct runtime* runtime) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < CORES; ++i) {
    struct core* core = &runtime->cores[i];
    if (core->state != FINISHED) continue;
    accelscope_scheduler_finish(runtime->scheduler, i, core->sequence, core->dispatched);
    dump_output(runtime, core->task);
    core->state = IDLE;
    struct task* task = &runtime->tasks[core->task];
    task->done = 1;
    for (int next = 0; next < task->consumer_count; ++next)
      if (--runtime->tasks[task->consumers[next]].waits_for == 0) make_ready(runtime, task->consumers[next]);
    ++runtime->completed;
    ++count;
  }
  return count;
}

static uint32_t dispatch_tasks(struct runtime* runtime) {
  uint32_t count = 0;
  for (int i = 0; i < CORES; ++i) {
    struct core* core = &runtime->cores[i];
    struct queue* queue = &runtime->ready[core->type];
    if (core->state != IDLE || depth(queue) == 0) continue;
    core->task = queue->tasks[queue->first++];
    dump_inputs(runtime, core->task);
    ++core->sequence;
    core->dispatched = accelscope_scheduler_dispatch(runtime->scheduler);
    core->state = DISPATCHED;
    ++count;
  }
  return count;
}

/* How deep the queues are; there is none for tasks of both types of cores. */
static void look_at_queues(const struct runtime* runtime, int16_t ready[3]) {
  for (int type = 0; type < 2; ++type) ready[type] = (int16_t)depth(&runtime->ready[type]);
  ready[2] = -1;
}

/* A phase that did nothing is not worth a record. */
static void end_phase(struct runtime* runtime, uint16_t phase, uint64_t begun, const int16_t ready[3],
                      uint32_t loop, uint32_t tasks) {
  if (tasks == 0) return;
  accelscope_phase_counts counts = {.loop = loop, .tasks_processed = tasks, .pop_hits = (uint16_t)tasks};
  look_at_queues(runtime, counts.ready);
  accelscope_scheduler_queue_depths(runtime->scheduler, begun, ready);
  accelscope_scheduler_phase_end(runtime->scheduler, phase, begun, &counts);
}

static void* run_scheduler(void* argument) {
  struct runtime* runtime = argument;
  pthread_mutex_lock(&runtime->lock);
  for (uint32_t loop = 0; !runtime->over; ++loop) {
    int16_t ready[3];
    look_at_queues(runtime, ready);
    uint64_t begun = accelscope_scheduler_phase_begin(runtime->scheduler);
    const uint32_t completed = complete_tasks(runtime);
    end_phase(runtime, COMPLETE, begun, ready, loop, completed);
    look_at_queues(runtime, ready);
    begun = accelscope_scheduler_phase_begin(runtime->scheduler);
    const uint32_t dispatched = dispatch_tasks(runtime);
    end_phase(runtime, DISPATCH, begun, ready, loop, dispatched);
    runtime->over = runtime->all_submitted && runtime->completed == runtime->submitted;
    if (dispatched > 0 || runtime->over) pthread_cond_broadcast(&runtime->changed);
    if (completed == 0 && dispatched == 0 && !runtime->over)
      pthread_cond_wait(&runtime->changed, &runtime->lock);
  }
  pthread_mutex_unlock(&runtime->lock);
  accelscope_scheduler_flush(runtime->scheduler);
  return NULL;
}

/* --- the orchestrator */

/* Gives the task's number. Producers are numbers of tasks, or -1. */
static int submit(struct runtime* runtime, struct task task, const int producers[3]) {
  const uint64_t begun = accelscope_orchestrator_begin(runtime->orchestrator);
  pthread_mutex_lock(&runtime->lock);
  const int number = runtime->submitted++;
  for (int i = 0; i < 3; ++i) {
    if (producers[i] < 0) continue;
    accelscope_orchestrator_edge(runtime->orchestrator, (uint64_t)producers[i], (uint64_t)number,
                                 ACCELSCOPE_EDGE_FANOUT, 0);
    struct task* producer = &runtime->tasks[producers[i]];
    if (producer->done) continue;
    producer->consumers[producer->consumer_count++] = number;
    ++task.waits_for;
  }
  runtime->tasks[number] = task;
  if (task.waits_for == 0) make_ready(runtime, number);
  pthread_cond_broadcast(&runtime->changed);
  pthread_mutex_unlock(&runtime->lock);
  accelscope_orchestrator_end(runtime->orchestrator, SUBMIT, begun, (uint64_t)number, (uint32_t)number);
  return number;
}

/* How much of the window of tasks is in use: there is one, and it has room for all. */
static accelscope_scope occupancy(struct runtime* runtime, uint32_t site) {
  accelscope_scope scope = {.site = site, .depth = 1};
  pthread_mutex_lock(&runtime->lock);
  scope.task_window_start = (uint64_t)runtime->completed;
  scope.task_window_end = (uint64_t)runtime->submitted;
  pthread_mutex_unlock(&runtime->lock);
  return scope;
}

static void submit_all(struct runtime* runtime) {
  static const int nobody[3] = {-1, -1, -1};
  int left[TILES][TILES], right[TILES][TILES];
  accelscope_scope scope = occupancy(runtime, FILL_TILES);
  accelscope_orchestrator_scope_begin(runtime->orchestrator, &scope);
  for (int i = 0; i < TILES; ++i)
    for (int k = 0; k < TILES; ++k) {
      const struct task fill_a = {.function = FILL, .out = a[i][k], .value = (float)(i + k)};
      const struct task fill_b = {.function = FILL, .out = b[i][k], .value = (float)(i - k)};
      left[i][k] = submit(runtime, fill_a, nobody);
      right[i][k] = submit(runtime, fill_b, nobody);
    }
  scope = occupancy(runtime, FILL_TILES);
  accelscope_orchestrator_scope_end(runtime->orchestrator, &scope);
  scope = occupancy(runtime, MULTIPLY_TILES);
  accelscope_orchestrator_scope_begin(runtime->orchestrator, &scope);
  for (int i = 0; i < TILES; ++i)
    for (int j = 0; j < TILES; ++j) {
      int last = -1; /* who wrote the tile last */
      for (int k = 0; k < TILES; ++k) {
        const struct task mul = {.function = MULTIPLY, .out = c[i][j], .left = a[i][k], .right = b[k][j]};
        last = submit(runtime, mul, (const int[3]){left[i][k], right[k][j], last});
      }
      const struct task add = {.function = ADD, .out = c[i][j], .value = 1};
      submit(runtime, add, (const int[3]){last, -1, -1});
    }
  scope = occupancy(runtime, MULTIPLY_TILES);
  accelscope_orchestrator_scope_end(runtime->orchestrator, &scope);
  pthread_mutex_lock(&runtime->lock);
  runtime->all_submitted = 1;
  pthread_cond_broadcast(&runtime->changed);
  pthread_mutex_unlock(&runtime->lock);
  accelscope_orchestrator_flush(runtime->orchestrator);
}

static int is_right(void) {
  for (int i = 0; i < TILES; ++i)
    for (int j = 0; j < TILES; ++j) {
      int expected = 1;
      for (int k = 0; k < TILES; ++k) expected += SIDE * (i + k) * (k - j);
      for (int at = 0; at < TILE; ++at)
        if (c[i][j][at] != (float)expected) return 0;
    }
  return 1;
}

/* --- a run */

static void run(struct runtime* runtime, accelscope_recording* recording) {
  pthread_t scheduler;
  runtime->scheduler = accelscope_scheduler_of(recording, 0);
  runtime->orchestrator = accelscope_orchestrator_of(recording, 0);
  pthread_mutex_init(&runtime->lock, NULL);
  pthread_cond_init(&runtime->changed, NULL);
  for (uint32_t i = 0; i < CORES; ++i) {
    struct core* core = &runtime->cores[i];
    core->runtime = runtime;
    core->type = core_types[i];
    core->recorder = accelscope_core_of(recording, i);
    pthread_create(&core->thread, NULL, run_core, core);
  }
  pthread_create(&scheduler, NULL, run_scheduler, runtime);
  submit_all(runtime);
  pthread_join(scheduler, NULL);
  for (int i = 0; i < CORES; ++i) pthread_join(runtime->cores[i].thread, NULL);
}

int main(int count, char** words) {
  static struct runtime runtime;
  const int all = count == 4 && strcmp(words[3], "all") == 0;
  if (count != 3 && !all) {
    fprintf(stderr, "usage: mini_runtime LEVEL FILE [all] (level 0 to 3; 0 records nothing)\n");
    return 2;
  }
  static const accelscope_rings rings = {.task_window = {MAX_TASKS}};
  accelscope_config config = ACCELSCOPE_CONFIG_INIT;
  config.path = words[2];
  config.dfx_flags = accelscope_flags_of_level(atoi(words[1]));
  if (all) config.dfx_flags |= ACCELSCOPE_DUMP_TENSOR | ACCELSCOPE_SCOPE_STATS;
  config.cores = CORES;
  config.core_types = core_types;
  config.scheduler_threads = 1;
  config.orchestrators = 1;
  config.functions = function_names;
  config.function_count = FUNCTIONS;
  config.phases = phase_names;
  config.phase_count = PHASES;
  config.scope_sites = site_names;
  config.scope_site_count = SITES;
  config.rings = &rings;
  char error[256];
  accelscope_recording* recording = accelscope_begin(&config, error, sizeof error);
  if (recording == NULL) {
    fprintf(stderr, "mini_runtime: %s\n", error);
    return 1;
  }
  run(&runtime, recording);
  accelscope_summary summary;
  const int failed = accelscope_end(recording, &summary);
  printf("%d tasks, the result is %s; %llu records, %llu dropped\n", runtime.completed,
         is_right() ? "right" : "wrong", (unsigned long long)summary.produced,
         (unsigned long long)summary.dropped);
  if (failed != 0) fprintf(stderr, "mini_runtime: %s\n", summary.error);
  return failed || !is_right();
}
