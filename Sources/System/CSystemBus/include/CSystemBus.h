// D-Bus through libsystemd (sd-bus), which is loaded on first use: step counting also works on computers without it,
// and a process that does not use Bluetooth has no cost.
//
// C because sd-bus is a C library: its functions are looked up by name, and its messages are read with a cursor into
// memory that they own. Messages are flattened to records, so that Swift needs no cursor.
//
// All functions return a negative errno on failure. Only one thread at a time may use a connection.
#ifndef CSYSTEMBUS_H
#define CSYSTEMBUS_H

#include "BusService.h"

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

struct system_bus;

/// Connects to the bus at an address, or to the system bus if it is null, without waiting. -ENOSYS: libsystemd is not
/// installed. -ENOENT, -ECONNREFUSED: no bus is running.
int system_bus_open(const char *_Nullable address, struct system_bus *_Nullable *_Nonnull bus);

/// Sends pending messages and closes the connection.
void system_bus_close(struct system_bus *bus);

/// The descriptor to wait for, or a negative errno; it does not change.
int system_bus_descriptor(struct system_bus *bus);

/// Whether output is pending, so that waiting for input is not enough.
int system_bus_wants_to_write(struct system_bus *bus);

/// Calls a method without arguments, or with a string or object path, according to `signature` ("", "s", "o"), without
/// starting a service. Returns the call's number, which the answer repeats, or a negative errno.
int64_t system_bus_call(
  struct system_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
  const char *signature, const char *first);

/// The same for a method with one argument: a dictionary with one string, or an empty one.
int64_t system_bus_call_with_option(
  struct system_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
  const char *_Nullable key, const char *_Nullable value);

/// One item of a message. Pointers are valid until the next system_bus_process().
struct system_bus_record {
  enum system_bus_kind {
    /// The answer to the call `number`; `text`: the error's name, `detail`: its message; `bytes`: an array of bytes.
    SYSTEM_BUS_ANSWER,
    /// The object `path` has this `interface`.
    SYSTEM_BUS_INTERFACE,
    /// The property `name` of `interface` of `path` is `text`, `number` or `bytes`, by `type`.
    SYSTEM_BUS_PROPERTY,
    /// One more element (`text`) of a property that is an array of strings.
    SYSTEM_BUS_ELEMENT,
    /// The object `path` no longer has this `interface`.
    SYSTEM_BUS_INTERFACE_GONE,
    /// The name `text` has a new owner `detail`; empty: none.
    SYSTEM_BUS_OWNER,
  } kind;
  /// 's': text, 'n': a number, 'y': bytes, 'a': an array of strings, whose elements follow; else 0.
  char type;
  const char *_Nullable path, *_Nullable interface, *_Nullable name, *_Nullable text, *_Nullable detail;
  int64_t number;
  const uint8_t *_Nullable bytes;
  size_t count;
};

/// Processes one message. 1: there may be more; 0: there is none; or a negative errno, after which the connection is
/// unusable.
int system_bus_process(struct system_bus *bus);

/// The number of records of the latest message.
size_t system_bus_records(struct system_bus *bus);

/// One of these records.
struct system_bus_record system_bus_record(struct system_bus *bus, size_t index);

#pragma clang assume_nonnull end
#endif
