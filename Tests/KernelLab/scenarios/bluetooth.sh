. /lab/lib.sh
# The real bluetoothd with two virtual controllers: a sensor on one, live on the other. Counts equal the sensor's; without BlueZ, a
# bus or a controller that is on, it is said what to do.
need_pedometer
modprobe -a hci_vhci algif_hash algif_skcipher cmac ecb 2>/dev/null
mkdir -p /run/dbus /var/lib/bluetooth /etc/bluetooth
cat > "$W/bus.conf" <<X
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy>
</busconfig>
X
POD=00:AA:01:00:00:00
doctor() { $PEDOMETER doctor --format json 2> /dev/null | grep '"check":"Bluetooth"' > "$W/doctor"; }
refused() { # NAME WORDS...: what live says of the sensor; it ends with 69
  name=$1; shift
  $PEDOMETER live "ble:$POD" > "$W/out" 2> "$W/err"; is "$name: exit code" $? 69
  says "$name" "$W/err" "$@"
}
refused "no bus" "no system bus"
is "no controller: devices lists none and says nothing" "$($PEDOMETER devices 2>&1 | grep -ci bluetooth)" 0
doctor; says "no controller: doctor" "$W/doctor" "no Bluetooth adapter"
start "$W/bus" dbus-daemon --config-file="$W/bus.conf" --nofork; until_true 100 test -S /run/dbus/system_bus_socket || fail "no bus"
refused "no bluetoothd" "bluetoothd is not running"
start "$W/btvirt" btvirt -l2
until_true 100 test -e /sys/class/bluetooth/hci1 || { cat "$W/btvirt.err"; fail "no controllers"; exit 1; }
doctor; says "controllers, no bluetoothd: doctor" "$W/doctor" "systemctl start bluetooth"
start "$W/bluetoothd" bluetoothd -n; DAEMON=$PID
powered() { bluetoothctl show "$1" 2>/dev/null | grep -q "Powered: $2"; }
until_true 200 sh -c 'bluetoothctl list 2>/dev/null | grep -q 00:AA:01:01' || { cat "$W/bluetoothd.err"; fail "bluetoothd shows no controller"; exit 1; }
control() { printf '%s\n' "$@" | timeout 20 bluetoothctl > "$W/control" 2>&1; }
refused "controllers are off" "power on"
doctor; says "controllers are off: doctor" "$W/doctor" "power on"
control "select 00:AA:01:00:00:00" "power on"
control "select 00:AA:01:01:00:01" "power on"
bluetoothctl list > "$W/list" 2>&1; note "controllers: $(tr '\n' ' ' < "$W/list")"
for c in $(awk '/Controller/ { print $2 }' "$W/list"); do control "select $c" "power on"; until_true 100 powered "$c" yes || fail "$c stays off"; done

# a running speed and cadence sensor, never seen before: 77 steps at 150 a minute
sensor ble_peripheral /org/bluez/hci0 rsc steps=77 cadence=2.5; RSC=$PID RL=$LOG
until_true 200 grep -q advertised "$RL" || { fail "no sensor: $(cat "$RL")"; exit 1; }
live "$W/live" "ble:$POD"; L=$PID
until_true 900 has_event "$W/live" started || { fail "no event 'started': $(tail -1 "$W/live.err")"; cat "$W/bluetoothd.err" "$RL" | tail -20; exit 1; }
$PEDOMETER devices --format json > "$W/devices" 2>/dev/null
is "devices lists it" "$(grep -c "\"source\":\"ble:$POD\"" "$W/devices")" 1
sleep 3; begin_walk $RSC; walked 60 "$RL"; sleep 6
stop $L
is "the steps of the sensor" "$(total "$W/live")" "$(sed -n 's/walk over: \([0-9]*\) steps/\1/p' "$RL")"
# The distance counts from the first notification, up to two seconds into the walk on a busy machine.
within "metres, by the sensor's distance" "$(of_type total "$W/live" | tail -1 | json distanceTravelled)" 54 2
is "it is let go in the end" "$(until_true 100 grep -q '^unsubscribed' "$RL"; grep -c '^unsubscribed' "$RL")" 1
kill $RSC; ends $RSC 5

