. /lab/lib.sh
# pedometerd as a foot pod on one virtual controller, with the real bluetoothd: it counts the walk of an input device, and live
# reads it on the other controller. Without bluetoothd, or with the controllers off, it says what to do and tries again; after a
# restart of bluetoothd it is there again; at its end it is gone.
need_pedometer
[ -x /payload/pedometerd ] || { fail "no pedometerd in the payload"; exit 1; }
bluetooth_modules; begin_bus; begin_controllers
sensor uinput_accel name=Walk wait=1 steps=77 cadence=2; WALK=$PID; found E event_by_name Walk
begin_service() {
  start "$W/service" /payload/pedometerd --state "$W/state" --listen 127.0.0.1:8099 --source "evdev:$E" --foot-pod hci0
  SERVICE=$PID
}
health() { wget -q -O - http://127.0.0.1:8099/health; }
counted() { health | json steps; }
foot_pod() { health | grep -q "\"footPod\":{\"state\":\"$1\""; }
advertised() { foot_pod advertised; }
hindered() { health | grep "hindered" | grep -q "$1"; }
begin_service
until_true 300 hindered "systemctl start bluetooth" && pass "no bluetoothd: the remedy" || fail "no bluetoothd: $(health)"
begin_bluetoothd
until_true 700 hindered "power on" && pass "the controllers are off: the remedy" || fail "controllers off: $(health)"
power_on
until_true 700 advertised && pass "it is advertised when the controller is on" || { fail "not advertised: $(health)"; cat "$W/service.err"; exit 1; }

live "$W/live" "ble:$POD"; L=$PID
until_true 900 has_event "$W/live" started || { fail "no event 'started': $(tail -1 "$W/live.err")"; cat "$W/bluetoothd.err" | tail -20; exit 1; }
sleep 3
begin_walk $WALK; walked 60 "$LOG"; sleep 20
is "the service counts the walk" "$(counted)" 77
stop $L
within "live counts what the service reports" "$(total "$W/live")" 77 1
within "metres, by the service's step length" "$(of_type total "$W/live" | tail -1 | json distanceTravelled)" \
  "$(wget -q -O - http://127.0.0.1:8099/api/today | json distanceTravelled)" 1

kill $DAEMON; ends $DAEMON 20
until_true 300 hindered "bluetoothd is not running" && pass "bluetoothd ends: the reason" || fail "bluetoothd ended: $(health)"
begin_bluetoothd; power_on
until_true 700 advertised && pass "bluetoothd is back: advertised again" || fail "not advertised again: $(health)"
offered() { bluetoothctl show 00:AA:01:00:00:00 | grep -c 00001814; }
is "BlueZ lists its service" "$(offered)" 1
kill $SERVICE; ends $SERVICE 20; is "the service ends in order" "$STATUS" 0
is "it has withdrawn its service" "$(offered)" 0
