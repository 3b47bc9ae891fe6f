. /lab/lib.sh
# A USB accelerometer is plugged in while the chase waits for it, and its walker reaches the goal. In a second chase it is
# unplugged midway: the data alert, a pause in which Nessie sleeps, and the chase continues when the device is back.
need_pedometer
modprobe vhci-hcd
chase() { file=$1; shift; start "$file" $PEDOMETER chase --format json "$@"; }
alerts() { of_type alert "$1" | json alert | tr '\n' ' '; }
in_state() { of_type state "$1" | tail -1 | grep -q "\"$2\""; }
swum() { of_type chase "$1" | tail -1 | json nessieDistance; }
chase "$W/won" --wait --goal 60 --nessie-speed 0.5; C=$PID
sleep 4; lives $C && pass "chase --wait waits without a sensor" || fail "chase --wait ended: $(cat "$W/won.err")"
is "there is no output yet" "$(wc -c < "$W/won" | tr -d ' ')" 0
sensor usbip_accel serial=LABUSB wait=1 steps=300 cadence=2 lead=3; S=$PID
found D iio_by_serial LABUSB
until_true 200 in_state "$W/won" inProgress && pass "it starts with the device" || fail "no chase: $(cat "$W/won.err")"
sleep 1; begin_walk $S
ends $C 120; is "exit code after reaching the goal" "$STATUS" 0
is "the milestones, once each and in order" "$(alerts "$W/won" | tr ' ' '\n' | grep -v nessie | tr '\n' ' ')" \
  "milestone25Percent milestone50Percent milestone75Percent goalComplete "
is "the last line" "$(tail -1 "$W/won" | json state)" completed

chase "$W/lost" "iio:${D##*/iio:}" --wait --goal 1000 --nessie-speed 0.5 --head-start 500; C=$PID
until_true 400 grep -q '"steps":[1-9]' "$W/lost" && pass "the second chase counts" || fail "no steps: $(cat "$W/lost.err")"
kill -USR2 $S
until_true 200 in_state "$W/lost" paused && pass "unplugged: paused" || fail "not paused: $(tail -1 "$W/lost")"
is "the alert" "$(alerts "$W/lost")" "dataAlert "
before=$(swum "$W/lost"); sleep 4; is "Nessie sleeps meanwhile" "$(swum "$W/lost")" "$before"
lives $C && pass "it waits for the device" || fail "it ended: $(cat "$W/lost.err")"
kill -USR2 $S
until_true 300 in_state "$W/lost" inProgress && pass "back: it continues" || fail "not resumed: $(tail -1 "$W/lost.err")"
kill $C; ends $C 15; is "ends cleanly at SIGTERM" "$STATUS" 0
is "the last line is the state" "$(tail -1 "$W/lost" | json state)" inProgress
