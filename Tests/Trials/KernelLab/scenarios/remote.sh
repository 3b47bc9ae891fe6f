. /lab/lib.sh
# Debian's iiod serves the hubs of this computer to this computer. Counts over the network equal those of a hub that simulates the
# same walk and is read directly, also beside a reader of libiio; iiod is killed and comes back; a hub is unplugged. A chip without a
# trigger is polled.
need_pedometer
ifconfig lo up 2> /dev/null
sensor uhid_accel serial=net-remote wait=1 steps=120 cadence=2 lead=3; A=$PID; LA=$LOG
sensor uhid_accel serial=net-shared wait=1 steps=120 cadence=2 lead=3; B=$PID; LB=$LOG
sensor uhid_accel serial=net-local wait=1 steps=120 cadence=2 lead=3; C=$PID; LC=$LOG
sensor uhid_accel serial=net-later wait=1 steps=60 cadence=2 lead=3; D=$PID; LD=$LOG
chips 0x0f; chip_kxcjk1013
sensor i2c_walk "$BUS" 0x0f kxcjk1013 wait=1 steps=60 cadence=2 lead=3 rate=100; E=$PID; LE=$LOG
found FA iio_by_serial net-remote; found FB iio_by_serial net-shared; found FC iio_by_serial net-local
found FD iio_by_serial net-later
name() { echo "iio:ip:127.0.0.1/${1##*/}"; }
$PEDOMETER devices --remote 127.0.0.1 > "$W/devices" 2> "$W/err"; is "without iiod: exit code" $? 69
says "without iiod" "$W/err" "start iiod on 127.0.0.1"
begin_iiod() {
  start "$W/iiod" iiod; IIOD=$PID
  until_true 100 $PEDOMETER devices --remote 127.0.0.1 > "$W/devices" || { fail "iiod does not answer"; cat "$W/iiod.err"; $PEDOMETER devices --remote 127.0.0.1; exit 1; }
}
begin_iiod
$PEDOMETER devices --remote 127.0.0.1 --format json > "$W/devices"
for folder in $FA $FB $FC $FD; do
  is "devices lists ${folder##*/}" "$(grep "\"source\":\"$(name "$folder")\"" "$W/devices" | json samplingFrequency)" 50
done
live "$W/remote" "$(name "$FA")"; RA=$PID
live "$W/shared" "$(name "$FB")"; RB=$PID
live "$W/local" "iio:${FC##*/iio:}"; RC=$PID
settled "$W/remote"; settled "$W/shared"; settled "$W/local"
# A reader of libiio with larger buffers comes, and goes in the middle of the walk.
start "$W/readdev" iio_readdev -u ip:127.0.0.1 -T 0 -b 100 "${FB##*/}"; READDEV=$PID
sleep 3; begin_walk $A $B $C; sleep 20; kill $READDEV; ends $READDEV 15
walked 90 "$LA" "$LB" "$LC"; sleep 5
note "iio_readdev read $(stat -c %s "$W/readdev") bytes"
stop $RA; stop $RB; stop $RC
within "read directly, 120 steps walked" "$(total "$W/local")" 120 1
is "over the network, the same steps" "$(total "$W/remote")" "$(total "$W/local")"
within "beside a reader of libiio" "$(total "$W/shared")" "$(total "$W/local")" 1
until_true 100 grep -qx 0 "$FA/buffer/enable"; is "iiod disables the buffer afterwards" "$(cat "$FA/buffer/enable")" 0

live "$W/polled" "$(name "$KXCJK")"; RE=$PID; settled "$W/polled"; sleep 1
says "a chip without a trigger" "$W/polled" "each sample is asked for"
begin_walk $E; walked 60 "$LE"; sleep 4; stop $RE
within "polled over the network, 60 steps walked" "$(total "$W/polled")" 60 3
is "its buffer stays off" "$(cat "$KXCJK/buffer/enable")" 0

live "$W/later" "$(name "$FD")"; RD=$PID
settled "$W/later"
kill -9 $IIOD; ends $IIOD 5
until_true 200 has_event "$W/later" sourceLost; has_event "$W/later" sourceLost && pass "a killed iiod is a loss" || fail "no loss"
says "the loss" "$W/later" "closed the connection"
begin_iiod
until_true 300 has_event "$W/later" sourceBack; has_event "$W/later" sourceBack && pass "and it is connected to again" || fail "not back"
sleep 2; begin_walk $D; walked 60 "$LD"; sleep 5
kill $D; ends $D 10
until_true 300 grep -qE "not there any more|sent no data" "$W/later.err"
says "an unplugged hub" "$W/later.err" "not there any more" "sent no data"
stop $RD
within "60 steps walked after iiod was back" "$(total "$W/later")" 60 1
$PEDOMETER live "iio:ip:127.0.0.1/nothing" > "$W/out" 2> "$W/err"; is "a name that is not there: exit code" $? 69
says "a name that is not there" "$W/err" "choose one: iio:ip:127.0.0.1/"
kill $IIOD; ends $IIOD 10
