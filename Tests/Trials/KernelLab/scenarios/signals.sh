. /lab/lib.sh
# live ends within a second of SIGTERM, with its totals, whatever its source does: silent sensors, a pipe without a writer,
# a step counter without steps, and a sensor that another program uses.
need_pedometer
# quick NAME FILE PID: within a second of the guest's clock
quick() {
  kill "$3"; ends "$3" 1; is "$1: live ends within a second" "$STATUS" 0
  within "$1: totals" "$(total "$2")" "${4:-0}" "${5:-0}"
}
sensor uhid_accel serial=silent freeze-kind=silent steps=-1 cadence=2; A=$PID
sensor uinput_accel name="Silent pad" freeze-kind=silent steps=-1 cadence=2; B=$PID
found D iio_by_serial silent; found P event_by_name "Silent pad"
live "$W/hid" "iio:${D##*/iio:}"; L=$PID; live "$W/pad" "evdev:$P"; M=$PID
settled "$W/hid"; settled "$W/pad"; sleep 15; kill -HUP $A; kill -HUP $B; sleep 3
quick "a silent HID sensor" "$W/hid" $L 30 4; quick "a silent pad" "$W/pad" $M 30 4
kill $A $B
mkfifo "$W/fifo"; live "$W/pipe" "$W/fifo"; L=$PID; sleep 2; quick "a pipe without a writer" "$W/pipe" $L
live "$W/absent" --wait iio:device77; L=$PID; sleep 2; quick "an absent sensor" "$W/absent" $L
chips 0x14,0x0f; chip_bma400 100
live "$W/chip" "counter:${BMA400##*/iio:}"; L=$PID; settled "$W/chip"; quick "a chip that counts nothing" "$W/chip" $L

# kxcjk1013 provides no values while its buffer is enabled: --wait names the holder, and continues when it is free.
if ! modprobe iio-trig-hrtimer 2>/dev/null; then skip "kernel $KERNEL has no trigger for the chip's buffer"; exit 0; fi
mount -t configfs configfs /sys/kernel/config 2>/dev/null
chip_kxcjk1013; N=iio:${KXCJK##*/iio:}
sensor i2c_walk "$BUS" 0x0f kxcjk1013 wait=1 steps=40 cadence=2 lead=3 rate=100; S=$PID; LS=$LOG
live "$W/holder" "$N"; H=$PID; settled "$W/holder"
timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/busy" 2> "$W/busy.err"; is "without --wait" $? 75
says "the holder" "$W/busy.err" "in use by pedometer (process $H)"
live "$W/stopped" --wait "$N"; L=$PID; sleep 4; quick "a sensor that another program keeps" "$W/stopped" $L
live "$W/kept" --wait "$N"; L=$PID; until_true 100 grep -q "waiting until it is free" "$W/kept.err"; sleep 8
says "the holder" "$W/kept.err" "in use by pedometer (process $H)"
is "reported once" "$(grep -c 'waiting until' "$W/kept.err")" 1
stop $H; settled "$W/kept"; begin_walk $S; walked 60 "$LS"; sleep 4; stop $L
within "steps once it is free" "$(total "$W/kept")" 40 2
