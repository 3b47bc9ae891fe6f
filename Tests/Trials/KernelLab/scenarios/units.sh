. /lab/lib.sh
# Input devices that do not report their scale, or whether they measure acceleration.
need_pedometer
sensor uinput_accel name="No resolution" no-resolution=1 wait=1 steps=40 cadence=2 lead=3; A=$PID; LA=$LOG
sensor uinput_accel name="No property" no-property=1 steps=-1
sensor uinput_accel name="Pedals" no-property=1 pattern=pedals steps=-1
sensor uinput_accel name="Bare" no-property=1 no-resolution=1 counts=256 steps=-1
found B event_by_name "Bare"; found N event_by_name "No resolution"; found P event_by_name "No property"; found Q event_by_name "Pedals"
sleep 1
timeout 30 $PEDOMETER devices --format json > "$W/devices" 2>&1
is "three axes with gravity are an accelerometer" "$(grep "\"evdev:$P\"" "$W/devices" | grep -c 'shows no gravity')" 0
is "three axes without gravity are not an accelerometer" "$(grep "\"evdev:$Q\"" "$W/devices" | grep -c 'shows no gravity')" 1
is "what states no counts per g is not an accelerometer" "$(grep "\"evdev:$B\"" "$W/devices" | grep -c 'shows no gravity')" 1
timeout 30 $PEDOMETER live --format json --duration 2 "evdev:$B" > "$W/bare" 2> "$W/bare.err"
is "nor by its name" $? 69; says "how to count with it" "$W/bare.err" "--units raw="
timeout 30 $PEDOMETER live --format json --duration 2 --units raw=256 "evdev:$B" > "$W/bare" 2> "$W/bare.err"
is "unless its counts are stated" $? 0
live "$W/guess" "evdev:$N"; L=$PID; live "$W/told" --units raw=8192 "evdev:$N"; M=$PID
settled "$W/guess"; settled "$W/told"; sleep 1; begin_walk $A; walked 60 "$LA"; sleep 4; stop $L; stop $M
within "steps with an estimated scale" "$(total "$W/guess")" 40 1
within "steps with a given scale" "$(total "$W/told")" 40 1
is "the estimate is reported" "$(of_type event "$W/guess" | grep -c '8192 is assumed')" 1
is "a given number is not an estimate" "$(of_type event "$W/told" | grep -c 'is assumed')" 0
