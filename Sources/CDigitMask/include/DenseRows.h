#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A sample as Swift's AccelerationSample lies in memory: x, y, z and a zero, nanoseconds, and 8 bytes that say nothing.
struct dense_sample {
  float acceleration[4];
  int64_t nanoseconds;
  int64_t padding;
};

/// Rows of text that are a time and three axes, and where reading them stands.
struct dense_rows {
  /// The next row, and the end of the last; behind that, 256 bytes may be read.
  const uint8_t *line;
  const uint8_t *end;
  /// Where the next sample goes, and where there is no more room.
  struct dense_sample *next;
  struct dense_sample *limit;
  /// The timestamps of the last sample and of the one before, in nanoseconds.
  int64_t last;
  int64_t last_but_one;
  /// Samples are up to so much behind the last, and not behind this.
  int64_t longest_step;
  int64_t plain_end;
  /// What is added to timestamps.
  int64_t offset;
  /// Rows read, and those of them that repeat the time of the row before; the first of those, counted from 0.
  int64_t rows;
  int64_t repeats;
  int64_t first_repeat;
  /// Nanoseconds in a unit of the last digit of a time, by the number of bytes from its mark on; 0 where they are not whole.
  /// 11 of them; and 21 scales of axes, likewise.
  const int64_t *ticks;
  const double *scales;
  uint8_t delimiter;
  uint8_t mark;
};

/// Whether this processor has what ``read_dense_rows`` needs.
bool can_read_dense_rows(void);

/// Reads rows up to the first that it cannot read, is not the next in time, or has no room; repeated times give no sample.
///
/// The bytes of a row are classified first, a bit for each, as simdjson does: the bits alone say where its numbers and the
/// next row lie. A number of up to 16 bytes is then moved to the end of a register without its mark, by a table, and
/// the digits of all four are put together in one go.
void read_dense_rows(struct dense_rows *rows);

#pragma clang assume_nonnull end
