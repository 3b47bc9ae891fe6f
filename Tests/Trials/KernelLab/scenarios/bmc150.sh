. /lab/lib.sh
# bma250e behind bmc150-accel without an interrupt line: the driver enables the buffer for the chip's FIFO, which delivers nothing, and
# refuses values meanwhile. The values are polled with the buffer off, and the reason is said.
need_pedometer
chips 0x18; chip_bma250e; N=iio:${BMA250E##*/iio:}
sensor i2c_walk "$BUS" 0x18 bma250e wait=1 steps=60 cadence=2 lead=3 rate=100; S=$PID; LS=$LOG
live "$W/live" "$N"; L=$PID; settled "$W/live"; sleep 1
is "polled: the buffer is off" "$(cat "$BMA250E/buffer/enable")" 0
says "the reason" "$W/live" "its buffer delivers no samples"
begin_walk $S; walked 60 "$LS"; sleep 4; stop $L
within "60 steps walked" "$(total "$W/live")" 60 3
timeout 30 $PEDOMETER live --format json --duration 8 "$N" > "$W/short" 2> "$W/short.err"
is "eight seconds are enough for samples" $? 0
is "the sampling frequency is restored" "$(cat "$BMA250E/in_accel_sampling_frequency")" 125.000000
