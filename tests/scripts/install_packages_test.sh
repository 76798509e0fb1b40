#!/usr/bin/env bash
# Runs scripts/install_packages.sh against a pretended machine: dpkg-query, apt-get, sudo and id are stubs in a folder
# that stands alone in PATH, and apt-get writes down how it was called.
set -euo pipefail
unset CDPATH

script=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../scripts" && pwd)/install_packages.sh
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
mkdir "$machine/bin"
for tool in bash env awk sort dirname cat; do ln -s "$(command -v "$tool")" "$machine/bin/$tool"; done

cat >"$machine/packages.txt" <<'LIST'
# a comment
[build]  # with a comment
present
absent-one   # a reason
	absent-two

[check]
present-too
[empty]
LIST

stub() {
  cat >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}
stub dpkg-query <<'STUB'
#!/usr/bin/env bash
result=0
for name in "${@:3}"; do
  case $name in
    present*) echo installed ;;
    absent-two) echo config-files ;;  # removed, but not purged
    *) result=1 ;;
  esac
done
exit $result
STUB
stub apt-get <<'STUB'
#!/usr/bin/env bash
echo "$DEBIAN_FRONTEND $*" >>"$MACHINE/calls"
STUB
stub id <<'STUB'
#!/usr/bin/env bash
echo "$USER_ID"
STUB

run() {  # run USER_ID SECTION...: fills $output and $code
  rm -f "$machine/calls"
  code=0
  output=$(MACHINE=$machine USER_ID=$1 PATH=$machine/bin ACCELSCOPE_PACKAGES=$machine/packages.txt \
    bash "$script" "${@:2}" 2>&1) || code=$?
}
expect() {  # expect DESCRIPTION CONDITION...
  if ! "${@:2}"; then
    printf 'FAILED: %s\nexit code %s, output:\n%s\n' "$1" "$code" "$output"
    exit 1
  fi
}
was_called() { [[ -f $machine/calls ]] && grep -qxF -- "$1" "$machine/calls"; }
says() { [[ $output == *"$1"* ]]; }
exits() { [[ $code -eq $1 ]]; }
is_silent() { [[ -z $output && ! -e $machine/calls ]]; }

run 0 check
expect "a complete section succeeds" exits 0
expect "a complete section is silent and does not call apt-get" is_silent

run 0 empty
expect "an empty section succeeds" exits 0
expect "an empty section is silent" is_silent

run 0 check build
expect "missing packages are installed" exits 0
expect "the package lists are renewed first" was_called "noninteractive -qq -o DPkg::Lock::Timeout=300 update"
expect "only what is missing is installed" was_called \
  "noninteractive -qq -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends absent-one absent-two"
expect "it says what it does" says "installing missing packages: absent-one absent-two"

run 1000 build
expect "without root and sudo it fails" exits 1
expect "and names what to install" says "apt-get install --no-install-recommends absent-one absent-two"

stub sudo <<'STUB'
#!/usr/bin/env bash
echo "sudo" >>"$MACHINE/calls"
exec "$@"
STUB
run 1000 build
expect "sudo is used by a user" was_called "sudo"
expect "sudo reaches apt-get" was_called "noninteractive -qq -o DPkg::Lock::Timeout=300 update"

run 0 nonsense
expect "an unknown section fails" exits 1
expect "an unknown section is named" says "no section [nonsense]"
run 0
expect "no section fails" exits 1

rm "$machine/bin/apt-get"
run 0 build
expect "without apt-get the build may still try" exits 0
expect "without apt-get the packages are listed" says "present absent-one absent-two"

echo "all cases of install_packages.sh behave"
