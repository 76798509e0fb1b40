#!/usr/bin/env bash
# Configures a preset and builds the named targets of it, or everything.
#
#   scripts/build.sh release
#   scripts/build.sh tsan test_base test_trace
set -euo pipefail
unset CDPATH
if [[ $# -eq 0 || $1 == -* ]]; then
  echo "usage: scripts/build.sh PRESET [TARGET...] (the presets of CMakePresets.json: release, debug, asan, tsan)" >&2
  exit 1
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=$1
shift

echo "== configuring ($preset)"
fresh=()
cache="build/$preset/CMakeCache.txt"
if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$cache"; then
  fresh=(--fresh)  # the tree was moved or copied with its build folder, which CMake refuses to reuse
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" ${fresh[@]+"${fresh[@]}"} >"$log" 2>&1 || { cat "$log" >&2; exit 1; }

echo "== building ($preset${*:+: $*})"
targets=()
[[ $# -eq 0 ]] || targets=(--target "$@")
cmake --build --preset "$preset" --parallel "$(nproc)" ${targets[@]+"${targets[@]}"}
