. /lab/lib.sh
# Sensors with their own clock, correct or faulty: 40 steps are counted, and a fault is reported once.
need_pedometer
# walk_all NAME=PID...: all of them walk; then the totals
walk_all() {
  sleep 1; begin_walk $WALKERS; walked 60 $LOGS; sleep 8
  for clock in $CLOCKS; do
    eval "stop \$P_$clock"
    within "$1, clock $clock" "$(total "$W/$1-$clock")" 40 2
    warnings=$(of_type event "$W/$1-$clock" | grep -c "the sensor's clock")
    case $clock in
    right) is "$1, clock right: warnings" "$warnings" 0;;
    # a few wrong times leave the others to count with
    late) ;;
    *) is "$1, clock $clock: warnings" "$warnings" 1;;
    esac
  done
}

CLOCKS="right reset ahead still slow fast" WALKERS= LOGS=
for clock in $CLOCKS; do
  sensor uhid_accel serial=hid-$clock time=1 clock=$clock wait=1 steps=40 cadence=2 lead=3
  WALKERS="$WALKERS $PID" LOGS="$LOGS $LOG"
done
for clock in $CLOCKS; do
  found D iio_by_serial hid-$clock
  live "$W/HID-$clock" "iio:${D##*/iio:}"; eval "P_$clock=$PID"
done
for clock in $CLOCKS; do settled "$W/HID-$clock"; done
walk_all HID
kill $WALKERS; sleep 1

CLOCKS="right late still half slow fast" WALKERS= LOGS=
for clock in $CLOCKS; do
  sensor uinput_accel name="Evdev $clock" clock=$clock wait=1 steps=40 cadence=2 lead=3
  WALKERS="$WALKERS $PID" LOGS="$LOGS $LOG"
done
for clock in $CLOCKS; do
  found N event_by_name "Evdev $clock"
  live "$W/evdev-$clock" "evdev:$N"; eval "P_$clock=$PID"
done
for clock in $CLOCKS; do settled "$W/evdev-$clock"; done
walk_all evdev
