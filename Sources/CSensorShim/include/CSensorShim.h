// What Swift cannot say about the kernel's sensor interfaces: variadic calls, ioctl numbers made by macros, and
// structures whose layout depends on the kernel's headers. Everything else is written in Swift.
//
// Every function returns a negative errno on failure: errno itself is a thread-local macro that any call in between
// may change.
#ifndef CSENSORSHIM_H
#define CSENSORSHIM_H

#include <stdint.h>

struct libevdev;

#pragma clang assume_nonnull begin

/// Opens a file or node, always with O_CLOEXEC; a new descriptor, or a negative errno.
/// C because open(2) is variadic.
int sensor_open(const char *path, int flags);

/// Waits until `fd` can be read, `stop_fd` can be read or the time is up. A negative `fd` waits for `stop_fd` only; a
/// negative time-out waits for ever.
/// A set of SENSOR_WAIT_* bits, 0 when the time is up, or a negative errno. A signal starts no second wait: -EINTR.
/// C because pollfd's two 16-bit masks and ppoll's time-out are one line here and a page of pointers in Swift.
int sensor_wait(int fd, int stop_fd, int64_t timeout_nanoseconds);

static const int SENSOR_WAIT_READABLE = 1;
static const int SENSOR_WAIT_STOP = 2;
static const int SENSOR_WAIT_HANGUP = 4;

/// A descriptor that can be read once sensor_flag_raise() was called, until sensor_flag_lower(); or a negative errno.
/// C, all three, because Swift's Glibc module has no sys/eventfd.h.
int sensor_flag_create(void);
void sensor_flag_raise(int flag);
void sensor_flag_lower(int flag);

/// Names the calling thread (15 characters at most), so that tools can tell it from others.
/// C because pthread_setname_np is hidden from Swift's Glibc module.
void sensor_name_thread(const char *name);

/// Opens a serial port for reading alone, without waiting for a carrier and without making it the controlling terminal, sets it
/// raw (8 bits, no parity, no echo, no flow control; the lines stay as they are when it is closed) at a rate in bits per
/// second, and drops what was received before. DTR and RTS are set where `dtr`, `rts` are 0 or 1. Others are kept from opening
/// it. A new descriptor, or a negative errno: -EBUSY if another program holds it, -ENOTTY if it is not a terminal.
/// C because every call is an ioctl(2), which is variadic, and because glibc's termios knows no rates but the usual ones.
int sensor_serial_open(const char *path, unsigned rate, int dtr, int rts);

/// Lets others open the port again, and closes it.
/// C because ioctl(2) is variadic.
void sensor_serial_close(int fd);

/// Keeps the kernel from backing this process with huge pages from now on. 0, or -1 where it cannot.
/// C because prctl(2) is variadic.
int sensor_avoid_huge_pages(void);

/// The descriptor from which the events of an opened IIO device are read, or a negative errno (-ENODEV: it has none).
/// C because the ioctl's number is an _IOR macro and ioctl(2) is variadic.
int sensor_iio_event_descriptor(int fd);

/// The descriptor of an IIO device's further buffer (`bufferN`, N > 0), or a negative errno.
/// C because the ioctl's number is an _IOWR macro and ioctl(2) is variadic.
int sensor_iio_buffer_descriptor(int fd, int index);

/// One event of an IIO device, its packed identifier taken apart.
struct sensor_iio_event {
  int64_t nanoseconds;
  uint8_t type;
  uint8_t direction;
  uint8_t channel_type;
  uint8_t modifier;
};

/// Reads waiting events of an IIO device; their number, or a negative errno (-EAGAIN: none are waiting).
/// C because the identifier is taken apart by the macros of linux/iio/events.h.
int sensor_iio_read_events(int fd, struct sensor_iio_event *events, int capacity);

/// IIO_STEPS of linux/iio/types.h, the channel type of a step counter's events.
/// C because the kernel's enumeration is the only place that says the number.
int sensor_iio_steps_channel_type(void);

/// Chooses the clock (CLOCK_BOOTTIME …) behind an input node's timestamps; 0 or a negative errno.
/// C because EVIOCSCLOCKID is an _IOW macro and ioctl(2) is variadic. libevdev's own call comes too late: it wants the
/// device's state read first, and changing the clock of a queue with events in it makes the kernel drop them.
int sensor_evdev_set_clock(int fd, int clock);

/// One input event without the kernel's struct timeval, whose members are named differently by architecture.
struct sensor_input_event {
  int64_t nanoseconds;
  int32_t value;
  uint16_t type;
  uint16_t code;
};

/// Reads waiting input events; their number, or a negative errno (-EAGAIN: none are waiting, -ENODEV: unplugged).
/// After a SYN_DROPPED the events are what changed meanwhile, ending with a SYN_REPORT; `synchronising` carries over
/// calls whether these are still coming and begins at 0.
/// C because struct input_event has no portable layout, and because one crossing into Swift serves a whole batch.
int sensor_evdev_read(struct libevdev *device, int *synchronising, struct sensor_input_event *events, int capacity);

/// Whether the adapter behind /dev/i2c-N can read single registers: 1, 0 or a negative errno.
/// C because ioctl(2) is variadic.
int sensor_i2c_reads_bytes(int fd);

/// Reads one register of the chip at a 7-bit address by an SMBus byte read: 0 to 255, or a negative errno (-EBUSY: a driver
/// holds the address, and nothing was sent).
/// C because ioctl(2) is variadic and i2c_smbus_data is a union.
int sensor_i2c_read(int fd, int address, uint8_t register_number);

#pragma clang assume_nonnull end

#endif
