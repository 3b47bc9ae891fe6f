#include "CSensorShim.h"

#include <errno.h>
#include <linux/iio/events.h>
#include <linux/iio/types.h>
#include <sys/ioctl.h>
#include <unistd.h>

#if __has_include(<linux/iio/buffer.h>)
#include <linux/iio/buffer.h>
#else  // headers older than 5.11
#define IIO_BUFFER_GET_FD_IOCTL _IOWR('i', 0x91, int)
#endif

int sensor_iio_event_descriptor(int fd) {
  int events = -1;
  if (ioctl(fd, IIO_GET_EVENT_FD_IOCTL, &events) < 0) return -errno;
  return events < 0 ? -ENODEV : events;
}

int sensor_iio_buffer_descriptor(int fd, int index) {
  int buffer = index;
  if (ioctl(fd, IIO_BUFFER_GET_FD_IOCTL, &buffer) < 0) return -errno;
  return buffer;
}

int sensor_iio_read_events(int fd, struct sensor_iio_event *events, int capacity) {
  int count = 0;
  while (count < capacity) {
    struct iio_event_data data;
    ssize_t size = read(fd, &data, sizeof data);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return count ? count : -errno;
    if (size < (ssize_t)sizeof data) return count ? count : -ENODEV;
    events[count++] = (struct sensor_iio_event){
        .nanoseconds = data.timestamp,
        .type = IIO_EVENT_CODE_EXTRACT_TYPE(data.id),
        .direction = IIO_EVENT_CODE_EXTRACT_DIR(data.id),
        .channel_type = IIO_EVENT_CODE_EXTRACT_CHAN_TYPE(data.id),
        .modifier = IIO_EVENT_CODE_EXTRACT_MODIFIER(data.id),
    };
  }
  return count;
}

int sensor_iio_steps_channel_type(void) { return IIO_STEPS; }
