/* ble_peripheral - a Bluetooth sensor: an application of the guest's bluetoothd on one controller, received by another.
 *   ble_peripheral /org/bluez/hci0 rsc|watch [options of options.h]     SIGUSR1 starts the walk
 * rsc: service 0x1814, characteristic 0x2A53, with total distance, once a second. watch: InfiniTime's motion service, the step
 * count at each change and raw motion values ten times a second. SIGUSR2: values of the wrong length, once.
 * Standard error contains "advertised", "subscribed" and, at the end, "walk over: N steps" with the peripheral's count. */
#include "motion.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

static const char BLUEZ[] = "org.bluez", SERVICE[] = "/sensor/service", ADVERTISEMENT[] = "/sensor/advertisement";
static const char *const PATHS[] = {"/sensor/service/first", "/sensor/service/second"};
static const char *uuids[2], *service_uuid;
static uint8_t values[2][16];
static size_t lengths[2];
static int notifying[2];
static bool is_watch;
static sd_bus *bus;
static volatile sig_atomic_t begun, spoilt;

static void on_signal(int number)
{
	if (number == SIGUSR1) begun = 1;
	if (number == SIGUSR2) spoilt = 1;
}

static void must(int result, const char *what)
{
	if (result >= 0) return;
	fprintf(stderr, "ble_peripheral: %s: %s\n", what, strerror(-result));
	exit(1);
}

static int which(const char *path) { return strcmp(path, PATHS[1]) == 0; }

static int get_text(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply,
	void *data, sd_bus_error *error)
{
	(void)b, (void)interface, (void)data, (void)error;
	if (!strcmp(property, "Service")) return sd_bus_message_append(reply, "o", SERVICE);
	if (!strcmp(property, "Type")) return sd_bus_message_append(reply, "s", "peripheral");
	if (!strcmp(property, "LocalName")) return sd_bus_message_append(reply, "s", is_watch ? "Lab watch" : "Lab pod");
	return sd_bus_message_append(reply, "s", strcmp(path, SERVICE) ? uuids[which(path)] : service_uuid);
}

static int get_true(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply,
	void *data, sd_bus_error *error)
{
	(void)b, (void)path, (void)interface, (void)property, (void)data, (void)error;
	return sd_bus_message_append(reply, "b", 1);
}

static int get_texts(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply,
	void *data, sd_bus_error *error)
{
	(void)b, (void)path, (void)interface, (void)data, (void)error;
	if (!strcmp(property, "ServiceUUIDs")) return sd_bus_message_append(reply, "as", 1, service_uuid);
	return is_watch ? sd_bus_message_append(reply, "as", 2, "read", "notify") : sd_bus_message_append(reply, "as", 1, "notify");
}

static int get_value(sd_bus *b, const char *path, const char *interface, const char *property, sd_bus_message *reply,
	void *data, sd_bus_error *error)
{
	(void)b, (void)interface, (void)property, (void)data, (void)error;
	return sd_bus_message_append_array(reply, 'y', values[which(path)], lengths[which(path)]);
}

static int read_value(sd_bus_message *call, void *data, sd_bus_error *error)
{
	(void)data, (void)error;
	sd_bus_message *reply = NULL;
	int i = which(sd_bus_message_get_path(call)), result = sd_bus_message_new_method_return(call, &reply);
	if (result >= 0) result = sd_bus_message_append_array(reply, 'y', values[i], lengths[i]);
	if (result >= 0) result = sd_bus_send(NULL, reply, NULL);
	sd_bus_message_unref(reply);
	return result;
}

static int set_notifying(sd_bus_message *call, void *data, sd_bus_error *error)
{
	(void)data, (void)error;
	int on = !strcmp(sd_bus_message_get_member(call), "StartNotify");
	notifying[which(sd_bus_message_get_path(call))] = on;
	fprintf(stderr, on ? "subscribed\n" : "unsubscribed\n");
	return sd_bus_reply_method_return(call, "");
}

static int release(sd_bus_message *call, void *data, sd_bus_error *error)
{
	(void)data, (void)error;
	return sd_bus_reply_method_return(call, "");
}

