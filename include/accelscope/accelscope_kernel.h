/* Kernels: the functions that tasks run on a core, built into AccelScope or loaded from a shared object.
 *
 * One call is one block of one task on one core. A kernel reads and writes the tensors it is given and
 * nothing else; it may run on any thread, several calls at once, and must not keep a pointer beyond the call.
 * The structures below are filled by the runtime and stay its own.
 *
 * A shared object exports one function:
 *
 *   static int twice(const accelscope_kernel_call* call) { ... return 0; }
 *   static const accelscope_kernel kernels[] = {
 *       {.name = "twice", .engine = ACCELSCOPE_ENGINE_VECTOR, .run = twice}};
 *   const accelscope_kernel_table* accelscope_kernels(void) {
 *     static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, 1, kernels};
 *     return &table;
 *   }
 */
#ifndef ACCELSCOPE_KERNEL_H
#define ACCELSCOPE_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

/* Version 2 has what a call does with the pipes of its core. Libraries that were built for version 1 still
 * load: structures have only grown at their ends, and those that did are the runtime's. */
enum { ACCELSCOPE_KERNEL_ABI = 2, ACCELSCOPE_KERNEL_OLDEST_ABI = 1, ACCELSCOPE_MAX_DIMENSIONS = 5 };

/* On what a kernel runs. */
enum { ACCELSCOPE_ENGINE_CUBE = 0, ACCELSCOPE_ENGINE_VECTOR = 1 };

enum {
  ACCELSCOPE_FLOAT32 = 0,
  ACCELSCOPE_FLOAT16 = 1,
  ACCELSCOPE_BFLOAT16 = 2,
  ACCELSCOPE_INT64 = 3,
  ACCELSCOPE_INT32 = 4,
  ACCELSCOPE_INT16 = 5,
  ACCELSCOPE_INT8 = 6,
  ACCELSCOPE_UINT8 = 7,
  ACCELSCOPE_BOOL = 8
};

/* The parts of a core that work side by side. */
enum {
  ACCELSCOPE_PIPE_SU = 0, /* the scalar unit, which hands out work to the others */
  ACCELSCOPE_PIPE_VEC = 1,
  ACCELSCOPE_PIPE_CUBE = 2,
  ACCELSCOPE_PIPE_MTE1 = 3, /* between the memories of a cube core */
  ACCELSCOPE_PIPE_MTE2 = 4, /* from memory */
  ACCELSCOPE_PIPE_MTE3 = 5, /* to memory */
  ACCELSCOPE_PIPE_FIXP = 6  /* takes out what a cube has added up */
};

enum { ACCELSCOPE_MAX_MARK = 4095 };

typedef struct accelscope_tensor {
  void* data;          /* the first element of the view; null where only shapes are asked about */
  uint32_t data_type;  /* ACCELSCOPE_FLOAT32, ... */
  uint32_t access;     /* bit 0: read, bit 1: written */
  uint32_t dimensions; /* 0: a single element */
  uint32_t shape[ACCELSCOPE_MAX_DIMENSIONS];
  int64_t strides[ACCELSCOPE_MAX_DIMENSIONS]; /* in elements */
} accelscope_tensor;

typedef struct accelscope_kernel_call accelscope_kernel_call;
struct accelscope_kernel_call {
  const accelscope_tensor* tensors; /* the task's arguments in order */
  const double* scalars;
  uint32_t tensor_count;
  uint32_t scalar_count;
  uint32_t block; /* of an SPMD task: 0 to blocks - 1 */
  uint32_t blocks;
  uint32_t lane; /* of a MIX task: 0 cube, 1 and 2 vector */
  uint32_t reserved;
  /* Since version 2. Null when marks are not recorded; accelscope_mark() looks. */
  void (*mark)(const accelscope_kernel_call* call, uint32_t pipe, uint32_t id);
  void* mark_context; /* of whoever records; not the kernel's */
};

/* Leaves a mark from within a kernel: that a pipe is there now, under a number from 0 to ACCELSCOPE_MAX_MARK.
 * Others are ignored. Costs a look at a pointer when nobody records. */
static inline void accelscope_mark(const accelscope_kernel_call* call, uint32_t pipe, uint32_t id) {
  if (call->mark && pipe <= ACCELSCOPE_PIPE_FIXP && id <= ACCELSCOPE_MAX_MARK) call->mark(call, pipe, id);
}

/* From when to when a pipe is busy, in cycles from the beginning of the call; `to` is behind it. */
typedef struct accelscope_pipe_phase {
  uint32_t pipe;
  uint32_t from;
  uint32_t to;
} accelscope_pipe_phase;

typedef struct accelscope_pipe_mark {
  uint32_t pipe;
  uint32_t id;
  uint32_t at;
} accelscope_pipe_mark;

/* What one call does, for the virtual chip: how long it takes and what its counters show follow from this.
 * Zeros when `work` is called; what it leaves alone stays zero. */
typedef struct accelscope_kernel_work {
  double multiply_adds; /* on the cube */
  double vector_operations;
  double scalar_operations;
  double bytes_read; /* from memory */
  double bytes_written;
  double nanoseconds; /* of time that passes whatever the chip can do, beside all of the above */
  /* Since version 2: how the pipes do it. A call is a loop over tiles, which pass through one pipe after the
   * other; between two pipes lie so many buffers. 0: not said. Once the buffers are said, the time that a
   * call takes is that of the loop; else the pipes are taken to overlap perfectly. */
  uint32_t tiles;
  uint32_t buffers;
  /* Or exactly, for calls that are no such loop: for pictures and monitors, the time stays what it is. All of
   * it refers to a call of pipe_cycles and is stretched to the real one; 0 means that there is nothing. What
   * is pointed to must stay as it is until the call is over: it is a constant. Marks without phases are put
   * into the loop. */
  const accelscope_pipe_phase* pipe_phases;
  const accelscope_pipe_mark* pipe_marks;
  uint32_t pipe_phase_count;
  uint32_t pipe_mark_count;
  uint32_t pipe_cycles;
} accelscope_kernel_work;

typedef struct accelscope_kernel {
  const char* name;
  uint32_t engine;
  /* 0, or not: the task, and with it the run, has failed. */
  int (*run)(const accelscope_kernel_call* call);
  /* Null when fine, else why these shapes, types or numbers cannot be; asked once per task before the run.
   * May be null. */
  const char* (*check)(const accelscope_kernel_call* call);
  /* May be null: the work is then guessed from the bytes of the arguments. */
  void (*work)(const accelscope_kernel_call* call, accelscope_kernel_work* work);
} accelscope_kernel;

typedef struct accelscope_kernel_table {
  uint32_t abi; /* ACCELSCOPE_KERNEL_ABI */
  uint32_t count;
  const accelscope_kernel* kernels;
} accelscope_kernel_table;

/* What a shared object exports. */
typedef const accelscope_kernel_table* (*accelscope_kernels_function)(void);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
