// The caller's memory: the detector's state, and behind it what Swift takes for its arrays. First fit; free neighbours are joined.
#include "pedometer_detector.h"

size_t pedometer_detector_state_size(void);
void pedometer_detector_begin(void *state);

enum { UNIT = 16 };
static uint8_t *first, *end;
static size_t used;
// For tests.
size_t pedometer_detector_most;

// A block begins with its size; the lowest bit says that it is free.
static size_t *head(uint8_t *block) { return (size_t *)block; }
static size_t size_of(uint8_t *block) { return *head(block) & ~(size_t)1; }
static int is_free(uint8_t *block) { return *head(block) & 1; }

int pedometer_detector_take(void **result, size_t alignment, size_t bytes) {
  const size_t need = UNIT + (bytes + UNIT - 1) / UNIT * UNIT + (alignment > UNIT ? alignment : 0);
  for (uint8_t *block = first; block < end; block += size_of(block)) {
    if (!is_free(block)) continue;
    size_t size = size_of(block);
    while (block + size < end && is_free(block + size)) size += size_of(block + size);
    if (size >= need + 2 * UNIT) {
      *head(block + need) = (size - need) | 1;
      size = need;
    }
    *head(block) = size | 1;
    if (size < need) continue;
    *head(block) = size;
    uintptr_t data = (uintptr_t)block + UNIT;
    if (alignment > UNIT) data = (data + alignment - 1) / alignment * alignment;
    ((uint8_t **)data)[-1] = block;
    used += size;
    if (used > pedometer_detector_most) pedometer_detector_most = used;
    *result = (void *)data;
    return 0;
  }
  return 12;  // ENOMEM
}

void pedometer_detector_release(void *data) {
  if (!data) return;
  uint8_t *block = ((uint8_t **)data)[-1];
  used -= size_of(block);
  *head(block) |= 1;
}

pedometer_detector *pedometer_detector_init(void *memory, size_t size) {
  if (!memory || size < PEDOMETER_DETECTOR_MEMORY) return NULL;
  uintptr_t state = ((uintptr_t)memory + 63) / 64 * 64;
  first = (uint8_t *)((state + pedometer_detector_state_size() + UNIT - 1) / UNIT * UNIT);
  end = (uint8_t *)(((uintptr_t)memory + size) / UNIT * UNIT);
  *head(first) = (size_t)(end - first) | 1;
  pedometer_detector_begin((void *)state);
  return (pedometer_detector *)state;
}
