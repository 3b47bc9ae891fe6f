. /lab/lib.sh
# A sensor hub with a barometer: floors climbed and descended beside the steps. A pad carries none, and a hub without one says nothing.
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
