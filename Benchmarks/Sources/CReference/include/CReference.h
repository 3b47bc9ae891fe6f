#pragma once
#include <stddef.h>
#include <stdint.h>

// Plain C implementations, compiled by the same clang and run in the same process: the references of the benchmarks.

/// The memory layout of `AccelerationSample`: 32 bytes, x, y, z in g and a zero, then nanoseconds.
struct reference_sample {
  float acceleration[4];
  int64_t nanoseconds;
  int64_t padding;
};

/// A minimal step counter: magnitude, 0.5-3 Hz by three biquads at the samples' rate (100 Hz), and a state machine that
/// accepts a maximum above a threshold that follows the height of the peaks, after a minimum below its negative, at
/// least 250 ms after the previous one. It counts any shaking. Returns the number of steps.
int64_t reference_count_steps(const struct reference_sample *samples, size_t count);

/// A number that is being parsed.
struct reference_number {
  int64_t mantissa, decimals;
  int negative, fraction;
};

/// Converts the digits of a CSV file to numbers, byte by byte, and adds them up so that nothing is optimised away: the
/// minimum work of any reader. It supports no header, units or invalid rows. `number` carries a number across chunks
/// and is initially zero. Returns the sum of the chunk's numbers.
double reference_read_digits(struct reference_number *number, const char *bytes, size_t count);

/// The position of a number in a scan, such as `le:s12/16>>4`.
struct reference_field {
  int offset, bytes, bits, shift, big_endian, is_signed;
};

/// Decodes complete scans of x, y, z and a time of any format, with scale and rotation: the minimum work of any reader
/// of an IIO buffer.
void reference_decode_scans(
    const uint8_t *bytes, size_t count, size_t size, const struct reference_field fields[4], const float scale[3],
    const float matrix[9], struct reference_sample *samples);

/// An input event as in LinuxSensors.
struct reference_event {
  int64_t nanoseconds;
  int32_t value;
  uint16_t type, code;
};

/// Combines the events of ABS_X, ABS_Y and ABS_Z between two SYN_REPORTs, scaled; returns the number of samples.
size_t reference_assemble_frames(
    const struct reference_event *events, size_t count, float scale, struct reference_sample *samples);

// Dumps of research devices. The writers create input for the benchmarks: a walk of 15 minutes in every 45, at 100 Hz.
// They return the number of samples, or -1. The unpackers decode one block, record or page without checksums,
// timestamps or damage: the minimum work of any reader of the dump.

/// Axivity: a header and blocks of 512 bytes, with 80 samples of 16 bits or 120 of ten bits and an exponent. Up to 60
/// days.
long reference_write_cwa(const char *path, long seconds, int packed);
/// ActiGraph: a zip with `log.bin`, which is deflated or not. Up to 100 days.
long reference_write_gt3x(const char *path, long seconds, int deflates);
/// GENEActiv: pages of three seconds. Up to 31 days.
long reference_write_geneactiv(const char *path, long pages);

/// Returns the number of samples, like the others.
size_t reference_unpack_cwa(const uint8_t *block, struct reference_sample *samples);
size_t reference_unpack_gt3x(const uint8_t *record, struct reference_sample *samples);
/// `line`: the 3600 digits of a page.
size_t reference_unpack_geneactiv(const char *line, struct reference_sample *samples);
