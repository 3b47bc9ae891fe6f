. /lab/lib.sh
# bma400 on i2c-stub, a hardware step counter: counter: follows its register across a reset to 0 and an overflow.
need_pedometer
chips 0x14; chip_bma400 5000
N=counter:${BMA400##*/iio:}
counted() { [ "$(of_type data "$1" | tail -1 | json steps)" = "$2" ]; }
# follows NAME STEPS: the next data lines get there
follows() { until_true 150 counted "$W/live" "$2" && pass "$1: $2" || fail "$1: $(of_type data "$W/live" | tail -1 | json steps), expected $2"; }
live "$W/live" "$N" --interval 1; L=$PID; settled "$W/live"
is "the counter is enabled" "$(cat "$BMA400/in_steps_en")" 1
follows "steps before the start are not ours" 0
set_steps 5037; follows "37 steps" 37
i2c_walk "$BUS" 0x14 bma400 steps=63 cadence=6 lead=0 tail=0.5 quiet=1; follows "63 steps walked" 100
set_steps 0; sleep 3; set_steps 20; follows "20 after the reset" 120
stop $L; is "total across the reset" "$(total "$W/live")" 120
i2c_walk "$BUS" 0x14 bma400 steps=0 lead=0 tail=0.2 quiet=1
set_steps 16777210; live "$W/live" "$N" --interval 1; L=$PID; settled "$W/live"; sleep 2
set_steps 4; sleep 3; stop $L
is "after the overflow of 24 bits" "$(total "$W/live")" 10
