. /lab/lib.sh
# The lab itself: the signal of 120 steps arrives through every virtual sensor with the right scale and timestamps.
# Only independent readers, not the program under test.

span() { awk -F, '!/^#/ { if (!n++) first = $1; last = $1 } END { printf "%.2f", last - first }'; }

# 1 the HID sensor hub by uhid and by USB, and one with 10 micro-g and its own time, at four times the speed
modprobe vhci-hcd
sensor uhid_accel serial=self-hid wait=1 steps=120 cadence=3 lead=1 tail=1; HID=$PID
sensor usbip_accel serial=SELFUSB wait=1 steps=120 cadence=3 lead=1 tail=1; USB=$PID
sensor uhid_accel serial=self-fine fine=1 time=1 speed=4 wait=1 steps=120 cadence=3 lead=1 tail=1; FINE=$PID
found A iio_by_serial self-hid; found B iio_by_serial SELFUSB; found C iio_by_serial self-fine
is "hid name" "$(cat "$A/name")" accel_3d
is "hid scale" "$(cat "$A/in_accel_scale")" 0.009806650
within "fine scale is 10 micro-g" "$(awk '{ print $1 / 9.80665 * 1e6 }' "$C/in_accel_scale")" 10 0.2
start "$W/a" iio_cat "$A" 90; X=$PID; start "$W/b" iio_cat "$B" 90; Y=$PID; start "$W/c" iio_cat "$C" 90; Z=$PID
sleep 1; begin_walk $HID $USB $FINE

# meanwhile a recording, 20 s at 64 Hz: resampled by the hub, and sample by sample at four times the speed by uinput
awk 'BEGIN {
  print "t,x,y,z"
  for (i = 0; i <= 1280; i++) {
    d = (i + 16) % 32 / 32 - 0.5; if (d < 0) d = -d
    printf "%.6f,%.4f,%.4f,%.4f\n", 100 + i / 64, i / 1280, -i / 1280, 0.7 + 1.2 * d
  }
}' > "$W/play.csv"   # two triangles per second, without functions that busybox awk lacks
sensor uhid_accel serial=self-play wait=1 play="$W/play.csv" fine=1 lead=1 tail=1; PH=$PID
sensor uinput_accel name="Self play" wait=1 play="$W/play.csv" lead=1 tail=1 speed=4; PU=$PID
found G iio_by_serial self-play; found H event_by_name "Self play"
start "$W/g" iio_cat "$G" 80; GP=$PID; start "$W/h" evdev_cat "$H" 80; HP=$PID
sleep 1; begin_walk $PH $PU

# 2 evdev meanwhile: uinput, and pads with gravity on y and on -x
sensor uinput_accel wait=1 steps=120 cadence=3 lead=1 tail=1 name="Self uinput"; U=$PID
sensor uhid_dualsense wait=1 steps=120 cadence=3 lead=1 tail=1 name=SelfPad serial=025ec0ffee11; P=$PID
sensor uhid_dualsense wait=1 steps=120 cadence=3 lead=1 tail=1 name=SelfTilted serial=025ec0ffee12 up=-x; Q=$PID
found D event_by_name "Self uinput"; found E event_by_name "SelfPad Motion Sensors"; found F event_by_name "SelfTilted Motion Sensors"
is "uinput is tagged an accelerometer" "$(udevadm info -q property -n "$D" | grep -c ID_INPUT_ACCELEROMETER=1)" 1
is "the pad is tagged an accelerometer" "$(udevadm info -q property -n "$E" | grep -c ID_INPUT_ACCELEROMETER=1)" 1
start "$W/d" evdev_cat "$D" 90; R=$PID; start "$W/e" evdev_cat "$E" 90; S=$PID; start "$W/f" evdev_cat "$F" 90; T=$PID
sleep 1; begin_walk $U $P $Q
for pid in $PH $PU $GP $HP $HID $USB $FINE $X $Y $Z $U $P $Q $R $S $T; do ends $pid 80; done
is "hid bounces" "$(bounces 4 0.001 < "$W/a")" 120
is "usb bounces" "$(bounces 4 0.001 < "$W/b")" 120
is "fine bounces" "$(bounces 4 0.00001 < "$W/c")" 120
is "uinput bounces" "$(bounces 4 < "$W/d")" 120
is "pad bounces, gravity on y" "$(bounces 3 < "$W/e")" 120
is "pad bounces, gravity on -x" "$(bounces 2 -1 < "$W/f")" 120
is "an unplugged device ends the read" "$(grep -c 'No such device' "$W/a.err")" 1
# 42 s of walk, lead and tail, and one second of rest before; timestamps of a loaded host may be off by some hundredths
within "hid seconds by the kernel's stamps" "$(span < "$W/a")" 43 1.5
within "fine seconds by the device's stamps, walked in a quarter" "$(sed -n '/accel_z/p' "$W/c" | span)" 46 4
within "pad seconds by MSC_TIMESTAMP" "$(span < "$W/e")" 43 1.5
within "hid samples" "$(grep -vc '^#' "$W/a")" 2150 80

