. /lab/lib.sh
# A sensor hub with a barometer: floors climbed and descended in addition to steps. Without a barometer there are no floors.
need_pedometer
sensor uhid_accel serial=stairs climb=0.17 wait=1 steps=60 cadence=2 lead=5; S=$PID; LS=$LOG
sensor uhid_accel serial=cellar climb=-0.17 wait=1 steps=60 cadence=2 lead=5; C=$PID; LC=$LOG
sensor uhid_accel serial=plain wait=1 steps=20 cadence=2 lead=5; P=$PID; LP=$LOG
found DS iio_by_serial stairs; found DC iio_by_serial cellar; found DP iio_by_serial plain
pressures() { cat /sys/bus/iio/devices/*/in_pressure_raw; }
until_true 100 pressures > "$W/raw" && is "barometers" "$(wc -l < "$W/raw")" 2 || fail "no barometer"
note "raw $(tr '\n' ' ' < "$W/raw"), scale $(cat /sys/bus/iio/devices/*/in_pressure_scale | tr '\n' ' ')"
live "$W/stairs" "iio:${DS##*/iio:}"; LIVE_S=$PID; live "$W/cellar" "iio:${DC##*/iio:}"; LIVE_C=$PID
live "$W/plain" "iio:${DP##*/iio:}"; LIVE_P=$PID
settled "$W/stairs"; settled "$W/cellar"; settled "$W/plain"; sleep 2
begin_walk $S $C $P; walked 60 "$LS" "$LC" "$LP"; sleep 30
says "floors while it counts" "$W/stairs" '"floorsAscended":'
stop $LIVE_S; stop $LIVE_C; stop $LIVE_P
floors() { of_type total "$1" | json "$2"; }
# 10.2 m: three floors
within "steps upstairs" "$(total "$W/stairs")" 60 2
is "floors climbed" "$(floors "$W/stairs" floorsAscended) $(floors "$W/stairs" floorsDescended)" "3 0"
is "floors descended" "$(floors "$W/cellar" floorsAscended) $(floors "$W/cellar" floorsDescended)" "0 3"
is "without a barometer" "$(floors "$W/plain" floorsAscended)" ""

# The service keeps them: today, history and stream have the floors, and a walk's last ones are not lost at SIGTERM.
for name in pedometer-full pedometerd; do [ -x /payload/$name ] || { fail "no $name in the payload"; exit 1; }; done
export HOME="$W" XDG_STATE_HOME="$W/state" XDG_RUNTIME_DIR="$W"
sensor uhid_accel serial=tower climb=0.17 wait=1 steps=60 cadence=2 lead=5; T=$PID LT=$LOG
found DT iio_by_serial tower; N=iio:${DT##*/iio:}
start "$W/service" /payload/pedometerd --source "$N"; P=$PID
until_true 300 grep -q 'listening on' "$W/service.err" || fail "the service does not listen: $(tail -1 "$W/service.err")"
until_true 200 grep -q 'counting with' "$W/service.err" || fail "it does not count: $(tail -1 "$W/service.err")"
sleep 2; begin_walk $T; walked 60 "$LT"; sleep 12
kill $P; ends $P 20; is "the service ends cleanly at SIGTERM" "$STATUS" 0
PEDOMETER_SERVICE=off $PEDOMETER history --format json > "$W/history" 2> "$W/history.err"; is "history" $? 0
sum() { json "$1" < "$W/history" | awk '{ n += $1 } END { print n + 0 }'; }
within "steps in the history" "$(sum steps)" 60 2
is "floors in the history" "$(sum floorsAscended) $(sum floorsDescended)" "3 0"
