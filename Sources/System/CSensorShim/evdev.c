#include "CSensorShim.h"

#include <errno.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <sys/ioctl.h>

int sensor_evdev_set_clock(int fd, int clock) { return ioctl(fd, EVIOCSCLOCKID, &clock) < 0 ? -errno : 0; }

static struct sensor_input_event repacked(const struct input_event *event) {
  return (struct sensor_input_event){
      .nanoseconds = (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000,
      .value = event->value,
      .type = event->type,
      .code = event->code,
  };
}

int sensor_evdev_read(struct libevdev *device, int *synchronising, struct sensor_input_event *events, int capacity) {
  int count = 0;
  while (count < capacity) {
    struct input_event event;
    int status = libevdev_next_event(
        device, *synchronising ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL, &event);
    if (status == -EINTR) continue;
    if (status == -EAGAIN && *synchronising) {  // resynchronised: continue with new events
      *synchronising = 0;
      continue;
    }
    if (status < 0) return count ? count : status;
    if (status == LIBEVDEV_READ_STATUS_SYNC) *synchronising = 1;
    events[count++] = repacked(&event);
  }
  return count;
}
