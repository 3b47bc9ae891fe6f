. /lab/lib.sh
# kxcjk1013 without an interrupt line: polled if the kernel has no hrtimer trigger (6.1), otherwise with such a trigger
# (6.12); samples arrive, and the trigger is removed at the end, also after a signal.
need_pedometer
timers() { ls -d /sys/kernel/config/iio/triggers/hrtimer/* 2>/dev/null | wc -l; }
if modprobe iio-trig-hrtimer 2>/dev/null; then
  HRTIMER=1; mount -t configfs configfs /sys/kernel/config 2>/dev/null
else HRTIMER=0; fi
[ "$(timers)" = 0 ] || { rmdir /sys/kernel/config/iio/triggers/hrtimer/*; }
chips 0x0f; chip_kxcjk1013; N=iio:${KXCJK##*/iio:}
sensor i2c_walk "$BUS" 0x0f kxcjk1013 wait=1 steps=60 cadence=2 lead=3 rate=100; S=$PID; LS=$LOG
live "$W/live" "$N"; L=$PID; settled "$W/live"; sleep 1
if [ $HRTIMER = 1 ]; then
  is "its own hrtimer trigger" "$(timers)" 1; is "the buffer is on" "$(cat "$KXCJK/buffer/enable")" 1
else
  is "polled: the buffer stays off" "$(cat "$KXCJK/buffer/enable")" 0
fi
begin_walk $S; walked 60 "$LS"; sleep 4; stop $L
within "60 steps walked" "$(total "$W/live")" 60 3
is "no trigger remains" "$(timers)" 0
is "the chip's trigger is cleared" "$(cat "$KXCJK/trigger/current_trigger" 2>/dev/null)" ""
start "$W/record.out" $PEDOMETER record "$N" -o "$W/rest.csv"; R=$PID; sleep 8; kill $R; ends $R 15
is "record ends cleanly" "$STATUS" 0
$PEDOMETER count --format json "$W/rest.csv" > "$W/count" 2>/dev/null
samples=$(json samples < "$W/count"); steps=$(json steps < "$W/count")
[ "${samples:-0}" -gt 60 ] && pass "samples arrive: $samples in some 7 s" || fail "only '$samples' samples: $(cat "$W/record.out.err")"
is "steps at rest" "$steps" 0
is "no trigger remains after record" "$(timers)" 0
