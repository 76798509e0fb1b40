#!/usr/bin/env bash
# Measures what a newcomer and CI wait for, without a compiler cache, each from a fresh clone of what is committed here, and prints
# a table: the program (what ./demo.sh builds), ./test.sh, .ci/run. Nothing else should run meanwhile.
#
#   scripts/build_times.sh                # all three: about an hour on two cores
#   scripts/build_times.sh program test   # only these
set -euo pipefail
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CCACHE_DISABLE=1

measures=("$@")
[[ $# -gt 0 ]] || measures=(program test ci)
for measure in "${measures[@]}"; do
  case $measure in
    program | test | ci) ;;
    *) echo "build_times: '$measure' is not program, test or ci" >&2; exit 1 ;;
  esac
done

source=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Conformance data is looked for beside the checkout.
[[ ! -d ../shared ]] || ln -s "$(cd ../shared && pwd -P)" "$folder/shared"

time_of() {  # time_of NAME COMMAND...: a row of the table; the whole output when it fails
  local clone="$folder/$1" log="$folder/$1.log"
  git clone --quiet "$source" "$clone"
  local begin user wall rest
  begin=$(date +%s)
  if ! (cd "$clone" && TIMEFORMAT='user+system %U %S' && time "${@:2}") >"$log" 2>&1; then
    cat "$log"
    echo "build_times: ${*:2} failed" >&2
    return 1
  fi
  wall=$(($(date +%s) - begin))
  read -r _ user rest < <(grep '^user+system' "$log" | tail -n 1)
  # shellcheck disable=SC2016  # backquotes of Markdown
  printf '| `%s` | %d:%02d | %.1f |\n' "${*:2}" $((wall / 60)) $((wall % 60)) "$(awk "BEGIN { print ($user + $rest) / 60 }")"
  rm -rf "$clone"
}

scripts/install_packages.sh build check
echo "| cold, $(nproc) cores | wall (min:s) | CPU (min) |"
echo "|---|---|---|"
for measure in "${measures[@]}"; do
  case $measure in
    program) time_of program scripts/build.sh release accelscope ;;
    test) time_of test ./test.sh ;;
    ci) time_of ci .ci/run ;;
  esac
done
