// Counts the samples of walk.bin (time in ns as int64, x, y, z in g as float, four bytes unused) and writes the time of each step.
#include "pedometer_detector.h"
#include <inttypes.h>
#include <stdio.h>

extern size_t pedometer_detector_most;
static uint64_t memory[PEDOMETER_DETECTOR_MEMORY / 8];

#ifdef TIMER
// The board's first timer, at 25 MHz; with QEMU's -icount shift=0 an instruction takes a nanosecond.
static volatile uint32_t *const timer = (volatile uint32_t *)0x40000000;
static uint32_t now(void) { return ~timer[1]; }
#else
static uint32_t now(void) { return 0; }
#endif

static void tell(pedometer_detector *detector, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i += 1) {
    int64_t time = pedometer_detector_step(detector, i);
    printf("%" PRId32 ".%09" PRId32 "\n", (int32_t)(time / 1000000000), (int32_t)(time % 1000000000));
  }
}

int main(void) {
  struct { int64_t time; float x, y, z, unused; } sample;
#ifdef TIMER
  timer[2] = 0xFFFFFFFF;
  timer[0] = 1;
#endif
  pedometer_detector *detector = pedometer_detector_init(memory, sizeof memory);
  if (!detector || pedometer_detector_init(memory, 1000)) return 1;
  const size_t state = pedometer_detector_most;
  FILE *file = fopen("walk.bin", "rb");
  if (!file) return 2;
  uint32_t samples = 0;
  uint64_t ticks = 0;
  size_t early = 0;
  while (fread(&sample, sizeof sample, 1, file) == 1) {
    const uint32_t begin = now();
    const uint32_t steps = pedometer_detector_add(detector, sample.time, sample.x, sample.y, sample.z);
    ticks += now() - begin;
    tell(detector, steps);
    samples += 1;
    if (samples == 500) early = pedometer_detector_most;
  }
  tell(detector, pedometer_detector_finish(detector));
  fprintf(stderr, "%u samples, %u instructions each; %u bytes of memory at the beginning, %u more in 500 samples, %u more later\n", (unsigned)samples,
    (unsigned)(ticks * 40 / (samples ? samples : 1)), (unsigned)state, (unsigned)(early - state), (unsigned)(pedometer_detector_most - early));
  return 0;
}
