/* evdev_cat - an independent reader for evdev: prints the acceleration frames of a node as delivered by libevdev.
 *   evdev_cat NODE [seconds]     one line per frame: t,x,y,z in seconds of the device's clock (else the kernel's) and g
 * A line "# name" first, "# dropped" for SYN_DROPPED, "# gone" when the device is unplugged. */
#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double value[3], scale[3], kernel_time, device_time;
static unsigned last_stamp;
static int stamped, has_stamps;

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void take(const struct input_event *event)
{
	if (event->type == EV_ABS && event->code <= ABS_Z)
		value[event->code] = event->value * scale[event->code];
	if (event->type == EV_MSC && event->code == MSC_TIMESTAMP) {
		unsigned stamp = (unsigned)event->value;
		device_time += stamped ? (unsigned)(stamp - last_stamp) / 1e6 : 0;
		last_stamp = stamp;
		stamped = 1;
	}
	if (event->type != EV_SYN || event->code != SYN_REPORT)
		return;
	if (has_stamps && !stamped)
		return; /* what libevdev makes up after SYN_DROPPED carries no time of the device */
	kernel_time = event->input_event_sec + event->input_event_usec / 1e6;
	printf("%.6f,%.6f,%.6f,%.6f\n", stamped ? device_time : kernel_time, value[0], value[1], value[2]);
}

/* Reads all pending events; 0, or the error that ended it */
static int drain(struct libevdev *device)
{
	struct input_event event;
	unsigned flag = LIBEVDEV_READ_FLAG_NORMAL;
	for (;;) {
		int status = libevdev_next_event(device, flag, &event);
		if (status == LIBEVDEV_READ_STATUS_SYNC && flag == LIBEVDEV_READ_FLAG_NORMAL) {
			puts("# dropped");
			flag = LIBEVDEV_READ_FLAG_SYNC;
		} else if (status == -EAGAIN && flag == LIBEVDEV_READ_FLAG_SYNC)
			flag = LIBEVDEV_READ_FLAG_NORMAL;
		else if (status < 0)
			return status == -EAGAIN ? 0 : -status;
		else
			take(&event);
	}
}

int main(int argc, char **argv)
{
	struct libevdev *device;
	if (argc < 2)
		return 2;
	int fd = open(argv[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC), error = 0;
	if (fd < 0 || libevdev_new_from_fd(fd, &device) < 0) {
		perror(argv[1]);
		return 1;
	}
	if (libevdev_set_clock_id(device, CLOCK_MONOTONIC))
		puts("# the clock is unchanged");
	has_stamps = libevdev_has_event_code(device, EV_MSC, MSC_TIMESTAMP);
	for (int k = 0; k < 3; k++) {
		int resolution = libevdev_get_abs_resolution(device, ABS_X + k);
		scale[k] = resolution ? 1.0 / resolution : 1;
		value[k] = libevdev_get_event_value(device, EV_ABS, ABS_X + k) * scale[k];
	}
	printf("# %s\n", libevdev_get_name(device));
	fflush(stdout);
	double end = argc > 2 ? seconds() + atof(argv[2]) : 1e30;
	while (!error && seconds() < end) {
		struct pollfd p = { fd, POLLIN, 0 };
		if (poll(&p, 1, 100) > 0)
			error = drain(device);
	}
	if (error)
		printf(error == ENODEV ? "# gone\n" : "# error %d\n", error);
	libevdev_free(device);
	return 0;
}
