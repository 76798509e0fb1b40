/* Kernels of one's own: axpby(a, b, out; alpha, beta), out = alpha * a + beta * b, and raise(flag), flag = 1.
 *
 *   cc -std=c99 -O2 -shared -fPIC -I$PREFIX/include my_kernels.c -o my_kernels.so
 *
 * docs/kernels.md walks through this file.
 */
#include <accelscope/accelscope_kernel.h>
#include <stddef.h>

/* The element at a place, which is counted in row-major order whatever the strides are. */
static float* element(const accelscope_tensor* tensor, uint64_t place) {
  int64_t offset = 0;
  for (uint32_t d = tensor->dimensions; d-- > 0; place /= tensor->shape[d])
    offset += (int64_t)(place % tensor->shape[d]) * tensor->strides[d];
  return (float*)tensor->data + offset;
}

/* Elements of one step of the first dimension, which is what blocks are made of. */
static uint64_t elements_per_row(const accelscope_tensor* tensor) {
  uint64_t elements = 1;
  for (uint32_t d = 1; d < tensor->dimensions; ++d) elements *= tensor->shape[d];
  return elements;
}

/* Where a block begins; where the next one begins, it ends. */
static uint64_t first_row(const accelscope_kernel_call* call, uint32_t block) {
  const accelscope_tensor* out = &call->tensors[2];
  const uint64_t rows = out->dimensions == 0 ? 1 : out->shape[0];
  const uint64_t each = (rows + call->blocks - 1) / call->blocks;
  return each * block < rows ? each * block : rows;
}

/* Marks of axpby. */
enum { MARK_BEGIN = 1, MARK_END = 2 };

static int run_axpby(const accelscope_kernel_call* call) {
  const uint64_t row = elements_per_row(&call->tensors[2]);
  const uint64_t end = first_row(call, call->block + 1) * row;
  const float alpha = (float)call->scalars[0];
  const float beta = (float)call->scalars[1];
  accelscope_mark(call, ACCELSCOPE_PIPE_VEC, MARK_BEGIN);
  for (uint64_t i = first_row(call, call->block) * row; i < end; ++i)
    *element(&call->tensors[2], i) =
        alpha * *element(&call->tensors[0], i) + beta * *element(&call->tensors[1], i);
  accelscope_mark(call, ACCELSCOPE_PIPE_VEC, MARK_END);
  return 0;
}

static const char* check_axpby(const accelscope_kernel_call* call) {
  if (call->tensor_count != 3 || call->scalar_count != 2)
    return "axpby takes a, b and out, and the numbers alpha and beta";
  for (uint32_t t = 0; t < 3; ++t) {
    const accelscope_tensor* tensor = &call->tensors[t];
    if (tensor->data_type != ACCELSCOPE_FLOAT32) return "axpby takes f32 only";
    if (tensor->dimensions != call->tensors[0].dimensions) return "a, b and out must have the same shape";
    for (uint32_t d = 0; d < tensor->dimensions; ++d)
      if (tensor->shape[d] != call->tensors[0].shape[d]) return "a, b and out must have the same shape";
  }
  return NULL;
}

static void work_of_axpby(const accelscope_kernel_call* call, accelscope_kernel_work* work) {
  const uint64_t rows = first_row(call, call->block + 1) - first_row(call, call->block);
  const double elements = (double)(rows * elements_per_row(&call->tensors[2]));
  work->vector_operations = 2 * elements;
  work->bytes_read = 2 * 4 * elements;
  work->bytes_written = 4 * elements;
  /* A tile has a row; one is loaded while the one before is computed. */
  work->tiles = (uint32_t)(rows < 4096 ? rows : 4096);
  work->buffers = 2;
}

static int run_raise(const accelscope_kernel_call* call) {
  if (call->block == 0) *element(&call->tensors[0], 0) = 1;
  return 0;
}

static const char* check_raise(const accelscope_kernel_call* call) {
  if (call->tensor_count != 1 || call->tensors[0].data_type != ACCELSCOPE_FLOAT32)
    return "raise takes a flag, which is f32";
  return NULL;
}

/* No loop: the scalar unit finds out where the flag is, and one word is written. */
static void work_of_raise(const accelscope_kernel_call* call, accelscope_kernel_work* work) {
  static const accelscope_pipe_phase phases[] = {{ACCELSCOPE_PIPE_SU, 0, 80},
                                                 {ACCELSCOPE_PIPE_MTE3, 70, 100}};
  static const accelscope_pipe_mark marks[] = {{ACCELSCOPE_PIPE_MTE3, MARK_BEGIN, 70}};
  if (call->block != 0) return;
  work->scalar_operations = 20;
  work->bytes_written = 4;
  work->pipe_phases = phases;
  work->pipe_phase_count = 2;
  work->pipe_marks = marks;
  work->pipe_mark_count = 1;
  work->pipe_cycles = 100;
}

static const accelscope_kernel kernels[] = {
    {"axpby", ACCELSCOPE_ENGINE_VECTOR, run_axpby, check_axpby, work_of_axpby},
    {"raise", ACCELSCOPE_ENGINE_VECTOR, run_raise, check_raise, work_of_raise},
};

const accelscope_kernel_table* accelscope_kernels(void);
const accelscope_kernel_table* accelscope_kernels(void) {
  static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, 2, kernels};
  return &table;
}
