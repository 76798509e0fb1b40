accelscope_benchmark(etdump USES formats/etdump trace base)
