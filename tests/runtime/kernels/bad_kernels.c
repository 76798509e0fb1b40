/* Kernels that do what no kernel should: for tests of what a run says then. */
#include <stdlib.h>
#include <unistd.h>

#include "accelscope/accelscope_kernel.h"

static int crash(const accelscope_kernel_call* call) {
  (void)call;
  abort();
}

static int hang(const accelscope_kernel_call* call) {
  (void)call;
  for (;;) pause();
}

const accelscope_kernel_table* accelscope_kernels(void) {
  static const accelscope_kernel kernels[] = {
      {.name = "crash", .engine = ACCELSCOPE_ENGINE_VECTOR, .run = crash},
      {.name = "hang", .engine = ACCELSCOPE_ENGINE_VECTOR, .run = hang},
  };
  static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, 2, kernels};
  return &table;
}
