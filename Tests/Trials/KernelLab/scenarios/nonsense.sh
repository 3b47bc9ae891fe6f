. /lab/lib.sh
# A sensor that freezes, invalid attributes, type strings that violate the ABI: 76 or a refusal with a reason, never a
# crash or a hang. The invalid text is mounted over the attributes of a real device.
need_pedometer
# reasoned NAME STATUS FILE...: a documented status; other than 0 with a message on standard error
reasoned() {
  name=$1 status=$2 errors=$3
  case $status in
  0) pass "$name: continued";;
  65|69|74|75|76|77|78) if [ -s "$errors" ]; then pass "$name: $status, $(head -1 "$errors" | cut -c1-120)"; else fail "$name: $status without a message"; fi;;
  124|137|143) fail "$name: hangs";;
  *) fail "$name: status $status, $(tail -1 "$errors" | cut -c1-200)";;
  esac
}
# 1 frozen: no more reports, or always the same value
sensor uhid_accel serial=silent steps=-1 cadence=2 freeze=6 freeze-kind=silent; S=$PID
found D iio_by_serial silent
timeout 60 $PEDOMETER live --format json --duration 30 "iio:${D##*/iio:}" > "$W/silent" 2> "$W/silent.err"; STATUS=$?
reasoned "a sensor that falls silent" $STATUS "$W/silent.err"
cat "$W/silent" "$W/silent.err" > "$W/both"; says "that it is silent" "$W/both" "silent" "said nothing" "sourceLost"
kill $S; sleep 1
sensor uhid_accel serial=stuck steps=-1 cadence=2 freeze=6; S=$PID
found D iio_by_serial stuck
timeout 60 $PEDOMETER live --format json --duration 15 "iio:${D##*/iio:}" > "$W/stuck" 2> "$W/stuck.err"; STATUS=$?
reasoned "a sensor that repeats one value" $STATUS "$W/stuck.err"
steps=$(total "$W/stuck"); [ "${steps:-0}" -le 14 ] && pass "it counts no more: $steps" || fail "counts a frozen sensor: $steps"
kill $S; sleep 1

# 2 invalid text, one attribute at a time
sensor uhid_accel serial=fuzz steps=-1 cadence=2 quiet=1; S=$PID
found D iio_by_serial fuzz; N=iio:${D##*/iio:}; D=$(readlink -f "$D")
# bound TEXT FILE...: `live` with this text in these attributes
bound() {
  printf "$1" > "$W/text"; shift; over=
  for file in "$@"; do mount --bind "$W/text" "$D/$file" && over="$over $D/$file"; done
  timeout -k 2 25 $PEDOMETER live --format json --duration 1 "$N" > "$W/fuzz" 2> "$W/fuzz.err"; STATUS=$?
  for file in $over; do umount "$file"; done
  echo 0 > "$D/buffer/enable"
}
types="scan_elements/in_accel_x_type buffer0/in_accel_x_type"
for text in 'xx:s16/32>>0' 'le:s99/32>>0' 'le:s16/0>>0' 'le:s0/16>>0' 'le:s16/32>>40' 'le:s16/24>>0' 'le:s16/999999999999>>0' \
  'le:s-4/-16>>-1' 'le' '' 'le:f32/32>>0' 'le:s16/32X0>>0' '\377\376\000\001' 'le:s16/32X1000000>>0'; do
  bound "$text" $types; reasoned "type '$text'" $STATUS "$W/fuzz.err"
  case $STATUS in 0) fail "type '$text' is accepted";; esac
done
for text in 'banana' '0' '-0.0' 'nan' 'inf' '1e400' '-1e-400' '' '0.009806650 0.1' '0,0098'; do
  bound "$text" in_accel_scale; reasoned "scale '$text'" $STATUS "$W/fuzz.err"
done
for text in 'x' '' '99999999999999999999' '-5' '7' 'nan'; do
  bound "$text" scan_elements/in_accel_y_index buffer0/in_accel_y_index; reasoned "index '$text'" $STATUS "$W/fuzz.err"
done
for text in 'fast' '' '0' '-50' '1e30' 'nan'; do
  bound "$text" in_accel_sampling_frequency; reasoned "frequency '$text'" $STATUS "$W/fuzz.err"
done
for text in '' 'accel\n\n\n' '\377\377' '"},{"'; do bound "$text" name; reasoned "name '$text'" $STATUS "$W/fuzz.err"; done
for text in '' 'tomorrow'; do bound "$text" current_timestamp_clock; reasoned "clock '$text'" $STATUS "$W/fuzz.err"; done

# 3 noise from a fixed seed over several attributes at once
seed=1
while [ $seed -le 12 ]; do
  text=$(awk -v seed=$seed 'BEGIN {
    srand(seed); set = "le:sbu0123456789/>X-. nanif\\t"; n = int(rand() * 24)
    for (i = 0; i < n; i++) printf "%s", substr(set, 1 + int(rand() * length(set)), 1) }' | tr -d '%')
  case $((seed % 3)) in
  0) bound "$text" $types scan_elements/in_timestamp_type buffer0/in_timestamp_type;;
  1) bound "$text" in_accel_scale in_accel_offset in_accel_sampling_frequency;;
  2) bound "$text" scan_elements/in_accel_z_index buffer0/in_accel_z_index scan_elements/in_accel_z_type buffer0/in_accel_z_type;;
  esac
  reasoned "noise $seed '$text'" $STATUS "$W/fuzz.err"; seed=$((seed + 1))
done
timeout 20 $PEDOMETER live --format json --duration 2 "$N" > "$W/after" 2> "$W/after.err"; is "and usable again afterwards" $? 0
