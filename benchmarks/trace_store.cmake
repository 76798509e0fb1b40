accelscope_benchmark(trace_store USES trace)