static const sd_bus_vtable service_table[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_PROPERTY("UUID", "s", get_text, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("Primary", "b", get_true, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_VTABLE_END};
static const sd_bus_vtable characteristic_table[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_PROPERTY("UUID", "s", get_text, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("Service", "o", get_text, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("Flags", "as", get_texts, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("Value", "ay", get_value, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
	SD_BUS_METHOD("ReadValue", "a{sv}", "ay", read_value, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_METHOD("StartNotify", "", "", set_notifying, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_METHOD("StopNotify", "", "", set_notifying, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END};
static const sd_bus_vtable advertisement_table[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_PROPERTY("Type", "s", get_text, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("LocalName", "s", get_text, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("ServiceUUIDs", "as", get_texts, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_PROPERTY("Discoverable", "b", get_true, 0, SD_BUS_VTABLE_PROPERTY_CONST),
	SD_BUS_METHOD("Release", "", "", release, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END};

static int registered(sd_bus_message *reply, void *what, sd_bus_error *error)
{
	(void)error;
	const sd_bus_error *failure = sd_bus_message_get_error(reply);
	fprintf(stderr, "%s%s%s\n", (const char *)what, failure ? " failed: " : "", failure ? failure->message : "");
	if (failure) exit(1);
	return 0;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void put(uint8_t *bytes, uint32_t number, int count)
{
	for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

static void send_value(int i, size_t length)
{
	lengths[i] = spoilt ? 3 : length;
	if (notifying[i]) {
		if (!is_watch) fprintf(stderr, "sent %.2f %d %d\n", now(), values[i][3], values[i][4] | values[i][5] << 8);
		must(sd_bus_emit_properties_changed(bus, PATHS[i], "org.bluez.GattCharacteristic1", "Value", NULL), "notify");
	}
	if (spoilt) lengths[i] = length;
	spoilt = 0;
}

/* Serves the bus until a time on the monotonic clock. */
static void serve_until(double time)
{
	for (;;) {
		int result = sd_bus_process(bus, NULL);
		must(result, "serve");
		if (result > 0) continue;
		double left = time - now();
		if (left <= 0) return;
		result = sd_bus_wait(bus, (uint64_t)(left * 1e6) + 1);
		if (result < 0 && result != -EINTR) must(result, "wait");
	}
}

int main(int argc, char **argv)
{
	struct options o = options_default;
	struct motion motion;
	if (argc < 3 || (strcmp(argv[2], "rsc") && strcmp(argv[2], "watch"))) {
		fprintf(stderr, "ble_peripheral /org/bluez/hci0 rsc|watch [name=value ...]\n");
		return 2;
	}
	is_watch = !strcmp(argv[2], "watch");
	options_parse(&o, argc - 2, argv + 2);
	motion_open(&motion, &o);
	service_uuid = is_watch ? "00030000-78fc-48fe-8e23-433b3a1942d0" : "00001814-0000-1000-8000-00805f9b34fb";
	uuids[0] = is_watch ? "00030001-78fc-48fe-8e23-433b3a1942d0" : "00002a53-0000-1000-8000-00805f9b34fb";
	uuids[1] = "00030002-78fc-48fe-8e23-433b3a1942d0";
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_signal);
	must(sd_bus_open_system(&bus), "system bus");
	must(sd_bus_add_object_manager(bus, NULL, "/"), "object manager");
	must(sd_bus_add_object_vtable(bus, NULL, SERVICE, "org.bluez.GattService1", service_table, NULL), SERVICE);
	for (int i = 0; i <= is_watch; i++)
		must(sd_bus_add_object_vtable(
			bus, NULL, PATHS[i], "org.bluez.GattCharacteristic1", characteristic_table, NULL), PATHS[i]);
	must(sd_bus_add_object_vtable(
		bus, NULL, ADVERTISEMENT, "org.bluez.LEAdvertisement1", advertisement_table, NULL), ADVERTISEMENT);
	must(sd_bus_call_method_async(bus, NULL, BLUEZ, argv[1], "org.bluez.GattManager1", "RegisterApplication", registered,
		"registered", "oa{sv}", "/", 0), "register");
	must(sd_bus_call_method_async(bus, NULL, BLUEZ, argv[1], "org.bluez.LEAdvertisingManager1", "RegisterAdvertisement",
		registered, "advertised", "oa{sv}", ADVERTISEMENT, 0), "advertise");
	/* Steps are taken at an even cadence from the moment of the signal; a measurement counts for the second before it. */
	const double period = is_watch ? 0.1 : 1;
	double next = now() + period, walked = 0, metres = 0;
	long told = -1;
	bool is_over = false, is_told = false, is_odd = false;
	if (is_watch) { put(values[0], 5000, 4); lengths[0] = 4; }
	for (;; next += period) {
		serve_until(next);
		/* half a step more, so that neither a late nor an early measurement changes the number of whole steps */
		double target = o.steps + 0.5, pace = 0;
		if (begun && !is_over) {
			double step = fmin(o.cadence * period, target - walked);
			pace = step / period;
			walked += step;
			metres += 0.7 * step;
			is_over = walked >= target;
		}
		if (!is_watch) {
			values[0][0] = 2;
			/* a foot is never completely still, and unchanged values may not be sent */
			put(values[0] + 1, (uint32_t)(pace * 0.7 * 256) + (is_odd = !is_odd), 2);
			values[0][3] = (uint8_t)lround(pace * 60);
			put(values[0] + 4, (uint32_t)(metres * 10), 4);
			send_value(0, 8);
		} else {
			double g[3] = {0, 0, 1};
			if (begun) motion.begun = true;
			motion_advance(&motion, period, g);
			for (int k = 0; k < 3; k++) put(values[1] + 2 * k, (uint32_t)(int32_t)lround(g[k] * (o.fine ? 2048 : 1024)), 2);
			send_value(1, 6);
			if ((long)walked != told) {
				told = (long)walked;
				put(values[0], 5000 + (uint32_t)told, 4);
				send_value(0, 4);
			}
		}
		if (is_over && !is_told) {
			fprintf(stderr, "walk over: %ld steps\n", (long)walked);
			is_told = true;
		}
	}
}
