#!/usr/bin/env bash
# Installs what is missing, builds the program, and runs its demonstration, which ends by naming the files to open.
set -euo pipefail
unset CDPATH
if [[ $# -gt 0 ]]; then
  echo "usage: ./demo.sh (without arguments): $(sed -n '2s/^# //p' "${BASH_SOURCE[0]}")" >&2
  exit 1
fi
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/install_packages.sh build
scripts/build.sh release accelscope
echo "== running accelscope demo"
# The program names its files as it was told the folder: that must be right where the caller stands.
folder=demo-output
[[ $PWD == "$called_from" ]] || folder=$PWD/demo-output
exec build/release/src/cli/accelscope demo --out "$folder"
