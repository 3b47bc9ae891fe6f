#include "DenseRows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define SIMD __attribute__((target("avx2,bmi,bmi2,lzcnt")))

bool can_read_dense_rows(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("lzcnt");
}
#elif defined(__aarch64__)
#include <arm_neon.h>
#define SIMD

bool can_read_dense_rows(void) { return true; }
#endif

#ifdef SIMD
#include <string.h>

#define INLINE static inline __attribute__((always_inline)) SIMD

enum { WIDEST = 16 };

/// Shuffle masks by the number of bytes before the decimal mark and in all: they right-align the digits and drop the
/// mark. For a mark alone, the mask selects the mark, and for an empty field the delimiter after it; neither is a
/// digit.
static uint8_t squeezers[(WIDEST + 1) * WIDEST + 1][16];

__attribute__((constructor)) static void make_squeezers(void) {
  for (int before = 0; before <= WIDEST; before++)
    for (int length = before > 1 ? before : 1; length <= WIDEST; length++) {
      uint8_t *to = squeezers[before * WIDEST + length];
      int place = WIDEST;
      for (int i = length - 1; i >= 0; i--)
        if (i != before || length == 1) to[--place] = (uint8_t)i;
      while (place > 0) to[--place] = 0x80;
    }
}

/// Bit masks of a window: bytes that end a number, and decimal marks.
struct window {
  uint64_t ends, marks;
};

typedef float four_floats __attribute__((ext_vector_type(4)));
typedef uint32_t four_words __attribute__((ext_vector_type(4)));

#if defined(__x86_64__)
typedef __m128i digits16;

INLINE struct window classify(const uint8_t *text, uint8_t delimiter, uint8_t mark) {
  struct window window = {0, 0};
  for (int i = 0; i < 2; i++) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + 32 * i));
    const __m256i ends = _mm256_or_si256(
        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8((char)delimiter)), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n')));
    const __m256i marks = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8((char)mark));
    window.ends |= (uint64_t)(uint32_t)_mm256_movemask_epi8(ends) << (32 * i);
    window.marks |= (uint64_t)(uint32_t)_mm256_movemask_epi8(marks) << (32 * i);
  }
  return window;
}

/// The digits of 16 bytes, moved by a mask of ``squeezers``.
INLINE digits16 squeeze(const uint8_t *text, const uint8_t *squeezer) {
  const __m128i bytes = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)text), _mm_set1_epi8('0'));
  return _mm_shuffle_epi8(bytes, _mm_loadu_si128((const __m128i *)squeezer));
}

INLINE bool are_digits(digits16 digits) {
  const __m128i nines = _mm_set1_epi8(9);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(digits, nines), nines)) == 0xFFFF;
}

INLINE digits16 either(digits16 a, digits16 b) { return _mm_or_si128(a, b); }
INLINE digits16 larger(digits16 a, digits16 b) { return _mm_max_epu8(a, b); }
INLINE digits16 low_halves(digits16 a, digits16 b) { return _mm_unpacklo_epi64(a, b); }
INLINE digits16 high_halves(digits16 a, digits16 b) { return _mm_unpackhi_epi64(a, b); }
INLINE bool has_low_half(digits16 digits) { return _mm_cvtsi128_si64(digits) != 0; }
INLINE uint32_t first_of(__m128i numbers) { return (uint32_t)_mm_cvtsi128_si32(numbers); }
INLINE uint32_t last_of(__m128i numbers) { return (uint32_t)_mm_extract_epi32(numbers, 3); }

/// Joins four numbers of eight digits each, two per register.
INLINE __m128i join(digits16 ab, digits16 cd) {
  const __m128i tens = _mm_set1_epi16(1 << 8 | 10), hundreds = _mm_set1_epi32(1 << 16 | 100);
  ab = _mm_madd_epi16(_mm_maddubs_epi16(ab, tens), hundreds);
  cd = _mm_madd_epi16(_mm_maddubs_epi16(cd, tens), hundreds);
  return _mm_madd_epi16(_mm_packus_epi32(ab, cd), _mm_set1_epi32(1 << 16 | 10000));
}

/// The first three numbers times their scales, in double precision, and zero.
INLINE four_floats scaled(__m128i numbers, double x, double y, double z) {
  const __m256d products = _mm256_mul_pd(_mm256_cvtepi32_pd(numbers), _mm256_set_pd(0, z, y, x));
  return (four_floats)_mm256_cvtpd_ps(products);
}
#else
typedef uint8x16_t digits16;

