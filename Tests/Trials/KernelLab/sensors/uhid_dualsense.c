/* uhid_dualsense - a Sony DualSense pad on USB, through /dev/uhid: as far as the kernel's hid-playstation needs it,
 * which creates "<name> Motion Sensors" (evdev, INPUT_PROP_ACCELEROMETER, MSC_TIMESTAMP). Options: options.h;
 * serial= is the MAC address as 12 hexadecimal digits; each pad needs its own. A pad lying flat has gravity on Y.
 * At probe the driver requests the feature reports 0x05 (calibration), 0x09 (MAC) and 0x20 (firmware); over USB
 * none has a checksum. */
#include "sensor.h"
#include "uhid.h"

#include <errno.h>
#include <linux/input.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTS_PER_G 8192

static const uint8_t descriptor[] = {
	0x05, 0x01, 0x09, 0x05, 0xa1, 0x01,       /* generic desktop, game pad */
	0x85, 0x01, 0x06, 0x00, 0xff, 0x09, 0x20, /* input 0x01 */
	0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 63, 0x81, 0x02,
	0x85, 0x02, 0x09, 0x21, 0x95, 47, 0x91, 0x02, /* output 0x02 */
	0x85, 0x05, 0x09, 0x22, 0x95, 40, 0xb1, 0x02, /* features */
	0x85, 0x09, 0x09, 0x23, 0x95, 19, 0xb1, 0x02,
	0x85, 0x20, 0x09, 0x24, 0x95, 63, 0xb1, 0x02,
	0xc0
};
static uint8_t calibration[41] = { 0x05 }, pairing[20] = { 0x09 }, firmware[64] = { 0x20 };
static uint8_t input[64] = { 0x01, 128, 128, 128, 128, [8] = 8, [33] = 0x80, [37] = 0x80, [53] = 0x29 };

static void le16(uint8_t *p, int v) { p[0] = v & 0xff; p[1] = (v >> 8) & 0xff; }
static void le32(uint8_t *p, uint32_t v) { le16(p, v & 0xffff); le16(p + 2, v >> 16); }

static void fill_features(const char *mac)
{
	/* gyroscope: bias x y z, +- per axis, speed +-; accelerometer: +- per axis */
	static const int c[] = { 0, 0, 0, 8704, -8704, 8704, -8704, 8704, -8704, 540, 540,
		COUNTS_PER_G, -COUNTS_PER_G, COUNTS_PER_G, -COUNTS_PER_G, COUNTS_PER_G, -COUNTS_PER_G };
	unsigned byte[6];
	for (size_t k = 0; k < sizeof c / sizeof *c; k++)
		le16(calibration + 1 + 2 * k, c[k]);
	if (strlen(mac) != 12 || sscanf(mac, "%2x%2x%2x%2x%2x%2x", byte, byte + 1, byte + 2, byte + 3, byte + 4, byte + 5) != 6) {
		fprintf(stderr, "uhid_dualsense: serial: 12 hexadecimal digits are expected\n");
		exit(2);
	}
	for (int k = 0; k < 6; k++)
		pairing[1 + k] = byte[5 - k];
	memcpy(firmware + 1, "Jun 19 202114:47:34", 19);
	le32(firmware + 24, 0x00000616);
	le32(firmware + 28, 0x01000004);
	le16(firmware + 44, 0x0220);
}

static int plug(struct sensor *s)
{
	struct uhid_identity who = { s->options.name, "lab/uhid/dualsense", "", BUS_USB, 0x054c, 0x0ce6 };
	return uhid_create(&who, descriptor, sizeof descriptor);
}

static void unplug(struct sensor *s) { uhid_destroy(s->descriptor); }

static void get_report(int fd, const struct uhid_get_report_req *get)
{
	switch (get->rnum) {
	case 0x05: uhid_get_reply(fd, get->id, 0, calibration, sizeof calibration); break;
	case 0x09: uhid_get_reply(fd, get->id, 0, pairing, sizeof pairing); break;
	case 0x20: uhid_get_reply(fd, get->id, 0, firmware, sizeof firmware); break;
	default: uhid_get_reply(fd, get->id, EIO, NULL, 0);
	}
}

static bool serve(struct sensor *s)
{
	struct uhid_event event;
	if (read(s->descriptor, &event, sizeof event) <= 0)
		return false;
	switch (event.type) {
	case UHID_OPEN: s->listened = true; break;
	case UHID_CLOSE: s->listened = false; break;
	case UHID_GET_REPORT: get_report(s->descriptor, &event.u.get_report); break;
	case UHID_SET_REPORT: uhid_set_reply(s->descriptor, event.u.set_report.id, 0); break;
	}
	return true;
}

static int counts(double g)
{
	double v = g * COUNTS_PER_G;
	return (int)lround(v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
}

static bool report(struct sensor *s, const double g[3])
{
	if (!s->listened)
		return true;
	input[7]++;
	for (int k = 0; k < 3; k++)
		le16(input + 22 + 2 * k, counts(g[k]));
	le32(input + 28, (uint32_t)(uint64_t)llround(s->time * 3e6)); /* thirds of a microsecond */
	s->sent++;
	return uhid_input(s->descriptor, input, sizeof input);
}

int main(int argc, char **argv)
{
	struct sensor s = { .options = options_default, .plug = plug, .unplug = unplug, .serve = serve, .report = report,
		.own_pace = true, .own_time = true };
	s.options.name = "Sony Interactive Entertainment DualSense Wireless Controller";
	s.options.serial = "025ec0ffee01";
	s.options.up_axis = 'y';
	options_parse(&s.options, argc, argv);
	fill_features(s.options.serial);
	return sensor_run(&s, "uhid_dualsense");
}
