. /lab/lib.sh
# Recordings through the real kernel: each file of /payload/data is played through the HID hub and through the
# DualSense; live counts the same steps as `count` on these samples, +-2. Two recordings play at a time: more would
# overload the guest's processor, and samples would be lost.
need_pedometer
set -- /payload/data/*.csv; [ -e "$1" ] || { fail "no recording in the payload"; exit 1; }
play_one() { # NUMBER FILE: plugs both devices in
  sensor uhid_accel serial=play-$1 play="$2" fine=1 wait=1 lead=2; eval "SH$1=$PID LH$1=$LOG"
  sensor uhid_dualsense name=PlayPad$1 serial=025ec0ffee5$1 up=z play="$2" wait=1 lead=2; eval "SP$1=$PID LP$1=$LOG"
  found D iio_by_serial play-$1; found N event_by_name "PlayPad$1 Motion Sensors"
  live "$W/hid$1" "iio:${D##*/iio:}"; eval "H$1=$PID"; live "$W/pad$1" "evdev:$N"; eval "P$1=$PID"
  settled "$W/hid$1"; settled "$W/pad$1"
}
finish_one() { # NUMBER FILE
  name=$(basename "$2" .csv)
  eval "walked 150 \$LH$1 \$LP$1"; sleep 5
  eval "stop \$H$1; stop \$P$1; kill \$SH$1 \$SP$1" 2>/dev/null
  expected=$($PEDOMETER count --format json "$2" 2>/dev/null | json steps)
  within "$name through the HID hub, $expected by count" "$(total "$W/hid$1")" "$expected" 2
  within "$name through the DualSense, $expected by count" "$(total "$W/pad$1")" "$expected" 2
}
while [ $# -gt 0 ]; do
  some=; for i in 1 2; do [ $# -gt 0 ] || break; eval "F$i=$1"; some="$some $i"; shift; done
  for i in $some; do eval "play_one $i \$F$i"; done
  sleep 1; for i in $some; do eval "begin_walk \$SH$i \$SP$i"; done
  for i in $some; do eval "finish_one $i \$F$i"; done
done
