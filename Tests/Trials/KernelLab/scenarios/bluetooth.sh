. /lab/lib.sh
# The real bluetoothd with two virtual controllers: a sensor on one, live on the other. Counts equal the sensor's; without BlueZ, a
# bus or a powered controller, the error has a remedy.
need_pedometer
bluetooth_modules
doctor() { $PEDOMETER doctor --format json 2> /dev/null | grep '"check":"Bluetooth"' > "$W/doctor"; }
refused() { # NAME WORDS...: live's error for the sensor, with exit code 69
  name=$1; shift
  $PEDOMETER live "ble:$POD" > "$W/out" 2> "$W/err"; is "$name: exit code" $? 69
  says "$name" "$W/err" "$@"
}
refused "no bus" "no system bus"
is "no controller: devices reports nothing about it" "$($PEDOMETER devices 2>&1 | grep -ciE "no bluetooth sensors|bluez|bluetooth adapter")" 0
doctor; says "no controller: doctor" "$W/doctor" "no Bluetooth adapter"
begin_bus
refused "no bluetoothd" "bluetoothd is not running"
begin_controllers
doctor; says "controllers, no bluetoothd: doctor" "$W/doctor" "systemctl start bluetooth"
begin_bluetoothd
refused "controllers are off" "power on"
doctor; says "controllers are off: doctor" "$W/doctor" "power on"
power_on

# an unknown running speed and cadence sensor: 77 steps at 150 per minute
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
is "it is disconnected at the end" "$(until_true 100 grep -q '^unsubscribed' "$RL"; grep -c '^unsubscribed' "$RL")" 1
kill $RSC; ends $RSC 5

