#include "CSensorShim.h"

#include <errno.h>
#include <sys/ioctl.h>

#if __has_include(<linux/iio/buffer.h>)
#include <linux/iio/buffer.h>
#else  // headers older than 5.11
#define IIO_BUFFER_GET_FD_IOCTL _IOWR('i', 0x91, int)
#endif

int sensor_iio_buffer_descriptor(int fd, int index) {
  int buffer = index;
  if (ioctl(fd, IIO_BUFFER_GET_FD_IOCTL, &buffer) < 0) return -errno;
  return buffer;
}