/// A bit for each byte of 64 that is all ones.
INLINE uint64_t bits_of(const uint8x16_t bytes[4]) {
  const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  const uint8x16_t a = vpaddq_u8(vandq_u8(bytes[0], bits), vandq_u8(bytes[1], bits));
  const uint8x16_t b = vpaddq_u8(vandq_u8(bytes[2], bits), vandq_u8(bytes[3], bits));
  const uint8x16_t sums = vpaddq_u8(a, b);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

INLINE struct window classify(const uint8_t *text, uint8_t delimiter, uint8_t mark) {
  uint8x16_t ends[4], marks[4];
  for (int i = 0; i < 4; i++) {
    const uint8x16_t bytes = vld1q_u8(text + 16 * i);
    ends[i] = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8(delimiter)), vceqq_u8(bytes, vdupq_n_u8('\n')));
    marks[i] = vceqq_u8(bytes, vdupq_n_u8(mark));
  }
  return (struct window){bits_of(ends), bits_of(marks)};
}

INLINE digits16 squeeze(const uint8_t *text, const uint8_t *squeezer) {
  return vqtbl1q_u8(vsubq_u8(vld1q_u8(text), vdupq_n_u8('0')), vld1q_u8(squeezer));
}

INLINE bool are_digits(digits16 digits) { return vmaxvq_u8(digits) <= 9; }
INLINE digits16 either(digits16 a, digits16 b) { return vorrq_u8(a, b); }
INLINE digits16 larger(digits16 a, digits16 b) { return vmaxq_u8(a, b); }
INLINE digits16 low_halves(digits16 a, digits16 b) { return vcombine_u8(vget_low_u8(a), vget_low_u8(b)); }
INLINE digits16 high_halves(digits16 a, digits16 b) { return vcombine_u8(vget_high_u8(a), vget_high_u8(b)); }
INLINE bool has_low_half(digits16 digits) { return vgetq_lane_u64(vreinterpretq_u64_u8(digits), 0) != 0; }
INLINE uint32_t first_of(uint32x4_t numbers) { return vgetq_lane_u32(numbers, 0); }
INLINE uint32_t last_of(uint32x4_t numbers) { return vgetq_lane_u32(numbers, 3); }

INLINE uint32x4_t join(digits16 ab, digits16 cd) {
  const uint8x16_t pairs = vmlaq_u8(vuzp2q_u8(ab, cd), vuzp1q_u8(ab, cd), vdupq_n_u8(10));
  const uint8x8_t hundreds = vreinterpret_u8_u16(vdup_n_u16(1 << 8 | 100));
  const uint16x8_t fours = vpaddq_u16(vmull_u8(vget_low_u8(pairs), hundreds), vmull_u8(vget_high_u8(pairs), hundreds));
  const uint16x4_t thousands = vreinterpret_u16_u32(vdup_n_u32(1 << 16 | 10000));
  return vpaddq_u32(vmull_u16(vget_low_u16(fours), thousands), vmull_u16(vget_high_u16(fours), thousands));
}

INLINE four_floats scaled(uint32x4_t numbers, double x, double y, double z) {
  const float64x2_t xy = vmulq_f64(vcvtq_f64_u64(vmovl_u32(vget_low_u32(numbers))), (float64x2_t){x, y});
  const float64x2_t zt = vmulq_f64(vcvtq_f64_u64(vmovl_u32(vget_high_u32(numbers))), (float64x2_t){z, 0});
  return (four_floats)vcvt_high_f32_f64(vcvt_f32_f64(xy), zt);
}
#endif

struct number {
  /// One digit per byte, the last digit in the highest byte, padded with zeros; more than 9 for a byte that is not a
  /// digit.
  digits16 digits;
  uint32_t minus;
  /// The number of bytes from the mark on; 0 without a mark.
  uint64_t behind;
};

/// Reads the number of `length` bytes, 1 to 16, at `text`.
INLINE struct number take(const uint8_t *text, uint64_t length, uint64_t before) {
  struct number number;
  before = before < length ? before : length;
  number.minus = text[0] == '-';
  number.behind = length - before;
  const uint64_t index = before * WIDEST + length - number.minus * (WIDEST + 1);
  number.digits = squeeze(text + number.minus, squeezers[index]);
  return number;
}

/// The position of the lowest bit; 64 if there is none.
INLINE uint64_t lowest(uint64_t bits) { return bits ? (uint64_t)__builtin_ctzll(bits) : 64; }

/// Converts a time's digits to a timestamp; returns whether it is valid.
static inline bool stamp(const struct dense_rows *rows, int64_t number, uint64_t behind, int64_t *nanoseconds) {
  return behind < 11 && rows->ticks[behind] != 0 &&
         !__builtin_mul_overflow(number, rows->ticks[behind], nanoseconds) && *nanoseconds < INT64_C(1) << 62 &&
         *nanoseconds > -(INT64_C(1) << 61);
}

/// Whether it is the time of the next sample, or a repetition of the last.
static inline bool accepts(const struct dense_rows *rows, int64_t last, int64_t nanoseconds) {
  return (uint64_t)nanoseconds - (uint64_t)last <= (uint64_t)rows->longest_step && nanoseconds <= rows->plain_end;
}

