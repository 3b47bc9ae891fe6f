. /lab/lib.sh
# A watch over the real bluetoothd: its count over a loss of range, and what that costs.
need_pedometer
bluetooth_modules; begin_bus; begin_controllers; begin_bluetoothd; power_on
watch() { # OPTIONS...: a new one; its log in $WL
  sensor ble_peripheral /org/bluez/hci0 watch "$@"; WATCH=$PID WL=$LOG
  until_true 200 grep -q advertised "$WL" || { fail "no watch: $(cat "$WL")"; exit 1; }
}
follow() { # FILE SOURCE
  live "$1" "$2"; L=$PID
  until_true 900 has_event "$1" started || { fail "no event 'started': $(tail -1 "$1.err")"; exit 1; }
}
away() { kill $WATCH; ends $WATCH 5; }

watch steps=90 cadence=2
follow "$W/steps" "ble:$POD"
begin_walk $WATCH; sleep 10; costs "a watch that counts" $L; small "a watch that counts" $L
control "select $(awk '/Controller/ { print $2 }' "$W/list" | tail -1)" "disconnect $POD"
until_true 100 has_event "$W/steps" sourceLost && pass "a loss is told" || fail "no event 'sourceLost'"
until_true 600 has_event "$W/steps" sourceBack && pass "it is back" || fail "no event 'sourceBack': $(tail -1 "$W/steps.err")"
walked 60 "$WL"; sleep 4; stop $L
is "the steps of the watch, with those made out of range" "$(total "$W/steps")" "$(sed -n 's/walk over: \([0-9]*\) steps/\1/p' "$WL")"
away
