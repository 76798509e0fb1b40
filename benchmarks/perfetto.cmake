accelscope_benchmark(perfetto USES formats/perfetto views trace base)