/// Reads a number of up to 18 digits byte by byte, and the byte that ends it.
static bool read_number(
    const struct dense_rows *rows, const uint8_t **at, bool is_last, double *sign, int64_t *number, uint64_t *behind) {
  const uint8_t *text = *at, *mark = NULL;
  *sign = *text == '-' ? -1 : 1;
  text += *text == '-';
  const uint8_t *const widest = text + 64;
  int64_t value = 0;
  bool has_digits = false;
  for (;; text++) {
    const unsigned digit = *text - (unsigned)'0';
    if (digit <= 9) {
      if (value >= INT64_C(100000000000000000) || text == widest) return false;
      value = value * 10 + digit;
      has_digits = true;
    } else if (*text == rows->mark && !mark) {
      mark = text;
    } else {
      break;
    }
  }
  *number = value;
  *behind = mark ? (uint64_t)(text - mark) : 0;
  if (is_last && *text == '\r') text++;
  *at = text + 1;
  return has_digits && *behind <= 20 && *text == (is_last ? '\n' : rows->delimiter);
}

/// Reads a row that is too long for the registers; returns whether it is a row.
__attribute__((noinline)) static bool
read_long_row(const struct dense_rows *rows, const uint8_t **line, int64_t *nanoseconds, float acceleration[4]) {
  double sign;
  int64_t number;
  uint64_t behind;
  if (!read_number(rows, line, false, &sign, &number, &behind)) return false;
  if (!stamp(rows, sign < 0 ? -number : number, behind, nanoseconds)) return false;
  for (int axis = 0; axis < 3; axis++) {
    if (!read_number(rows, line, axis == 2, &sign, &number, &behind)) return false;
    acceleration[axis] = (float)(sign * ((double)number * rows->scales[behind]));
  }
  acceleration[3] = 0;
  return true;
}

SIMD void read_dense_rows(struct dense_rows *rows) {
  const uint8_t *line = rows->line;
  const uint8_t *const end = rows->end;
  struct dense_sample *next = rows->next;
  struct dense_sample *const limit = rows->limit;
  const uint8_t delimiter = rows->delimiter, mark = rows->mark;
  const double *const scales = rows->scales;
  int64_t last = rows->last, last_but_one = rows->last_but_one;
  while (line < end && next < limit) {
    struct window window = classify(line, delimiter, mark);
    const uint8_t *at = line;
    struct number numbers[4];
    bool is_short = true;
    for (int i = 0; i < 4; i++) {
      uint64_t length = lowest(window.ends);
      const uint64_t before = lowest(window.marks);
      const uint8_t *const stop = at + length;
      if (i == 3 && length <= WIDEST) length -= stop[-1] == '\r';
      if (length - 1 >= WIDEST || *stop != (i < 3 ? delimiter : '\n')) {
        is_short = false;
        break;
      }
      numbers[i] = take(at, length, before);
      window.ends = window.ends >> (stop - at) >> 1;
      window.marks = window.marks >> (stop - at) >> 1;
      at = stop + 1;
    }
    int64_t nanoseconds;
    four_floats axes;
    if (is_short) {
      const digits16 xy = high_halves(numbers[1].digits, numbers[2].digits);
      const digits16 zt = high_halves(numbers[3].digits, numbers[0].digits);
      // Rejects more than eight digits of an axis, and bytes that are not digits in the axes or in the first eight
      // digits of a time.
      const digits16 high = either(either(numbers[1].digits, numbers[2].digits), numbers[3].digits);
      is_short = are_digits(larger(larger(xy, zt), numbers[0].digits)) && !has_low_half(high);
      if (is_short) {
        const __auto_type joined = join(xy, zt);
        int64_t time = last_of(joined);
        if (has_low_half(numbers[0].digits)) {
          const digits16 first = low_halves(numbers[0].digits, numbers[0].digits);
          time += (int64_t)first_of(join(first, first)) * 100000000;
        }
        if (!stamp(rows, numbers[0].minus ? -time : time, numbers[0].behind, &nanoseconds)) break;
        axes = scaled(joined, scales[numbers[1].behind], scales[numbers[2].behind], scales[numbers[3].behind]);
        const four_words signs = {numbers[1].minus, numbers[2].minus, numbers[3].minus, 0};
        axes = (four_floats)((four_words)axes ^ signs << 31);
      }
    }
    if (!is_short) {
      float acceleration[4];
      at = line;
      if (!read_long_row(rows, &at, &nanoseconds, acceleration)) break;
      memcpy(&axes, acceleration, sizeof axes);
    }
    if (!accepts(rows, last, nanoseconds)) break;
    if (nanoseconds == last && !rows->keeps_repeats) {
      if (rows->repeats++ == 0) rows->first_repeat = rows->rows;
    } else {
      memcpy(next->acceleration, &axes, sizeof axes);
      next->nanoseconds = nanoseconds + rows->offset;
      next++;
      last_but_one = last;
      last = nanoseconds;
    }
    rows->rows++;
    line = at;
  }
  rows->line = line;
  rows->next = next;
  rows->last = last;
  rows->last_but_one = last_but_one;
}
#else
bool can_read_dense_rows(void) { return false; }
void read_dense_rows(struct dense_rows *rows) { (void)rows; }
#endif
