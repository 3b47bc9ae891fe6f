/* options.h - what the lab's virtual sensors are told: "name=value" words, the same for every program. */
#ifndef OPTIONS_H
#define OPTIONS_H
#include <stdbool.h>

enum freeze_kind { FREEZE_VALUE, FREEZE_SILENT };

struct options {
	double rate;          /* rate=HZ       samples a second, until the host asks for another rate */
	double cadence;       /* cadence=HZ    steps a second of the synthetic walk */
	int steps;            /* steps=N       steps walked, then rest; -1: for ever */
	double lead;          /* lead=S        rest before the walk */
	double tail;          /* tail=S        rest after it, then the device goes away; -1: it stays */
	double amplitude;     /* amplitude=G   of the bounce */
	double noise;         /* noise=G       uniform, +-; a sensor that never changes is a broken one */
	const char *pattern;  /* pattern=walk|const|ramp|pedals, the last without gravity */
	const char *play;     /* play=FILE     a recording instead: CSV t,x,y,z in seconds and g */
	double speed;         /* speed=X       faster than life; only where the device carries its own timestamps */
	double freeze;        /* freeze=S      after so much walking time nothing new comes; -1: never */
	enum freeze_kind freeze_kind; /* freeze-kind=value|silent: the last value repeats, or no reports at all */
	bool wait;            /* wait=1        rest until SIGUSR1 */
	char up_axis;         /* up=x|y|z|-x.. the axis that gravity lies on */
	bool up_negative;
	bool fine;            /* fine=1        HID: 32 bits of 10 micro-g instead of 16 bits of 1 milli-g */
	bool own_time;        /* time=1        HID: every report carries the device's own time */
	const char *clock;    /* clock=right|reset|ahead|still|half|slow|fast  what is wrong with that time: begins anew every
	                         6 s, one in 50 far ahead, stands still, half, a tenth of, a thousand times the rate */
	double climb;         /* climb=M       HID: the hub has a barometer too, and each step of the walk climbs so many metres */
	bool no_property;     /* no-property=1   uinput: without INPUT_PROP_ACCELEROMETER */
	bool no_resolution;   /* no-resolution=1 uinput: without a resolution */
	const char *name;     /* name=         the product's name */
	const char *serial;   /* serial=       serial number, MAC address ... */
	int port;             /* port=N        usbip: the port of the virtual host controller */
	bool quiet;           /* quiet=1       nothing on standard error */
	int limit;            /* limit=S       the program ends after so many seconds, whatever happens */
};

extern const struct options options_default;

/* Reads the words into *o; ends the program with status 2 and a sentence on standard error on a bad word. */
void options_parse(struct options *o, int argc, char **argv);

/* A line on standard error, unless quiet=1. */
void options_log(const struct options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
