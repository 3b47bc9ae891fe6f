# lib.sh - what every scenario uses (sourced; busybox sh): checks, sensors, devices, the JSON of the program.
PASSED=0 FAILED=0 SCENARIO=$(basename "$0" .sh) KERNEL=$(uname -r | cut -d. -f1,2)
W=/tmp/$SCENARIO; mkdir -p "$W"; chmod 777 "$W"
export PAGER=cat SYSTEMD_PAGER=cat SYSTEMD_COLORS=0 NO_COLOR=1

# --- checks; every one prints a line that the host reads
pass() { PASSED=$((PASSED + 1)); echo "ok - $SCENARIO: $*"; }
fail() { FAILED=$((FAILED + 1)); echo "not ok - $SCENARIO: $*"; }
skip() { echo "skip - $SCENARIO: $*"; }
note() { echo "# $*"; }
is() { if [ "$2" = "$3" ]; then pass "$1: $2"; else fail "$1: got '$2', expected '$3'"; fi; }
# within NAME GOT EXPECTED TOLERANCE: numbers; anything else fails
within() {
  if awk -v g="$2" -v e="$3" -v t="$4" 'BEGIN { n = "^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$"; d = g - e; exit !(g ~ n && e ~ n && d <= t + 1e-9 && -d <= t + 1e-9) }'
  then pass "$1: $2 (expected $3 ± $4)"; else fail "$1: got '$2', expected $3 ± $4"; fi
}
# says NAME FILE WORDS...: the file has a line with one of the words, whatever the case
says() {
  name=$1 file=$2; shift 2
  for word in "$@"; do grep -qi -- "$word" "$file" 2>/dev/null && { pass "$name: says '$word'"; return 0; }; done
  fail "$name: '$(tr '\n' ' ' < "$file" 2>/dev/null | cut -c1-200)' names none of: $*"
}
# the end of every scenario: processes away, summary, status
finish() {
  for pid in $PIDS; do kill "$pid" 2>/dev/null; done
  # a chip that stays would be a sensor in the next scenario
  [ -z "$BUS" ] || until_true 50 rmmod i2c-stub || echo "# i2c-stub stays"
  echo "# $SCENARIO on $KERNEL: $PASSED passed, $FAILED failed"
  [ "$FAILED" = 0 ] && [ "$PASSED" -gt 0 ]; exit $?
}
trap finish EXIT
trap 'fail "out of time"; exit 1' TERM

# --- the program under test
PEDOMETER=/payload/pedometer
need_pedometer() { [ -x $PEDOMETER ] || { fail "no executable in the payload"; exit 1; }; }
# json KEY: its value in every line of standard input (flat objects: strings, numbers, true, false)
json() {
  awk -v key="\"$1\"[ ]*:[ ]*" '{
    if (!match($0, key)) next
    rest = substr($0, RSTART + RLENGTH)
    if (match(rest, /^"([^"\\]|\\.)*"/)) print substr(rest, 2, RLENGTH - 2)
    else { match(rest, /^[^],}]*/); print substr(rest, 1, RLENGTH) }
  }'
}
of_type() { grep -E "\"type\" *: *\"$1\"" "$2"; }
total() { of_type total "$1" | tail -1 | json steps; }
has_event() { of_type event "$1" | json event | grep -qx "$2"; }
# as USER COMMAND...: without root's powers (words without single quotes in them)
as() { who=$1; shift; line=; for word in "$@"; do line="$line '$word'"; done; $AS_EXEC su "$who" -c "exec $line"; }

