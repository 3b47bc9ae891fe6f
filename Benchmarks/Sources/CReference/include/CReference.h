#pragma once
#include <stddef.h>
#include <stdint.h>

// What a plain C programmer would write, compiled by the same clang with the same optimisation, in the same run:
// the yardsticks that the benchmarks divide by.

/// One sample as `AccelerationSample` lies in memory: 32 bytes, x, y, z in g, then nanoseconds.
struct reference_sample {
  float acceleration[4];
  int64_t nanoseconds;
  int64_t padding;
};

/// A step counter of the simplest kind that deserves the name: magnitude, a band-pass of two biquads at the samples'
/// own rate (100 Hz), and a state machine that takes a maximum above a threshold, after a minimum below its negative,
/// at least 250 ms after the one before.
/// Returns the number of steps.
int64_t reference_count_steps(const struct reference_sample *samples, size_t count);

/// Reads the numbers of a CSV file, digit by digit, into an integer mantissa and a count of decimals, and adds them up
/// so that nothing can be left out: the least that any reader of the file has to do.
/// Returns the sum of all mantissas.
int64_t reference_read_digits(const char *bytes, size_t count);
