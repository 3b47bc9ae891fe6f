#pragma once
#include "DenseRows.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Unpack `count` samples of dumps without checking bounds or checksums. They are loops, because a call per sample costs
// more than the sample.

/// Evenly spaced times: a base, and nanoseconds in units of 2^-24 that increase by a step per sample.
struct running_time {
  int64_t base;
  int64_t fixed;
  int64_t step;
};

/// Axivity, packed: four bytes per sample, three 10-bit numbers and an exponent.
void unpack_cwa_packed(
    const uint8_t *bytes, size_t count, float scale, struct running_time time, struct dense_sample *samples);
/// Axivity: three 16-bit numbers every `stride` bytes.
void unpack_cwa(
    const uint8_t *bytes, size_t stride, size_t count, float scale, struct running_time time, struct dense_sample *samples);
/// ActiGraph: three 12-bit numbers, most significant bit first, without padding; with the first two exchanged if
/// `is_yxz`.
void unpack_gt3x(
    const uint8_t *bytes, size_t count, bool is_yxz, float scale, struct running_time time, struct dense_sample *samples);
/// GENEActiv: twelve hexadecimal digits per sample, nine of them for three numbers; `(number - offset) * scale` per
/// axis.
void unpack_geneactiv(
    const uint8_t *digits, size_t count, const float *offset, const float *scale, struct running_time time,
    struct dense_sample *samples);

/// The sum of `count` 16-bit numbers, modulo 2^16.
uint16_t sum_of_shorts(const uint8_t *bytes, size_t count);
/// The exclusive or of all bytes.
uint8_t parity_of_bytes(const uint8_t *bytes, size_t count);
/// Whether all bytes are hexadecimal digits.
bool are_hexadecimal(const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end
