#!/usr/bin/env bash
# Builds and runs every benchmark, one after the other. The figures in README.md come from this script.
set -euo pipefail
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build
scripts/build.sh release accelscope benchmarks
for benchmark in build/release/benchmarks/bench_*; do
  echo "== ${benchmark##*/}"
  "$benchmark"
done
