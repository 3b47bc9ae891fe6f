/* sensor.h - the life of a virtual sensor: plugged, listened to, moved, unplugged.
 *
 * Signals: SIGUSR1 the walk begins (wait=1); SIGUSR2 unplug, and plug in again at the next one;
 * SIGHUP freeze as by freeze=; SIGTERM and SIGINT end it.
 * The walk goes on in real time from its beginning, read or not, except while the device is unplugged and until
 * somebody listens again, and while the machine sleeps: the walker then stands still, so that no step is lost unseen. Standard error tells when
 * the walk begins and is over, on CLOCK_MONOTONIC. */
#ifndef SENSOR_H
#define SENSOR_H
#include "motion.h"

#include <stdint.h>

struct sensor {
	struct options options;
	struct motion motion;
	/* the driver's part: */
	int (*plug)(struct sensor *);      /* makes the device; gives the descriptor to serve, or -1 for none */
	void (*unplug)(struct sensor *);
	bool (*serve)(struct sensor *);    /* the descriptor is readable; false: the device is gone */
	bool (*report)(struct sensor *, const double g[3]); /* one sample; false: the device is gone */
	bool own_pace;                     /* plays a recording at its own sample times, not at a fixed rate */
	bool own_time;                     /* its reports carry a time, so they may come faster than life */
	/* what driver and life tell each other: */
	bool plugged, listened, walked;
	int descriptor;                    /* -1: none */
	double rate;                       /* samples a second; the host may change it */
	double time;                       /* s on the device's own clock */
	long sent;
};

/* What the device's own clock says, in s: its time, or a wrong one by the option clock=. */
double sensor_clock(const struct sensor *s);

/* Runs until the walk is over, a signal or the limit; returns the exit status. */
int sensor_run(struct sensor *s, const char *program);

#endif
