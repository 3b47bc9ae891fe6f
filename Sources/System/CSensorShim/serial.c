#include "CSensorShim.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int set_line(int fd, int line, int value) {
  return value < 0 ? 0 : ioctl(fd, value ? TIOCMBIS : TIOCMBIC, &line);
}

// The other end of a pseudo-terminal keeps it open, so an exclusive one would stay exclusive after a kill.
static int is_pseudo_terminal(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && major(status.st_rdev) >= 136 && major(status.st_rdev) <= 143;
}

static int set_up(int fd, unsigned rate, int dtr, int rts) {
  struct termios2 settings;
  if (ioctl(fd, TCGETS2, &settings)) return -1;
  // Programs that share serial ports use this lock; TIOCEXCL keeps out the others.
  if (flock(fd, LOCK_EX | LOCK_NB)) {
    errno = EBUSY;
    return -1;
  }
  if (!is_pseudo_terminal(fd) && ioctl(fd, TIOCEXCL)) return -1;
  settings.c_iflag = IGNBRK;
  settings.c_oflag = 0;
  settings.c_lflag = 0;
  // Without HUPCL: dropping DTR resets many boards.
  settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER;
  settings.c_ispeed = settings.c_ospeed = rate;
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (ioctl(fd, TCSETS2, &settings)) return -1;
  // Ports without these lines return an error, which is ignored.
  if (set_line(fd, TIOCM_DTR, dtr) && errno != EINVAL && errno != ENOTTY) return -1;
  if (set_line(fd, TIOCM_RTS, rts) && errno != EINVAL && errno != ENOTTY) return -1;
  ioctl(fd, TCFLSH, TCIFLUSH);
  return 0;
}

int sensor_serial_open(const char *path, unsigned rate, int dtr, int rts) {
  int fd = sensor_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return fd;
  if (set_up(fd, rate, dtr, rts)) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

void sensor_serial_close(int fd) {
  ioctl(fd, TIOCNXCL);
  // A child process that was just forked has the descriptor until it calls exec.
  flock(fd, LOCK_UN);
  close(fd);
}
