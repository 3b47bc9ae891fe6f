. /lab/lib.sh
# HID sensor hub over uhid, 120 steps: live counts them, and a recording of the same walk has the same steps.
# Two hubs simulate the same walk in parallel, because a buffer has one reader.
need_pedometer
sensor uhid_accel serial=hid-live wait=1 steps=120 cadence=2 lead=3; A=$PID; LA=$LOG
sensor uhid_accel serial=hid-record wait=1 steps=120 cadence=2 lead=3; B=$PID; LB=$LOG
found D iio_by_serial hid-live; found E iio_by_serial hid-record
live "$W/live" "iio:${D##*/iio:}"; L=$PID
start "$W/record.out" $PEDOMETER record "iio:${E##*/iio:}" -o "$W/walk.csv"; R=$PID
settled "$W/live"
until_true 200 grep -qx 1 "$E/buffer/enable" || note "record does not use the buffer"
is "live reads the buffer" "$(cat "$D/buffer/enable")" 1
sleep 1; begin_walk $A $B; walked 90 "$LA" "$LB"; sleep 4
stop $L; kill $R; ends $R 15; is "record ends cleanly at SIGTERM" "$STATUS" 0
within "live, 120 steps walked" "$(total "$W/live")" 120 1
# Steps at the beginning may be added later, as a correction.
late=$(of_type event "$W/live" | grep '"corrected"' | grep -oE '[0-9]+ steps? added' | awk '{ sum += $1 } END { print sum + 0 }')
lines=$(of_type step "$W/live" | grep -c '"confirmed" *: *true')
is "live, step lines, corrections and total agree" $((lines + late)) "$(total "$W/live")"
$PEDOMETER count --format json "$W/walk.csv" > "$W/count" 2> "$W/count.err"; is "count of the record" "$?" 0
is "steps of the recording, as counted by live" "$(json steps < "$W/count")" "$(total "$W/live")"
is "the buffer is off afterwards" "$(cat "$D/buffer/enable" "$E/buffer/enable" | tr -d '\n')" 00
is "the scan elements are restored" "$(cat "$D"/scan_elements/*_en | tr -d '\n')" 0000
is "the clock is restored" "$(tr -d '\000' < "$D/current_timestamp_clock")" realtime
