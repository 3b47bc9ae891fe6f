// MQTT 3.1.1 through libmosquitto, which is loaded on first use: counting works on computers without it, and a process
// that does not use MQTT has no cost.
//
// C because libmosquitto is a C library whose functions are looked up by name. A client is one connection: created, run
// on one thread until the connection ends, and freed. Other threads may publish, subscribe and disconnect meanwhile.
//
// Functions return 0 or an error number of libmosquitto, which mosquitto_client_error() explains.
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

struct mosquitto_client;

struct mosquitto_client_settings {
  const char *identity;
  /// Whether the broker forgets the subscriptions when the connection ends, and queues nothing.
  bool is_clean;
  const char *host;
  int port;
  /// Seconds.
  int keepalive;
  const char *_Nullable user;
  const char *_Nullable password;
  bool is_encrypted;
  /// PEM; null: the system's certificates.
  const char *_Nullable authorities;
  /// Published by the broker, retained, if the connection ends without mosquitto_client_disconnect(); null: nothing is.
  const char *_Nullable will_topic;
  const char *will;
};

/// Called on the thread of mosquitto_client_run(). Pointers are valid during the call.
struct mosquitto_client_handler {
  void *_Nullable context;
  /// The broker's answer: 0, or a code of MQTT 3.1.1, section 3.2.2.3.
  void (*connected)(void *_Nullable context, int code);
  /// The broker has acknowledged a message.
  void (*published)(void *_Nullable context, int number);
  /// The broker has answered a subscription.
  void (*subscribed)(void *_Nullable context, int number, bool is_granted);
  void (*received)(
    void *_Nullable context, const char *topic, const uint8_t *_Nullable payload, size_t count, bool is_retained);
  /// A message of the library about an error or a warning, such as a refused certificate.
  void (*complained)(void *_Nullable context, const char *text);
};

/// Whether the library is installed. Thread-safe; may be called repeatedly.
bool mosquitto_client_load(void);

/// Creates a client; null with `error` set on failure, also for an unusable file of certificates.
struct mosquitto_client *_Nullable mosquitto_client_new(
  struct mosquitto_client_settings settings, struct mosquitto_client_handler handler, int *error);

/// Connects, and serves the connection until it ends; returns why. Blocks.
int mosquitto_client_run(struct mosquitto_client *client);

/// Sends a message with QoS 1; `number` is that of its acknowledgement.
int mosquitto_client_publish(
  struct mosquitto_client *client, const char *topic, const char *payload, size_t count, bool is_retained, int *number);

/// Subscribes with QoS 1.
int mosquitto_client_subscribe(struct mosquitto_client *client, const char *topic, int *number);

/// Ends the connection without the will.
int mosquitto_client_disconnect(struct mosquitto_client *client);

void mosquitto_client_free(struct mosquitto_client *client);

/// The library's sentence about an error number.
const char *mosquitto_client_error(int error);

#pragma clang assume_nonnull end
#endif
