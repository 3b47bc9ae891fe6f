#include "offered.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char properties[] = "org.freedesktop.DBus.Properties";

static void free_property(struct system_bus_property *property) {
  free((char *)property->path);
  free((char *)property->interface);
  free((char *)property->name);
  free((char *)property->text);
  free((uint8_t *)property->bytes);
}

void offered_free(struct offered_properties *offered) {
  for (size_t i = 0; i < offered->count; i++) free_property(&offered->list[i]);
  free(offered->list);
  *offered = (struct offered_properties){0};
}

static struct system_bus_property *find(
  const struct offered_properties *offered, const char *path, const char *interface, const char *name) {
  for (size_t i = 0; i < offered->count; i++) {
    struct system_bus_property *property = &offered->list[i];
    if (!strcmp(property->path, path) && !strcmp(property->interface, interface) &&
        (!name || !strcmp(property->name, name)))
      return property;
  }
  return NULL;
}

bool offered_has(const struct offered_properties *offered, const char *path, const char *interface) {
  return find(offered, path, interface, NULL) != NULL;
}

int offered_set(struct offered_properties *offered, struct system_bus_property given) {
  struct system_bus_property copy = given;
  copy.path = strdup(given.path);
  copy.interface = strdup(given.interface);
  copy.name = strdup(given.name);
  copy.text = given.text ? strdup(given.text) : NULL;
  uint8_t *bytes = given.count ? malloc(given.count) : NULL;
  copy.bytes = bytes;
  if (bytes) memcpy(bytes, given.bytes, given.count);
  struct system_bus_property *place = find(offered, given.path, given.interface, given.name);
  bool is_complete =
    copy.path && copy.interface && copy.name && (!given.text || copy.text) && (!given.count || bytes);
  if (is_complete && !place) {
    struct system_bus_property *list = realloc(offered->list, (offered->count + 1) * sizeof *list);
    if (list) {
      offered->list = list;
      place = &list[offered->count++];
      *place = (struct system_bus_property){0};
    }
  }
  if (!is_complete || !place) {
    free_property(&copy);
    return -ENOMEM;
  }
  free_property(place);
  *place = copy;
  return 0;
}

/// Appends the words of a text as an array of strings.
static int append_words(sd_bus_message *message, const char *text) {
  int status = sd.message_open_container(message, 'a', "s");
  char *copy = strdup(text), *rest = NULL;
  if (!copy) return -ENOMEM;
  for (char *word = strtok_r(copy, " ", &rest); status >= 0 && word; word = strtok_r(NULL, " ", &rest))
    status = sd.message_append_basic(message, 's', word);
  free(copy);
  return status < 0 ? status : sd.message_close_container(message);
}

/// Appends a value as a variant.
static int append(sd_bus_message *message, const struct system_bus_property *property) {
  const char basic[] = {property->type, 0};
  const char *signature = property->type == 'a' ? "as" : property->type == 'y' ? "ay" : basic;
  int status = sd.message_open_container(message, 'v', signature);
  if (status < 0) return status;
  int truth = property->number != 0;
  switch (property->type) {
  case 'a': status = append_words(message, property->text ? property->text : ""); break;
  case 'y': status = sd.message_append_array(message, 'y', property->bytes, property->count); break;
  case 'b': status = sd.message_append_basic(message, 'b', &truth); break;
  case 'q': status = sd.message_append_basic(message, 'q', &property->number); break;
  default: status = sd.message_append_basic(message, property->type, property->text ? property->text : ""); break;
  }
  return status < 0 ? status : sd.message_close_container(message);
}

/// Appends a{sv}: the properties of an interface, or only the named one.
static int append_all(
  const struct offered_properties *offered, sd_bus_message *message, const char *path, const char *interface,
  const char *name) {
  int status = sd.message_open_container(message, 'a', "{sv}");
  for (size_t i = 0; status >= 0 && i < offered->count; i++) {
    const struct system_bus_property *property = &offered->list[i];
    if (strcmp(property->path, path) || strcmp(property->interface, interface)) continue;
    if (name && strcmp(property->name, name)) continue;
    status = sd.message_open_container(message, 'e', "sv");
    if (status >= 0) status = sd.message_append_basic(message, 's', property->name);
    if (status >= 0) status = append(message, property);
    if (status >= 0) status = sd.message_close_container(message);
  }
  return status < 0 ? status : sd.message_close_container(message);
}

