. /lab/lib.sh
# Chips without a driver: doctor probes only on request, names chip, address and driver, and skips addresses that a driver holds;
# its remedy creates a sensor.
need_pedometer
chips 0x0f,0x14,0x53,0x68
i2c_poke "$BUS" 0x68 0x75=0x68; i2c_poke "$BUS" 0x53 0x00=0xe5; i2c_poke "$BUS" 0x0f 0x0f=0x0a
chip_bma400 0
$PEDOMETER doctor > "$W/plain" 2>&1
says "buses are mentioned" "$W/plain" "i2c-$BUS"; says "and the option" "$W/plain" "doctor --probe-i2c"
is "nothing is probed without the option" "$(grep -c 'MPU6050' "$W/plain")" 0
$PEDOMETER doctor --probe-i2c --format json > "$W/probe" 2> "$W/probe.err"; is "doctor with a usable counter" $? 0
about() { grep "I2C i2c-$BUS" "$W/probe" | grep "$1"; }
is "three chips without a driver" "$(about 'at 0x' | grep -c -e '"finding" *: *"[A-Z0-9]* (accelerometer)')" 3
about MPU6050 > "$W/mpu"; says "the MPU6050's address" "$W/mpu" "at 0x68"
says "its driver, which this guest lacks" "$W/mpu" "no module inv-mpu6050-i2c"
about KXCJ9 | json remedy > "$W/kx"; says "KXCJ9's module" "$W/kx" "kxcjk-1013"
is "addresses that a driver holds are skipped" "$(about 'not probed because a driver uses it: 0x14' | wc -l)" 1
is "the chip with a driver still counts" "$(cat "$BMA400/in_steps_input")" 0
# the exact remedy
found_kxcj9() { $PEDOMETER devices --format json 2>/dev/null | grep -q 'kxcj91008'; }
command=$(about KXCJ9 | json remedy | sed 's/.*: \(echo .*new_device\) (.*/\1/')
is "remedy" "$command" "echo kxcj91008 0x0f > /sys/bus/i2c/devices/i2c-$BUS/new_device"
sh -c "$command" && until_true 100 found_kxcj9 && pass "it creates a sensor" || fail "no sensor after: $command"
$PEDOMETER doctor --probe-i2c > "$W/after" 2>&1; says "then a driver holds it" "$W/after" "0x0f, 0x14"
about ADXL345 | json remedy > "$W/adxl"; says "a driver that may need a device tree" "$W/adxl" "adi,adxl345"
as walker $PEDOMETER doctor --probe-i2c > "$W/walker" 2>&1; says "without root" "$W/walker" "run 'pedometer doctor --probe-i2c' as root"
