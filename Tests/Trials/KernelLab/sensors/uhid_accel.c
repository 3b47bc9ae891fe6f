/* uhid_accel - a HID sensor hub with an accelerometer, through /dev/uhid: the kernel's hid-sensor-hub and
 * hid-sensor-accel-3d bind to it and create an IIO device. Options: options.h; it supports fine=1, time=1 and climb=.
 * Like a real device, it sends input reports only if the host requested all events and full power, at the interval
 * set by the host. The first sample of a walk is the first after the host starts reading. */
#include "hid_accel.h"
#include "uhid.h"

#include <errno.h>
#include <linux/input.h>
#include <unistd.h>

static struct hid_accel hid;

static int plug(struct sensor *s)
{
	const struct options *o = &s->options;
	struct uhid_identity who = { o->name, "lab/uhid/accel", o->serial, BUS_USB, 0x1209, 0x7e57 };
	hid_accel_open(&hid, o);
	hid_accel_encode(&hid, s, (double[3]){ 0, 0, 1 });
	return uhid_create(&who, hid.descriptor, hid.descriptor_size);
}

static void unplug(struct sensor *s) { uhid_destroy(s->descriptor); }

static void get_report(int fd, const struct uhid_get_report_req *get)
{
	if (get->rnum == HID_ACCEL_REPORT && get->rtype == UHID_FEATURE_REPORT)
		uhid_get_reply(fd, get->id, 0, &hid.feature, sizeof hid.feature);
	else if (get->rnum == HID_ACCEL_REPORT && get->rtype == UHID_INPUT_REPORT)
		uhid_get_reply(fd, get->id, 0, hid.input, hid.input_size);
	else if (get->rnum == HID_PRESSURE_REPORT && get->rtype == UHID_FEATURE_REPORT)
		uhid_get_reply(fd, get->id, 0, &hid.pressure_feature, sizeof hid.pressure_feature);
	else if (get->rnum == HID_PRESSURE_REPORT && get->rtype == UHID_INPUT_REPORT)
		uhid_get_reply(fd, get->id, 0, hid.pressure, sizeof hid.pressure);
	else
		uhid_get_reply(fd, get->id, EIO, NULL, 0);
}

static bool serve(struct sensor *s)
{
	struct uhid_event event;
	if (read(s->descriptor, &event, sizeof event) <= 0)
		return false;
	switch (event.type) {
	case UHID_CLOSE:
		s->listened = false;
		break;
	case UHID_GET_REPORT:
		get_report(s->descriptor, &event.u.get_report);
		break;
	case UHID_SET_REPORT: {
		const struct uhid_set_report_req *set = &event.u.set_report;
		bool good = set->rtype == UHID_FEATURE_REPORT && hid_accel_set(&hid, s, set->data, set->size);
		uhid_set_reply(s->descriptor, set->id, good ? 0 : EIO);
		break;
	}
	}
	return true;
}

static bool report(struct sensor *s, const double g[3])
{
	hid_accel_encode(&hid, s, g);
	if (!s->listened)
		return true;
	s->sent++;
	return uhid_input(s->descriptor, hid.input, hid.input_size);
}

int main(int argc, char **argv)
{
	struct sensor s = { .options = options_default, .plug = plug, .unplug = unplug, .serve = serve, .report = report };
	s.options.name = "Lab HID accelerometer";
	s.options.serial = "lab-accel-1";
	options_parse(&s.options, argc, argv);
	s.own_time = s.options.own_time;
	return sensor_run(&s, "uhid_accel");
}
