// Parts of the kernel's sensor interfaces that Swift cannot express: variadic calls, ioctl numbers defined by macros,
// and structures whose layout depends on the kernel's headers. Everything else is written in Swift.
//
// All functions return a negative errno on failure, because errno is a thread-local macro that calls in between may
// change.
#ifndef CSENSORSHIM_H
#define CSENSORSHIM_H

#include <stdint.h>

struct libevdev;

#pragma clang assume_nonnull begin

/// Opens a file or node, always with O_CLOEXEC; returns a descriptor, or a negative errno. C because open(2) is
/// variadic.
int sensor_open(const char *path, int flags);

/// Waits until `fd` or `stop_fd` is readable, or the timeout expires. A negative `fd` waits only for `stop_fd`; a
/// negative timeout waits indefinitely. Returns a set of SENSOR_WAIT_* bits, 0 after the timeout, or a negative errno
/// (-EINTR after a signal). C because pollfd's two 16-bit masks and ppoll's timeout are one line here and a page of
/// pointers in Swift.
int sensor_wait(int fd, int stop_fd, int64_t timeout_nanoseconds);

static const int SENSOR_WAIT_READABLE = 1;
static const int SENSOR_WAIT_STOP = 2;
static const int SENSOR_WAIT_HANGUP = 4;

/// A descriptor that is readable between sensor_flag_raise() and sensor_flag_lower(); or a negative errno. C, all
/// three, because Swift's Glibc module has no sys/eventfd.h.
int sensor_flag_create(void);
void sensor_flag_raise(int flag);
void sensor_flag_lower(int flag);

/// Names the calling thread (at most 15 characters) for tools. C because Swift's Glibc module hides pthread_setname_np.
void sensor_name_thread(const char *name);

/// Opens a serial port for reading, without waiting for a carrier and without making it the controlling terminal, sets
/// raw mode (8 bits, no parity, no echo, no flow control; closing it does not change the control lines) and a rate in
/// bits per second, and discards pending input. Sets DTR and RTS if `dtr` and `rts` are 0 or 1. Prevents other programs
/// from opening it. Returns a descriptor, or a negative errno: -EBUSY if another program holds it, -ENOTTY if it is not
/// a terminal. C because ioctl(2) is variadic, and because glibc's termios only supports the usual rates.
int sensor_serial_open(const char *path, unsigned rate, int dtr, int rts);

/// Allows other programs to open the port again, and closes it. C because ioctl(2) is variadic.
void sensor_serial_close(int fd);

/// A program whose output is read, in a process group of its own.
struct sensor_program {
  int process;
  /// A process that ends the group as soon as `lifeline` is closed, as by any end of this process.
  int keeper;
  int lifeline;
  /// Standard output and standard error, without blocking.
  int output;
  int errors;
  /// Readable when either of them is.
  int ready;
};

/// Starts the program that `words`, ended by a null pointer, name, without a shell; standard input is empty. If this process ends
/// without sensor_program_end(), the program and all of its group are ended, too. Returns 0 or a negative errno: -ENOENT if there is
/// no such program, -EACCES if it is not executable, -ENOEXEC if it is not a program. C because only functions that are safe in
/// signal handlers may be called between fork(2) and exec(3).
int sensor_program_start(const char *_Nullable const *_Nonnull words, struct sensor_program *program);

/// Stops waiting for standard error, which is at its end.
void sensor_program_ignore_errors(const struct sensor_program *program);

/// Waits for the end of a program, then asks it to end (SIGTERM), then ends it and all that is left of its group (SIGKILL). Returns
/// the status of waitpid(2). C because Swift's Glibc module has no pidfd_open(2), and imports no macros of wait statuses.
int sensor_program_end(const struct sensor_program *program, int timeout_milliseconds, int grace_milliseconds);

/// Disables huge pages for this process from now on. 0, or -1 on failure. C because prctl(2) is variadic.
int sensor_avoid_huge_pages(void);

/// Unmaps the pages of the program's own code until they are used again. C because Swift's Glibc module has no link.h.
void sensor_release_code(void);

/// The descriptor of an IIO device's additional buffer (`bufferN`, N > 0), or a negative errno. C because the ioctl's
/// number is an _IOWR macro and ioctl(2) is variadic.
int sensor_iio_buffer_descriptor(int fd, int index);

/// Selects the clock (CLOCK_BOOTTIME …) of an input node's timestamps; 0 or a negative errno. C because EVIOCSCLOCKID
/// is an _IOW macro and ioctl(2) is variadic. libevdev's own function comes too late: it requires reading the device's
/// state first, and the kernel drops queued events when the clock changes.
int sensor_evdev_set_clock(int fd, int clock);

/// An input event without the kernel's struct timeval, whose member names depend on the architecture.
struct sensor_input_event {
  int64_t nanoseconds;
  int32_t value;
  uint16_t type;
  uint16_t code;
};

/// Reads pending input events; returns their number, or a negative errno (-EAGAIN: none, -ENODEV: unplugged). After
/// SYN_DROPPED, the events are the changes that were missed, ending with SYN_REPORT. `synchronising` starts at 0 and
/// keeps this state between calls. C because struct input_event has no portable layout, and because one call from Swift
/// reads a whole batch.
int sensor_evdev_read(struct libevdev *device, int *synchronising, struct sensor_input_event *events, int capacity);

#pragma clang assume_nonnull end

#endif
