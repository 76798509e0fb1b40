#!/bin/sh
# In place of adb: the device is the folder $STAND_IN_ADB/device, every call is a line of $STAND_IN_ADB/calls. As with old
# versions of adb, the status of a command on the device is not handed through.
printf 'adb %s\n' "$*" >>"$STAND_IN_ADB/calls"
device=$STAND_IN_ADB/device
export STAND_IN_LOGCAT="$STAND_IN_ADB/logcat"
if [ "$1" = -s ]; then shift 2; fi
verb=$1
shift
case $verb in
devices) printf 'List of devices attached\n%s\n' "$STAND_IN_ADB_DEVICES" ;;
connect) echo "${STAND_IN_ADB_CONNECT:-connected to} $1" ;;
get-state)
  if [ -n "$STAND_IN_ADB_OFFLINE" ]; then
    echo "error: no devices/emulators found" >&2
    exit 1
  fi
  echo device
  ;;
push) cp "$1" "$device$2" ;;
pull)
  if [ ! -e "$device$1" ]; then
    echo "adb: error: failed to stat remote object '$1': No such file or directory" >&2
    exit 1
  fi
  cp "$device$1" "$2"
  ;;
logcat)
  if [ "$1" = -c ]; then
    : >"$STAND_IN_LOGCAT"
  else
    echo "--------- beginning of main"
    cat "$STAND_IN_LOGCAT"
  fi
  ;;
shell)
  line=$(printf '%s' "$*" | sed "s|/data/local/tmp|$device/data/local/tmp|g")
  tools='taskset() { shift; "$@"; }; getprop() { echo "[ro.product.model]: [Stand-in]"; echo "[ro.build.fingerprint]: [maker/toy:15]"; }'
  sh -c "$tools; $line"
  exit 0
  ;;
*)
  echo "adb: unknown command $verb" >&2
  exit 1
  ;;
esac
