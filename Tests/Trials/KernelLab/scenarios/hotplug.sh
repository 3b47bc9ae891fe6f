. /lab/lib.sh
# Ten devices plugged and unplugged twenty times in random order under live: no crash, no leak of descriptors or memory,
# the right total. live counts one of the ten, by name; it is also unplugged midway, and may come back with
# another number.
need_pedometer
modprobe vhci-hcd
options="quiet=1 steps=-1 cadence=1.7"
sensor uhid_accel serial=hot-main wait=1 steps=60 cadence=2 lead=3; MAIN=$PID; LM=$LOG
found D iio_by_serial hot-main
ALL=
for i in 1 2 3; do sensor uhid_accel serial=hot-$i $options; ALL="$ALL $PID"; done
for i in 1 2 3; do sensor uinput_accel name="Hot uinput $i" $options; ALL="$ALL $PID"; done
for i in 1 2; do sensor uhid_dualsense name="HotPad$i" serial=025ec0ffee3$i $options; ALL="$ALL $PID"; done
sensor usbip_accel serial=HOTUSB $options; ALL="$ALL $PID"
until_true 150 iio_by_serial HOTUSB > /dev/null; udevadm settle -t 20
live "$W/live" "iio:${D##*/iio:}"; L=$PID; settled "$W/live"
descriptors() { ls "/proc/$L/fd" | wc -l; }
resident() { awk '/VmRSS/ { print $2 }' "/proc/$L/status"; }
# memory that a leak would increase; pages of the executable are loaded when its code is first used
own() { awk '/RssAnon/ { print $2 }' "/proc/$L/status"; }
threads() { awk '/Threads/ { print $2 }' "/proc/$L/status"; }
sleep 3; FD=$(descriptors) RSS=$(resident) OWN=$(own) THREADS=$(threads)
begin_walk $MAIN; sleep 9
# the order, from a fixed seed: twenty rounds of nine, each device once per round, so each is plugged and unplugged twenty times
awk -v n=9 -v rounds=20 'BEGIN { srand(20260101); for (r = 0; r < rounds; r++) { for (i = 1; i <= n; i++) p[i] = i
  for (i = n; i > 1; i--) { j = 1 + int(rand() * i); t = p[i]; p[i] = p[j]; p[j] = t }
  for (i = 1; i <= n; i++) print p[i] } }' > "$W/order"
set -- $ALL
round=0
while read -r i; do
  eval "kill -USR2 \${$i}"; sleep 0.12; round=$((round + 1))
  case $round in 40|120) kill -USR2 $MAIN;; 60|140) kill -USR2 $MAIN;; esac
done < "$W/order"
for pid in $ALL; do lives "$pid" || fail "a virtual sensor died"; done
lives $L || { fail "live died: $(tail -2 "$W/live.err")"; exit 1; }
pass "live is alive"
until_true 200 iio_by_serial hot-main > /dev/null
walked 90 "$LM"; sleep 4
within "descriptors, at most two more" "$(($(descriptors) > FD ? $(descriptors) - FD : 0))" 0 2
within "threads, at most one more" "$(($(threads) > THREADS ? $(threads) - THREADS : 0))" 0 1
within "memory of its own, at most 1 MB more" "$(($(own) > OWN ? $(own) - OWN : 0))" 0 1024
note "resident $RSS kB before, $(resident) kB after, of that its own $OWN and $(own) kB; descriptors $FD, $(descriptors); threads $THREADS, $(threads)"
stop $L
within "60 steps, unplugged twice" "$(total "$W/live")" 60 3
is "it was lost twice" "$(of_type event "$W/live" | json event | grep -cx sourceLost)" 2
is "it came back twice" "$(of_type event "$W/live" | json event | grep -cx sourceBack)" 2
