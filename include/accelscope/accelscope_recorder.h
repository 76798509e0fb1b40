/* Recording for runtimes that are not written in C++: the hooks of accelscope/recorder/ and the host side
 * that collects what they record, as C functions (docs/embedding.md walks through them).
 *
 * One accelscope_recording is one run and one capture file. It has a recorder for every core, scheduler
 * thread and orchestrator; each recorder belongs to one thread, which alone calls its hooks and, in the end,
 * its flush. accelscope_begin(), accelscope_end() and the functions that look recorders up are for one
 * thread; accelscope_save() is for any, before accelscope_end().
 *
 * A hook is one call; it tests one bit of the flags and, when that is set, writes one record: no lock, no
 * allocation, no system call. Recorders are there also when nothing is recorded, so callers need no tests of
 * their own. Needs libaccelscope_recorder.a, and behind it -lstdc++ -lfmt -lzstd -lxxhash -lpthread -lm.
 *
 *   accelscope_config config = ACCELSCOPE_CONFIG_INIT;
 *   config.path = "run.astrace";
 *   config.dfx_flags = accelscope_flags_of_level(2);
 *   config.cores = 8;
 *   char error[256];
 *   accelscope_recording* recording = accelscope_begin(&config, error, sizeof error);
 *   accelscope_core* core = accelscope_core_of(recording, 0);
 *   accelscope_core_receive(core);  accelscope_core_start(core);  kernel();
 *   accelscope_core_end(core, task, 1, function);
 *   accelscope_core_flush(core);
 *   accelscope_summary summary;
 *   if (accelscope_end(recording, &summary) != 0) puts(summary.error);
 */