is "played bounces by the hub" "$(bounces 4 0.00001 < "$W/g")" 40
is "played bounces by uinput" "$(bounces 4 < "$W/h")" 40
within "the last value by the hub" "$(tail -1 "$W/g" | tr -d 'a-z_=' | cut -d, -f2)" 100000 1
within "the last value by uinput" "$(grep -v '^#' "$W/h" | tail -1 | cut -d, -f2)" 1 0.001
is "every recorded sample at its own time by uinput" \
  "$(awk -F, '!/^#/ { d = ($1 - t) * 64; if (t && d > 0.999 && d < 1.001) n++; t = $1 } END { print (n >= 1278 && n <= 1282) }' "$W/h")" 1

# 3 unplugged and replugged by signal during the walk; frozen
sensor uhid_accel serial=self-plug wait=1 steps=20 cadence=3 lead=1; HID=$PID; L=$LOG
found A iio_by_serial self-plug
start "$W/i" iio_cat "$A" 60; X=$PID; sleep 1; begin_walk $HID; sleep 4; kill -USR2 $HID; ends $X 10
until_true 50 test ! -e "$A" && pass "unplugged by signal" || fail "still there after SIGUSR2"
kill -USR2 $HID; found A iio_by_serial self-plug
start "$W/j" iio_cat "$A" 12; X=$PID; walked 30 "$L"; ends $X 20
is "no step is lost by unplugging" "$(cat "$W/i" "$W/j" | bounces 4 0.001)" 20
kill -HUP $HID; sleep 1; iio_cat "$A" 2 > "$W/k" 2>/dev/null
is "a frozen sensor repeats one value" "$(tail -n +20 "$W/k" | cut -d, -f2- | sort -u | grep -c .)" 1
kill $HID

# 4 chips: the step counter and the acceleration registers follow
chips 0x0f,0x14; chip_bma400 12345; chip_kxcjk1013
is "bma400 step counter" "$(cat "$BMA400/in_steps_input")" 12345
i2c_walk "$BUS" 0x14 bma400 steps=12 cadence=4 lead=0 tail=0.5 quiet=1
is "bma400 step counter after 12 steps" "$(cat "$BMA400/in_steps_input")" 12357
set_steps 0; is "bma400 step counter after its reset" "$(cat "$BMA400/in_steps_input")" 0
is "kxcjk1013 scale" "$(cat "$KXCJK/in_accel_scale")" 0.019163
i2c_walk "$BUS" 0x0f kxcjk1013 steps=0 lead=0 tail=0.2 noise=0 quiet=1
is "kxcjk1013 at rest: 1 g" "$(cat "$KXCJK/in_accel_z_raw")" 512
if modprobe iio-trig-hrtimer 2>/dev/null; then
  mount -t configfs configfs /sys/kernel/config 2>/dev/null
  mkdir /sys/kernel/config/iio/triggers/hrtimer/self
  trigger=$(dirname "$(grep -lx self /sys/bus/iio/devices/trigger*/name)"); echo 50 > "$trigger/sampling_frequency"
  echo self > "$KXCJK/trigger/current_trigger"; iio_cat "$KXCJK" 2 > "$W/l" 2>/dev/null
  within "kxcjk1013 by an hrtimer trigger at 50 Hz, two seconds" "$(wc -l < "$W/l")" 100 15
  is "its value" "$(grep -c 'accel_z=512' "$W/l")" "$(wc -l < "$W/l")"
else
  skip "hrtimer trigger: kernel $KERNEL has none"
fi
