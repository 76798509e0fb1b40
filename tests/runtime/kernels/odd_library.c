/* Shared objects with one thing wrong each, or only odd; what, is said by the build. */
#include <accelscope/accelscope_kernel.h>
#include <stddef.h>

static int run(const accelscope_kernel_call* call) {
  return call == NULL;
}

#if defined(NO_SYMBOL)
int unrelated(void);
int unrelated(void) {
  return run(NULL);
}
#else
static const accelscope_kernel kernels[] = {
#if defined(NO_NAME)
    {NULL, ACCELSCOPE_ENGINE_VECTOR, run, NULL, NULL},
#elif defined(NO_FUNCTION)
    {"idle", ACCELSCOPE_ENGINE_VECTOR, NULL, NULL, NULL},
#elif defined(WRONG_ENGINE)
    {"idle", 7, run, NULL, NULL},
#elif defined(TWICE)
    {"idle", ACCELSCOPE_ENGINE_VECTOR, run, NULL, NULL},
    {"idle", ACCELSCOPE_ENGINE_CUBE, run, NULL, NULL},
#elif defined(TAKEN)
    {"idle", ACCELSCOPE_ENGINE_VECTOR, run, NULL, NULL},
    {"gemm", ACCELSCOPE_ENGINE_CUBE, run, NULL, NULL},
#else
    {"idle", ACCELSCOPE_ENGINE_VECTOR, run, NULL, NULL},
#endif
};

const accelscope_kernel_table* accelscope_kernels(void);
const accelscope_kernel_table* accelscope_kernels(void) {
  static const accelscope_kernel_table table = {
#if defined(WRONG_ABI)
    ACCELSCOPE_KERNEL_ABI + 1,
#elif defined(NO_ABI)
    0,
#elif defined(OLD_ABI)
    1,
#else
    ACCELSCOPE_KERNEL_ABI,
#endif
    sizeof kernels / sizeof kernels[0],
#if defined(NO_KERNELS)
    NULL
  };
#else
    kernels
  };
#endif
#if defined(NO_TABLE)
  return NULL;
#else
  return &table;
#endif
}
#endif
