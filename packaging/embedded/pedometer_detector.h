/* The step detector for a microcontroller, without an operating system and without a heap.

   static uint64_t memory[PEDOMETER_DETECTOR_MEMORY / 8];

   pedometer_detector *detector = pedometer_detector_init(memory, sizeof memory);
   for (;;) {
     // 20 to 100 times a second, in g
     uint32_t new_steps = pedometer_detector_add(detector, nanoseconds, x, y, z);
     total += new_steps;
   }

   The archive needs memcpy, memmove, memset and the functions of <math.h>. All its memory is the caller's, and it never
   needs more than that. Not for several threads at once. */
#ifndef PEDOMETER_DETECTOR_H
#define PEDOMETER_DETECTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that are enough for any samples. */
#define PEDOMETER_DETECTOR_MEMORY (160 * 1024)

typedef struct pedometer_detector pedometer_detector;

/* Begins to count; once in a program. NULL: less than PEDOMETER_DETECTOR_MEMORY bytes. */
pedometer_detector *pedometer_detector_init(void *memory, size_t size);

/* Takes a sample: its time on a clock that rises, and the acceleration in g on three axes, with gravity, in any orientation. A gap of more than a
   second ends a walk's rhythm.
   Returns the number of new steps. A step is known up to six seconds after the foot strikes. */
uint32_t pedometer_detector_add(pedometer_detector *detector, int64_t nanoseconds, float x, float y, float z);

/* Decides the steps that are still open, before a sleep or at the end. Returns the number of new steps. Samples may follow. */
uint32_t pedometer_detector_finish(pedometer_detector *detector);

/* The time of a new step of the latest call of add or finish, in nanoseconds; the first one has the index 0. INT64_MIN: there is no such step. */
int64_t pedometer_detector_step(const pedometer_detector *detector, uint32_t index);

/* Forgets all samples and begins anew. */
void pedometer_detector_reset(pedometer_detector *detector);

#ifdef __cplusplus
}
#endif
#endif
