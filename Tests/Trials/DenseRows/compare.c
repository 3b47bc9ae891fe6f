// Compares the row reader of this processor's vector instructions with the one that reads byte by byte, on random rows,
// most of them damaged in some way.
//
// usage: compare [ROUNDS]
//        compare vectors|bytes PASSES     only read 64 sound rows so often, for counting instructions
//        compare vectors|bytes ROWS     only reads that many sound rows, for counting instructions
#include "../../../Sources/System/CDigitMask/DenseRows.c"

#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 0x9E3779B97F4A7C15;

/// A random number below a limit (xorshift64*).
static unsigned below(unsigned limit) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned)((state * 0x2545F4914F6CDD1D) >> 33) % limit;
}

/// Reads rows as ``read_dense_rows``, but byte by byte.
static void read_plainly(struct dense_rows *rows) {
  while (rows->line < rows->end && rows->next < rows->limit) {
    const uint8_t *at = rows->line;
    int64_t nanoseconds;
    float acceleration[4];
    if (!read_long_row(rows, &at, &nanoseconds, acceleration) || !accepts(rows, rows->last, nanoseconds)) return;
    if (nanoseconds == rows->last && !rows->keeps_repeats) {
      if (rows->repeats++ == 0) rows->first_repeat = rows->rows;
    } else {
      memcpy(rows->next->acceleration, acceleration, sizeof acceleration);
      rows->next++->nanoseconds = nanoseconds + rows->offset;
      rows->last_but_one = rows->last;
      rows->last = nanoseconds;
    }
    rows->rows++;
    rows->line = at;
  }
}

enum { ROWS = 64, TEXT = ROWS * 128, SLACK = 256 };

static size_t number(char *text, char mark, unsigned hostile) {
  size_t length = 0;
  if (below(3) == 0) text[length++] = '-';
  unsigned whole = below(hostile ? 12 : 3), part = below(hostile ? 12 : 8);
  while (whole--) text[length++] = (char)('0' + below(10));
  if (part || below(4) == 0) text[length++] = mark;
  while (part--) text[length++] = (char)('0' + below(10));
  return length;
}

/// Rows with rising times, and damage in some of them.
static size_t write_rows(uint8_t *text, char delimiter, char mark, unsigned hostile) {
  static const char odd[] = "0123456789-+.,;:eE \t\r\n/\0\x7F\x80\xFF";
  size_t length = 0;
  unsigned time = below(2) ? below(1000) : 999990000;
  for (int row = 0; row < ROWS; row++) {
    char line[256];
    size_t count = (size_t)sprintf(line, "%u%c%02u", time / 100, mark, time % 100);
    time += below(12);
    for (int axis = 0; axis < 3; axis++) {
      line[count++] = delimiter;
      count += number(line + count, mark, hostile && below(4) == 0);
    }
    if (below(8) == 0) line[count++] = '\r';
    line[count++] = '\n';
    if (hostile && below(6) == 0) line[below((unsigned)count)] = odd[below(sizeof odd - 1)];
    if (count > 128) count = 128;
    memcpy(text + length, line, count);
    length += count;
  }
  return length;
}

/// Whether the masks of a window are those of its bytes: with wrong ones, rows would only take the slow way.
SIMD static bool classifies(void) {
  uint8_t text[64];
  for (int i = 0; i < 64; i++) text[i] = (uint8_t)(below(3) == 0 ? ",.\n;"[below(4)] : (char)below(256));
  const struct window window = classify(text, ',', '.');
  for (int i = 0; i < 64; i++) {
    if ((window.ends >> i & 1) != (text[i] == ',' || text[i] == '\n')) return false;
    if ((window.marks >> i & 1) != (text[i] == '.')) return false;
  }
  return true;
}

int main(int count, char **arguments) {
  const long rounds = count > 1 ? atol(arguments[count - 1]) : 20000;
  if (!can_read_dense_rows()) return puts("compare: this processor has no vector instructions for rows"), 77;
  int64_t ticks[11] = {1000000000};
  double scales[21] = {1};
  ticks[1] = 1000000000;
  scales[1] = 1;
  for (int i = 2; i < 11; i++) ticks[i] = ticks[i - 1] / 10;
  for (int i = 2; i < 21; i++) scales[i] = scales[i - 1] / 10;
  static uint8_t text[TEXT + SLACK];
  static struct dense_sample vector[ROWS], plain[ROWS];
  if (count > 2) {
    size_t length = 0;
    for (int i = 0; i < ROWS; i++) length += (size_t)sprintf((char *)text + length, "%d.%02d,0.123456,-0.%06d,0.98\n", i, i, i);
    for (long pass = 0; pass < rounds; pass++) {
      struct dense_rows rows = {
          .line = text, .end = text + length, .next = vector, .limit = vector + ROWS, .last = -1, .last_but_one = -1,
          .longest_step = INT64_MAX, .plain_end = INT64_MAX, .ticks = ticks, .scales = scales, .delimiter = ',', .mark = '.'};
      (arguments[1][0] == 'v' ? read_dense_rows : read_plainly)(&rows);
      if (rows.rows != ROWS) return puts("compare: a sound row was refused"), 1;
    }
    return 0;
  }
  long read = 0, refused = 0;
  for (long round = 0; round < rounds; round++) {
    if (!classifies()) return puts("compare: a window is classified wrongly"), 1;
    const unsigned hostile = below(4) > 0;
    const char delimiter = ",;\t "[below(4)], mark = delimiter == ',' || below(2) ? '.' : ',';
    memset(text, (int)below(256), sizeof text);
    const size_t length = write_rows(text, delimiter, mark, hostile);
    const struct dense_rows start = {
        .line = text, .end = text + length, .last = -1, .last_but_one = -1, .longest_step = INT64_C(100000000000000000),
        .plain_end = INT64_MAX, .offset = 7, .first_repeat = -1, .ticks = ticks, .scales = scales,
        .delimiter = (uint8_t)delimiter, .mark = (uint8_t)mark, .keeps_repeats = below(2)};
    // Behind a row that both refuse they go on, so that one of them does not hide the rest.
    for (const uint8_t *line = text; line < text + length;) {
      struct dense_rows a = start, b = start;
      a.line = b.line = line;
      memset(vector, 0, sizeof vector);
      memset(plain, 0, sizeof plain);
      a.next = vector, a.limit = vector + ROWS;
      b.next = plain, b.limit = plain + ROWS;
      read_dense_rows(&a);
      read_plainly(&b);
      if (a.line != b.line || a.rows != b.rows || a.repeats != b.repeats || a.first_repeat != b.first_repeat ||
          a.last != b.last || a.last_but_one != b.last_but_one || a.next - vector != b.next - plain ||
          memcmp(vector, plain, sizeof vector) != 0) {
        printf("compare: round %ld, byte %td: %lld rows by vectors, %lld byte by byte\n%.120s\n", round,
               b.line - text, (long long)a.rows, (long long)b.rows, (const char *)b.line);
        return 1;
      }
      read += a.rows;
      if (a.line >= text + length) break;
      const uint8_t *next = memchr(a.line, '\n', (size_t)(text + length - a.line));
      if (!next) break;
      refused++;
      line = next + 1;
    }
  }
  printf("compare: %ld rows read alike, %ld refused alike\n", read, refused);
  return read > 0 && refused > 0 ? 0 : 1;
}
