// The used part of sd-bus(3), declared according to its documented ABI, so that the build does not need its headers. The
// library is loaded once, on first use.
#ifndef CSYSTEMBUS_LIBSYSTEMD_H
#define CSYSTEMBUS_LIBSYSTEMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct {
  const char *name, *message;
  int need_free;
} sd_bus_error;
typedef int (*sd_bus_handler)(sd_bus_message *, void *, sd_bus_error *);

// Result, name without "sd_bus_", parameters.
#define SD_BUS_FUNCTIONS(FUNCTION) \
  FUNCTION(int, new, sd_bus **) \
  FUNCTION(int, set_address, sd_bus *, const char *) \
  FUNCTION(int, set_bus_client, sd_bus *, int) \
  FUNCTION(int, start, sd_bus *) \
  FUNCTION(int, open_system, sd_bus **) \
  FUNCTION(sd_bus *, flush_close_unref, sd_bus *) \
  FUNCTION(sd_bus *, close_unref, sd_bus *) \
  FUNCTION(int, is_ready, sd_bus *) \
  FUNCTION(int, get_fd, sd_bus *) \
  FUNCTION(int, get_events, sd_bus *) \
  FUNCTION(int, process, sd_bus *, sd_bus_message **) \
  FUNCTION(int, send, sd_bus *, sd_bus_message *, uint64_t *) \
  FUNCTION(int, message_new_method_call, \
    sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *) \
  FUNCTION(int, message_set_auto_start, sd_bus_message *, int) \
  FUNCTION(int, message_append_basic, sd_bus_message *, char, const void *) \
  FUNCTION(int, message_append_array, sd_bus_message *, char, const void *, size_t) \
  FUNCTION(int, message_open_container, sd_bus_message *, char, const char *) \
  FUNCTION(int, message_close_container, sd_bus_message *) \
  FUNCTION(sd_bus_message *, message_unref, sd_bus_message *) \
  FUNCTION(int, message_get_type, sd_bus_message *, uint8_t *) \
  FUNCTION(int, message_get_reply_cookie, sd_bus_message *, uint64_t *) \
  FUNCTION(const sd_bus_error *, message_get_error, sd_bus_message *) \
  FUNCTION(const char *, message_get_path, sd_bus_message *) \
  FUNCTION(const char *, message_get_interface, sd_bus_message *) \
  FUNCTION(const char *, message_get_member, sd_bus_message *) \
  FUNCTION(int, message_is_signal, sd_bus_message *, const char *, const char *) \
  FUNCTION(const char *, message_get_signature, sd_bus_message *, int) \
  FUNCTION(int, message_peek_type, sd_bus_message *, char *, const char **) \
  FUNCTION(int, message_enter_container, sd_bus_message *, char, const char *) \
  FUNCTION(int, message_exit_container, sd_bus_message *) \
  FUNCTION(int, message_read_basic, sd_bus_message *, char, void *) \
  FUNCTION(int, message_read_array, sd_bus_message *, char, const void **, size_t *) \
  FUNCTION(int, message_skip, sd_bus_message *, const char *) \
  FUNCTION(int, open_user, sd_bus **) \
  FUNCTION(int, request_name, sd_bus *, const char *, uint64_t) \
  FUNCTION(int, add_object, sd_bus *, void **, const char *, sd_bus_handler, void *) \
  FUNCTION(int, get_timeout, sd_bus *, uint64_t *) \
  FUNCTION(int, message_new_signal, sd_bus *, sd_bus_message **, const char *, const char *, const char *) \
  FUNCTION(int, message_new_method_return, sd_bus_message *, sd_bus_message **) \
  FUNCTION(int, message_is_method_call, sd_bus_message *, const char *, const char *) \
  FUNCTION(int, reply_method_error, sd_bus_message *, const sd_bus_error *) \
  FUNCTION(int, error_set_const, sd_bus_error *, const char *, const char *)

struct system_bus_library {
#define FUNCTION(result, name, ...) result (*name)(__VA_ARGS__);
  SD_BUS_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/// The library's functions; null if it is not installed, or is too old. Thread-safe.
const struct system_bus_library *system_bus_library(void);

// For use after system_bus_library() has returned them.
#define sd (*system_bus_library())

#endif
