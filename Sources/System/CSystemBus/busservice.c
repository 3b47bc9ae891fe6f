#include "BusService.h"
#include "libsystemd.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static const char properties[] = "org.freedesktop.DBus.Properties";

struct bus_service {
  sd_bus *bus;
  int wake;
  char *name, *path, *introspection;
  struct bus_value *values;
  size_t count;
};

static void free_values(struct bus_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free((char *)values[i].name);
    free((char *)values[i].text);
    for (size_t pair = 0; pair < 2 * values[i].count; pair++) free((char *)values[i].pairs[pair]);
    free((void *)values[i].pairs);
  }
  free(values);
}

static struct bus_value *copy_values(const struct bus_value *values, size_t count) {
  struct bus_value *copies = calloc(count ? count : 1, sizeof *copies);
  if (!copies) return NULL;
  for (size_t i = 0; i < count; i++) {
    struct bus_value *copy = &copies[i];
    *copy = values[i];
    copy->count = 0;
    copy->pairs = NULL;
    copy->name = strdup(values[i].name);
    copy->text = values[i].text ? strdup(values[i].text) : NULL;
    const char **pairs = values[i].count ? calloc(2 * values[i].count, sizeof *pairs) : NULL;
    copy->pairs = pairs;
    bool is_short = !copy->name || (values[i].text && !copy->text) || (values[i].count && !pairs);
    for (size_t pair = 0; !is_short && pair < 2 * values[i].count; pair++) {
      pairs[pair] = strdup(values[i].pairs[pair]);
      copy->count = pair / 2 + 1;
      is_short = !pairs[pair];
    }
    if (is_short) {
      free_values(copies, i + 1);
      return NULL;
    }
  }
  return copies;
}

static bool is_same(const struct bus_value *a, const struct bus_value *b) {
  if (strcmp(a->name, b->name) || a->type != b->type || a->is_unknown != b->is_unknown || a->number != b->number ||
      a->real != b->real || a->count != b->count || strcmp(a->text ? a->text : "", b->text ? b->text : ""))
    return false;
  for (size_t i = 0; i < 2 * a->count; i++)
    if (strcmp(a->pairs[i], b->pairs[i])) return false;
  return true;
}

/// Appends a value as a variant.
static int append(sd_bus_message *message, const struct bus_value *value) {
  const char signature[] = {value->type, 0};
  int status = sd.message_open_container(message, 'v', value->type == 'a' ? "a(ss)" : signature);
  int truth = value->number != 0;
  const void *basic = value->type == 't' ? (const void *)&value->number
    : value->type == 'd'                 ? (const void *)&value->real
    : value->type == 'b'                 ? (const void *)&truth
                                         : (const void *)(value->text ? value->text : "");
  if (value->type != 'a') {
    if (status >= 0) status = sd.message_append_basic(message, value->type, basic);
  } else {
    if (status >= 0) status = sd.message_open_container(message, 'a', "(ss)");
    for (size_t i = 0; status >= 0 && i < value->count; i++) {
      status = sd.message_open_container(message, 'r', "ss");
      if (status >= 0) status = sd.message_append_basic(message, 's', value->pairs[2 * i]);
      if (status >= 0) status = sd.message_append_basic(message, 's', value->pairs[2 * i + 1]);
      if (status >= 0) status = sd.message_close_container(message);
    }
    if (status >= 0) status = sd.message_close_container(message);
  }
  return status < 0 ? status : sd.message_close_container(message);
}

/// Appends a{sv}: the known values, and of these the changed ones if there are former values.
static int append_all(
  sd_bus_message *message, const struct bus_value *values, size_t count, const struct bus_value *former,
  size_t former_count) {
  int status = sd.message_open_container(message, 'a', "{sv}");
  for (size_t i = 0; status >= 0 && i < count; i++) {
    if (values[i].is_unknown || (i < former_count && is_same(&values[i], &former[i]))) continue;
    status = sd.message_open_container(message, 'e', "sv");
    if (status >= 0) status = sd.message_append_basic(message, 's', values[i].name);
    if (status >= 0) status = append(message, &values[i]);
    if (status >= 0) status = sd.message_close_container(message);
  }
  return status < 0 ? status : sd.message_close_container(message);
}

static int reply(struct bus_service *service, sd_bus_message *answer, int status) {
  if (status >= 0) status = sd.send(service->bus, answer, NULL);
  sd.message_unref(answer);
  return status < 0 ? status : 1;
}

static int get(struct bus_service *service, sd_bus_message *message, sd_bus_error *error) {
  const char *interface = NULL, *name = NULL;
  int status = sd.message_read_basic(message, 's', &interface);
  if (status >= 0) status = sd.message_read_basic(message, 's', &name);
  if (status < 0) return status;
  for (size_t i = 0; i < service->count; i++) {
    const struct bus_value *value = &service->values[i];
    if (strcmp(interface, service->name) || strcmp(name, value->name)) continue;
    if (value->is_unknown)
      return sd.error_set_const(error, "org.freedesktop.DBus.Error.Failed", "The value is unknown; see Problem.");
    sd_bus_message *answer;
    if ((status = sd.message_new_method_return(message, &answer)) < 0) return status;
    return reply(service, answer, append(answer, value));
  }
  return sd.error_set_const(error, "org.freedesktop.DBus.Error.UnknownProperty", "unknown property");
}

