/* uhid.h - a HID device in user space (linux/uhid.h): create, answer, send, destroy. */
#ifndef UHID_H
#define UHID_H
#include <linux/uhid.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uhid_identity { const char *name, *place, *serial; uint16_t bus, vendor, product; };

/* Creates the device and returns its descriptor. Exits with status 1 if there is no /dev/uhid. */
int uhid_create(const struct uhid_identity *who, const uint8_t *descriptor, size_t size);
bool uhid_input(int fd, const void *report, size_t size);
void uhid_get_reply(int fd, uint32_t id, uint16_t error, const void *report, size_t size);
void uhid_set_reply(int fd, uint32_t id, uint16_t error);
void uhid_destroy(int fd);

#endif
