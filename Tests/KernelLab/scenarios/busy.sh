. /lab/lib.sh
# A second reader of the same buffer ends with 75 and names the holder, as do doctor and devices; the first is not disturbed.
need_pedometer
sensor uhid_accel serial=busy steps=-1 cadence=2
found D iio_by_serial busy; N=iio:${D##*/iio:}
start "$W/scans" iio_cat "$D" 40; H=$PID; until_true 100 test -s "$W/scans"
timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/second" 2> "$W/second.err"; is "busy with another program" $? 75
says "the holder's name" "$W/second.err" iio_cat
says "the holder's process" "$W/second.err" "$H"
timeout 30 $PEDOMETER doctor > "$W/doctor" 2>&1; says "doctor's holder" "$W/doctor" "in use by iio_cat (process $H)"
timeout 30 $PEDOMETER devices --format json > "$W/devices" 2>&1; says "the holder in devices" "$W/devices" "iio_cat (process $H)"
before=$(wc -l < "$W/scans"); sleep 2
[ "$(wc -l < "$W/scans")" -gt "$before" ] && pass "the holder reads on" || fail "the holder was disturbed"
kill -9 $H; wait $H 2>/dev/null
live "$W/first" "$N"; L=$PID; settled "$W/first"
timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/third" 2> "$W/third.err"; is "busy with pedometer itself" $? 75
says "its name" "$W/third.err" pedometer
stop $L
timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/fourth" 2> "$W/fourth.err"; is "free again" $? 0
