#!/usr/bin/env bash
# Installs the recorder, builds the example with the compiler line that stands in its comment, and runs it.
# plain_line_test.sh CMAKE BUILD_FOLDER EXAMPLE_FOLDER
set -euo pipefail

PREFIX=$(mktemp -d)
export PREFIX
trap 'rm -rf "$PREFIX"' EXIT
"$1" --install "$2" --component recorder --prefix "$PREFIX" > /dev/null
cp "$3/mini_runtime.c" "$PREFIX"
cd "$PREFIX"

# " *   cc ... \" and the lines that continue it.
line=$(sed -n '/^ \*   cc /,/[^\\]$/p' mini_runtime.c | sed 's/^ \*//')
echo "$line"
eval "$line"
output=$(./mini_runtime 3 run.astrace)
echo "$output"
[[ $output == "112 tasks, the result is right; "*" 0 dropped" ]]
[[ -s run.astrace ]]
