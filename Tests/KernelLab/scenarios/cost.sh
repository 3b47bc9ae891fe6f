. /lab/lib.sh
# What live costs on a 100 Hz sensor: processor time and wake-ups under emulation are reported, memory is asserted.
need_pedometer
sensor uhid_accel serial=cost rate=100 wait=1 steps=60 cadence=2 lead=2; S=$PID; LS=$LOG
found D iio_by_serial cost; echo 100 > "$D/in_accel_sampling_frequency"
# stamped FILE: every line with the time it came
stamped() { while read -r line; do read -r up _ < /proc/uptime; echo "$up $line"; done > "$1"; }
mkfifo "$W/pipe"; stamped "$W/live" < "$W/pipe" & R=$!
$PEDOMETER live --format json --provisional "iio:${D##*/iio:}" > "$W/pipe" 2> "$W/live.err" & L=$!; PIDS="$PIDS $L"
settled "$W/live"; sleep 2; begin_walk $S
switches() { cat /proc/$L/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
ticks() { awk '{ print $14 + $15 }' /proc/$L/stat; }
sleep 5; a=$(switches) t=$(ticks); sleep 10; b=$(switches) u=$(ticks)
note "wake-ups a second: $(((b - a) / 10)); processor time under emulation: $((u - t)) ms a second"
RSS=$(awk '/VmRSS/ { print $2 }' "/proc/$L/status")
[ "${RSS:-99999}" -le 15360 ] && pass "resident: $RSS kB" || fail "resident: $RSS kB, 15360 allowed"
walked 60 "$LS"; sleep 3; stop $L; wait $R
within "60 steps" "$(total "$W/live")" 60 1
# from the top of each bounce to the line on standard output
go=$(sed -n 's/walk begins at //p' "$LS")
of_type step "$W/live" | awk -v go="$go" '{ t = $1 - go - 2; k = int((t - 0.125) * 2); print t - 0.125 - k / 2 }' |
  sort -n > "$W/latency"
n=$(wc -l < "$W/latency")
[ "$n" -gt 0 ] && note "from a bounce's top to its line, modulo a step: median $(sed -n "$(((n + 1) / 2))p" "$W/latency") s of $n lines"
# from a sample's time to standard output, by a record of what the same reader hands out
sensor uhid_accel serial=delay rate=100 steps=-1 cadence=2 quiet=1
found D iio_by_serial delay; echo 100 > "$D/in_accel_sampling_frequency"
$PEDOMETER record "iio:${D##*/iio:}" -o - --duration 5 2> "$W/record.err" | stamped "$W/record"
awk '/# clock:/ { offset = $6 / 1e9 } $2 ~ /^[0-9.]+,/ { split($2, c, ","); print $1 - (c[1] - offset) }' "$W/record" | sort -n > "$W/delay"
n=$(wc -l < "$W/delay")
[ "$n" -gt 400 ] && pass "$n samples recorded in 5 s" || fail "only $n samples recorded in 5 s: $(tail -1 "$W/record.err")"
note "from a sample to standard output: median $(sed -n "$(((n + 1) / 2))p" "$W/delay") s, 95 in 100 within $(sed -n "$((n * 95 / 100))p" "$W/delay") s"

# all day: the same rate, few wake-ups
sensor uhid_accel serial=thrifty rate=100 steps=-1 cadence=2 quiet=1
found D iio_by_serial thrifty; echo 100 > "$D/in_accel_sampling_frequency"
live "$W/thrifty" --thrifty "iio:${D##*/iio:}"; L=$PID; settled "$W/thrifty"
sleep 5; a=$(switches) t=$(ticks); sleep 10; b=$(switches) u=$(ticks)
note "thrifty: wake-ups in ten seconds: $((b - a)); processor time under emulation: $((u - t)) ms a second"
RSS=$(awk '/VmRSS/ { print $2 }' "/proc/$L/status")
[ "${RSS:-99999}" -le 15360 ] && pass "resident when thrifty: $RSS kB" || fail "resident when thrifty: $RSS kB, 15360 allowed"
stop $L
[ "$(total "$W/thrifty")" -gt 20 ] && pass "thrifty counts: $(total "$W/thrifty")" || fail "thrifty counts only '$(total "$W/thrifty")'"
