/* hid_accel.c - report descriptor, feature and input reports of the lab's HID accelerometer and barometer. */
#include "hid_accel.h"

#include <math.h>
#include <string.h>

#define U16(x) (x) & 0xff, ((x) >> 8) & 0xff
#define USAGE(x) 0x0a, U16(x)
#define BYTE_ARRAY(last) 0x15, 0x01, 0x25, last, 0x75, 0x08, 0x95, 0x01, 0xa1, 0x02

/* feature report: state, power, interval in ms and sensitivity; input report: state and event */
#define REPORTS(sensitivity) \
	USAGE(0x0316), BYTE_ARRAY(6), \
	USAGE(0x0840), USAGE(0x0841), USAGE(0x0842), USAGE(0x0843), USAGE(0x0844), USAGE(0x0845), 0xb1, 0x00, 0xc0, \
	USAGE(0x0319), BYTE_ARRAY(6), \
	USAGE(0x0850), USAGE(0x0851), USAGE(0x0852), USAGE(0x0853), USAGE(0x0854), USAGE(0x0855), 0xb1, 0x00, 0xc0, \
	USAGE(0x030e), \
	0x15, 0x00, 0x27, 0xff, 0xff, 0xff, 0x7f, 0x75, 0x20, 0x95, 0x01, 0x55, 0x00, 0xb1, 0x02, \
	USAGE(sensitivity), \
	0x15, 0x00, 0x26, 0xff, 0x7f, 0x75, 0x10, 0x95, 0x01, 0x55, 0x0d, 0xb1, 0x02, \
	USAGE(0x0201), BYTE_ARRAY(7), \
	USAGE(0x0800), USAGE(0x0801), USAGE(0x0802), USAGE(0x0803), USAGE(0x0804), USAGE(0x0805), USAGE(0x0806), \
	0x81, 0x00, 0xc0, \
	USAGE(0x0202), BYTE_ARRAY(6), \
	USAGE(0x0810), USAGE(0x0811), USAGE(0x0812), USAGE(0x0813), USAGE(0x0814), USAGE(0x0815), 0x81, 0x00, 0xc0

static const uint8_t head[] = {
	0x05, 0x20, 0x09, 0x01, 0xa1, 0x01,       /* page Sensor, a collection of sensors */
	0x85, HID_ACCEL_REPORT, 0x09, 0x73, 0xa1, 0x00, /* Motion: Accelerometer 3D */
	REPORTS(0x1452),
};
/* unit G (0x1a in the sensor page's table): 16 bits of 10^-3, or 32 bits of 10^-5 */
static const uint8_t coarse[] = { 0x65, 0x1a, 0x55, 0x0d, 0x16, U16(0x8000), 0x26, U16(0x7fff), 0x75, 0x10, 0x95, 0x01 };
static const uint8_t fine[] = { 0x65, 0x1a, 0x55, 0x0b, 0x17, 0, 0, 0, 0x80, 0x27, 0xff, 0xff, 0xff, 0x7f, 0x75, 0x20, 0x95, 0x01 };
static const uint8_t axes[] = { USAGE(0x0453), 0x81, 0x02, USAGE(0x0454), 0x81, 0x02, USAGE(0x0455), 0x81, 0x02 };
/* timestamp in 10^-6 s, 64 bits: the kernel reads eight bytes */
static const uint8_t stamp[] = { 0x65, 0x00, 0x55, 0x0a, 0x15, 0x00, 0x27, 0xff, 0xff, 0xff, 0x7f, 0x75, 0x20, 0x95, 0x02, USAGE(0x0529), 0x81, 0x02 };
/* Environmental: Atmospheric Pressure, 32 bits of 0.1 Pa */
static const uint8_t barometer[] = {
	0x65, 0x00, 0x55, 0x00, 0x85, HID_PRESSURE_REPORT, 0x09, 0x31, 0xa1, 0x00, REPORTS(0x1431),
	0x66, 0xe1, 0xf1, 0x55, 0x0f, 0x15, 0x00, 0x27, 0xff, 0xff, 0xff, 0x7f, 0x75, 0x20, 0x95, 0x01, USAGE(0x0431), 0x81, 0x02,
	0xc0,
};
static const uint8_t end[] = { 0xc0 };

static void append(struct hid_accel *h, const uint8_t *part, size_t size)
{
	memcpy(h->descriptor + h->descriptor_size, part, size);
	h->descriptor_size += size;
}

_Static_assert(sizeof head + sizeof fine + sizeof axes + sizeof stamp + sizeof barometer + 2 * sizeof end <= sizeof((struct hid_accel *)0)->descriptor,
	       "the report descriptor has room");

void hid_accel_open(struct hid_accel *h, const struct options *o)
{
	*h = (struct hid_accel){ .feature = { HID_ACCEL_REPORT, 1, 6, (uint32_t)lround(1000 / o->rate), 0 } };
	append(h, head, sizeof head);
	if (o->fine)
		append(h, fine, sizeof fine);
	else
		append(h, coarse, sizeof coarse);
	append(h, axes, sizeof axes);
	if (o->own_time)
		append(h, stamp, sizeof stamp);
	append(h, end, sizeof end);
	h->pressure_feature = (struct hid_feature){ HID_PRESSURE_REPORT, 1, 6, 1000, 0 };
	if (o->climb)
		append(h, barometer, sizeof barometer);
	append(h, end, sizeof end);
}

bool hid_accel_set(struct hid_accel *h, struct sensor *s, const void *data, size_t size)
{
	if (size < sizeof h->feature)
		return false;
	if (*(const uint8_t *)data == HID_PRESSURE_REPORT) {
		memcpy(&h->pressure_feature, data, sizeof h->pressure_feature);
		return true;
	}
	memcpy(&h->feature, data, sizeof h->feature);
	if (h->feature.interval)
		s->rate = 1000.0 / h->feature.interval;
	s->listened = h->feature.reporting == 2 && h->feature.power == 2; /* all events, full power */
	options_log(&s->options, "hid: reporting %d power %d interval %u ms", h->feature.reporting, h->feature.power,
		    h->feature.interval);
	return true;
}

static void put(uint8_t **at, int64_t value, int bytes)
{
	for (int k = 0; k < bytes; k++)
		*(*at)++ = (uint64_t)value >> (8 * k);
}

static int64_t clamped(double value, double limit)
{
	return llround(value < -limit - 1 ? -limit - 1 : value > limit ? limit : value);
}

void hid_accel_encode(struct hid_accel *h, const struct sensor *s, const double g[3])
{
	const struct options *o = &s->options;
	uint8_t *at = h->input;
	put(&at, HID_ACCEL_REPORT, 1);
	put(&at, 2, 1); /* ready */
	put(&at, 3, 1); /* data updated */
	for (int k = 0; k < 3; k++)
		put(&at, o->fine ? clamped(g[k] * 1e5, INT32_MAX) : clamped(g[k] * 1e3, INT16_MAX), o->fine ? 4 : 2);
	if (o->own_time)
		put(&at, llround((sensor_clock(s) + 1) * 1e6), 8); /* never 0: the kernel takes that for "none" */
	h->input_size = at - h->input;
	/* The walker climbs with each step; 8435 m is the scale height at 15 degrees. */
	double climbed = (s->motion.time - o->lead) * o->cadence;
	climbed = climbed < 0 ? 0 : o->steps >= 0 && climbed > o->steps ? o->steps : climbed;
	at = h->pressure;
	put(&at, HID_PRESSURE_REPORT, 1);
	put(&at, 2, 1);
	put(&at, 3, 1);
	put(&at, llround(1013250 * exp(-climbed * o->climb / 8435)), 4);
}
