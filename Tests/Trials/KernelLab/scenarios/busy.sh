. /lab/lib.sh
# A second reader of the same buffer polls and names the holder, as do doctor and devices; the first is not affected.
# A free pad is preferred, and a returning sensor that another program uses is waited for.
need_pedometer
sensor uhid_accel serial=busy steps=-1 cadence=2
found D iio_by_serial busy; N=iio:${D##*/iio:}
start "$W/scans" iio_cat "$D" 90; H=$PID; until_true 100 test -s "$W/scans"
timeout 40 $PEDOMETER live --format json --duration 20 "$N" > "$W/second" 2> "$W/second.err"; is "busy with another program" $? 0
within "steps counted by polling in 20 s" "$(total "$W/second")" 40 2
says "the holder's name" "$W/second" iio_cat
says "the holder's process" "$W/second" "process $H"
timeout 30 $PEDOMETER doctor > "$W/doctor" 2>&1; says "doctor's holder" "$W/doctor" "in use by iio_cat (process $H)"
timeout 30 $PEDOMETER devices --format json > "$W/devices" 2>&1; says "the holder in devices" "$W/devices" "iio_cat (process $H)"
before=$(wc -l < "$W/scans"); sleep 2
[ "$(wc -l < "$W/scans")" -gt "$before" ] && pass "the holder continues to read" || fail "the holder was disturbed"
kill -9 $H; wait $H 2>/dev/null
live "$W/first" "$N"; L=$PID; settled "$W/first"
timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/third" 2> "$W/third.err"; is "busy with pedometer itself" $? 0
says "its name" "$W/third" "in use by pedometer"
sensor uinput_accel name="Free pad" steps=-1 cadence=2; U=$PID; found P event_by_name "Free pad"
timeout 20 $PEDOMETER live --format json --duration 3 > "$W/free" 2> "$W/free.err"; is "no name, and a free pad" $? 0
says "the pad is taken" "$W/free" "$P"
kill $U; stop $L
timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/fourth" 2> "$W/fourth.err"; is "free again" $? 0

# Unplugged, and in use by another program when it is back: live is stopped until the other has the buffer.
back_away() { ! iio_by_serial busy-back > /dev/null; }
sensor uhid_accel serial=busy-back wait=1 steps=40 cadence=2 lead=3; B=$PID; LB=$LOG
found D iio_by_serial busy-back
live "$W/back" "iio:${D##*/iio:}"; L=$PID; settled "$W/back"
kill -STOP $L; kill -USR2 $B; until_true 100 back_away || fail "the sensor was not unplugged"
kill -USR2 $B; found D iio_by_serial busy-back
start "$W/scans.back" iio_cat "$D" 90; H=$PID; until_true 100 test -s "$W/scans.back"
kill -CONT $L; until_true 300 has_event "$W/back" sourceBack && pass "it is back" || fail "it is not back: $(tail -1 "$W/back.err")"
begin_walk $B; walked 60 "$LB"; sleep 8
kill $H; stop $L
within "steps counted by polling after the return" "$(total "$W/back")" 40 2
