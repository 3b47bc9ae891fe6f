#include "DenseRows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#define INLINE static inline __attribute__((always_inline)) AVX2

bool can_read_dense_rows(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("lzcnt");
}

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

struct number {
  /// One digit per byte, the last digit in the highest byte, padded with zeros; more than 9 for a byte that is not a
  /// digit.
  __m128i digits;
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
  const __m128i bytes = _mm_loadu_si128((const __m128i *)(text + number.minus));
  const uint64_t index = before * WIDEST + length - number.minus * (WIDEST + 1);
  const __m128i squeezer = _mm_loadu_si128((const __m128i *)squeezers[index]);
  number.digits = _mm_shuffle_epi8(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), squeezer);
  return number;
}

/// Joins four numbers of eight digits each, two per register.
INLINE __m128i join(__m128i ab, __m128i cd) {
  const __m128i tens = _mm_set1_epi16(1 << 8 | 10), hundreds = _mm_set1_epi32(1 << 16 | 100);
  ab = _mm_madd_epi16(_mm_maddubs_epi16(ab, tens), hundreds);
  cd = _mm_madd_epi16(_mm_maddubs_epi16(cd, tens), hundreds);
  return _mm_madd_epi16(_mm_packus_epi32(ab, cd), _mm_set1_epi32(1 << 16 | 10000));
}

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

AVX2 void read_dense_rows(struct dense_rows *rows) {
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
      uint64_t length = _tzcnt_u64(window.ends);
      const uint64_t before = _tzcnt_u64(window.marks);
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
    __m128 axes;
    if (is_short) {
      const __m128i xy = _mm_unpackhi_epi64(numbers[1].digits, numbers[2].digits);
      const __m128i zt = _mm_unpackhi_epi64(numbers[3].digits, numbers[0].digits);
      // Rejects more than eight digits of an axis, and bytes that are not digits in the axes or in the first eight
      // digits of a time.
      const __m128i high = _mm_or_si128(_mm_or_si128(numbers[1].digits, numbers[2].digits), numbers[3].digits);
      const __m128i all = _mm_max_epu8(_mm_max_epu8(xy, zt), numbers[0].digits);
      const __m128i nines = _mm_set1_epi8(9);
      const bool are_digits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(all, nines), nines)) == 0xFFFF;
      is_short = are_digits && _mm_cvtsi128_si64(high) == 0;
      if (is_short) {
        const __m128i joined = join(xy, zt);
        int64_t time = (uint32_t)_mm_extract_epi32(joined, 3);
        if (_mm_cvtsi128_si64(numbers[0].digits) != 0) {
          const __m128i first = join(_mm_unpacklo_epi64(numbers[0].digits, numbers[0].digits), nines);
          time += (int64_t)(uint32_t)_mm_cvtsi128_si32(first) * 100000000;
        }
        if (!stamp(rows, numbers[0].minus ? -time : time, numbers[0].behind, &nanoseconds)) break;
        const __m256d factors =
            _mm256_set_pd(0, scales[numbers[3].behind], scales[numbers[2].behind], scales[numbers[1].behind]);
        const __m128i signs = _mm_slli_epi32(
            _mm_set_epi32(0, (int)numbers[3].minus, (int)numbers[2].minus, (int)numbers[1].minus), 31);
        const __m256d products = _mm256_mul_pd(_mm256_cvtepi32_pd(joined), factors);
        axes = _mm_xor_ps(_mm256_cvtpd_ps(products), _mm_castsi128_ps(signs));
      }
    }
    if (!is_short) {
      float acceleration[4];
      at = line;
      if (!read_long_row(rows, &at, &nanoseconds, acceleration)) break;
      axes = _mm_loadu_ps(acceleration);
    }
    if (!accepts(rows, last, nanoseconds)) break;
    if (nanoseconds == last) {
      if (rows->repeats++ == 0) rows->first_repeat = rows->rows;
    } else {
      _mm_storeu_ps(next->acceleration, axes);
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
