#pragma once
#include "DenseRows.h"
#include "Unpacking.h"
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// A bit mask of the bytes among 16 that are not decimal digits, starting with the lowest bit.
//
// C because Swift's SIMD types cannot express the instruction that collects one bit per byte (PMOVMSKB); with it, a row
// of a recording takes a handful of instructions. Header only, so that it is inlined.

#pragma clang assume_nonnull begin

static inline uint32_t non_digits16(const uint8_t *bytes) {
#if defined(__SSE2__)
  const __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  const __m128i distance = _mm_sub_epi8(text, _mm_set1_epi8('0'));
  // Unsigned: a digit is at most 9.
  const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(distance, _mm_set1_epi8(9)), distance);
  return (uint32_t)_mm_movemask_epi8(digits) ^ 0xFFFFu;
#else
  uint32_t bits = 0;
  for (int half = 0; half < 2; half++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * half, 8);
    word ^= 0x3030303030303030u;
    word = (((word & 0x7F7F7F7F7F7F7F7Fu) + 0x7676767676767676u) | word) & 0x8080808080808080u;
    bits |= (uint32_t)(((word >> 7) * 0x0102040810204080u) >> 56) << (8 * half);
  }
  return bits;
#endif
}

#pragma clang assume_nonnull end
