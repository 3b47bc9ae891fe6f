. /lab/lib.sh
# An ordinary user without special groups. Without the rule: evdev is refused (77) with the remedy; IIO counts by polling
# the world-readable values and reports how to use the buffer; 77 if those are not readable. With the rule: a member of
# the group pedometer counts with the buffer and the node, others may not. Of a keyboard, a mouse, a keyboard that claims to
# be an accelerometer and a pad, only the pad's motion sensor becomes accessible.
need_pedometer
rm -f /etc/udev/rules.d/*pedometer*; udevadm control --reload
plug_in() {
  sensor uhid_accel serial=perm wait=1 steps=30 cadence=2 lead=3; S1=$PID; L1=$LOG
  sensor uinput_accel name="Perm uinput" wait=1 steps=30 cadence=2 lead=3; S2=$PID; L2=$LOG
  found D iio_by_serial perm; found N event_by_name "Perm uinput"
}
plug_in
as walker timeout 20 $PEDOMETER live --format json --duration 3 "evdev:$N" > "$W/evdev" 2> "$W/evdev.err"
is "evdev without the rule" $? 77
says "the remedy" "$W/evdev.err" "udev" "rule"; says "the group" "$W/evdev.err" "group pedometer"
grep -q "group input" "$W/evdev.err" && fail "advises the group input" || pass "does not advise the group input"
start "$W/poll" as walker $PEDOMETER live --format json "iio:${D##*/iio:}"; L=$PID; settled "$W/poll"
is "polled: the buffer stays off" "$(cat "$D/buffer/enable")" 0
begin_walk $S1; walked 60 "$L1"; sleep 4; kill $L; ends $L 15
within "30 steps by polling" "$(total "$W/poll")" 30 2
cat "$W/poll" "$W/poll.err" > "$W/both"; says "how to get the buffer" "$W/both" "udev" "rule"
chmod 600 "$D"/in_accel_*raw
as walker timeout 20 $PEDOMETER live --format json --duration 3 "iio:${D##*/iio:}" > "$W/closed" 2> "$W/closed.err"
is "IIO if polling is impossible" $? 77
as walker timeout 20 $PEDOMETER devices --format json > "$W/devices" 2> "$W/devices.err"; is "devices for this user" $? 0
says "devices names the sensor that is denied" "$W/devices" "iio:${D##*/iio:}"
as walker timeout 20 $PEDOMETER doctor > "$W/doctor" 2>&1; says "doctor names the rule" "$W/doctor" "rule"
kill $S1 $S2; sleep 1

set -- /lab/rules/*.rules; [ -e "$1" ] || { fail "no rules in udev-rules/"; exit 1; }
cp /lab/rules/*.rules /etc/udev/rules.d/; udevadm control --reload
plug_in
start "$W/buffer" as member $PEDOMETER live --format json "iio:${D##*/iio:}"; A=$PID
start "$W/node" as member $PEDOMETER live --format json "evdev:$N"; B=$PID
settled "$W/buffer"; settled "$W/node"
is "with the rule: through the buffer" "$(cat "$D/buffer/enable")" 1
begin_walk $S1 $S2; walked 60 "$L1" "$L2"; sleep 4; kill $A $B; ends $A 15; ends $B 15
within "30 steps through the buffer" "$(total "$W/buffer")" 30 1
within "30 steps through the node" "$(total "$W/node")" 30 1
as walker timeout 20 $PEDOMETER live --format json --duration 3 "evdev:$N" > /dev/null 2>&1
is "a user outside the group is still refused" $? 77
KEYBOARD=$(event_by_name "AT Translated Set 2 keyboard")
as member test -r "$KEYBOARD" && fail "the rule opens the keyboard" || pass "the keyboard stays closed"
sensor uinput_keys keyboard "Perm keyboard"; sensor uinput_keys mouse "Perm mouse"; sensor uinput_keys hybrid "Perm hybrid"
sensor uhid_dualsense name=PermPad serial=025ec0ffee51 wait=1
found PAD event_by_name "PermPad Motion Sensors"
tags() { udevadm info --query=property "$1" | grep '^TAGS='; }
# opened NODE: for the group by its permissions, and for the user at the seat by its tag
opened() { as member test -r "$1" && tags "$1" | grep -q ':uaccess:'; }
opened "$PAD" && pass "the pad's motion sensor opens" || fail "the pad's motion sensor is closed: $(ls -l "$PAD") $(tags "$PAD")"
as walker test -r "$PAD" && fail "the pad opens to everybody" || pass "the pad opens to the group and the seat only"
for kind in keyboard mouse hybrid; do
  found KEYS event_by_name "Perm $kind"
  as member test -r "$KEYS" && fail "the rule opens the $kind to the group" || pass "the $kind stays closed to the group"
  tags "$KEYS" | grep -q ':uaccess:' && fail "the rule opens the $kind to the seat" || pass "the $kind stays closed to the seat"
done
is "only required files became writable" "$(find "$D/" -group pedometer -perm -g+w ! -path '*/power/*' | grep -cE '/(in_accel_[xyz]_raw|name|uevent|dev)$')" 0
rm -f /etc/udev/rules.d/*pedometer*; udevadm control --reload
