#!/usr/bin/env bash
# Installs what is missing, builds the release preset, and runs every test. CTest has the last word.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/install_packages.sh build
scripts/build.sh release
echo "== testing (release)"
exec ctest --preset release --parallel "$(nproc)"
