. /lab/lib.sh
# The cost of live with a 100 Hz sensor, and the delay of its lines, are reported; memory is asserted.
need_pedometer
sensor uhid_accel serial=cost rate=100 wait=1 steps=60 cadence=2 lead=2; S=$PID; LS=$LOG
found D iio_by_serial cost; echo 100 > "$D/in_accel_sampling_frequency"
live "$W/live" --provisional "iio:${D##*/iio:}"; L=$PID
settled "$W/live"; sleep 2
# a kernel trace: reports of the sensor, reads of the buffer, lines on standard output
T=/sys/kernel/tracing; mount -t tracefs tracefs $T 2>/dev/null
echo boot > $T/trace_clock; echo 4096 > $T/buffer_size_kb; echo 1 > $T/options/event-fork
echo $S $(ls /proc/$L/task) > $T/set_event_pid
for event in sys_enter_write sys_exit_read; do echo 1 > $T/events/syscalls/$event/enable; done
begin_walk $S; sleep 5; costs "walking" $L; small "walking" $L
walked 60 "$LS"; sleep 3; cat $T/trace > "$W/trace"
for event in sys_enter_write sys_exit_read; do echo 0 > $T/events/syscalls/$event/enable; done; echo > $T/set_event_pid
stop $L; within "60 steps" "$(total "$W/live")" 60 1
# the delay of each line since the oldest and newest samples of its batch, and since the batch was read
awk '{ t = 0; for (i = 2; i <= NF && !t; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) t = $i + 0 }
  / uhid_accel-/ && /sys_write\(/ { if (!oldest) oldest = t; newest = t }
  / sensor-reader-/ && / -> 0x/ && !/ -> 0xf{8}| -> 0x8$/ { from = oldest; to = newest; read = t; oldest = 0 }
  !/ uhid_accel-/ && /sys_write\(fd: 1,/ && from { print t - from, t - to, t - read }' "$W/trace" > "$W/delays"
# spread COLUMN: median, 95th percentile, maximum, in ms
spread() { cut -d' ' -f"$1" "$W/delays" | sort -n | awk '{ v[NR] = $1 * 1000 } END { printf "%.1f, %.1f, %.1f", v[int((NR + 1) / 2)], v[int(NR * 0.95)], v[NR] }'; }
n=$(wc -l < "$W/delays")
[ "$n" -gt 40 ] && pass "$n writes traced" || fail "only $n writes traced: $(tail -1 "$W/trace")"
note "to standard output, median, 95 in 100 and longest in ms: $(spread 1) after the oldest sample of the batch, $(spread 2) after the newest, $(spread 3) after the read"

# all day: the same rate, few wake-ups
sensor uhid_accel serial=thrifty rate=100 steps=-1 cadence=2 quiet=1
found D iio_by_serial thrifty; echo 100 > "$D/in_accel_sampling_frequency"
live "$W/thrifty" --thrifty "iio:${D##*/iio:}"; L=$PID; settled "$W/thrifty"
sleep 5; costs "thrifty" $L; small "thrifty" $L
stop $L
[ "$(total "$W/thrifty")" -gt 20 ] && pass "thrifty counts: $(total "$W/thrifty")" || fail "thrifty counts only '$(total "$W/thrifty")'"
