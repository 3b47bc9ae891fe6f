/* uinput_keys - an input device that types or points, through /dev/uinput, for tests of access:
 *   uinput_keys keyboard|mouse|hybrid NAME
 * The hybrid has keys, and claims to be an accelerometer. It stays until it is killed. */
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(1);
}

static void set_keys(int fd, int first, int last)
{
	must(ioctl(fd, UI_SET_EVBIT, EV_KEY), "UI_SET_EVBIT");
	for (int key = first; key <= last; key++)
		must(ioctl(fd, UI_SET_KEYBIT, key), "UI_SET_KEYBIT");
}

static void set_pointer(int fd)
{
	must(ioctl(fd, UI_SET_EVBIT, EV_REL), "UI_SET_EVBIT");
	must(ioctl(fd, UI_SET_RELBIT, REL_X), "UI_SET_RELBIT");
	must(ioctl(fd, UI_SET_RELBIT, REL_Y), "UI_SET_RELBIT");
}

static void set_axes(int fd)
{
	must(ioctl(fd, UI_SET_PROPBIT, INPUT_PROP_ACCELEROMETER), "UI_SET_PROPBIT");
	must(ioctl(fd, UI_SET_EVBIT, EV_ABS), "UI_SET_EVBIT");
	for (int k = 0; k < 3; k++) {
		struct uinput_abs_setup axis = { .code = ABS_X + k };
		axis.absinfo = (struct input_absinfo){ .minimum = -32768, .maximum = 32767, .resolution = 8192 };
		must(ioctl(fd, UI_ABS_SETUP, &axis), "UI_ABS_SETUP");
	}
}

int main(int argc, char **argv)
{
	struct uinput_setup setup = { .id = { BUS_USB, 0x1209, 0x7e59, 1 } };
	if (argc != 3) {
		fprintf(stderr, "usage: uinput_keys keyboard|mouse|hybrid NAME\n");
		return 2;
	}
	int fd = open("/dev/uinput", O_RDWR | O_CLOEXEC);
	must(fd, "/dev/uinput");
	if (strcmp(argv[1], "mouse") == 0) {
		set_keys(fd, BTN_LEFT, BTN_MIDDLE);
		set_pointer(fd);
	} else {
		set_keys(fd, KEY_ESC, KEY_KPDOT);
	}
	if (strcmp(argv[1], "hybrid") == 0)
		set_axes(fd);
	snprintf(setup.name, sizeof setup.name, "%s", argv[2]);
	must(ioctl(fd, UI_DEV_SETUP, &setup), "UI_DEV_SETUP");
	must(ioctl(fd, UI_DEV_CREATE), "UI_DEV_CREATE");
	printf("plugged in\n");
	fflush(stdout);
	pause();
	return 0;
}
