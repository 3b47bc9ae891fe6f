/* sensor.h - the life cycle of a virtual sensor: plugged, read, moved, unplugged.
 *
 * Signals: SIGUSR1 starts the walk (wait=1); SIGUSR2 unplugs, the next one replugs;
 * SIGHUP freezes as freeze= does; SIGTERM and SIGINT end it.
 * The walk continues in real time from its start, read or not, except while the device is unplugged and until it is
 * read again, and while the machine sleeps: the walker then stands still, so that no step is lost. Standard error reports
 * the start and end of the walk on CLOCK_MONOTONIC. */
#ifndef SENSOR_H
#define SENSOR_H
#include "motion.h"

#include <stdint.h>

struct sensor {
	struct options options;
	struct motion motion;
	/* the driver's part: */
	int (*plug)(struct sensor *);      /* creates the device; returns the descriptor to serve, or -1 for none */
	void (*unplug)(struct sensor *);
	bool (*serve)(struct sensor *);    /* the descriptor is readable; false: the device was removed */
	bool (*report)(struct sensor *, const double g[3]); /* one sample; false: the device was removed */
	bool own_pace;                     /* plays a recording at its own sample times, not at a fixed rate */
	bool own_time;                     /* its reports contain a time, so they may be faster than real time */
	/* shared by driver and event loop: */
	bool plugged, listened, walked;
	int descriptor;                    /* -1: none */
	double rate;                       /* samples per second; the host may change it */
	double time;                       /* s on the device's own clock */
	long sent;
};

/* The device's clock in s, correct or faulty according to the option clock=. */
double sensor_clock(const struct sensor *s);

/* Runs until the end of the walk, a signal or the limit; returns the exit status. */
int sensor_run(struct sensor *s, const char *program);

#endif
