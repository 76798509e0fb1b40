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

enum { ACCELSCOPE_KERNEL_ABI = 1, ACCELSCOPE_MAX_DIMENSIONS = 5 };

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

typedef struct accelscope_tensor {
  void* data;          /* the first element of the view; null where only shapes are asked about */
  uint32_t data_type;  /* ACCELSCOPE_FLOAT32, ... */
  uint32_t access;     /* bit 0: read, bit 1: written */
  uint32_t dimensions; /* 0: a single element */
  uint32_t shape[ACCELSCOPE_MAX_DIMENSIONS];
  int64_t strides[ACCELSCOPE_MAX_DIMENSIONS]; /* in elements */
} accelscope_tensor;

typedef struct accelscope_kernel_call {
  const accelscope_tensor* tensors; /* the task's arguments in order */
  const double* scalars;
  uint32_t tensor_count;
  uint32_t scalar_count;
  uint32_t block; /* of an SPMD task: 0 to blocks - 1 */
  uint32_t blocks;
  uint32_t lane; /* of a MIX task: 0 cube, 1 and 2 vector */
  uint32_t reserved;
} accelscope_kernel_call;

/* What one call does, for the virtual chip: how long it takes and what its counters show follow from this.
 * Zeros when `work` is called; what it leaves alone stays zero. */
typedef struct accelscope_kernel_work {
  double multiply_adds; /* on the cube */
  double vector_operations;
  double scalar_operations;
  double bytes_read; /* from memory */
  double bytes_written;
  double nanoseconds; /* of time that passes whatever the chip can do, beside all of the above */
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
