#include "Unpacking.h"

#include <string.h>

// All machines that Swift supports are little-endian.
typedef int16_t four_shorts __attribute__((ext_vector_type(4)));
typedef int32_t four_integers __attribute__((ext_vector_type(4)));
typedef float four_floats __attribute__((ext_vector_type(4)));

static inline int64_t next(struct running_time *time) {
  const int64_t nanoseconds = time->base + (time->fixed >> 24);
  time->fixed += time->step;
  return nanoseconds;
}

static inline four_floats floats(four_integers numbers) { return __builtin_convertvector(numbers, four_floats); }

static inline void put(struct dense_sample *sample, four_floats acceleration, struct running_time *time) {
  memcpy(sample->acceleration, &acceleration, sizeof acceleration);
  sample->nanoseconds = next(time);
}

static inline uint64_t highest_first(const uint8_t *bytes, size_t count) {
  uint64_t word = 0;
  memcpy(&word, bytes, count);
  return __builtin_bswap64(word);
}

void unpack_cwa_packed(
    const uint8_t *bytes, size_t count, float scale, struct running_time time, struct dense_sample *samples) {
  for (size_t i = 0; i < count; i++) {
    uint32_t word;
    memcpy(&word, bytes + 4 * i, 4);
    // Moves the numbers to the top of their lanes, and compensates for the shift that the exponent does not apply.
    const four_integers tops = {(int32_t)(word << 22), (int32_t)(word << 12), (int32_t)(word << 2), 0};
    put(&samples[i], floats((tops & -0x400000) >> (int32_t)(22 - (word >> 30))) * scale, &time);
  }
}

static inline void put_shorts(
    struct dense_sample *sample, const uint8_t *bytes, size_t count, float scale, struct running_time *time) {
  four_shorts numbers = 0;
  memcpy(&numbers, bytes, count);
  four_integers wide = __builtin_convertvector(numbers, four_integers);
  wide[3] = 0;
  put(sample, floats(wide) * scale, time);
}

void unpack_cwa(
    const uint8_t *bytes, size_t stride, size_t count, float scale, struct running_time time, struct dense_sample *samples) {
  if (count == 0) return;
  for (size_t i = 0; i < count - 1; i++) put_shorts(&samples[i], bytes + stride * i, 8, scale, &time);
  put_shorts(&samples[count - 1], bytes + stride * (count - 1), 6, scale, &time);
}

typedef uint64_t two_words __attribute__((ext_vector_type(2)));

/// Stores the 36 highest bits.
static inline void put_bits(
    struct dense_sample *sample, uint64_t bits, bool is_yxz, float scale, struct running_time *time) {
  const four_integers firsts = (four_integers)(two_words){bits, bits << 12};
  const four_integers third = (four_integers)(two_words){bits << 24, 0};
  const four_integers tops = is_yxz ? __builtin_shufflevector(firsts, third, 3, 1, 5, 6)
                                    : __builtin_shufflevector(firsts, third, 1, 3, 5, 6);
  put(sample, floats(tops >> 20) * scale, time);
}

static inline void unpack_pairs(
    const uint8_t *bytes, size_t count, bool is_yxz, float scale, struct running_time time, struct dense_sample *samples) {
  for (; count > 1; count -= 2, bytes += 9, samples += 2) {
    put_bits(&samples[0], highest_first(bytes, 8), is_yxz, scale, &time);
    put_bits(&samples[1], highest_first(bytes + 1, 8) << 28, is_yxz, scale, &time);
  }
  if (count > 0) put_bits(samples, highest_first(bytes, 5), is_yxz, scale, &time);
}

void unpack_gt3x(
    const uint8_t *bytes, size_t count, bool is_yxz, float scale, struct running_time time, struct dense_sample *samples) {
  // Two loops, so that the order is not tested per sample.
  if (is_yxz) unpack_pairs(bytes, count, true, scale, time, samples);
  else unpack_pairs(bytes, count, false, scale, time, samples);
}

/// The value of eight hexadecimal digits, the first the most significant.
static inline uint32_t value_of_digits(uint64_t digits) {
  const uint64_t nibbles = (digits & 0x0F0F0F0F0F0F0F0F) + ((digits >> 6) & 0x0101010101010101) * 9;
  // Pairs, then fours, then eight.
  const uint64_t bytes = (nibbles << 4 | nibbles >> 8) & 0x00FF00FF00FF00FF;
  const uint64_t shorts = (bytes << 8 | bytes >> 16) & 0x0000FFFF0000FFFF;
  return (uint32_t)(shorts << 16 | shorts >> 32);
}

void unpack_geneactiv(
    const uint8_t *digits, size_t count, const float *offset, const float *scale, struct running_time time,
    struct dense_sample *samples) {
  const four_floats offsets = {offset[0], offset[1], offset[2], 0}, scales = {scale[0], scale[1], scale[2], 0};
  for (size_t i = 0; i < count; i++, digits += 12) {
    uint64_t word;
    memcpy(&word, digits, 8);
    const uint32_t eight = value_of_digits(word);
    const uint32_t last = (digits[8] & 15) + (digits[8] >> 6) * 9;
    const four_integers tops = {(int32_t)eight, (int32_t)(eight << 12), (int32_t)(eight << 24 | last << 20), 0};
    put(&samples[i], (floats(tops >> 20) - offsets) * scales, &time);
  }
}

uint16_t sum_of_shorts(const uint8_t *bytes, size_t count) {
  uint16_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    uint16_t number;
    memcpy(&number, bytes + 2 * i, 2);
    sum = (uint16_t)(sum + number);
  }
  return sum;
}

uint8_t parity_of_bytes(const uint8_t *bytes, size_t count) {
  uint8_t parity = 0;
  for (size_t i = 0; i < count; i++) parity ^= bytes[i];
  return parity;
}

bool are_hexadecimal(const uint8_t *bytes, size_t count) {
  uint8_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t decimal = (uint8_t)(bytes[i] - '0'), letter = (uint8_t)((bytes[i] | 0x20) - 'a');
    wrong |= (uint8_t)(decimal > 9) & (uint8_t)(letter > 5);
  }
  return !wrong;
}
