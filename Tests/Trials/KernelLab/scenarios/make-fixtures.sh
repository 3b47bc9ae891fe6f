. /lab/lib.sh
# Not a test: records the lab's devices with umockdev, for replay on a machine without them. Results in /host.
O=/host
[ -d $O ] || { fail "no directory of the host (-9)"; exit 1; }
keep() { if [ -s "$1" ]; then pass "${1##*/}: $(stat -c %s "$1") bytes"; else fail "${1##*/} is empty"; fi; }
record() { timeout 60 umockdev-record "$2" > "$O/$1.umockdev" 2> "$W/err" || cat "$W/err"; keep "$O/$1.umockdev"; }

# the HID sensor hub: the device at rest with its buffer off, then 40 steps from its buffer
sensor uhid_accel wait=1 steps=40 cadence=1.8 lead=2 tail=3 rate=50; S=$PID
found D iio_by_serial lab-accel-1
record hid-sensor-hub "/dev/${D##*/}"

# chips, while the hub is device 0, so that every recording has its own number
chips 0x0f,0x14
chip_bma400 12345; record bma400 "/dev/${BMA400##*/}"
i2c_walk "$BUS" 0x0f kxcjk1013 steps=0 lead=0 tail=0.2 noise=0 quiet=1 2>/dev/null
chip_kxcjk1013; record kxcjk1013 "/dev/${KXCJK##*/}"

# the hub walks
RAW=1 iio_cat "$D" 60 > $O/hid-sensor-hub.scans 2> "$W/cat" & C=$!
sleep 1; begin_walk $S; ends $S 60; ends $C 20; cat "$W/cat"
keep $O/hid-sensor-hub.scans

# evdev: the node, libevdev's ioctls, and the events of 40 steps
evdev() { # NAME NODE-NAME PROGRAM OPTIONS...
  file=$1 node=$2; shift 2
  sensor "$@" wait=1 steps=40 cadence=1.8 lead=2 tail=2 rate=50; S=$PID
  found N event_by_name "$node"
  record "$file" "$N"
  rm -f "$O/$file.ioctl" "$O/$file.events"
  timeout 90 umockdev-record --ioctl "$N=$O/$file.ioctl" --evemu-events "$N=$O/$file.events" -- evdev_cat "$N" 80 > "$W/$file.csv" 2>&1 &
  R=$!; until_true 100 grep -q '^#' "$W/$file.csv"; sleep 1; begin_walk $S; ends $R 80
  keep "$O/$file.ioctl"; keep "$O/$file.events"
  echo "# $node: $(bounces "$COLUMN" < "$W/$file.csv") bounces, $(grep -vc '^#' "$W/$file.csv") frames"
}
COLUMN=4 evdev uinput-accelerometer "Lab evdev accelerometer" uinput_accel
COLUMN=3 evdev dualsense "Sony Interactive Entertainment DualSense Wireless Controller Motion Sensors" uhid_dualsense

uname -r > $O/kernel
