#include "CReference.h"

#include <math.h>
#include <string.h>

struct biquad {
  float b0, b1, b2, a1, a2;
};

// At 100 Hz: Butterworth high-pass of second order at 0.5 Hz, low-pass of fourth order at 3 Hz.
static const struct biquad sections[3] = {
    {0.97803048f, -1.95606096f, 0.97803048f, -1.95557824f, 0.95654368f},
    {0.00006239f, 0.00012477f, 0.00006239f, -1.67466095f, 0.70485868f},
    {1.00000000f, 2.00000000f, 1.00000000f, -1.83312526f, 0.86618045f},
};

static inline float apply(const struct biquad *c, float s[2], float x) {
  float y = c->b0 * x + s[0];
  s[0] = c->b1 * x - c->a1 * y + s[1];
  s[1] = c->b2 * x - c->a2 * y;
  return y;
}

int64_t reference_count_steps(const struct reference_sample *samples, size_t count) {
  float state[3][2] = {{0}};
  float before = 0, top = 0, height = 0.05f;
  int64_t latest = INT64_MIN / 2, steps = 0;
  int armed = 0;
  for (size_t i = 0; i < count; i++) {
    const float *a = samples[i].acceleration;
    float magnitude = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    float y = magnitude - 1;
    for (int k = 0; k < 3; k++) y = apply(&sections[k], state[k], y);
    float threshold = 0.3f * height > 0.01f ? 0.3f * height : 0.01f;
    if (y < -threshold) armed = 1;
    if (armed && top > threshold && top >= y && top > before && samples[i].nanoseconds - latest > 250000000) {
      steps++;
      latest = samples[i].nanoseconds;
      height += 0.2f * (top - height);
      armed = 0;
    }
    // Without steps the expected height decreases, so that a soft walk is detected after a vigorous one.
    height *= 0.9995f;
    before = top;
    top = y;
  }
  return steps;
}

static const double powers[] = {1,    1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,  1e-9,
                                1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19};

double reference_read_digits(struct reference_number *number, const char *bytes, size_t count) {
  struct reference_number n = *number;
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned digit = (unsigned)(unsigned char)bytes[i] - '0';
    if (digit < 10) {
      n.mantissa = n.mantissa * 10 + digit;
      n.decimals += n.fraction;
    } else if (bytes[i] == '.') {
      n.fraction = 1;
    } else if (bytes[i] == '-') {
      n.negative = 1;
    } else {
      double value = (double)n.mantissa * powers[n.decimals < 20 ? n.decimals : 19];
      sum += n.negative ? -value : value;
      n = (struct reference_number){0};
    }
  }
  *number = n;
  return sum;
}

static inline int64_t number(const uint8_t *scan, const struct reference_field *f) {
  uint64_t stored = 0;
  uint16_t two;
  uint32_t four;
  switch (f->bytes) {
  case 1: stored = scan[f->offset]; break;
  case 2:
    memcpy(&two, scan + f->offset, 2);
    stored = f->big_endian ? __builtin_bswap16(two) : two;
    break;
  case 4:
    memcpy(&four, scan + f->offset, 4);
    stored = f->big_endian ? __builtin_bswap32(four) : four;
    break;
  default:
    memcpy(&stored, scan + f->offset, 8);
    if (f->big_endian) stored = __builtin_bswap64(stored);
  }
  int up = 64 - f->bits;
  stored = stored >> f->shift << up;
  return f->is_signed ? (int64_t)stored >> up : (int64_t)(stored >> up);
}

void reference_decode_scans(
    const uint8_t *bytes, size_t count, size_t size, const struct reference_field fields[4], const float scale[3],
    const float matrix[9], struct reference_sample *samples) {
  for (size_t i = 0; i < count; i++, bytes += size) {
    float v[3];
    for (int k = 0; k < 3; k++) v[k] = (float)number(bytes, &fields[k]) * scale[k];
    for (int k = 0; k < 3; k++)
      samples[i].acceleration[k] = matrix[3 * k] * v[0] + matrix[3 * k + 1] * v[1] + matrix[3 * k + 2] * v[2];
    samples[i].acceleration[3] = 0;
    samples[i].nanoseconds = number(bytes, &fields[3]);
  }
}

size_t reference_assemble_frames(
    const struct reference_event *events, size_t count, float scale, struct reference_sample *samples) {
  int32_t axes[3] = {0};
  size_t frames = 0;
  for (size_t i = 0; i < count; i++) {
    const struct reference_event *e = &events[i];
    if (e->type == 3 && e->code < 3) {
      axes[e->code] = e->value;
    } else if (e->type == 0 && e->code == 0) {
      struct reference_sample *s = &samples[frames++];
      for (int k = 0; k < 3; k++) s->acceleration[k] = (float)axes[k] * scale;
      s->acceleration[3] = 0;
      s->nanoseconds = e->nanoseconds;
    }
  }
  return frames;
}
