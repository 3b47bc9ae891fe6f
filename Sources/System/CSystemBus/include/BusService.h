// A service on D-Bus with one object of read-only properties, through libsystemd (sd-bus), which is loaded on first use.
//
// The object answers org.freedesktop.DBus.Properties and Introspectable itself, instead of by sd-bus's table of properties,
// whose layout depends on the version of its headers.
//
// Functions return a negative errno on failure. One thread uses a service; only bus_service_wake() may be called from others.
#ifndef CSYSTEMBUS_BUSSERVICE_H
#define CSYSTEMBUS_BUSSERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

struct bus_service;

/// A value of a property.
struct bus_value {
  const char *name;
  /// 't': number, 'd': real, 'b': number, 's': text, 'a': an array of pairs of strings, `pairs`.
  char type;
  /// Whether the value is unknown; reading it is then an error.
  bool is_unknown;
  uint64_t number;
  double real;
  const char *_Nullable text;
  /// `count` pairs.
  const char *_Nullable const *_Nullable pairs;
  size_t count;
};

/// Connects to the bus at an address, or to the session bus or the system bus if it is null, takes the name, and waits for
/// the answer. -ENOSYS: libsystemd is not installed. -EEXIST: the name has another owner. -EACCES, -EPERM: the bus's
/// policy does not permit the name.
int bus_service_open(
  const char *_Nullable address, bool is_session, const char *name, const char *path, const char *introspection,
  struct bus_service *_Nullable *_Nonnull service);

/// Processes messages until bus_service_wake() is called; 0, or a negative errno, after which the connection is unusable.
int bus_service_run(struct bus_service *service);

/// Makes bus_service_run() return. Thread-safe.
void bus_service_wake(struct bus_service *service);

/// Replaces the properties, and announces those that have changed. Copies everything.
int bus_service_set(struct bus_service *service, const struct bus_value *values, size_t count);

void bus_service_close(struct bus_service *service);

#pragma clang assume_nonnull end
#endif
