. /lab/lib.sh
# A board on a USB serial port (CDC-ACM): listed without being opened, counted by its name under /dev/serial/by-id through a
# reset, an unplugging and a new number; nothing is written to it, and a silent port ends at a signal.
need_pedometer
modprobe -a libcomposite usb_f_acm cdc-acm && modprobe dummy_hcd num=2 || { fail "no dummy_hcd"; exit 1; }
unplug_boards
by_id() { ls /dev/serial/by-id/*"$1"*; }
sensor serial_board serial=BOARD1 time=1 rate=100 wait=1 steps=107 cadence=1.8 lead=3 reset=20; B=$PID BL=$LOG
found P by_id BOARD1
note "$P is $(readlink -f "$P")"
sensor node_watch "$(readlink -f "$P")"; NW=$LOG
until_true 50 grep -q watching "$NW" || fail "no watch: $(cat "$NW")"
$PEDOMETER devices --format json > "$W/devices" 2> "$W/devices.err"
is "devices lists it by its name" "$(grep '"kind":"board"' "$W/devices" | json source)" "serial:$P"
$PEDOMETER doctor --format json > "$W/doctor" 2> /dev/null
is "doctor lists it" "$(grep -c "\"check\":\"serial:$P\"" "$W/doctor")" 1
$PEDOMETER live > "$W/none" 2> "$W/none.err"; is "it is not the best sensor: exit code" $? 69
says "but it is named" "$W/none.err" "pedometer live serial:$P"
is "opened by listing it" "$(grep -c opened "$NW")" 0
as walker $PEDOMETER live serial: > "$W/denied" 2> "$W/denied.err"; is "without permission: exit code" $? 77
says "without permission" "$W/denied.err" dialout

live "$W/live" serial:; L=$PID
settled "$W/live"; [ "$(grep -c opened "$NW")" -gt 0 ] && pass "the watch sees an opening" || fail "the watch sees nothing"
$PEDOMETER live "serial:$P" > "$W/second" 2> "$W/second.err"; is "a second reader: exit code" $? 75
says "a second reader" "$W/second.err" "process $L"
sleep 2; begin_walk $B; sleep 8; costs "counting at 100 Hz" $L; small "counting" $L
until_true 300 grep -q 'reset at' "$BL" || fail "no reset"
sleep 6; kill -USR2 $B      # some 40 steps on
until_true 150 has_event "$W/live" sourceLost && pass "sourceLost" || fail "no event sourceLost"
was=$(of_type event "$W/live" | json message | head -1)
# another board takes the number
sensor serial_board serial=BOARD2 port=1 freeze-kind=silent wait=1; B2=$PID
found P2 by_id BOARD2
note "$P2 is $(readlink -f "$P2")"
kill -USR2 $B; found P by_id BOARD1
note "$P is $(readlink -f "$P") now"
is "another number" "$(readlink -f "$P" | grep -c 'ttyACM1$')" 1
until_true 200 has_event "$W/live" sourceBack && pass "sourceBack" || fail "no event sourceBack: $(tail -1 "$W/live.err")"
walked 90 "$BL"; sleep 4; small "after a replug" $L; stop $L
within "steps before, during and after" "$(total "$W/live")" 107 2
# Until the port is set raw the kernel echoes what the board had sent before; nothing is written while it is read.
note "echoed when it was opened: $(grep -c 'from the host' "$BL") times"
is "bytes written to the board while it walks" "$(sed -n '/walk begins/,/unplugged/p' "$BL" | grep -c 'from the host')" 0

# labelled values without times, while the other board is silent
kill -HUP $B2; live "$W/silent" "serial:$P2"; L=$PID
until_true 300 has_event "$W/silent" warning && pass "silence is a warning" || fail "no event 'warning'"
sleep 1; begin=$(tenths); kill -INT $L; ends $L 3
is "a silent port ends at SIGINT: exit code" "$STATUS" 0
[ $(($(tenths) - begin)) -le 10 ] && pass "it ends within a second" || fail "it took $(($(tenths) - begin)) tenths"
says "of a silent port" "$W/silent" "no data from"
kill $B2; ends $B2 5
sensor serial_board serial=BOARD3 port=1 rate=50 wait=1 steps=60 cadence=2 lead=3; B3=$PID B3L=$LOG
found P3 by_id BOARD3
live "$W/labels" "serial:$P3"; L=$PID; settled "$W/labels"
sleep 2; begin_walk $B3; walked 60 "$B3L"; sleep 4; stop $L
within "60 steps of labelled values" "$(total "$W/labels")" 60 2
within "their rate is found" "$(of_type total "$W/labels" | tail -1 | json samplingFrequency)" 50 1
kill $B $B3; ends $B 5; ends $B3 5
