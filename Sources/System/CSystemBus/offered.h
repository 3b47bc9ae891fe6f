// The properties of objects that a connection offers to others, and the answers to calls that ask for them.
#ifndef CSYSTEMBUS_OFFERED_H
#define CSYSTEMBUS_OFFERED_H

#include "CSystemBus.h"
#include "libsystemd.h"

struct offered_properties {
  struct system_bus_property *list;
  size_t count;
};

/// Adds a property, or replaces its value.
int offered_set(struct offered_properties *offered, struct system_bus_property property);

/// Whether an object has a property of an interface.
bool offered_has(const struct offered_properties *offered, const char *path, const char *interface);

/// Sends PropertiesChanged with a property's value.
int offered_announce(
  const struct offered_properties *offered, sd_bus *bus, const char *path, const char *interface, const char *name);

/// Answers calls of Properties and ObjectManager. 1: answered; 0: another method; or a negative errno.
int offered_answer(const struct offered_properties *offered, sd_bus *bus, sd_bus_message *call);

void offered_free(struct offered_properties *offered);

#endif
