. /lab/lib.sh
# HID sensor hub over uhid, 120 steps: raw scans, from record or cat, give the same count as live.
# Three hubs simulate the same walk in parallel, because a buffer has one reader.
need_pedometer
sensor uhid_accel serial=raw-live wait=1 steps=120 cadence=2 lead=3; A=$PID; LA=$LOG
sensor uhid_accel serial=raw-record wait=1 steps=120 cadence=2 lead=3; B=$PID; LB=$LOG
sensor uhid_accel serial=raw-cat wait=1 steps=120 cadence=2 lead=3; C=$PID; LC=$LOG
found D iio_by_serial raw-live; found E iio_by_serial raw-record; found F iio_by_serial raw-cat
live "$W/live" "iio:${D##*/iio:}"; L=$PID
start "$W/record.out" $PEDOMETER record "iio:${E##*/iio:}" --raw -o "$W/walk.iio"; R=$PID
for channel in in_accel_x in_accel_y in_accel_z in_timestamp; do echo 1 > "$F/scan_elements/${channel}_en"; done
echo 400 > "$F/buffer/length"; echo 1 > "$F/buffer/enable"
start "$W/cat.iio" cat "/dev/${F##*/}"; K=$PID
settled "$W/live"
until_true 200 grep -qx 1 "$E/buffer/enable" || note "record does not use the buffer"
sleep 1; begin_walk $A $B $C; walked 90 "$LA" "$LB" "$LC"; sleep 4
stop $L; kill $R; ends $R 15; is "record --raw ends cleanly at SIGTERM" "$STATUS" 0
kill $K; ends $K 15
within "live, 120 steps walked" "$(total "$W/live")" 120 1
counted() { # NAME ARGUMENTS...: the same steps as live
  name=$1; shift
  is "$name" "$($PEDOMETER count --format json "$@" 2> "$W/count.err" | json steps)" "$(total "$W/live")"
}
counted "raw scans of record" "$W/walk.iio"
is "without a warning" "$(cat "$W/count.err")" ""
cp "$W/walk.iio" "$W/alone.iio"
$PEDOMETER count "$W/alone.iio" > "$W/alone" 2> "$W/alone.err"
is "without a description they are refused" "$?$(cat "$W/alone")" 65
says "the refusal" "$W/alone.err" "--format-of iio:deviceN"
is "the scan elements are restored" "$(cat "$E"/scan_elements/*_en | tr -d '\n')" 0000
counted "by the device, whose channels are off again" --format-of "iio:${E##*/iio:}" "$W/alone.iio"
counted "from a pipe, by the description" --format-of "$W/walk.iio.json" - < "$W/alone.iio"
counted "scans read by cat, by the device as it is set up" --format-of "iio:${F##*/iio:}" "$W/cat.iio"
echo 0 > "$F/buffer/enable"
for channel in in_accel_x in_accel_y in_accel_z in_timestamp; do echo 0 > "$F/scan_elements/${channel}_en"; done
counted "the same from a pipe, all off" --format-of "iio:${F##*/iio:}" - < "$W/cat.iio"
dd if="$W/walk.iio" bs=1 count=$((24 * 900 - 7)) of="$W/torn.iio" 2> /dev/null
dd if="$W/walk.iio" bs=24 skip=900 >> "$W/torn.iio" 2> /dev/null
cp "$W/walk.iio.json" "$W/torn.iio.json"
counted "with 7 bytes lost in the middle" "$W/torn.iio"
$PEDOMETER count "$W/torn.iio" > /dev/null 2> "$W/torn.err"; says "what was lost" "$W/torn.err" "outside of any sample"
$PEDOMETER convert "$W/walk.iio" -o "$W/walk.csv" 2> /dev/null; is "convert" "$?" 0
counted "the converted recording" "$W/walk.csv"
$PEDOMETER info --format json "$W/walk.iio" > "$W/info"
is "info names the sensor" "$(json maker < "$W/info")" accel_3d
within "info, the rate" "$(json samplingFrequency < "$W/info")" 50 1
