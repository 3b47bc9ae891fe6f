#define _GNU_SOURCE  // ppoll, pthread_setname_np, dl_iterate_phdr
#include "CSensorShim.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

int sensor_open(const char *path, int flags) {
  int fd;
  do fd = open(path, flags | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  return fd < 0 ? -errno : fd;
}

int sensor_wait(int fd, int stop_fd, int64_t timeout_nanoseconds) {
  struct pollfd set[2] = {{.fd = stop_fd, .events = POLLIN}, {.fd = fd, .events = POLLIN | POLLPRI}};
  struct timespec timeout = {.tv_sec = timeout_nanoseconds / 1000000000, .tv_nsec = timeout_nanoseconds % 1000000000};
  int count = ppoll(set, fd < 0 ? 1 : 2, timeout_nanoseconds < 0 ? NULL : &timeout, NULL);
  if (count < 0) return -errno;
  int outcome = 0;
  if (set[0].revents) outcome |= SENSOR_WAIT_STOP;
  if (fd >= 0 && set[1].revents & (POLLIN | POLLPRI)) outcome |= SENSOR_WAIT_READABLE;
  if (fd >= 0 && set[1].revents & (POLLHUP | POLLERR | POLLNVAL)) outcome |= SENSOR_WAIT_HANGUP;
  return outcome;
}

int sensor_flag_create(void) {
  int flag = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return flag < 0 ? -errno : flag;
}

// Neither can fail on our descriptors: the counter is far from its limit, and an empty one has nothing to read.
void sensor_flag_raise(int flag) { eventfd_write(flag, 1); }

void sensor_flag_lower(int flag) {
  eventfd_t count;
  eventfd_read(flag, &count);
}

// What is never written to, of the program and of its libraries: the kernel reads it again from the file. (Text relocations
// would write to it; no 64-bit Debian has them.)
static int release_code(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void sensor_release_code(void) { dl_iterate_phdr(release_code, NULL); }

int sensor_avoid_huge_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

void sensor_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
