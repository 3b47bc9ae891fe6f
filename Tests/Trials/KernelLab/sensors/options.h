/* options.h - the options of the lab's virtual sensors: "name=value" words, the same for every program. */
#ifndef OPTIONS_H
#define OPTIONS_H
#include <stdbool.h>

enum freeze_kind { FREEZE_VALUE, FREEZE_SILENT };

struct options {
	double rate;          /* rate=HZ       samples per second, until the host sets another rate */
	double cadence;       /* cadence=HZ    steps per second of the synthetic walk */
	int steps;            /* steps=N       number of steps, then rest; -1: endless */
	double lead;          /* lead=S        rest before the walk */
	double tail;          /* tail=S        rest after it, then the device is removed; -1: it stays */
	double amplitude;     /* amplitude=G   of the bounce */
	double noise;         /* noise=G       uniform, +-; a sensor that never changes is considered broken */
	const char *pattern;  /* pattern=walk|const|ramp|pedals, the last one without gravity, as a pedal that moves slowly */
	const char *play;     /* play=FILE     play a recording: CSV t,x,y,z in seconds and g */
	double speed;         /* speed=X       speed factor; only for devices with their own timestamps */
	double freeze;        /* freeze=S      freeze after this much walking time; -1: never */
	enum freeze_kind freeze_kind; /* freeze-kind=value|silent: the last value repeats, or no reports at all */
	bool wait;            /* wait=1        rest until SIGUSR1 */
	char up_axis;         /* up=x|y|z|-x.. the axis that gravity lies on */
	bool up_negative;
	bool fine;            /* fine=1        HID: 32 bits of 10 micro-g instead of 16 bits of 1 milli-g; a watch: 2048
	                         counts per g instead of 1024 */
	bool own_time;        /* time=1        HID: every report contains the device's time */
	const char *clock;    /* clock=right|reset|ahead|late|still|half|slow|fast  the fault of that time: restarts every
	                         6 s, one in 50 far ahead, one in 100 late by 300 ms, stands still, half, a tenth of, a
	                         thousand times the rate */
	double climb;         /* climb=M       HID: the hub has a barometer, and each step climbs this many metres */
	bool no_property;     /* no-property=1   uinput: without INPUT_PROP_ACCELEROMETER */
	bool no_resolution;   /* no-resolution=1 uinput: without a resolution */
	double counts;        /* counts=N      uinput: counts per g; the range is 4 g */
	const char *name;     /* name=         the product's name */
	const char *serial;   /* serial=       serial number, MAC address ... */
	int port;             /* port=N        usbip and serial_board: the port, or number, of the virtual controller */
	double reset;         /* reset=S       serial_board: starts anew after so much walking time; -1: never */
	bool quiet;           /* quiet=1       nothing on standard error */
	int limit;            /* limit=S       the program ends after this many seconds in any case */
};

extern const struct options options_default;

/* Reads the words into *o; exits with status 2 and a message on standard error if a word is invalid. */
void options_parse(struct options *o, int argc, char **argv);

/* A line on standard error, unless quiet=1. */
void options_log(const struct options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
