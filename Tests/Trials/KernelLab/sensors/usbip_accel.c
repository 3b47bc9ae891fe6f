/* usbip_accel - a USB accelerometer (HID sensor hub) in the kernel's virtual host controller (vhci-hcd): for kernel
 * and udev a real USB device with serial number and port path, enumerated and unplugged. Options: options.h;
 * it supports serial= and port=. Run modprobe vhci-hcd first.
 * One end of a socket pair is passed to the controller's attach file; this program uses USB/IP on the other
 * (Documentation/usb/usbip_protocol.rst). Closing the socket unplugs the device. */
#include "hid_accel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONTROLLER "/sys/devices/platform/vhci_hcd.0/attach"
#define ENDPOINT_IN 0x81
#define QUEUE 64

enum { CMD_SUBMIT = 1, CMD_UNLINK = 2, RET_SUBMIT = 3, RET_UNLINK = 4 };
struct header { uint32_t command, sequence, device, direction, endpoint, word[5]; uint8_t setup[8]; }; /* big endian */
_Static_assert(sizeof(struct header) == 48, "the header of USB/IP");

static struct hid_accel hid;
static uint8_t queue[QUEUE][sizeof hid.input]; /* reports that wait for the host's next interrupt transfer */
static unsigned first, waiting;
static uint32_t transfer;                      /* the host's interrupt transfer that waits for a report */
static bool transfer_waits;

static const uint8_t device_descriptor[18] = { 18, 1, 0x00, 0x02, 0, 0, 0, 64, 0x09, 0x12, 0x57, 0x7e, 0x00, 0x01, 1, 2, 3, 1 };
static uint8_t configuration[34] = {
	9, 2, 34, 0, 1, 1, 0, 0x80, 50,
	9, 4, 0, 0, 1, 3, 0, 0, 0,
	9, 0x21, 0x11, 0x01, 0, 1, 0x22, 0, 0, /* the report descriptor's size */
	7, 5, ENDPOINT_IN, 3, 64, 0, 1 };

static bool read_all(int fd, void *to, size_t size)
{
	for (uint8_t *at = to; size;) {
		ssize_t n = read(fd, at, size);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		if (n > 0) {
			at += n;
			size -= n;
		}
	}
	return true;
}

static bool answer(int fd, uint32_t command, uint32_t sequence, int status, const void *data, uint32_t size, uint32_t actual)
{
	uint8_t packet[sizeof(struct header) + 1024] = { 0 };
	struct header h = { .command = htonl(command), .sequence = sequence, .word = { htonl(status), htonl(actual) } };
	memcpy(packet, &h, sizeof h);
	if (size)
		memcpy(packet + sizeof h, data, size);
	return send(fd, packet, sizeof h + size, MSG_NOSIGNAL) == (ssize_t)(sizeof h + size);
}

static int plug(struct sensor *s)
{
	int pair[2], attach = open(CONTROLLER, O_WRONLY);
	char text[64];
	if (attach < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		perror("usbip_accel: " CONTROLLER " (modprobe vhci-hcd)");
		exit(1);
	}
	hid_accel_open(&hid, &s->options);
	hid_accel_encode(&hid, s, (double[3]){ 0, 0, 1 });
	configuration[25] = hid.descriptor_size & 0xff;
	configuration[26] = hid.descriptor_size >> 8;
	first = waiting = 0;
	transfer_waits = false;
	/* port, socket, device id, full speed */
	snprintf(text, sizeof text, "%d %d %d 2", s->options.port, pair[1], 0x10002 + s->options.port);
	/* a port that was just released is busy for a moment */
	for (int tries = 0; write(attach, text, strlen(text)) < 0; tries++) {
		if (tries == 50) {
			perror("usbip_accel: attach");
			exit(1);
		}
		usleep(100000);
	}
	close(attach);
	close(pair[1]);
	return pair[0];
}

static void unplug(struct sensor *s) { close(s->descriptor); }

static size_t string_descriptor(const struct options *o, unsigned index, uint8_t *b)
{
	const char *text = index == 1 ? "Pedometer Lab" : index == 2 ? o->name : o->serial;
	size_t n = strlen(text) < 60 ? strlen(text) : 60;
	if (!index) {
		memcpy(b, "\4\3\x09\x04", 4); /* English */
		return 4;
	}
	b[0] = 2 + 2 * n;
	b[1] = 3;
	for (size_t k = 0; k < n; k++) {
		b[2 + 2 * k] = text[k];
		b[3 + 2 * k] = 0;
	}
	return b[0];
}

