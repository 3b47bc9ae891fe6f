. /lab/lib.sh
# A watch over the real bluetoothd: its count over a loss of range, equal notifications one by one, its raw motion in two scales,
# and what all that costs.
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

# ten values a second that are all the same
watch pattern=const noise=0
follow "$W/equal" "ble:$POD,motion"
sleep 20; stop $L; away
of_type total "$W/equal" | tail -1 > "$W/equal.total"
within "equal values a second" "$(awk -v n="$(json samples < "$W/equal.total")" -v t="$(json t < "$W/equal.total")" 'BEGIN { printf "%.2f", n / t }')" 10 0.7
is "gaps between them" "$(json gaps < "$W/equal.total")" 0

# the documented scale, and another one, which gravity shows
for counts in 1024 2048; do
  watch steps=60 cadence=1.8 lead=3 fine=$((counts / 2048))
  follow "$W/motion" "ble:$POD,motion"
  begin_walk $WATCH; sleep 8; costs "raw motion" $L; small "raw motion" $L
  walked 60 "$WL"; sleep 12; stop $L; away
  within "60 steps by raw motion of $counts counts per g" "$(total "$W/motion")" 60 3
  is "warnings about the scale of $counts counts" "$(of_type event "$W/motion" | grep -c '2048 counts are used for one g')" $((counts / 2048))
done
