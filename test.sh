#!/usr/bin/env bash
# Installs what is missing, builds the release preset, and runs every test. The closing lines are CTest's, and the count of cases.
set -euo pipefail
unset CDPATH
if [[ $# -gt 0 ]]; then
  echo "usage: ./test.sh (without arguments): $(sed -n '2s/^# //p' "${BASH_SOURCE[0]}")" >&2
  exit 1
fi
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/install_packages.sh build
scripts/build.sh release
echo "== testing (release)"
rm -rf build/release/cases
status=0
ctest --preset release --parallel "$(nproc)" --no-tests=error || status=$?
/usr/bin/python3 scripts/summarize_cases.py build/release || status=1
exit "$status"