static int get_all(struct bus_service *service, sd_bus_message *message) {
  const char *interface = NULL;
  sd_bus_message *answer;
  int status = sd.message_read_basic(message, 's', &interface);
  if (status >= 0) status = sd.message_new_method_return(message, &answer);
  if (status < 0) return status;
  bool is_ours = !*interface || !strcmp(interface, service->name);
  return reply(service, answer, append_all(answer, service->values, is_ours ? service->count : 0, NULL, 0));
}

static int handle(sd_bus_message *message, void *context, sd_bus_error *error) {
  struct bus_service *service = context;
  if (sd.message_is_method_call(message, properties, "Get") > 0) return get(service, message, error);
  if (sd.message_is_method_call(message, properties, "GetAll") > 0) return get_all(service, message);
  if (sd.message_is_method_call(message, properties, "Set") > 0)
    return sd.error_set_const(error, "org.freedesktop.DBus.Error.PropertyReadOnly", "The properties are read-only.");
  if (sd.message_is_method_call(message, "org.freedesktop.DBus.Introspectable", "Introspect") > 0) {
    sd_bus_message *answer;
    int status = sd.message_new_method_return(message, &answer);
    if (status < 0) return status;
    return reply(service, answer, sd.message_append_basic(answer, 's', service->introspection));
  }
  return 0;
}

/// Connects to an address, or to the session bus or the system bus.
static int connect_to(const char *address, bool is_session, sd_bus **bus) {
  if (!address) return is_session ? sd.open_user(bus) : sd.open_system(bus);
  int status = sd.new(bus);
  if (status >= 0) status = sd.set_address(*bus, address);
  if (status >= 0) status = sd.set_bus_client(*bus, 1);
  return status < 0 ? status : sd.start(*bus);
}

int bus_service_open(
  const char *address, bool is_session, const char *name, const char *path, const char *introspection,
  struct bus_service **result) {
  if (!system_bus_library()) return -ENOSYS;
  struct bus_service *service = calloc(1, sizeof *service);
  if (!service) return -ENOMEM;
  service->name = strdup(name);
  service->path = strdup(path);
  service->introspection = strdup(introspection);
  service->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int status = service->wake < 0 ? -errno : service->name && service->path && service->introspection ? 0 : -ENOMEM;
  if (status >= 0) status = connect_to(address, is_session, &service->bus);
  if (status >= 0) status = sd.add_object(service->bus, NULL, path, handle, service);
  if (status >= 0) status = sd.request_name(service->bus, name, 0);
  if (status < 0) {
    if (service->bus) sd.close_unref(service->bus);
    service->bus = NULL;
    bus_service_close(service);
    return status;
  }
  *result = service;
  return 0;
}

int bus_service_run(struct bus_service *service) {
  while (true) {
    int status;
    while ((status = sd.process(service->bus, NULL)) > 0) {}
    if (status < 0) return status;
    uint64_t due = UINT64_MAX, count;
    int events = sd.get_events(service->bus);
    if (events < 0) return events;
    sd.get_timeout(service->bus, &due);
    int timeout = -1;
    if (due != UINT64_MAX) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      uint64_t present = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
      uint64_t left = due > present ? (due - present) / 1000 + 1 : 0;
      timeout = left < 60000 ? (int)left : 60000;
    }
    struct pollfd waits[] = {
      {.fd = sd.get_fd(service->bus), .events = (short)events}, {.fd = service->wake, .events = POLLIN}};
    if (poll(waits, 2, timeout) < 0 && errno != EINTR) return -errno;
    if (waits[1].revents) {
      if (read(service->wake, &count, sizeof count) < 0) continue;
      return 0;
    }
  }
}

void bus_service_wake(struct bus_service *service) {
  uint64_t one = 1;
  // Full means that it is awake anyway.
  if (write(service->wake, &one, sizeof one) < 0) return;
}

int bus_service_set(struct bus_service *service, const struct bus_value *values, size_t count) {
  struct bus_value *copies = copy_values(values, count);
  if (!copies) return -ENOMEM;
  bool has_changed = count != service->count;
  for (size_t i = 0; !has_changed && i < count; i++) has_changed = !is_same(&copies[i], &service->values[i]);
  int status = 0;
  if (has_changed) {
    sd_bus_message *message = NULL;
    status = sd.message_new_signal(service->bus, &message, service->path, properties, "PropertiesChanged");
    if (status >= 0) status = sd.message_append_basic(message, 's', service->name);
    if (status >= 0) status = append_all(message, copies, count, service->values, service->count);
    // The names of those that have become unknown.
    if (status >= 0) status = sd.message_open_container(message, 'a', "s");
    for (size_t i = 0; status >= 0 && i < count; i++)
      if (copies[i].is_unknown && (i >= service->count || !service->values[i].is_unknown))
        status = sd.message_append_basic(message, 's', copies[i].name);
    if (status >= 0) status = sd.message_close_container(message);
    if (status >= 0) status = sd.send(service->bus, message, NULL);
    if (message) sd.message_unref(message);
  }
  free_values(service->values, service->count);
  service->values = copies;
  service->count = count;
  return status < 0 ? status : 0;
}

void bus_service_close(struct bus_service *service) {
  if (service->bus) sd.flush_close_unref(service->bus);
  if (service->wake >= 0) close(service->wake);
  free_values(service->values, service->count);
  free(service->name);
  free(service->path);
  free(service->introspection);
  free(service);
}
