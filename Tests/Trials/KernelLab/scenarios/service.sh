. /lab/lib.sh
# pedometerd reads a sensor's buffer, which has one reader; live, chase and history use its counts instead of failing with "busy".
need_pedometer
for name in pedometer-full pedometerd; do [ -x /payload/$name ] || { fail "no $name in the payload"; exit 1; }; done
export HOME="$W" XDG_STATE_HOME="$W/state" XDG_RUNTIME_DIR="$W"
sensor uhid_accel serial=served wait=1 steps=120 cadence=2 lead=3; S=$PID SL=$LOG
found D iio_by_serial served; N=iio:${D##*/iio:}
start "$W/service" /payload/pedometerd --source "$N"; P=$PID
until_true 300 grep -q 'listening on' "$W/service.err" || fail "the service does not listen: $(tail -1 "$W/service.err")"
until_true 200 grep -qx 1 "$D/buffer/enable" && pass "the service reads the buffer" || fail "it does not: $(tail -1 "$W/service.err")"
live "$W/live" "$N"; L=$PID; settled "$W/live"
says "live" "$W/live" "counted by the service at http://127.0.0.1:8080"
start "$W/chase" $PEDOMETER chase "$N" --goal 60 --nessie-speed 0.5 --format json; C=$PID
until_true 200 grep -q inProgress "$W/chase" || fail "no chase: $(cat "$W/chase.err")"
PEDOMETER_SERVICE=off timeout 20 $PEDOMETER live --format json --duration 3 "$N" > "$W/busy" 2> "$W/busy.err"
is "without the service it is polled" $? 0; says "the holder" "$W/busy" "in use by pedometerd"
begin_walk $S
ends $C 120; is "exit code of the chase that reached its goal" "$STATUS" 0
is "its last line" "$(tail -1 "$W/chase" | json state)" completed
walked 100 "$SL"; sleep 8
stop $L; within "the steps of live" "$(total "$W/live")" 120 1
$PEDOMETER history --format json > "$W/history" 2> "$W/history.err"; is "history" $? 0
within "the steps of today" "$(json steps < "$W/history" | awk '{ n += $1 } END { print n + 0 }')" 120 1
live "$W/lost" "$N"; L=$PID; settled "$W/lost"
kill $P; ends $P 20; is "the service ends cleanly at SIGTERM" "$STATUS" 0
is "and disables the buffer" "$(cat "$D/buffer/enable")" 0
until_true 200 has_event "$W/lost" sourceLost && pass "live reports the loss of the service" || fail "live: $(tail -1 "$W/lost")"
stop $L
live "$W/alone" --duration 3 "$N"; ends $PID 60; is "then live reads the sensor" "$STATUS" 0
says "its source" "$W/alone" "through its buffer"
