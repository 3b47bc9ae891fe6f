. /lab/lib.sh
# The same hub as a USB device, plugged in while live waits for it, unplugged during the walk and replugged: found, counted,
# sourceLost and sourceBack are reported, and steps before and after are kept.
need_pedometer
modprobe vhci-hcd
live "$W/live" --wait; L=$PID
sleep 4; lives $L && pass "live --wait waits without a sensor" || fail "live --wait ended: $(cat "$W/live.err")"
sensor usbip_accel serial=LABUSB wait=1 steps=120 cadence=2 lead=3; S=$PID; LS=$LOG
found D iio_by_serial LABUSB
settled "$W/live"; sleep 1; begin_walk $S
sleep 33; kill -USR2 $S     # some 60 steps on
until_true 150 has_event "$W/live" sourceLost && pass "sourceLost" || fail "no event sourceLost"
before=$(of_type step "$W/live" | grep -c '"confirmed" *: *true')
sleep 3; kill -USR2 $S
until_true 200 has_event "$W/live" sourceBack && pass "sourceBack" || fail "no event sourceBack"
walked 90 "$LS"; sleep 4; stop $L
within "steps before and after" "$(total "$W/live")" 120 2
note "$before steps were confirmed when the device went"
[ "$before" -gt 40 ] && pass "counted before the loss: $before" || fail "only $before steps before the loss"
