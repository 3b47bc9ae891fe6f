/* uhid.c - the few events of /dev/uhid that a virtual sensor needs. */
#include "uhid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool send_event(int fd, const struct uhid_event *event)
{
	ssize_t n = write(fd, event, sizeof *event);
	if (n == (ssize_t)sizeof *event)
		return true;
	fprintf(stderr, "uhid: event %u: %s\n", event->type, n < 0 ? strerror(errno) : "short write");
	return false;
}

int uhid_create(const struct uhid_identity *who, const uint8_t *descriptor, size_t size)
{
	struct uhid_event event = { .type = UHID_CREATE2 };
	struct uhid_create2_req *c = &event.u.create2;
	int fd = open("/dev/uhid", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror("/dev/uhid");
		exit(1);
	}
	snprintf((char *)c->name, sizeof c->name, "%s", who->name);
	snprintf((char *)c->phys, sizeof c->phys, "%s", who->place);
	snprintf((char *)c->uniq, sizeof c->uniq, "%s", who->serial);
	memcpy(c->rd_data, descriptor, size);
	c->rd_size = size;
	c->bus = who->bus;
	c->vendor = who->vendor;
	c->product = who->product;
	c->version = 0x0100;
	if (!send_event(fd, &event))
		exit(1);
	return fd;
}

bool uhid_input(int fd, const void *report, size_t size)
{
	struct uhid_event event = { .type = UHID_INPUT2 };
	event.u.input2.size = size;
	memcpy(event.u.input2.data, report, size);
	return send_event(fd, &event);
}

void uhid_get_reply(int fd, uint32_t id, uint16_t error, const void *report, size_t size)
{
	struct uhid_event event = { .type = UHID_GET_REPORT_REPLY };
	event.u.get_report_reply.id = id;
	event.u.get_report_reply.err = error;
	event.u.get_report_reply.size = size;
	if (size)
		memcpy(event.u.get_report_reply.data, report, size);
	send_event(fd, &event);
}

void uhid_set_reply(int fd, uint32_t id, uint16_t error)
{
	struct uhid_event event = { .type = UHID_SET_REPORT_REPLY };
	event.u.set_report_reply.id = id;
	event.u.set_report_reply.err = error;
	send_event(fd, &event);
}

void uhid_destroy(int fd)
{
	struct uhid_event event = { .type = UHID_DESTROY };
	send_event(fd, &event);
	close(fd);
}