/// Whether a path is this one, or below it.
static bool is_below(const char *path, const char *root) {
  size_t length = strcmp(root, "/") ? strlen(root) : 0;
  return !strncmp(path, root, length) && (path[length] == '/' || path[length] == 0);
}

/// Appends a{oa{sa{sv}}}: the objects below a path.
static int append_objects(const struct offered_properties *offered, sd_bus_message *message, const char *root) {
  int status = sd.message_open_container(message, 'a', "{oa{sa{sv}}}");
  for (size_t i = 0; status >= 0 && i < offered->count; i++) {
    const char *path = offered->list[i].path;
    bool is_first = is_below(path, root);
    for (size_t j = 0; j < i; j++) is_first &= strcmp(offered->list[j].path, path) != 0;
    if (!is_first) continue;
    status = sd.message_open_container(message, 'e', "oa{sa{sv}}");
    if (status >= 0) status = sd.message_append_basic(message, 'o', path);
    if (status >= 0) status = sd.message_open_container(message, 'a', "{sa{sv}}");
    for (size_t k = i; status >= 0 && k < offered->count; k++) {
      const struct system_bus_property *property = &offered->list[k];
      if (strcmp(property->path, path) || find(offered, path, property->interface, NULL) != property) continue;
      status = sd.message_open_container(message, 'e', "sa{sv}");
      if (status >= 0) status = sd.message_append_basic(message, 's', property->interface);
      if (status >= 0) status = append_all(offered, message, path, property->interface, NULL);
      if (status >= 0) status = sd.message_close_container(message);
    }
    if (status >= 0) status = sd.message_close_container(message);
    if (status >= 0) status = sd.message_close_container(message);
  }
  return status < 0 ? status : sd.message_close_container(message);
}

int offered_announce(
  const struct offered_properties *offered, sd_bus *bus, const char *path, const char *interface, const char *name) {
  sd_bus_message *message = NULL;
  int status = sd.message_new_signal(bus, &message, path, properties, "PropertiesChanged");
  if (status < 0) return status;
  status = sd.message_append_basic(message, 's', interface);
  if (status >= 0) status = append_all(offered, message, path, interface, name);
  if (status >= 0) status = sd.message_open_container(message, 'a', "s");
  if (status >= 0) status = sd.message_close_container(message);
  if (status >= 0) status = sd.send(bus, message, NULL);
  sd.message_unref(message);
  return status < 0 ? status : 0;
}

int offered_answer(const struct offered_properties *offered, sd_bus *bus, sd_bus_message *call) {
  bool is_objects = sd.message_is_method_call(call, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") > 0;
  bool is_all = sd.message_is_method_call(call, properties, "GetAll") > 0;
  bool is_one = sd.message_is_method_call(call, properties, "Get") > 0;
  const char *path = sd.message_get_path(call), *interface = NULL, *name = NULL;
  if (!offered->count || !path || !(is_objects || is_all || is_one)) return 0;
  int status = is_objects ? 0 : sd.message_read_basic(call, 's', &interface);
  if (status >= 0 && is_one) status = sd.message_read_basic(call, 's', &name);
  if (status < 0) return status;
  const struct system_bus_property *property = is_one ? find(offered, path, interface, name) : NULL;
  if (is_one && !property) {
    sd_bus_error error = {"org.freedesktop.DBus.Error.UnknownProperty", "unknown property", 0};
    status = sd.reply_method_error(call, &error);
    return status < 0 ? status : 1;
  }
  sd_bus_message *answer;
  if ((status = sd.message_new_method_return(call, &answer)) < 0) return status;
  status = is_objects ? append_objects(offered, answer, path)
    : is_all          ? append_all(offered, answer, path, interface, NULL)
                      : append(answer, property);
  if (status >= 0) status = sd.send(bus, answer, NULL);
  sd.message_unref(answer);
  return status < 0 ? status : 1;
}
