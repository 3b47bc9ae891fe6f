#include "CReference.h"

#include <math.h>

struct biquad {
  float b0, b1, b2, a1, a2;
};

// Butterworth band-pass of second order, 1.2-2.5 Hz at 100 Hz.
static const struct biquad first = {0.00157611f, 0.00315221f, 0.00157611f, -1.90997444f, 0.92960300f};
static const struct biquad second = {1.0f, -2.0f, 1.0f, -1.95163472f, 0.95837402f};

static inline float apply(const struct biquad *c, float s[2], float x) {
  float y = c->b0 * x + s[0];
  s[0] = c->b1 * x - c->a1 * y + s[1];
  s[1] = c->b2 * x - c->a2 * y;
  return y;
}

int64_t reference_count_steps(const struct reference_sample *samples, size_t count) {
  float state1[2] = {0, 0}, state2[2] = {0, 0};
  float before = 0, top = 0;
  int64_t latest = INT64_MIN / 2, steps = 0;
  int armed = 0;
  for (size_t i = 0; i < count; i++) {
    const float *a = samples[i].acceleration;
    float magnitude = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    float y = apply(&second, state2, apply(&first, state1, magnitude - 1));
    if (y < -0.01f) armed = 1;
    if (armed && top > 0.02f && top >= y && top > before && samples[i].nanoseconds - latest > 250000000) {
      steps++;
      latest = samples[i].nanoseconds;
      armed = 0;
    }
    before = top;
    top = y;
  }
  return steps;
}

int64_t reference_read_digits(const char *bytes, size_t count) {
  int64_t sum = 0, mantissa = 0, decimals = 0;
  int negative = 0, fraction = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned digit = (unsigned)(unsigned char)bytes[i] - '0';
    if (digit < 10) {
      mantissa = mantissa * 10 + digit;
      decimals += fraction;
    } else if (bytes[i] == '.') {
      fraction = 1;
    } else if (bytes[i] == '-') {
      negative = 1;
    } else {
      sum += (negative ? -mantissa : mantissa) + decimals;
      mantissa = decimals = 0;
      negative = fraction = 0;
    }
  }
  return sum;
}
