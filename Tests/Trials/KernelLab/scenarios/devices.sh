. /lab/lib.sh
# devices and doctor on a machine with one of everything: all are found, each with its URI, without confusion; live uses the best.
need_pedometer
chips 0x14; chip_bma400 100
sensor uhid_accel serial=dev-hid steps=-1; sensor uinput_accel name="Dev uinput" steps=-1
sensor uhid_dualsense name=DevPad serial=025ec0ffee41 steps=-1
found D iio_by_serial dev-hid; found N event_by_name "Dev uinput"; found P event_by_name "DevPad Motion Sensors"
timeout 30 $PEDOMETER devices --format json > "$W/devices" 2> "$W/devices.err"; is "devices" $? 0
for source in "iio:${D##*/iio:}" "evdev:$N" "evdev:$P" "counter:${BMA400##*/iio:}"; do
  is "devices lists $source" "$(grep -c "\"$source\"" "$W/devices")" 1
done
is "no keyboard among them" "$(grep -c keyboard "$W/devices")" 0
timeout 30 $PEDOMETER devices > "$W/text" 2>&1; is "devices as text" $? 0
says "the pad by its name" "$W/text" "DevPad"
timeout 30 $PEDOMETER doctor > "$W/doctor" 2>&1; note "doctor ends with $?"
[ -s "$W/doctor" ] && pass "doctor has output" || fail "doctor has no output"
timeout 30 $PEDOMETER live --format json --duration 3 > "$W/live" 2> "$W/live.err"; is "live without a name uses one" $? 0
timeout 30 $PEDOMETER live --format json --duration 1 iio:device99 > "$W/none" 2> "$W/none.err"; is "a missing sensor" $? 69
