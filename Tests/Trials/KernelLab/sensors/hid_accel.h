/* hid_accel.h - a HID sensor hub with one 3-axis accelerometer, optionally with a barometer, independent of the bus.
 * According to the HID Usage Tables (page 0x20, Sensors); used by uhid_accel and usbip_accel. */
#ifndef HID_ACCEL_H
#define HID_ACCEL_H
#include "sensor.h"

#define HID_ACCEL_REPORT 1
#define HID_PRESSURE_REPORT 2

struct __attribute__((packed)) hid_feature { uint8_t id, reporting, power; uint32_t interval; uint16_t sensitivity; };

struct hid_accel {
	uint8_t descriptor[640];
	size_t descriptor_size;
	struct hid_feature feature;
	uint8_t input[32];   /* the newest input report, also for GET_REPORT */
	size_t input_size;
	struct hid_feature pressure_feature; /* of the barometer (option climb=) */
	uint8_t pressure[7];                 /* its input report, only sent on request */
};

/* Report descriptor and the state after reset: no events, power off, as a device starts. */
void hid_accel_open(struct hid_accel *h, const struct options *o);

/* The host's SET_REPORT of the feature report: reporting, power and interval. False: malformed. */
bool hid_accel_set(struct hid_accel *h, struct sensor *s, const void *data, size_t size);

/* Puts one sample into the input report, in the units of the descriptor. */
void hid_accel_encode(struct hid_accel *h, const struct sensor *s, const double g[3]);

#endif
