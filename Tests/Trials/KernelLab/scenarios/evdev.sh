. /lab/lib.sh
# uinput, and three DualSense pads each with gravity on another axis: 120 steps everywhere, and each pad separately.
need_pedometer
sensor uinput_accel name="Evdev uinput" wait=1 steps=120 cadence=2 lead=3; S1=$PID; L1=$LOG
sensor uhid_dualsense name=PadY serial=025ec0ffee21 wait=1 steps=120 cadence=2 lead=3; S2=$PID; L2=$LOG
sensor uhid_dualsense name=PadX serial=025ec0ffee22 up=x wait=1 steps=120 cadence=2 lead=3; S3=$PID; L3=$LOG
sensor uhid_dualsense name=PadZ serial=025ec0ffee23 up=-z wait=1 steps=90 cadence=1.7 lead=3; S4=$PID; L4=$LOG
found N1 event_by_name "Evdev uinput"; found N2 event_by_name "PadY Motion Sensors"
found N3 event_by_name "PadX Motion Sensors"; found N4 event_by_name "PadZ Motion Sensors"
for i in 1 2 3 4; do eval "live \"$W/live$i\" \"evdev:\$N$i\""; eval "P$i=$PID"; done
for i in 1 2 3 4; do settled "$W/live$i"; done
sleep 1; begin_walk $S1 $S2 $S3 $S4; walked 90 "$L1" "$L2" "$L3" "$L4"; sleep 4
for i in 1 2 3 4; do eval "stop \$P$i"; done
within "uinput" "$(total "$W/live1")" 120 1
within "DualSense, gravity on y" "$(total "$W/live2")" 120 1
within "DualSense, gravity on x" "$(total "$W/live3")" 120 1
within "DualSense, gravity on -z, a walk of its own" "$(total "$W/live4")" 90 1
