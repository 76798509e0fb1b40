#!/usr/bin/env bash
# Installs what is missing, builds the release preset, and runs every test. The closing lines are CTest's, and the count of cases.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/install_packages.sh build
scripts/build.sh release
echo "== testing (release)"
rm -rf build/release/cases
status=0
ctest --preset release --parallel "$(nproc)" || status=$?
/usr/bin/python3 scripts/summarize_cases.py build/release || status=1
exit "$status"
