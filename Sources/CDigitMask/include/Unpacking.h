#pragma once
#include "DenseRows.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Samples of dumps, as many as `count`, which are believed: no checksum, no bounds. One loop for each, since a call for
// each sample costs more than the sample.

/// Times of samples that lie evenly: a base, and nanoseconds in 2^-24 that grow by a step from one to the next.
struct running_time {
  int64_t base;
  int64_t fixed;
  int64_t step;
};

/// Axivity, packed: four bytes a sample, three numbers of ten bits and an exponent.
void unpack_cwa_packed(
    const uint8_t *bytes, size_t count, float scale, struct running_time time, struct dense_sample *samples);
/// Axivity, three numbers of 16 bits every `stride` bytes.
void unpack_cwa(
    const uint8_t *bytes, size_t stride, size_t count, float scale, struct running_time time, struct dense_sample *samples);
/// ActiGraph: three numbers of 12 bits, the highest bits first, without padding; the first two exchanged or not.
void unpack_gt3x(
    const uint8_t *bytes, size_t count, bool is_yxz, float scale, struct running_time time, struct dense_sample *samples);
/// GENEActiv: twelve hexadecimal digits a sample, of which nine are three numbers; `(number - offset) * scale` by the axis.
void unpack_geneactiv(
    const uint8_t *digits, size_t count, const float *offset, const float *scale, struct running_time time,
    struct dense_sample *samples);

/// The sum of so many numbers of 16 bits, without what runs over.
uint16_t sum_of_shorts(const uint8_t *bytes, size_t count);
/// All bytes combined by exclusive or.
uint8_t parity_of_bytes(const uint8_t *bytes, size_t count);
/// Whether all bytes are hexadecimal digits.
bool are_hexadecimal(const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end
