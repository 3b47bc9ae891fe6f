/* uinput_accel - an evdev accelerometer through /dev/uinput: INPUT_PROP_ACCELEROMETER, ABS_X/Y/Z with the
 * resolution counts=, MSC_TIMESTAMP in microseconds (it wraps at 2^32). Options: options.h; it supports no-property=1
 * and no-resolution=1. Prints its sysfs path. */
#include "sensor.h"

#include <fcntl.h>
#include <linux/uinput.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define RANGE 4 /* g */

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(1);
}

static void set_axes(int fd, const struct options *o)
{
	int range = (int)lround(RANGE * o->counts), resolution = o->no_resolution ? 0 : (int)lround(o->counts);
	for (int k = 0; k < 3; k++) {
		struct uinput_abs_setup axis = { .code = ABS_X + k };
		axis.absinfo = (struct input_absinfo){ .minimum = -range, .maximum = range, .resolution = resolution };
		must(ioctl(fd, UI_ABS_SETUP, &axis), "UI_ABS_SETUP");
	}
}

static int plug(struct sensor *s)
{
	const struct options *o = &s->options;
	struct uinput_setup setup = { .id = { BUS_USB, 0x1209, 0x7e58, 1 } };
	char name[64];
	int fd = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	must(fd, "/dev/uinput");
	must(ioctl(fd, UI_SET_EVBIT, EV_ABS), "UI_SET_EVBIT");
	must(ioctl(fd, UI_SET_EVBIT, EV_MSC), "UI_SET_EVBIT");
	must(ioctl(fd, UI_SET_MSCBIT, MSC_TIMESTAMP), "UI_SET_MSCBIT");
	must(ioctl(fd, UI_SET_PHYS, o->serial), "UI_SET_PHYS");
	if (!o->no_property)
		must(ioctl(fd, UI_SET_PROPBIT, INPUT_PROP_ACCELEROMETER), "UI_SET_PROPBIT");
	set_axes(fd, o);
	snprintf(setup.name, sizeof setup.name, "%s", o->name);
	must(ioctl(fd, UI_DEV_SETUP, &setup), "UI_DEV_SETUP");
	must(ioctl(fd, UI_DEV_CREATE), "UI_DEV_CREATE");
	must(ioctl(fd, UI_GET_SYSNAME(sizeof name), name), "UI_GET_SYSNAME");
	printf("/sys/devices/virtual/input/%s\n", name);
	fflush(stdout);
	s->listened = true; /* uinput does not say who reads */
	return fd;
}

static void unplug(struct sensor *s)
{
	ioctl(s->descriptor, UI_DEV_DESTROY);
	close(s->descriptor);
}

static bool serve(struct sensor *s)
{
	struct input_event event; /* what the kernel writes to the device (LEDs and the like) is of no interest */
	return read(s->descriptor, &event, sizeof event) > 0;
}

static int counts(const struct sensor *s, double g)
{
	return (int)lround(s->options.counts * (g < -RANGE ? -RANGE : g > RANGE ? RANGE : g));
}

static bool report(struct sensor *s, const double g[3])
{
	struct input_event frame[5] = {
		{ .type = EV_ABS, .code = ABS_X, .value = counts(s, g[0]) },
		{ .type = EV_ABS, .code = ABS_Y, .value = counts(s, g[1]) },
		{ .type = EV_ABS, .code = ABS_Z, .value = counts(s, g[2]) },
		{ .type = EV_MSC, .code = MSC_TIMESTAMP, .value = (int)(uint32_t)(uint64_t)llround(sensor_clock(s) * 1e6) },
		{ .type = EV_SYN, .code = SYN_REPORT },
	};
	s->sent++;
	return write(s->descriptor, frame, sizeof frame) == sizeof frame;
}

int main(int argc, char **argv)
{
	struct sensor s = { .options = options_default, .plug = plug, .unplug = unplug, .serve = serve, .report = report,
		.own_pace = true, .own_time = true };
	s.options.name = "Lab evdev accelerometer";
	s.options.serial = "lab/uinput/accel";
	options_parse(&s.options, argc, argv);
	return sensor_run(&s, "uinput_accel");
}