/* GET_DESCRIPTOR of device and interface; the answer's size, 0 = none such */
static size_t get_descriptor(const struct sensor *s, unsigned value, uint8_t *scratch, const void **data)
{
	switch (value >> 8) {
	case 0x01: *data = device_descriptor; return sizeof device_descriptor;
	case 0x02: *data = configuration; return sizeof configuration;
	case 0x03: *data = scratch; return string_descriptor(&s->options, value & 0xff, scratch);
	case 0x21: *data = configuration + 18; return 9;
	case 0x22: *data = hid.descriptor; return hid.descriptor_size;
	}
	return 0;
}

/* A request on endpoint 0; the status of USB/IP, and *data, *size for the host */
static int control(struct sensor *s, const uint8_t *setup, const uint8_t *out, uint32_t length, uint8_t *scratch,
		   const void **data, size_t *size)
{
	unsigned value = setup[2] | setup[3] << 8;
	switch (setup[0] << 8 | setup[1]) {
	case 0x8006: case 0x8106:
		*size = get_descriptor(s, value, scratch, data);
		return *size ? 0 : -EPIPE;
	case 0x8000: /* GET_STATUS */
		*data = "\0";
		*size = 2;
		return 0;
	case 0xa101: /* GET_REPORT, feature or input */
		*data = value == 0x0301 ? (const void *)&hid.feature : hid.input;
		*size = value == 0x0301 ? sizeof hid.feature : hid.input_size;
		return value == 0x0301 || value == 0x0101 ? 0 : -EPIPE;
	case 0x2109: /* SET_REPORT */
		return value == 0x0301 && hid_accel_set(&hid, s, out, length) ? 0 : -EPIPE;
	case 0x0009: case 0x0001: case 0x0003: case 0x010b: case 0x0201: case 0x210a: case 0x210b:
		return 0; /* configuration, features, interface, idle, protocol: as it is */
	}
	options_log(&s->options, "usbip_accel: request %02x %02x refused", setup[0], setup[1]);
	return -EPIPE;
}

/* Sends the oldest queued report to the pending transfer. */
static bool deliver(struct sensor *s)
{
	if (!transfer_waits || !waiting)
		return true;
	const uint8_t *report = queue[first];
	first = (first + 1) % QUEUE;
	waiting--;
	transfer_waits = false;
	s->sent++;
	return answer(s->descriptor, RET_SUBMIT, transfer, 0, report, hid.input_size, hid.input_size);
}

static bool unlink_transfer(int fd, const struct header *h)
{
	bool ours = transfer_waits && h->word[0] == transfer;
	if (ours)
		transfer_waits = false;
	return answer(fd, RET_UNLINK, h->sequence, ours ? -ECONNRESET : 0, NULL, 0, 0);
}

static bool serve(struct sensor *s)
{
	struct header h;
	uint8_t out[1024] = { 0 }, scratch[256];
	const void *data = NULL;
	size_t size = 0;
	if (!read_all(s->descriptor, &h, sizeof h))
		return false;
	if (ntohl(h.command) == CMD_UNLINK)
		return unlink_transfer(s->descriptor, &h);
	uint32_t length = ntohl(h.word[1]);
	bool in = ntohl(h.direction) == 1;
	if (ntohl(h.command) != CMD_SUBMIT || length > sizeof out)
		return false;
	if (!in && length && !read_all(s->descriptor, out, length))
		return false;
	if (ntohl(h.endpoint) == (ENDPOINT_IN & 0xf)) {
		transfer = h.sequence;
		transfer_waits = true;
		return deliver(s);
	}
	int status = control(s, h.setup, out, length, scratch, &data, &size);
	unsigned wanted = h.setup[6] | h.setup[7] << 8;
	size = size < wanted ? size : wanted;
	size = size < length ? size : length;
	if (status || !in)
		return answer(s->descriptor, RET_SUBMIT, h.sequence, status, NULL, 0, status ? 0 : length);
	return answer(s->descriptor, RET_SUBMIT, h.sequence, 0, data, size, size);
}

static bool report(struct sensor *s, const double g[3])
{
	hid_accel_encode(&hid, s, g);
	if (!s->listened)
		return true;
	if (waiting < QUEUE) /* else the host is too slow and the sample is lost, as on a real bus */
		memcpy(queue[(first + waiting++) % QUEUE], hid.input, sizeof hid.input);
	return deliver(s);
}

int main(int argc, char **argv)
{
	struct sensor s = { .options = options_default, .plug = plug, .unplug = unplug, .serve = serve, .report = report };
	s.options.name = "Lab USB accelerometer";
	s.options.serial = "LAB0001";
	options_parse(&s.options, argc, argv);
	s.own_time = s.options.own_time;
	return sensor_run(&s, "usbip_accel");
}
