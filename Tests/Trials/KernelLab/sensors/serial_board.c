/* serial_board - a board that prints samples on a USB serial port: a CDC-ACM gadget (configfs) on an emulated controller
 * (dummy_hcd). The host sees a real USB device and /dev/ttyACM*; this program is the board and writes to /dev/ttyGS*.
 * Options: options.h; serial=, port= (the controller) and reset= are for it. It prints millis,x,y,z in g with time=1, else
 * labelled values in m/s^2. modprobe libcomposite and dummy_hcd num=2 first. */
#include "sensor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define GADGETS "/sys/kernel/config/usb_gadget"

/* The kernel takes so many transfers before anybody has opened the port; what follows waits. */
enum { TRANSFERS = 16, MOST_WAITING = 4096 };

static char gadget[128];
static unsigned written;   /* lines since it was plugged in */
static double booted;      /* on the board's clock */
static bool was_reset;

static void fail(const char *path)
{
	fprintf(stderr, "serial_board: %s: %s\n", path, strerror(errno));
	exit(1);
}

static bool put(const char *file, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", gadget, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		fail(path);
	bool done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

static void make(const char *folder)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", gadget, folder);
	if (mkdir(path, 0755) && errno != EEXIST)
		fail(path);
}

/* The gadget, once; configfs keeps it. */
static void describe(const struct options *o)
{
	char from[256], to[256];
	if (mount("config", "/sys/kernel/config", "configfs", 0, NULL) && errno != EBUSY)
		fail("/sys/kernel/config");
	snprintf(gadget, sizeof gadget, GADGETS "/%s", o->serial);
	make("");
	put("idVendor", "0x1209");
	put("idProduct", "0x7e58");
	make("strings/0x409");
	put("strings/0x409/manufacturer", "Pedometer Lab");
	put("strings/0x409/product", o->name);
	put("strings/0x409/serialnumber", o->serial);
	make("configs/c.1");
	make("functions/acm.board");
	snprintf(from, sizeof from, "%s/functions/acm.board", gadget);
	snprintf(to, sizeof to, "%s/configs/c.1/acm.board", gadget);
	if (symlink(from, to) && errno != EEXIST)
		fail(to);
}

static int open_terminal(void)
{
	char path[256], number[16] = "";
	snprintf(path, sizeof path, "%s/functions/acm.board/port_num", gadget);
	FILE *file = fopen(path, "r");
	if (!file || !fgets(number, sizeof number, file))
		fail(path);
	fclose(file);
	snprintf(path, sizeof path, "/dev/ttyGS%d", atoi(number));
	int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	struct termios raw;
	if (fd < 0 || tcgetattr(fd, &raw))
		fail(path);
	cfmakeraw(&raw);
	tcsetattr(fd, TCSANOW, &raw);
	return fd;
}

/* A line, as far as somebody reads: what nobody reads is lost, as with a real board. */
static void print(struct sensor *s, const char *text)
{
	int waiting = 0;
	if (ioctl(s->descriptor, TIOCOUTQ, &waiting) || waiting > (s->listened ? MOST_WAITING : 0))
		return;
	if (write(s->descriptor, text, strlen(text)) != (ssize_t)strlen(text))
		return;
	s->sent++;
	if (++written > TRANSFERS + 8 && !s->listened) {
		s->listened = true;
		options_log(&s->options, "serial_board: somebody reads");
	}
}

/* What an ESP32 says when it starts. */
static void boot(struct sensor *s)
{
	print(s, "\r\nets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
		 "configsip: 0, SPIWP:0xee\r\nclk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r\n"
		 "mode:DIO, clock div:1\r\nload:0x3fff0030,len:1184\r\nload:0x40078000,len:13104\r\nentry 0x400805e4\r\n");
	if (s->options.own_time)
		print(s, "time_ms,x_g,y_g,z_g\r\n");
	booted = s->time;
}

static int plug(struct sensor *s)
{
	char controller[32];
	if (!*gadget)
		describe(&s->options);
	snprintf(controller, sizeof controller, "dummy_udc.%d", s->options.port);
	if (!put("UDC", controller))
		fail("UDC (modprobe dummy_hcd num=2)");
	written = 0;
	s->descriptor = open_terminal();
	boot(s);
	return s->descriptor;
}

static void unplug(struct sensor *s)
{
	close(s->descriptor);
	put("UDC", "\n");
}

/* Something was written to the board: a reader of samples has no reason to. */
static bool serve(struct sensor *s)
{
	char bytes[256];
	ssize_t count = read(s->descriptor, bytes, sizeof bytes);
	if (count > 0)
		options_log(&s->options, "serial_board: %zd bytes from the host", count);
	return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool report(struct sensor *s, const double g[3])
{
	char line[96];
	if (s->options.reset >= 0 && !was_reset && s->motion.time >= s->options.reset) {
		was_reset = true;
		options_log(&s->options, "serial_board: reset at %.2f s of the walk", s->motion.time);
		boot(s);
	}
	if (s->options.own_time)
		snprintf(line, sizeof line, "%.0f,%.4f,%.4f,%.4f\r\n", (s->time - booted) * 1000, g[0], g[1], g[2]);
	else
		snprintf(line, sizeof line, "ax: %.3f\tay: %.3f\taz: %.3f\r\n", 9.80665 * g[0], 9.80665 * g[1], 9.80665 * g[2]);
	print(s, line);
	return true;
}

int main(int argc, char **argv)
{
	struct sensor s = { .options = options_default, .plug = plug, .unplug = unplug, .serve = serve, .report = report };
	s.options.name = "Lab Board";
	s.options.serial = "BOARD1";
	options_parse(&s.options, argc, argv);
	return sensor_run(&s, "serial_board");
}
