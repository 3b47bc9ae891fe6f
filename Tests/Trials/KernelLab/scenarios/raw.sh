. /lab/lib.sh
# HID sensor hub over uhid, 120 steps: raw scans of cat give the same count as live.
# Two hubs simulate the same walk in parallel, because a buffer has one reader.
need_pedometer
sensor uhid_accel serial=raw-live wait=1 steps=120 cadence=2 lead=3; A=$PID; LA=$LOG
sensor uhid_accel serial=raw-cat wait=1 steps=120 cadence=2 lead=3; B=$PID; LB=$LOG
found D iio_by_serial raw-live; found E iio_by_serial raw-cat
live "$W/live" "iio:${D##*/iio:}"; L=$PID
for channel in in_accel_x in_accel_y in_accel_z in_timestamp; do echo 1 > "$E/scan_elements/${channel}_en"; done
echo 400 > "$E/buffer/length"; echo 1 > "$E/buffer/enable"
start "$W/walk.iio" cat "/dev/${E##*/}"; K=$PID
settled "$W/live"
sleep 1; begin_walk $A $B; walked 90 "$LA" "$LB"; sleep 4
stop $L
kill $K; ends $K 15
within "live, 120 steps walked" "$(total "$W/live")" 120 1
of="--format-of iio:${E##*/iio:}"
counted() { # NAME ARGUMENTS...: the same steps as live
  name=$1; shift
  is "$name" "$($PEDOMETER count --format json "$@" 2> "$W/count.err" | json steps)" "$(total "$W/live")"
}
$PEDOMETER count "$W/walk.iio" > "$W/alone" 2> "$W/alone.err"
is "without a device they are refused" "$?$(cat "$W/alone")" 65
says "the refusal" "$W/alone.err" "--format-of iio:deviceN"
counted "by the device as it is set up" $of "$W/walk.iio"
echo 0 > "$E/buffer/enable"
for channel in in_accel_x in_accel_y in_accel_z in_timestamp; do echo 0 > "$E/scan_elements/${channel}_en"; done
counted "by the device, whose channels are off" $of "$W/walk.iio"
is "without a warning" "$(cat "$W/count.err")" ""
counted "from a pipe" $of - < "$W/walk.iio"
dd if="$W/walk.iio" bs=1 count=$((24 * 900 - 7)) of="$W/torn.iio" 2> /dev/null
dd if="$W/walk.iio" bs=24 skip=900 >> "$W/torn.iio" 2> /dev/null
counted "with 7 bytes lost in the middle" $of "$W/torn.iio"
$PEDOMETER count $of "$W/torn.iio" > /dev/null 2> "$W/torn.err"; says "what was lost" "$W/torn.err" "outside of any sample"
$PEDOMETER convert $of "$W/walk.iio" -o "$W/walk.csv" 2> /dev/null; is "convert" "$?" 0
counted "the converted recording" "$W/walk.csv"
$PEDOMETER info --format json $of "$W/walk.iio" > "$W/info"
is "info names the sensor" "$(json maker < "$W/info")" accel_3d
within "info, the rate" "$(json samplingFrequency < "$W/info")" 50 1
