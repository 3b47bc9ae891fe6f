// D-Bus by libsystemd (sd-bus), which is opened when it is first needed: a computer without it counts all the same, and a
// process that asks for no Bluetooth pays nothing.
//
// C because sd-bus is: its functions are looked up by name, its messages are read by a cursor into memory that they own. What comes
// in is laid out flat, as records, so that Swift needs no cursor.
//
// Every function returns a negative errno on failure. One thread at a time may use a connection.
#ifndef CSYSTEMBUS_H
#define CSYSTEMBUS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

struct system_bus;

/// Connects to the bus at an address, or to the system bus without one; nothing is waited for.
/// -ENOSYS: libsystemd is not installed. -ENOENT, -ECONNREFUSED: no bus is running.
int system_bus_open(const char *_Nullable address, struct system_bus *_Nullable *_Nonnull bus);

/// Sends what waits to be sent, and closes.
void system_bus_close(struct system_bus *bus);

/// The descriptor to wait for, or a negative errno; the same throughout.
int system_bus_descriptor(struct system_bus *bus);

/// Whether something waits to be written, so that the descriptor's being readable is not all that matters.
int system_bus_wants_to_write(struct system_bus *bus);

/// Calls a method whose arguments are up to three strings or object paths, by `signature` ("", "s", "sss").
/// No program is started to answer it. Its number, with which the answer comes, or a negative errno.
int64_t system_bus_call(
  struct system_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
  const char *signature, const char *_Nullable first, const char *_Nullable second, const char *_Nullable third);

/// The same for a method with one argument: a dictionary with one string in it, or with none at all.
int64_t system_bus_call_with_option(
  struct system_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
  const char *_Nullable key, const char *_Nullable value);

/// What a message said, one thing at a time. Pointers are valid until the next system_bus_process().
struct system_bus_record {
  enum system_bus_kind {
    /// The answer to the call `number`; `text`: the error's name, `detail`: its words; `bytes`: an array of bytes.
    SYSTEM_BUS_ANSWER,
    /// The object `path` has this `interface`.
    SYSTEM_BUS_INTERFACE,
    /// The property `name` of `interface` of `path` is `text`, `number` or `bytes`, by `type`.
    SYSTEM_BUS_PROPERTY,
    /// One more element (`text`) of a property that is an array of strings.
    SYSTEM_BUS_ELEMENT,
    /// The object `path` no longer has this `interface`.
    SYSTEM_BUS_INTERFACE_GONE,
    /// The name `text` has another owner: `detail`; empty: none.
    SYSTEM_BUS_OWNER,
  } kind;
  /// 's': text, 'n': a number, 'y': bytes, 'a': an array of strings, whose elements follow; else 0.
  char type;
  const char *_Nullable path, *_Nullable interface, *_Nullable name, *_Nullable text, *_Nullable detail;
  int64_t number;
  const uint8_t *_Nullable bytes;
  size_t count;
};

/// Takes one message. 1: there may be more; 0: there is none; or a negative errno, after which the connection is dead.
int system_bus_process(struct system_bus *bus);

/// How many records the latest message gave.
size_t system_bus_records(struct system_bus *bus);

/// One of them.
struct system_bus_record system_bus_record(struct system_bus *bus, size_t index);

#pragma clang assume_nonnull end
#endif
