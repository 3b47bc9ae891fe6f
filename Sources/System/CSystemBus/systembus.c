#include "CSystemBus.h"
#include "libsystemd.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

struct system_bus {
  sd_bus *bus;
  /// The latest message, which owns the memory of the records.
  sd_bus_message *message;
  struct system_bus_record *records;
  size_t count, room;
};

int system_bus_open(const char *address, struct system_bus **result) {
  if (!system_bus_library()) return -ENOSYS;
  struct system_bus *bus = calloc(1, sizeof *bus);
  if (!bus) return -ENOMEM;
  int status;
  if (address) {
    status = sd.new(&bus->bus);
    if (status >= 0) status = sd.set_address(bus->bus, address);
    if (status >= 0) status = sd.set_bus_client(bus->bus, 1);
    if (status >= 0) status = sd.start(bus->bus);
  } else {
    status = sd.open_system(&bus->bus);
  }
  if (status < 0) {
    if (bus->bus) sd.close_unref(bus->bus);
    free(bus);
    return status;
  }
  *result = bus;
  return 0;
}

void system_bus_close(struct system_bus *bus) {
  if (bus->message) sd.message_unref(bus->message);
  // Flushing would wait for a bus that has not answered yet.
  if (sd.is_ready(bus->bus) > 0) sd.flush_close_unref(bus->bus); else sd.close_unref(bus->bus);
  free(bus->records);
  free(bus);
}

int system_bus_descriptor(struct system_bus *bus) { return sd.get_fd(bus->bus); }

int system_bus_wants_to_write(struct system_bus *bus) {
  int events = sd.get_events(bus->bus);
  return events > 0 && events & POLLOUT;
}

static int64_t send_and_release(struct system_bus *bus, sd_bus_message *message, int status) {
  uint64_t cookie = 0;
  if (status >= 0) status = sd.message_set_auto_start(message, 0);
  if (status >= 0) status = sd.send(bus->bus, message, &cookie);
  sd.message_unref(message);
  return status < 0 ? status : (int64_t)cookie;
}

int64_t system_bus_call(
  struct system_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
  const char *signature, const char *first) {
  sd_bus_message *message;
  int status = sd.message_new_method_call(bus->bus, &message, destination, path, interface, member);
  if (status < 0) return status;
  if (signature[0]) status = sd.message_append_basic(message, signature[0], first);
  return send_and_release(bus, message, status);
}

int64_t system_bus_call_with_option(
  struct system_bus *bus, const char *destination, const char *path, const char *interface, const char *member,
  const char *key, const char *value) {
  sd_bus_message *message;
  int status = sd.message_new_method_call(bus->bus, &message, destination, path, interface, member);
  if (status < 0) return status;
  status = sd.message_open_container(message, 'a', "{sv}");
  if (status >= 0 && key && value) {
    status = sd.message_open_container(message, 'e', "sv");
    if (status >= 0) status = sd.message_append_basic(message, 's', key);
    if (status >= 0) status = sd.message_open_container(message, 'v', "s");
    if (status >= 0) status = sd.message_append_basic(message, 's', value);
    if (status >= 0) status = sd.message_close_container(message);
    if (status >= 0) status = sd.message_close_container(message);
  }
  if (status >= 0) status = sd.message_close_container(message);
  return send_and_release(bus, message, status);
}

static int add(struct system_bus *bus, struct system_bus_record record) {
  if (bus->count == bus->room) {
    size_t room = bus->room ? 2 * bus->room : 64;
    struct system_bus_record *records = realloc(bus->records, room * sizeof *records);
    if (!records) return -ENOMEM;
    bus->records = records;
    bus->room = room;
  }
  bus->records[bus->count++] = record;
  return 0;
}

/// Moves to the next element of a container: 1; 0 at its end.
static int more(sd_bus_message *message, char *type, const char **contents) {
  return sd.message_peek_type(message, type, contents);
}

