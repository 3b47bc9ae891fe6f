/* motion.h - the motion of a virtual sensor: a synthetic walk with known steps, or a recording. */
#ifndef MOTION_H
#define MOTION_H
#include "options.h"

#include <stddef.h>

struct track { double (*row)[4]; size_t count; }; /* t (s, from 0), x, y, z (g) */

struct motion {
	const struct options *options;
	struct track track;
	size_t at;          /* the track's row in use */
	double time;        /* s of movement so far, lead included */
	bool begun;         /* false: at rest, time does not advance */
	bool frozen;
	unsigned random;
	double last[3];
};

/* Reads the recording, if there is one; exits with status 2 if it is invalid. */
void motion_open(struct motion *m, const struct options *o);

/* Seconds to the next sample: of the recording itself (own_pace), or 1/rate. */
double motion_interval(const struct motion *m, double rate, bool own_pace);

/* Advances by dt seconds and returns the acceleration in g. Returns false after the walk and tail. */
bool motion_advance(struct motion *m, double dt, double g[3]);

/* Whether the walk or the recording has ended (the tail may continue). */
bool motion_walked(const struct motion *m);

/* Stops the walker at the nearest end of a step (the device is unplugged), so that no step is split. */
void motion_pause(struct motion *m);

#endif
