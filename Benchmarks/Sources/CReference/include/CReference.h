#pragma once
#include <stddef.h>
#include <stdint.h>

// What a plain C programmer would write, compiled by the same clang, in the same run: the yardsticks that the
// benchmarks divide by.

/// One sample as `AccelerationSample` lies in memory: 32 bytes, x, y, z in g and a zero, then nanoseconds.
struct reference_sample {
  float acceleration[4];
  int64_t nanoseconds;
  int64_t padding;
};

/// A step counter of the simplest kind that deserves the name: magnitude, 0.5-3 Hz by three biquads at the samples' own
/// rate (100 Hz), and a state machine that takes a maximum above a threshold that follows the height of the peaks,
/// after a minimum below its negative, at least 250 ms after the one before. It counts whatever shakes.
/// Returns the number of steps.
int64_t reference_count_steps(const struct reference_sample *samples, size_t count);

/// A number whose digits are being read.
struct reference_number {
  int64_t mantissa, decimals;
  int negative, fraction;
};

/// Turns the digits of a CSV file into numbers, byte by byte, and adds them up so that nothing can be left out: the least
/// that any reader of the file has to do. It knows no header, no units, no bad rows.
/// `number` carries a number over the end of a chunk; all zero at first. Returns the sum of the chunk's numbers.
double reference_read_digits(struct reference_number *number, const char *bytes, size_t count);

/// Where a number lies in a scan, as in `le:s12/16>>4`.
struct reference_field {
  int offset, bytes, bits, shift, big_endian, is_signed;
};

/// Takes whole scans of x, y, z and a time apart, whatever their type strings said, and scales and turns them; what any
/// reader of an IIO buffer has to do.
void reference_decode_scans(
    const uint8_t *bytes, size_t count, size_t size, const struct reference_field fields[4], const float scale[3],
    const float matrix[9], struct reference_sample *samples);

/// An input event as LinuxSensors has it.
struct reference_event {
  int64_t nanoseconds;
  int32_t value;
  uint16_t type, code;
};

/// Puts the events of ABS_X, ABS_Y and ABS_Z between two SYN_REPORTs together, scaled; returns the number of samples.
size_t reference_assemble_frames(
    const struct reference_event *events, size_t count, float scale, struct reference_sample *samples);

// Dumps of research devices. The writers give the benchmarks something to read: a walk of 15 minutes in every 45, at
// 100 Hz. They return the number of samples, or -1. The unpackers take one block, record or page apart and believe all
// of it: no checksum, no time but the place in the block, no damage; what any reader of the dump has to do.

/// Axivity: a header and blocks of 512 bytes, 80 samples of 16 bits or 120 of ten bits and an exponent. Up to 60 days.
long reference_write_cwa(const char *path, long seconds, int packed);
/// ActiGraph: a zip with `log.bin`, not compressed. Up to 100 days.
long reference_write_gt3x(const char *path, long seconds);
/// GENEActiv: pages of three seconds. Up to 31 days.
long reference_write_geneactiv(const char *path, long pages);

/// Returns the number of samples, as the others do.
size_t reference_unpack_cwa(const uint8_t *block, struct reference_sample *samples);
size_t reference_unpack_gt3x(const uint8_t *record, struct reference_sample *samples);
/// `line`: the 3600 digits of a page.
size_t reference_unpack_geneactiv(const char *line, struct reference_sample *samples);