/// A number of any width; 0 for other types, which are not read.
static int read_number(sd_bus_message *message, char type, int64_t *number) {
  union {
    uint8_t y;
    int b;
    int16_t n;
    uint16_t q;
    int32_t i;
    uint32_t u;
    int64_t x;
    uint64_t t;
  } value = {0};
  if (!strchr("ybnqiuxt", type)) return 0;
  int status = sd.message_read_basic(message, type, &value);
  if (status < 0) return status;
  switch (type) {
  case 'y': *number = value.y; break;
  case 'b': *number = value.b != 0; break;
  case 'n': *number = value.n; break;
  case 'q': *number = value.q; break;
  case 'i': *number = value.i; break;
  case 'u': *number = value.u; break;
  case 'x': *number = value.x; break;
  default: *number = (int64_t)value.t; break;
  }
  return 1;
}

/// A property's value, with its name in `record`.
static int add_value(struct system_bus *bus, struct system_bus_record record) {
  sd_bus_message *message = bus->message;
  char type;
  const char *contents;
  int status = more(message, &type, &contents);
  if (status <= 0) return status < 0 ? status : -EBADMSG;
  if (type != 'v') return -EBADMSG;
  const char *inside = contents;
  if ((status = sd.message_enter_container(message, 'v', inside)) < 0) return status;
  if (inside[0] && !inside[1]) {
    if (strchr("so", inside[0])) {
      record.type = 's';
      status = sd.message_read_basic(message, inside[0], &record.text);
      if (status >= 0) status = add(bus, record);
    } else {
      status = read_number(message, inside[0], &record.number);
      if (status > 0) {
        record.type = 'n';
        status = add(bus, record);
      } else if (status == 0) {
        status = sd.message_skip(message, inside);
      }
    }
  } else if (!strcmp(inside, "ay")) {
    record.type = 'y';
    const void *bytes = NULL;
    status = sd.message_read_array(message, 'y', &bytes, &record.count);
    record.bytes = bytes;
    if (status >= 0) status = add(bus, record);
  } else if (!strcmp(inside, "as")) {
    record.type = 'a';
    status = add(bus, record);
    if (status >= 0) status = sd.message_enter_container(message, 'a', "s");
    while (status >= 0 && (status = sd.message_read_basic(message, 's', &record.text)) > 0) {
      record.kind = SYSTEM_BUS_ELEMENT;
      status = add(bus, record);
    }
    if (status >= 0) status = sd.message_exit_container(message);
  } else {
    status = sd.message_skip(message, inside);
  }
  return status < 0 ? status : sd.message_exit_container(message);
}

/// a{sv}
static int add_properties(struct system_bus *bus, const char *path, const char *interface) {
  sd_bus_message *message = bus->message;
  int status = sd.message_enter_container(message, 'a', "{sv}");
  while (status >= 0 && (status = sd.message_enter_container(message, 'e', "sv")) > 0) {
    struct system_bus_record record = {.kind = SYSTEM_BUS_PROPERTY, .path = path, .interface = interface};
    status = sd.message_read_basic(message, 's', &record.name);
    if (status >= 0) status = add_value(bus, record);
    if (status >= 0) status = sd.message_exit_container(message);
  }
  return status < 0 ? status : sd.message_exit_container(message);
}

/// a{sa{sv}}
static int add_interfaces(struct system_bus *bus, const char *path) {
  sd_bus_message *message = bus->message;
  int status = sd.message_enter_container(message, 'a', "{sa{sv}}");
  while (status >= 0 && (status = sd.message_enter_container(message, 'e', "sa{sv}")) > 0) {
    const char *interface = NULL;
    status = sd.message_read_basic(message, 's', &interface);
    if (status >= 0)
      status = add(bus, (struct system_bus_record){.kind = SYSTEM_BUS_INTERFACE, .path = path, .interface = interface});
    if (status >= 0) status = add_properties(bus, path, interface);
    if (status >= 0) status = sd.message_exit_container(message);
  }
  return status < 0 ? status : sd.message_exit_container(message);
}

