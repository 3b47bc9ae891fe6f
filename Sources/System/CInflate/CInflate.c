#include "CInflate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Debian has ISA-L for the processors on which it is faster; elsewhere there may be no header either.
#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
#define HAS_ISAL 1
#else
#define HAS_ISAL 0
#endif

#if HAS_ISAL
static __typeof__(&isal_inflate_init) found_init;
static __typeof__(&isal_inflate_reset) found_reset;
static __typeof__(&isal_inflate) found_inflate;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The name with the ABI version, on which the layout of the state depends.
  void *library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  found_init = (__typeof__(found_init))dlsym(library, "isal_inflate_init");
  found_reset = (__typeof__(found_reset))dlsym(library, "isal_inflate_reset");
  found_inflate = (__typeof__(found_inflate))dlsym(library, "isal_inflate");
  is_loaded = found_init && found_reset && found_inflate;
}

bool inflation_has_isal(void) {
  pthread_once(&once, load);
  return is_loaded;
}
#else
bool inflation_has_isal(void) { return false; }
#endif

struct inflation {
  bool is_gzip;
  bool is_damaged;
  uint32_t checksum;
  z_stream zlib;
#if HAS_ISAL
  /// NULL if zlib decompresses.
  struct inflate_state *isal;
#endif
};

struct inflation *inflation_new(bool is_gzip, bool avoids_isal) {
  struct inflation *inflation = calloc(1, sizeof *inflation);
  if (!inflation) return NULL;
  inflation->is_gzip = is_gzip;
#if HAS_ISAL
  if (!avoids_isal && inflation_has_isal()) {
    inflation->isal = malloc(sizeof *inflation->isal);
    if (inflation->isal) {
      found_init(inflation->isal);
      inflation->isal->crc_flag = is_gzip ? ISAL_GZIP : ISAL_GZIP_NO_HDR;
      return inflation;
    }
  }
#else
  (void)avoids_isal;
#endif
  // 15: the largest window; negative: without a header; 16 more: gzip.
  if (inflateInit2(&inflation->zlib, is_gzip ? 15 + 16 : -15) == Z_OK) return inflation;
  free(inflation);
  return NULL;
}

void inflation_free(struct inflation *inflation) {
#if HAS_ISAL
  if (inflation->isal) free(inflation->isal);
  else
#endif
    inflateEnd(&inflation->zlib);
  free(inflation);
}

void inflation_reset(struct inflation *inflation) {
  inflation->is_damaged = false;
  inflation->checksum = 0;
#if HAS_ISAL
  if (inflation->isal) found_reset(inflation->isal);
  else
#endif
    inflateReset(&inflation->zlib);
}

/// What fits into one call of the libraries.
static uint32_t capped(size_t count) { return count < 1 << 30 ? (uint32_t)count : 1 << 30; }

static void advance(struct inflation_buffers *buffers, size_t taken, size_t made) {
  buffers->input += taken;
  buffers->input_count -= taken;
  buffers->output += made;
  buffers->output_count -= made;
}

#if HAS_ISAL
static enum inflation_status run_isal(struct inflation *inflation, struct inflation_buffers *buffers) {
  struct inflate_state *isal = inflation->isal;
  if (!inflation->is_damaged) {
    const uint32_t count = capped(buffers->input_count), room = capped(buffers->output_count);
    isal->next_in = (uint8_t *)buffers->input;
    isal->avail_in = count;
    isal->next_out = buffers->output;
    isal->avail_out = room;
    const int code = found_inflate(isal);
    size_t taken = count - isal->avail_in;
    inflation->is_damaged = code != ISAL_DECOMP_OK;
    if (inflation->is_damaged) {
      // Bits that it has read ahead may be the beginning of the next member.
      const size_t ahead = isal->read_in_length > 0 ? (size_t)isal->read_in_length / 8 : 0;
      taken -= ahead < taken ? ahead : taken;
    }
    advance(buffers, taken, room - isal->avail_out);
    inflation->checksum = isal->crc;
    if (!inflation->is_damaged) return isal->block_state == ISAL_BLOCK_FINISH ? INFLATION_ENDED : INFLATION_GOES_ON;
  }
  // It keeps what it decompressed before the damage and had no room for.
  const int32_t kept = isal->tmp_out_valid - isal->tmp_out_processed;
  const size_t waiting = kept > 0 ? (size_t)kept : 0;
  const size_t count = waiting < buffers->output_count ? waiting : buffers->output_count;
  memcpy(buffers->output, isal->tmp_out_buffer + isal->tmp_out_processed, count);
  isal->tmp_out_processed += (int32_t)count;
  advance(buffers, 0, count);
  return count < waiting ? INFLATION_GOES_ON : INFLATION_DAMAGED;
}
#endif

enum inflation_status inflation_run(struct inflation *inflation, struct inflation_buffers *buffers) {
#if HAS_ISAL
  if (inflation->isal) return run_isal(inflation, buffers);
#endif
  z_stream *zlib = &inflation->zlib;
  const uint32_t count = capped(buffers->input_count), room = capped(buffers->output_count);
  zlib->next_in = (uint8_t *)buffers->input;
  zlib->avail_in = count;
  zlib->next_out = buffers->output;
  zlib->avail_out = room;
  const int code = inflate(zlib, Z_NO_FLUSH);
  const uint32_t made = room - zlib->avail_out;
  if (!inflation->is_gzip) inflation->checksum = (uint32_t)crc32(inflation->checksum, buffers->output, made);
  advance(buffers, count - zlib->avail_in, made);
  switch (code) {
    // Z_BUF_ERROR: no input or no room.
    case Z_OK: case Z_BUF_ERROR: return INFLATION_GOES_ON;
    case Z_STREAM_END: return INFLATION_ENDED;
    default: return INFLATION_DAMAGED;
  }
}

uint32_t inflation_checksum(const struct inflation *inflation) { return inflation->checksum; }
