// Decompression of deflate data (RFC 1951), as a stream: by ISA-L, which is loaded on first use and takes a third of the
// time of zlib, or by zlib where ISA-L is not installed.
#ifndef CINFLATE_H
#define CINFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The state of a decompression.
struct inflation;

enum inflation_status {
  /// It needs input or room, whichever is used up.
  INFLATION_GOES_ON,
  /// The data has ended, intact as far as its own checksum tells.
  INFLATION_ENDED,
  /// The data is damaged; what was decompressed before was delivered.
  INFLATION_DAMAGED,
};

/// Compressed bytes that are left, and room for decompressed ones. Both advance.
struct inflation_buffers {
  const uint8_t *input;
  size_t input_count;
  uint8_t *output;
  size_t output_count;
};

/// Whether ISA-L is available. Thread-safe; may be called repeatedly.
bool inflation_has_isal(void);

/// Begins a decompression.
/// - Parameters:
///   - is_gzip: whether the data is a gzip member (RFC 1952), whose header and checksum are then checked.
///   - avoids_isal: whether zlib decompresses although ISA-L is available.
/// - Returns: NULL if memory is short.
struct inflation *_Nullable inflation_new(bool is_gzip, bool avoids_isal);
void inflation_free(struct inflation *inflation);

/// Begins again, with other data of the same kind.
void inflation_reset(struct inflation *inflation);

enum inflation_status inflation_run(struct inflation *inflation, struct inflation_buffers *buffers);

/// The CRC-32 of all decompressed bytes, unless the data is gzip.
uint32_t inflation_checksum(const struct inflation *inflation);

#pragma clang assume_nonnull end

#endif