#ifndef ACCELSCOPE_RECORDER_H
#define ACCELSCOPE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */
#ifdef __cplusplus
extern "C" {
#endif

/* One bit per feature, as in accelscope/dfx_flags.h. */
#define ACCELSCOPE_CORE_TIMING (UINT64_C(1) << 0)
#define ACCELSCOPE_TASK_LIFECYCLE (UINT64_C(1) << 1)
#define ACCELSCOPE_PHASE_BUFFERS (UINT64_C(1) << 2)
#define ACCELSCOPE_DUMP_TENSOR (UINT64_C(1) << 3)
#define ACCELSCOPE_DEPENDENCY_CAPTURE (UINT64_C(1) << 4)
#define ACCELSCOPE_PMU (UINT64_C(1) << 5)
#define ACCELSCOPE_SCOPE_STATS (UINT64_C(1) << 6)

/* No feature: accelscope_begin() refuses it. */
#define ACCELSCOPE_NO_SUCH_LEVEL (UINT64_C(1) << 63)

/* The flags of a level, 0 to 3; ACCELSCOPE_NO_SUCH_LEVEL for a number that is no level. */
uint64_t accelscope_flags_of_level(int level);

/* What happens to a recorder whose host falls behind. */
typedef enum accelscope_policy {
  ACCELSCOPE_BLOCK = 0,    /* it waits, and the wait is on record */
  ACCELSCOPE_DROP = 1,     /* it drops and counts */
  ACCELSCOPE_OVERWRITE = 2 /* the host keeps the last records only: a flight recorder */
} accelscope_policy;

typedef enum accelscope_core_type { ACCELSCOPE_CUBE = 0, ACCELSCOPE_VECTOR = 1 } accelscope_core_type;

/* What the runtime's rings hold at most; 0 where that is not known. */
typedef struct accelscope_rings {
  uint64_t task_window[4];
  uint64_t heap[4];
  uint64_t dep_pool[4];
  uint64_t tensormap;
} accelscope_rings;

typedef struct accelscope_config {
  size_t struct_bytes; /* sizeof(accelscope_config); ACCELSCOPE_CONFIG_INIT sets it */
  const char* path;    /* of the capture file; may be NULL when no flag is set */
  int replace;         /* not 0: a file that is there already is replaced */
  uint64_t dfx_flags;  /* of those above; what they imply is added */
  /* The clock; NULL: the processor's counter. Called by every hook that takes a time, in its thread. */
  uint64_t (*now)(void* clock);
  void* clock; /* handed to now() */
  uint64_t
      ticks_per_second; /* of the clock; 0, for the processor's counter only: measured, which takes 20 ms */
  uint32_t cores;
  const uint8_t* core_types; /* an accelscope_core_type for each; NULL: all vector cores */
  uint32_t scheduler_threads;
  uint32_t orchestrators;
  const char* const* functions; /* the name of function 0, 1, ...; NULL for one without */
  uint32_t function_count;
  const char* const* phases; /* the name of phase 0, 1, ..., of schedulers and orchestrators */
  uint32_t phase_count;
  int policy;                     /* an accelscope_policy */
  uint32_t wait_limit_ms;         /* of one wait under ACCELSCOPE_BLOCK; 0: a second */
  uint64_t keep_bytes;            /* of ACCELSCOPE_OVERWRITE; 0: 64 MiB */
  uint32_t keep_ms;               /* of ACCELSCOPE_OVERWRITE; 0: as much as fits */
  uint64_t tensor_bytes;          /* that are dumped of one tensor at most; 0: all */
  const char* const* scope_sites; /* where scope 0, 1, ... is: "model.cpp:77" */
  uint32_t scope_site_count;
  const accelscope_rings* rings;   /* for scopes; NULL when they are not known */
  const char* const* pmu_counters; /* the name of counter 0, 1, ..., ten at most */
  uint32_t pmu_counter_count;
  int32_t pmu_event_type; /* the runtime's number for what they count */
} accelscope_config;

#define ACCELSCOPE_CONFIG_INIT                                                                               \
  {                                                                                                          \
    sizeof(accelscope_config), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ACCELSCOPE_BLOCK, 0, 0, 0, 0, 0, 0, \
        0, 0, 0, 0                                                                                           \
  }

typedef struct accelscope_recording accelscope_recording;
typedef struct accelscope_core accelscope_core;
typedef struct accelscope_scheduler accelscope_scheduler;
typedef struct accelscope_orchestrator accelscope_orchestrator;

/* NULL, and a sentence in `error`, when the recording cannot be begun. */
accelscope_recording* accelscope_begin(const accelscope_config* config, char* error, size_t error_bytes);

/* How a recording ended. produced = collected + dropped for every recorder that was flushed. */
typedef struct accelscope_summary {
  uint64_t produced;
  uint64_t collected;
  uint64_t dropped;
  uint64_t paused_ticks;
  uint64_t file_bytes;
  uint32_t not_flushed; /* recorders that were looked up and not flushed */
  char error[256];      /* the first thing that failed, or empty */
} accelscope_summary;

/* Waits for recorders to be flushed, a second at most; writes the end of the file and frees everything,
 * recorders included, so that no hook may be called any more. 0 when all that was collected is in the file.
 * `summary` may be NULL. */
int accelscope_end(accelscope_recording* recording, accelscope_summary* summary);

/* Writes what ACCELSCOPE_OVERWRITE keeps now to another file: all that recorders have handed over, not the
 * buffer that each one is filling. 0, or not 0 and a sentence in `error`. */
int accelscope_save(accelscope_recording* recording, const char* path, int replace, char* error,
                    size_t error_bytes);

/* NULL for a number that the configuration does not have, or when there is no memory. A recorder that was
 * looked up has to be flushed, whether it was used or not. */
accelscope_core* accelscope_core_of(accelscope_recording* recording, uint32_t core);
accelscope_scheduler* accelscope_scheduler_of(accelscope_recording* recording, uint32_t thread);
accelscope_orchestrator* accelscope_orchestrator_of(accelscope_recording* recording, uint32_t number);

/* A core: what it receives, starts and ends. Sequences count the dispatches to this core: 1, 2, 3, ... */
void accelscope_core_receive(accelscope_core* core);
void accelscope_core_start(accelscope_core* core);
void accelscope_core_end(accelscope_core* core, uint64_t task, uint32_t sequence, uint32_t function);
void accelscope_core_flush(accelscope_core* core);

/* A scheduler thread. What *_begin() and dispatch() return is handed back at the end: the moment, or 0. */
typedef struct accelscope_phase_counts {
  uint32_t loop;
  uint32_t tasks_processed;
  uint16_t pop_hits; /* looks into the ready queues that found a task; 65535 when nobody counted */
  uint16_t pop_misses;
  int16_t ready[3]; /* depth of the ready queues AIC, AIV, MIX; -1 for one that nobody looked at */
} accelscope_phase_counts;

uint64_t accelscope_scheduler_dispatch(accelscope_scheduler* scheduler);
void accelscope_scheduler_finish(accelscope_scheduler* scheduler, uint32_t core, uint32_t sequence,
                                 uint64_t dispatched);
uint64_t accelscope_scheduler_phase_begin(accelscope_scheduler* scheduler);
void accelscope_scheduler_phase_end(accelscope_scheduler* scheduler, uint16_t phase, uint64_t begun,
                                    const accelscope_phase_counts* counts);
/* How deep the ready queues AIC, AIV, MIX were when a phase began; -1 for one that nobody looked at. */
void accelscope_scheduler_queue_depths(accelscope_scheduler* scheduler, uint64_t begun,
                                       const int16_t ready[3]);
/* A task that the thread settles by itself: a dummy, a predicated skip. Begins with phase_begin(). */
void accelscope_scheduler_control_task(accelscope_scheduler* scheduler, uint16_t phase, uint64_t begun,
                                       uint64_t task, uint32_t loop, uint32_t tasks_processed);
/* The performance monitor's readings over one task of a core; ten counters. */
void accelscope_scheduler_pmu(accelscope_scheduler* scheduler, uint32_t core, uint32_t sequence,
                              uint64_t task, uint64_t total_cycles, const uint32_t counters[10]);

/* Arguments of tasks, with their bytes: inputs before the task is dispatched, outputs when it is done. */
typedef enum accelscope_role { ACCELSCOPE_IN = 0, ACCELSCOPE_OUT = 1, ACCELSCOPE_INOUT = 2 } accelscope_role;
typedef enum accelscope_stage { ACCELSCOPE_BEFORE = 0, ACCELSCOPE_AFTER = 1 } accelscope_stage;
/* A type that is not here goes as an unsigned one of the same width. */
typedef enum accelscope_data_type {
  ACCELSCOPE_TYPE_FLOAT32 = 0,
  ACCELSCOPE_TYPE_FLOAT16 = 1,
  ACCELSCOPE_TYPE_BFLOAT16 = 2,
  ACCELSCOPE_TYPE_INT64 = 3,
  ACCELSCOPE_TYPE_INT32 = 4,
  ACCELSCOPE_TYPE_INT16 = 5,
  ACCELSCOPE_TYPE_INT8 = 6,
  ACCELSCOPE_TYPE_UINT8 = 7,
  ACCELSCOPE_TYPE_BOOL = 8, /* a byte */
  ACCELSCOPE_TYPE_FLOAT64 = 9,
  ACCELSCOPE_TYPE_UINT16 = 10,
  ACCELSCOPE_TYPE_UINT32 = 11,
  ACCELSCOPE_TYPE_UINT64 = 12
} accelscope_data_type;

typedef struct accelscope_argument {
  uint64_t task;
  uint32_t argument; /* its number among those of the task */
  accelscope_role role;
  accelscope_stage stage;
  accelscope_data_type data_type;
  uint32_t dimensions; /* five at most; 0 for one element */
  uint32_t shape[5];
  const uint32_t* strides; /* in elements, one per dimension; NULL: row by row, without gaps */
  uint64_t start_offset;   /* of the first element behind `data`, in elements */
} accelscope_argument;

/* Copies the elements, in order. With `data` NULL the argument is only described. */
void accelscope_scheduler_tensor(accelscope_scheduler* scheduler, const accelscope_argument* tensor,
                                 const void* data);
/* An argument that is a number: its bits, in the lowest bytes. */
void accelscope_scheduler_scalar(accelscope_scheduler* scheduler, uint64_t task, uint32_t argument,
                                 accelscope_data_type data_type, uint64_t bits);
void accelscope_scheduler_flush(accelscope_scheduler* scheduler);

/* An orchestrator: calls that submit tasks, who waits for whom, what tasks are made of. */
typedef enum accelscope_edge_reason {
  ACCELSCOPE_EDGE_FANOUT = 0,
  ACCELSCOPE_EDGE_EXPLICIT = 1,
  ACCELSCOPE_EDGE_CREATOR = 2,
  ACCELSCOPE_EDGE_TENSOR = 3
} accelscope_edge_reason;

uint64_t accelscope_orchestrator_begin(accelscope_orchestrator* orchestrator);
void accelscope_orchestrator_end(accelscope_orchestrator* orchestrator, uint16_t phase, uint64_t begun,
                                 uint64_t task, uint32_t submit_index);
void accelscope_orchestrator_edge(accelscope_orchestrator* orchestrator, uint64_t producer, uint64_t consumer,
                                  accelscope_edge_reason reason, uint32_t argument);
/* `kernels`: the functions on the cube and the two vector cores, -1 for none. */
void accelscope_orchestrator_task(accelscope_orchestrator* orchestrator, uint64_t task,
                                  const int32_t kernels[3], uint32_t blocks);

/* How full the rings are where a scope begins and ends. Positions only grow: what lies between start and end
 * is in use. */
typedef struct accelscope_scope {
  uint32_t site; /* a number of config.scope_sites */
  uint16_t depth;
  uint8_t ring; /* 0 to 3 */
  uint64_t task_window_start, task_window_end;
  uint64_t heap_start, heap_end;
  uint64_t dep_pool_start, dep_pool_end;
  uint64_t tensormap;
} accelscope_scope;

void accelscope_orchestrator_scope_begin(accelscope_orchestrator* orchestrator,
                                         const accelscope_scope* scope);
void accelscope_orchestrator_scope_end(accelscope_orchestrator* orchestrator, const accelscope_scope* scope);
void accelscope_orchestrator_flush(accelscope_orchestrator* orchestrator);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif
