/* motion.h - how the virtual sensor is moved: a synthetic walk of known truth, or a recording played. */
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
	bool begun;         /* false: at rest, time stands still */
	bool frozen;
	unsigned random;
	double last[3];
};

/* Reads the recording, when there is one; ends the program with status 2 when it is not good. */
void motion_open(struct motion *m, const struct options *o);

/* Seconds to the next sample: of the recording itself (own_pace), or 1/rate. */
double motion_interval(const struct motion *m, double rate, bool own_pace);

/* Moves on by dt seconds and gives the acceleration in g. Returns false when walk and tail are over. */
bool motion_advance(struct motion *m, double dt, double g[3]);

/* The walk or the recording is behind us (the tail may still be going on). */
bool motion_walked(const struct motion *m);

/* The walker stands (the device is unplugged): to the nearest end of a step, so that none is cut in two. */
void motion_pause(struct motion *m);

#endif
