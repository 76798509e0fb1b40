#!/usr/bin/env bash
# Installs the recorder, builds the examples with the compiler lines that stand in their comments, and runs what is a program.
# plain_line_test.sh CMAKE BUILD_FOLDER EXAMPLES_FOLDER
set -euo pipefail

PREFIX=$(mktemp -d)
export PREFIX
trap 'rm -rf "$PREFIX"' EXIT
"$1" --install "$2" --component recorder --prefix "$PREFIX" > /dev/null
cp "$3/mini_runtime/mini_runtime.c" "$3/kernels/my_kernels.c" "$PREFIX"
cd "$PREFIX"

build() {  # build FILE: " *   cc ... \" and the lines that continue it
  local line
  line=$(sed -n '/^ \*   cc /,/[^\\]$/p' "$1" | sed 's/^ \*//')
  echo "$line"
  eval "$line"
}

build my_kernels.c
[[ -s my_kernels.so ]]
build mini_runtime.c
output=$(./mini_runtime 3 run.astrace)
echo "$output"
[[ $output == "112 tasks, the result is right; "*" 0 dropped" ]]
[[ -s run.astrace ]]