/// a{oa{sa{sv}}}
static int add_objects(struct system_bus *bus) {
  sd_bus_message *message = bus->message;
  int status = sd.message_enter_container(message, 'a', "{oa{sa{sv}}}");
  while (status >= 0 && (status = sd.message_enter_container(message, 'e', "oa{sa{sv}}")) > 0) {
    const char *path = NULL;
    status = sd.message_read_basic(message, 'o', &path);
    if (status >= 0) status = add_interfaces(bus, path);
    if (status >= 0) status = sd.message_exit_container(message);
  }
  return status < 0 ? status : sd.message_exit_container(message);
}

static int add_answer(struct system_bus *bus) {
  sd_bus_message *message = bus->message;
  uint64_t cookie = 0;
  sd.message_get_reply_cookie(message, &cookie);
  struct system_bus_record record = {.kind = SYSTEM_BUS_ANSWER, .number = (int64_t)cookie};
  const sd_bus_error *error = sd.message_get_error(message);
  const char *signature = sd.message_get_signature(message, 1);
  if (error && error->name) {
    record.text = error->name;
    record.detail = error->message ? error->message : "";
  } else if (signature && !strcmp(signature, "a{oa{sa{sv}}}")) {
    add_objects(bus);
  } else if (signature && !strcmp(signature, "ay")) {
    const void *bytes = NULL;
    if (sd.message_read_array(message, 'y', &bytes, &record.count) >= 0) record.type = 'y';
    record.bytes = bytes;
  }
  // Also delivered if it does not match BlueZ's documentation, because the caller waits for it.
  return add(bus, record);
}

static int add_message(struct system_bus *bus) {
  sd_bus_message *message = bus->message;
  const char *path = sd.message_get_path(message), *interface = NULL;
  uint8_t type = 0;
  sd.message_get_type(message, &type);
  if (type == 2 || type == 3) return add_answer(bus);
  if (sd.message_is_signal(message, "org.freedesktop.DBus.Properties", "PropertiesChanged") > 0) {
    int status = sd.message_read_basic(message, 's', &interface);
    return status < 0 ? status : add_properties(bus, path, interface);
  }
  if (sd.message_is_signal(message, "org.freedesktop.DBus.ObjectManager", "InterfacesAdded") > 0) {
    int status = sd.message_read_basic(message, 'o', &path);
    return status < 0 ? status : add_interfaces(bus, path);
  }
  if (sd.message_is_signal(message, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") > 0) {
    int status = sd.message_read_basic(message, 'o', &path);
    if (status >= 0) status = sd.message_enter_container(message, 'a', "s");
    while (status >= 0 && (status = sd.message_read_basic(message, 's', &interface)) > 0)
      status = add(
        bus, (struct system_bus_record){.kind = SYSTEM_BUS_INTERFACE_GONE, .path = path, .interface = interface});
    return status;
  }
  if (sd.message_is_signal(message, "org.freedesktop.DBus", "NameOwnerChanged") > 0) {
    struct system_bus_record record = {.kind = SYSTEM_BUS_OWNER};
    const char *former;
    int status = sd.message_read_basic(message, 's', &record.text);
    if (status >= 0) status = sd.message_read_basic(message, 's', &former);
    if (status >= 0) status = sd.message_read_basic(message, 's', &record.detail);
    return status < 0 ? status : add(bus, record);
  }
  return 0;
}

int system_bus_process(struct system_bus *bus) {
  bus->count = 0;
  if (bus->message) bus->message = sd.message_unref(bus->message);
  int status = sd.process(bus->bus, &bus->message);
  // Messages that do not match BlueZ's documentation are ignored.
  if (status > 0 && bus->message && add_message(bus) == -ENOMEM) return -ENOMEM;
  return status;
}

size_t system_bus_records(struct system_bus *bus) { return bus->count; }

struct system_bus_record system_bus_record(struct system_bus *bus, size_t index) { return bus->records[index]; }
