#!/usr/bin/env bash
# Installs the packages of the named sections of packages.txt that are missing. Says nothing when none is.
#
#   scripts/install_packages.sh build
#   scripts/install_packages.sh build check
set -euo pipefail

list="${ACCELSCOPE_PACKAGES:-$(dirname "${BASH_SOURCE[0]}")/../packages.txt}"

packages_of() {
  awk -v wanted="$1" '
    { sub(/#.*/, ""); gsub(/[ \t\r]/, "") }
    /^\[.*\]$/ { inside = ($0 == "[" wanted "]"); found = found || inside; next }
    inside && $0 != "" { print }
    END { exit !found }
  ' "$list" || { echo "install_packages: no section [$1] in packages.txt" >&2; return 1; }
}

is_installed() {
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

if [[ $# -eq 0 ]]; then
  echo "usage: scripts/install_packages.sh SECTION... (the sections of packages.txt)" >&2
  exit 1
fi

packages=()
for section in "$@"; do
  names=$(packages_of "$section")
  while read -r name; do [[ -z $name ]] || packages+=("$name"); done <<<"$names"
done
[[ ${#packages[@]} -gt 0 ]] || exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # Another distribution may have the same libraries under other names: the build finds out.
  echo "== no apt-get here: packages are not checked. On Debian 12 they would be:"
  echo "   ${packages[*]}"
  exit 0
fi

# One query for all is the quick way to learn that nothing is missing; the names are sorted out only otherwise.
statuses=$(dpkg-query --show --showformat='${db:Status-Status}\n' "${packages[@]}" 2>/dev/null) || statuses=missing
[[ $(sort -u <<<"$statuses") != installed ]] || exit 0

missing=()
for name in "${packages[@]}"; do is_installed "$name" || missing+=("$name"); done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install_packages: these packages are missing, and only root can install them:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "== installing missing packages: ${missing[*]}"
# A fresh cloud machine is often still installing its updates: wait for the lock instead of failing.
apt_get() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"
}
apt_get update
apt_get install --yes --no-install-recommends "${missing[@]}" >/dev/null
