. /lab/lib.sh
# The control lines of a board (CDC-ACM), as the bus carries them: listing touches none; opening raises DTR and RTS, which the kernel
# does; closing leaves them, so that the next opening does not reset the board; they fall only if the user asks.
need_pedometer
modprobe -a libcomposite usb_f_acm cdc-acm usbmon && modprobe dummy_hcd num=2 || { fail "no dummy_hcd or usbmon"; exit 1; }
mount -t debugfs debugfs /sys/kernel/debug 2> /dev/null
unplug_boards
start "$W/usb" cat /sys/kernel/debug/usb/usbmon/0u
# SET_CONTROL_LINE_STATE (0x22): 1 is DTR, 2 is RTS
states() { awk '$5 == "s" && $6 == "21" && $7 == "22" { print $8 }' "$W/usb"; }
mark() { MARK=$(states | wc -l); }
since() { states | tail -n +$((MARK + 1)) | tr '\n' ' '; }
by_id() { ls /dev/serial/by-id/*"$1"*; }
# held OPTIONS: live for a while
held() { live "$W/live" "serial:$P$1"; L=$PID; settled "$W/live"; sleep 1; stop $L; sleep 1; }

sensor serial_board serial=LINES time=1 rate=100 wait=1; B=$PID
found P by_id LINES; sleep 1
note "when it was plugged in: $(states | tr '\n' ' ')"
mark; $PEDOMETER devices > /dev/null 2>&1; $PEDOMETER doctor > /dev/null 2>&1
is "listing it" "$(since)" ""
mark; held ""; is "opening and closing it" "$(since)" "0003 "
mark; held ""; is "the same again" "$(since)" "0003 "
mark; held ,dtr=off; is "without DTR" "$(since)" "0003 0002 "
mark; held ,dtr=off,rts=off; is "without both" "$(since)" "0003 0002 0000 "
mark; held ,dtr=on,rts=off; is "without RTS" "$(since)" "0003 0001 "
kill $B; ends $B 5; unplug_boards
