# lib.sh - functions for scenarios (sourced; busybox sh): checks, sensors, devices, the program's JSON.
PASSED=0 FAILED=0 SKIPPED=0 SCENARIO=$(basename "$0" .sh) KERNEL=$(uname -r | cut -d. -f1,2)
W=/tmp/$SCENARIO; mkdir -p "$W"; chmod 777 "$W"
export PAGER=cat SYSTEMD_PAGER=cat SYSTEMD_COLORS=0 NO_COLOR=1

# --- checks; each prints a line for the host
pass() { PASSED=$((PASSED + 1)); echo "ok - $SCENARIO: $*"; }
fail() { FAILED=$((FAILED + 1)); echo "not ok - $SCENARIO: $*"; }
skip() { SKIPPED=$((SKIPPED + 1)); echo "skip - $SCENARIO: $*"; }
# has_module NAME: ends the scenario on a kernel without it, such as Debian's for 64-bit ARM
has_module() { modprobe -D "$1" >/dev/null 2>&1 || { skip "kernel $(uname -r) has no $1"; exit 0; }; }
note() { echo "# $*"; }
is() { if [ "$2" = "$3" ]; then pass "$1: $2"; else fail "$1: got '$2', expected '$3'"; fi; }
# within NAME GOT EXPECTED TOLERANCE: numbers; anything else fails
within() {
  if awk -v g="$2" -v e="$3" -v t="$4" 'BEGIN { n = "^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$"; d = g - e; exit !(g ~ n && e ~ n && d <= t + 1e-9 && -d <= t + 1e-9) }'
  then pass "$1: $2 (expected $3 ± $4)"; else fail "$1: got '$2', expected $3 ± $4"; fi
}
# says NAME FILE WORDS...: the file contains one of the words, ignoring case
says() {
  name=$1 file=$2; shift 2
  for word in "$@"; do grep -qi -- "$word" "$file" 2>/dev/null && { pass "$name: says '$word'"; return 0; }; done
  fail "$name: '$(tr '\n' ' ' < "$file" 2>/dev/null | cut -c1-200)' contains none of: $*"
}
# the end of every scenario: stops processes, prints the summary, sets the status
finish() {
  for pid in $PIDS; do kill "$pid" 2>/dev/null; done
  # a remaining chip would be a sensor in the next scenario
  [ -z "$BUS" ] || until_true 50 rmmod i2c-stub || echo "# i2c-stub is still loaded"
  echo "# $SCENARIO on $KERNEL: $PASSED passed, $FAILED failed"
  [ "$FAILED" = 0 ] && [ $((PASSED + SKIPPED)) -gt 0 ]; exit $?
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
# as USER COMMAND...: without root's capabilities (no single quotes in the words)
as() { who=$1; shift; line=; for word in "$@"; do line="$line '$word'"; done; $AS_EXEC su "$who" -c "exec $line"; }

# --- waiting, always with a limit
# until_true TENTHS COMMAND...: tenths of a second by the clock, because the command itself is slow under emulation
tenths() { read -r up _ < /proc/uptime; whole=${up%.*}; part=${up#*.}; echo $((whole * 10 + ${part%?})); }
until_true() {
  deadline=$(($(tenths) + $1)); shift
  while ! "$@" 2>/dev/null; do [ "$(tenths)" -lt "$deadline" ] || return 1; sleep 0.1; done
}
lives() { kill -0 "$1" 2>/dev/null; }
gone() { ! lives "$1"; }
# ends PID SECONDS: sets $STATUS to its exit status; kills it and sets 124 if it does not end
ends() {
  if until_true $(($2 * 10)) gone "$1"; then wait "$1"; STATUS=$?
  else kill -9 "$1" 2>/dev/null; wait "$1" 2>/dev/null; STATUS=124; fi
}

# --- sensors and programs in the background; each call sets $PID
SENSORS=0
# sensor PROGRAM OPTIONS...: sets $LOG to its log
sensor() { SENSORS=$((SENSORS + 1)); LOG=$W/sensor.$SENSORS; "$@" > "$LOG" 2>&1 & PID=$!; PIDS="$PIDS $PID"; }
begin_walk() { for pid in "$@"; do kill -USR1 "$pid"; done; }
# walked SECONDS LOG...: waits until the walks have ended
walked() {
  seconds=$1; shift
  for log in "$@"; do
    until_true $((seconds * 10)) grep -q 'walk over' "$log" || { fail "a walk did not end: $(tail -1 "$log")"; return 1; }
  done
}
# start FILE COMMAND...: standard output to FILE, standard error to FILE.err; `as` then uses no intermediate shell, so that
# signals to $PID reach the program
start() { out=$1; shift; AS_EXEC=exec; "$@" > "$out" 2> "$out.err" & PID=$!; AS_EXEC=; PIDS="$PIDS $PID"; }
# live FILE ARGUMENTS...: pedometer live, as JSON Lines
live() { file=$1; shift; start "$file" $PEDOMETER live --format json "$@"; }
# settled FILE: its source has started
settled() { until_true 200 has_event "$1" started || fail "no event 'started': $(tail -1 "$1.err")"; }
# stop PID: SIGTERM gives totals and status 0
stop() { kill "$1" 2>/dev/null; ends "$1" 15; is "live ends cleanly at SIGTERM" "$STATUS" 0; }

# --- devices by name or serial number, never by number
iio_by_name() {
  for device in /sys/bus/iio/devices/iio:device*; do
    [ "$(cat "$device/name" 2>/dev/null)" = "$1" ] && echo "$device" && return 0
  done; return 1
}
# iio_by_serial SERIAL: by HID_UNIQ, or by the serial number of the USB parent
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
# found VARIABLE COMMAND...: its output, once it succeeds and udev has settled
found() {
  variable=$1; shift
  if ! until_true 150 "$@" > "$W/found"; then fail "no device: $*"; exit 1; fi
  udevadm settle -t 20; eval "$variable=\$(tail -1 \"$W/found\")"
}

# --- Bluetooth: a bus, two virtual controllers that hear each other, and BlueZ, begun one after the other
POD=00:AA:01:00:00:00
bluetooth_modules() {
  has_module hci_vhci; modprobe -a hci_vhci algif_hash algif_skcipher cmac ecb 2>/dev/null
  mkdir -p /run/dbus /var/lib/bluetooth /etc/bluetooth
  # One bluetoothd on both ends mixes up the answers of several channels. Since 5.65 it turns controllers on by default.
  printf '[GATT]\nChannels=1\n[Policy]\nAutoEnable=false\n' > /etc/bluetooth/main.conf
}
begin_bus() {
  rm -f /run/dbus/system_bus_socket /run/dbus/pid
  cat > "$W/bus.conf" <<X
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy>
</busconfig>
X
  start "$W/bus" dbus-daemon --config-file="$W/bus.conf" --nofork
  until_true 100 test -S /run/dbus/system_bus_socket || fail "no bus"
}
begin_controllers() {
  start "$W/btvirt" btvirt -l2
  until_true 100 test -e /sys/class/bluetooth/hci1 || { cat "$W/btvirt.err"; fail "no controllers"; exit 1; }
}
begin_bluetoothd() {
  start "$W/bluetoothd" bluetoothd -n -f /etc/bluetooth/main.conf; DAEMON=$PID
  until_true 200 sh -c 'bluetoothctl list 2>/dev/null | grep -q 00:AA:01:01' ||
    { cat "$W/bluetoothd.err"; fail "bluetoothd shows no controller"; exit 1; }
}
control() { printf '%s\n' "$@" | timeout 20 bluetoothctl > "$W/control" 2>&1; }
powered() { bluetoothctl show "$1" 2>/dev/null | grep -q "Powered: $2"; }
power_on() {
  control "select 00:AA:01:00:00:00" "power on"
  control "select 00:AA:01:01:00:01" "power on"
  bluetoothctl list > "$W/list" 2>&1; note "controllers: $(tr '\n' ' ' < "$W/list")"
  for c in $(awk '/Controller/ { print $2 }' "$W/list"); do
    control "select $c" "power on"; until_true 100 powered "$c" yes || fail "$c stays off"
  done
}

# --- what a program costs
# processor time in ns: the instructions of all threads, each taken for one
nanoseconds() { cat /proc/$1/task/*/schedstat | awk '{ n += $1 } END { printf "%.0f", n }'; }
switches() { cat /proc/$1/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
# costs NAME PID: over ten seconds
costs() {
  a=$(switches $2) t=$(nanoseconds $2); sleep 10; b=$(switches $2) u=$(nanoseconds $2)
  note "$1: $(awk -v n=$((b - a)) 'BEGIN { print n / 10 }') wake-ups and $(((u - t) / 10000000)) million instructions a second, the kernel's with them"
}
small() { # NAME PID [kB]
  note "$1: $(awk '/^Rss(Anon|File)/ { printf "%s %s kB  ", $1, $2 }' "/proc/$2/status")"
  RSS=$(awk '/VmRSS/ { print $2 }' "/proc/$2/status")
  [ "${RSS:-99999}" -le "${3:-15360}" ] && pass "$1: $RSS kB resident" || fail "$1: $RSS kB resident, ${3:-15360} allowed"
}

# --- boards
# takes the boards of earlier scenarios off their controllers
unplug_boards() { for udc in /sys/kernel/config/usb_gadget/*/UDC; do [ ! -e "$udc" ] || echo > "$udc"; done 2> /dev/null; }

# --- chips behind i2c-stub
chips() { # ADDRESS,ADDRESS: reloads the stub; sets $BUS
  has_module i2c-stub; modprobe -a i2c-dev; rmmod i2c-stub 2>/dev/null
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

chip_bma250e() {
  i2c_poke "$BUS" 0x18 0x00=0xf9
  echo bma250e 0x18 > "$NEW"; found BMA250E iio_by_name bma250e
}

# --- independent check: bounces in "t,x,y,z" lines; a step rises above 1.15 g on the column and falls below 1 g
bounces() { # COLUMN SCALE
  tr -d 'a-z_=' | awk -F, -v c="$1" -v s="${2:-1}" '/^#/ { next }
    { v = $c * s; if (v > 1.15 && !up) { n++; up = 1 } if (v < 1.0) up = 0 } END { print n + 0 }'
}
