#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The used part of libmosquitto(3), declared according to the documented ABI of libmosquitto.so.1, so that the build does
// not need its headers.
struct mosquitto;
struct mosquitto_message {
  int mid;
  char *topic;
  void *payload;
  int payloadlen;
  int qos;
  bool retain;
};

enum { NO_LIBRARY = -1, OUT_OF_MEMORY = 1, SYSTEM_ERROR = 14 };
enum { LOG_WARNING = 1 << 2, LOG_ERR = 1 << 3 };

static struct {
  int (*lib_init)(void);
  struct mosquitto *(*new)(const char *, bool, void *);
  void (*destroy)(struct mosquitto *);
  int (*threaded_set)(struct mosquitto *, bool);
  int (*will_set)(struct mosquitto *, const char *, int, const void *, int, bool);
  int (*username_pw_set)(struct mosquitto *, const char *, const char *);
  int (*tls_set)(
    struct mosquitto *, const char *, const char *, const char *, const char *,
    int (*)(char *, int, int, void *));
  void (*connect_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int));
  void (*publish_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int));
  void (*subscribe_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const int *));
  void (*message_callback_set)(
    struct mosquitto *, void (*)(struct mosquitto *, void *, const struct mosquitto_message *));
  void (*log_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int, const char *));
  int (*connect)(struct mosquitto *, const char *, int, int);
  int (*disconnect)(struct mosquitto *);
  int (*loop)(struct mosquitto *, int, int);
  int (*publish)(struct mosquitto *, int *, const char *, int, const void *, int, bool);
  int (*subscribe)(struct mosquitto *, int *, const char *, int);
  const char *(*strerror)(int);
} mosquitto;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  bool has_all = true;
#define LOOK_UP(name) has_all &= (*(void **)&mosquitto.name = dlsym(library, "mosquitto_" #name)) != NULL
  LOOK_UP(lib_init);
  LOOK_UP(new);
  LOOK_UP(destroy);
  LOOK_UP(threaded_set);
  LOOK_UP(will_set);
  LOOK_UP(username_pw_set);
  LOOK_UP(tls_set);
  LOOK_UP(connect_callback_set);
  LOOK_UP(publish_callback_set);
  LOOK_UP(subscribe_callback_set);
  LOOK_UP(message_callback_set);
  LOOK_UP(log_callback_set);
  LOOK_UP(connect);
  LOOK_UP(disconnect);
  LOOK_UP(loop);
  LOOK_UP(publish);
  LOOK_UP(subscribe);
  LOOK_UP(strerror);
#undef LOOK_UP
  // Never undone: other connections may exist.
  is_loaded = has_all && mosquitto.lib_init() == 0;
}

bool mosquitto_client_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

struct mosquitto_client {
  struct mosquitto *connection;
  struct mosquitto_client_handler handler;
  char *host;
  int port, keepalive;
  atomic_bool is_closed;
};

static void on_connect(struct mosquitto *connection, void *context, int code) {
  (void)connection;
  struct mosquitto_client *client = context;
  client->handler.connected(client->handler.context, code);
}

static void on_publish(struct mosquitto *connection, void *context, int number) {
  (void)connection;
  struct mosquitto_client *client = context;
  client->handler.published(client->handler.context, number);
}

static void on_subscribe(struct mosquitto *connection, void *context, int number, int count, const int *granted) {
  (void)connection;
  struct mosquitto_client *client = context;
  client->handler.subscribed(client->handler.context, number, count > 0 && granted[0] < 0x80);
}

static void on_message(struct mosquitto *connection, void *context, const struct mosquitto_message *message) {
  (void)connection;
  struct mosquitto_client *client = context;
  size_t count = message->payloadlen > 0 ? (size_t)message->payloadlen : 0;
  client->handler.received(client->handler.context, message->topic, message->payload, count, message->retain);
}

static void on_log(struct mosquitto *connection, void *context, int level, const char *text) {
  (void)connection;
  struct mosquitto_client *client = context;
  if (level & (LOG_WARNING | LOG_ERR)) client->handler.complained(client->handler.context, text);
}

struct mosquitto_client *mosquitto_client_new(
  struct mosquitto_client_settings settings, struct mosquitto_client_handler handler, int *error) {
  *error = NO_LIBRARY;
  if (!mosquitto_client_load()) return NULL;
  *error = OUT_OF_MEMORY;
  struct mosquitto_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->handler = handler;
  client->port = settings.port;
  client->keepalive = settings.keepalive;
  client->host = strdup(settings.host);
  client->connection = mosquitto.new(settings.identity, settings.is_clean, client);
  if (!client->host || !client->connection) {
    mosquitto_client_free(client);
    return NULL;
  }
  struct mosquitto *connection = client->connection;
  mosquitto.connect_callback_set(connection, on_connect);
  mosquitto.publish_callback_set(connection, on_publish);
  mosquitto.subscribe_callback_set(connection, on_subscribe);
  mosquitto.message_callback_set(connection, on_message);
  mosquitto.log_callback_set(connection, on_log);
  // Other threads publish while one waits in mosquitto_loop().
  int status = mosquitto.threaded_set(connection, true);
  if (!status && settings.will_topic)
    status = mosquitto.will_set(connection, settings.will_topic, (int)strlen(settings.will), settings.will, 1, true);
  if (!status && settings.user) status = mosquitto.username_pw_set(connection, settings.user, settings.password);
  if (!status && settings.is_encrypted)
    status = mosquitto.tls_set(
      connection, settings.authorities, settings.authorities ? NULL : "/etc/ssl/certs", NULL, NULL, NULL);
  *error = status;
  if (status) {
    mosquitto_client_free(client);
    return NULL;
  }
  return client;
}

int mosquitto_client_run(struct mosquitto_client *client) {
  int status = mosquitto.connect(client->connection, client->host, client->port, client->keepalive);
  // The library's timeout is for its timers; input and messages of other threads end the wait.
  while (!status && !client->is_closed) status = mosquitto.loop(client->connection, 1000, 1);
  return status;
}

int mosquitto_client_publish(
  struct mosquitto_client *client, const char *topic, const char *payload, size_t count, bool is_retained, int *number) {
  return mosquitto.publish(client->connection, number, topic, (int)count, payload, 1, is_retained);
}

int mosquitto_client_subscribe(struct mosquitto_client *client, const char *topic, int *number) {
  return mosquitto.subscribe(client->connection, number, topic, 1);
}

int mosquitto_client_disconnect(struct mosquitto_client *client) {
  int status = mosquitto.disconnect(client->connection);
  // Otherwise the loop ends when the message to the broker is sent.
  if (status) client->is_closed = true;
  return status;
}

void mosquitto_client_free(struct mosquitto_client *client) {
  if (client->connection) mosquitto.destroy(client->connection);
  free(client->host);
  free(client);
}

const char *mosquitto_client_error(int error) {
  if (error == NO_LIBRARY || !is_loaded) return "libmosquitto is not installed";
  return error == SYSTEM_ERROR ? strerror(errno) : mosquitto.strerror(error);
}
