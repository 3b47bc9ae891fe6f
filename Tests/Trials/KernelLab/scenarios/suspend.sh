. /lab/lib.sh
# The machine sleeps during a walk (suspend to RAM, woken by its clock), and counting continues: nothing is lost or restarted.
# The sleep is a gap and part of the elapsed time, which a clock that stops during sleep would not show.
need_pedometer
sensor uhid_accel serial=sleep-hid wait=1 steps=80 cadence=2 lead=3; S1=$PID L1=$LOG
sensor uinput_accel name="Sleep uinput" wait=1 steps=80 cadence=2 lead=3; S2=$PID L2=$LOG
found D iio_by_serial sleep-hid; found N event_by_name "Sleep uinput"
live "$W/buffer" "iio:${D##*/iio:}"; A=$PID; live "$W/node" "evdev:$N"; B=$PID
settled "$W/buffer"; settled "$W/node"; begin=$(tenths); sleep 1; begin_walk $S1 $S2
confirmed() { [ "$(of_type step "$1" | grep -c '"confirmed" *: *true')" -ge "$2" ]; }
until_true 300 confirmed "$W/buffer" 30 && until_true 300 confirmed "$W/node" 30 || fail "no 30 steps before sleep"
# seconds asleep: the time since boot minus the time awake
asleep() { awk -v boot="$(cut -d' ' -f1 /proc/uptime)" '/^now at/ { printf "%d", boot - $3 / 1e9 + 0.5; exit }' /proc/timer_list; }
RTC=/sys/class/rtc/rtc0/wakealarm
tries=0
while [ "$(asleep)" -lt 5 ] && [ $tries -lt 5 ]; do
  tries=$((tries + 1))
  # the alarm uses the host's clock: if a slow host lets it fire before the machine sleeps, the wake-up count prevents the sleep
  count=$(cat /sys/power/wakeup_count); echo 0 > $RTC; echo +12 > $RTC
  { echo "$count" > /sys/power/wakeup_count && echo mem > /sys/power/state; } 2> "$W/suspend.err" || sleep 15
done
SLEPT=$(asleep)
[ "$SLEPT" -ge 5 ] && pass "the machine slept: $SLEPT s" || fail "no sleep: $SLEPT s, $(cat "$W/suspend.err")"
# (before the sleep, the hub's driver waits for answers of a sensor whose program is already frozen: 15 s without samples)
lives $A && lives $B && pass "both still count" || fail "one ended: $(tail -1 "$W/buffer.err" "$W/node.err")"
walked 90 "$L1" "$L2"; sleep 4; passed=$((($(tenths) - begin + 5) / 10)); stop $A; stop $B
for way in buffer node; do
  within "$way: 80 steps over the sleep" "$(total "$W/$way")" 80 2
  is "$way: the sleep is one gap" "$(of_type total "$W/$way" | json gaps)" 1
  within "$way: the time that passed has the sleep in it" "$(of_type total "$W/$way" | json t)" "$passed" 1.5
  is "$way: the sensor was not lost" "$(has_event "$W/$way" sourceLost && echo lost)" ""
done
