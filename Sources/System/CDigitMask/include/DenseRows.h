#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The memory layout of Swift's AccelerationSample: x, y, z, zero, nanoseconds, and 8 bytes of padding.
struct dense_sample {
  float acceleration[4];
  int64_t nanoseconds;
  int64_t padding;
};

/// Rows of text with a time and three axes, and the state of reading them.
struct dense_rows {
  /// The next row, and the end of the last; 256 bytes after the end must be readable.
  const uint8_t *line;
  const uint8_t *end;
  /// Where to write the next sample, and the end of that buffer.
  struct dense_sample *next;
  struct dense_sample *limit;
  /// The timestamps of the last sample and of the one before, in nanoseconds.
  int64_t last;
  int64_t last_but_one;
  /// The maximum time of a sample after the last one, and the exclusive limit of times.
  int64_t longest_step;
  int64_t plain_end;
  /// The offset to add to timestamps.
  int64_t offset;
  /// The number of rows read, the number of rows that repeat the time of the previous row, and the index of the first
  /// of these.
  int64_t rows;
  int64_t repeats;
  int64_t first_repeat;
  /// Nanoseconds per unit of the last digit of a time, by the number of bytes from its mark on; 0 if not a whole
  /// number. 11 entries; likewise 21 scales of axes.
  const int64_t *ticks;
  const double *scales;
  uint8_t delimiter;
  uint8_t mark;
  /// Whether a row that repeats the time of the previous one is a sample, too.
  bool keeps_repeats;
};

/// Whether this processor has the instructions for ``read_dense_rows``.
bool can_read_dense_rows(void);

/// Reads rows up to the first one that it cannot parse, that is not the next in time, or that no longer fits;
/// repeated times produce no sample unless they are kept.
///
/// The bytes of a row are first classified into bit masks, as in simdjson, which give the positions of its numbers and
/// of the next row. A table then moves each number of up to 16 bytes to the end of a register without its mark, and the
/// digits of all four are combined at once.
void read_dense_rows(struct dense_rows *rows);

#pragma clang assume_nonnull end