# --- waiting: never for ever
# until_true TENTHS COMMAND...: of a second, by the clock: under emulation the command itself takes its time
tenths() { read -r up _ < /proc/uptime; whole=${up%.*}; part=${up#*.}; echo $((whole * 10 + ${part%?})); }
until_true() {
  deadline=$(($(tenths) + $1)); shift
  while ! "$@" 2>/dev/null; do [ "$(tenths)" -lt "$deadline" ] || return 1; sleep 0.1; done
}
lives() { kill -0 "$1" 2>/dev/null; }
gone() { ! lives "$1"; }
# ends PID SECONDS: its exit status in $STATUS; 124 and a kill when it does not end
ends() {
  if until_true $(($2 * 10)) gone "$1"; then wait "$1"; STATUS=$?
  else kill -9 "$1" 2>/dev/null; wait "$1" 2>/dev/null; STATUS=124; fi
}

# --- sensors and programs in the background; each call leaves its process in $PID
SENSORS=0
# sensor PROGRAM OPTIONS...: its log in $LOG
sensor() { SENSORS=$((SENSORS + 1)); LOG=$W/sensor.$SENSORS; "$@" > "$LOG" 2>&1 & PID=$!; PIDS="$PIDS $PID"; }
begin_walk() { for pid in "$@"; do kill -USR1 "$pid"; done; }
# walked SECONDS LOG...: waits until the walks are over
walked() {
  seconds=$1; shift
  for log in "$@"; do
    until_true $((seconds * 10)) grep -q 'walk over' "$log" || { fail "a walk did not end: $(tail -1 "$log")"; return 1; }
  done
}
# start FILE COMMAND...: standard output to FILE, the rest to FILE.err; `as` then leaves no shell between, so that a
# signal to $PID reaches the program
start() { out=$1; shift; AS_EXEC=exec; "$@" > "$out" 2> "$out.err" & PID=$!; AS_EXEC=; PIDS="$PIDS $PID"; }
# live FILE ARGUMENTS...: pedometer live, as JSON Lines
live() { file=$1; shift; start "$file" $PEDOMETER live --format json "$@"; }
# settled FILE: it has taken up its source
settled() { until_true 200 has_event "$1" started || fail "no event 'started': $(tail -1 "$1.err")"; }
# stop PID: SIGTERM, as cli.md has it: totals and status 0
stop() { kill "$1" 2>/dev/null; ends "$1" 15; is "live ends cleanly at SIGTERM" "$STATUS" 0; }

# --- devices by what they are, never by number
iio_by_name() {
  for device in /sys/bus/iio/devices/iio:device*; do
    [ "$(cat "$device/name" 2>/dev/null)" = "$1" ] && echo "$device" && return 0
  done; return 1
}
# iio_by_serial SERIAL: by the HID_UNIQ or the USB serial number above it
iio_by_serial() {
  for device in /sys/bus/iio/devices/iio:device*; do
    up=$(readlink -f "$device")
    while [ -n "$up" ] && [ "$up" != /sys ]; do
      { grep -qx "HID_UNIQ=$1" "$up/uevent" || [ "$(cat "$up/serial" 2>/dev/null)" = "$1" ]; } 2>/dev/null &&
        [ -e "$device/buffer/enable" ] && [ -e "$device/in_accel_x_raw" ] && echo "$device" && return 0
      up=${up%/*}
    done
  done; return 1
}
event_by_name() {
  for event in /sys/class/input/event*; do
    [ "$(cat "$event/device/name" 2>/dev/null)" = "$1" ] && echo "/dev/input/${event##*/}" && return 0
  done; return 1
}
# found VARIABLE COMMAND...: its output, once it succeeds, and udev is through
found() {
  variable=$1; shift
  if ! until_true 150 "$@" > "$W/found"; then fail "no device: $*"; exit 1; fi
  udevadm settle -t 20; eval "$variable=\$(tail -1 \"$W/found\")"
}

# --- chips behind i2c-stub
chips() { # ADDRESS,ADDRESS: loads the stub afresh; its bus in $BUS
  modprobe -a i2c-dev; rmmod i2c-stub 2>/dev/null
  modprobe i2c-stub chip_addr="$1"; BUS=$(i2c_poke find); NEW=/sys/bus/i2c/devices/i2c-$BUS/new_device
}
chip_bma400() { # STEPS
  i2c_poke "$BUS" 0x14 0x00=0x90 0x04=0 0x05=0 0x06=0 0x07=0 0x08=0 0x09=2 0x15=$(($1 & 255)) 0x16=$(($1 >> 8 & 255)) \
    0x17=$(($1 >> 16 & 255)) 0x18=0 0x19=0 0x1a=0x49 0x1b=0
  echo bma400 0x14 > "$NEW"; found BMA400 iio_by_name bma400
}
set_steps() { i2c_poke "$BUS" 0x14 0x15=$(($1 & 255)) 0x16=$(($1 >> 8 & 255)) 0x17=$(($1 >> 16 & 255)); }
chip_kxcjk1013() {
  i2c_poke "$BUS" 0x0f 0x0f=0x04
  echo kxcjk1013 0x0f > "$NEW"; found KXCJK iio_by_name kxcjk1013
}

# --- the second opinion: bounces in "t,x,y,z" lines; a step rises above 1.15 g on the column and falls below 1 g
bounces() { # COLUMN SCALE
  tr -d 'a-z_=' | awk -F, -v c="$1" -v s="${2:-1}" '/^#/ { next }
    { v = $c * s; if (v > 1.15 && !up) { n++; up = 1 } if (v < 1.0) up = 0 } END { print n + 0 }'
}
