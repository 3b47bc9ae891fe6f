// Shifts the clocks and slows the disk of a program that is linked with the C library dynamically, while it runs.
//
// CONDITIONS_FILE names a file with three numbers of 64 bits, which another process may change at any time: nanoseconds that
// are added to the wall clock, nanoseconds that are added to the time since boot, and nanoseconds that fsync(2) takes longer.
// Build: cc -shared -fPIC -O1 -o conditions.so conditions.c -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WALL, BOOT, DISK, NUMBERS };
static const volatile int64_t none[NUMBERS];
static const volatile int64_t *shifts = none;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CONDITIONS_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, NUMBERS * sizeof *shifts, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) shifts = memory;
}

static void shift(struct timespec *t, int64_t by) {
  int64_t nanoseconds = t->tv_nsec + by % 1000000000;
  t->tv_sec += by / 1000000000 + nanoseconds / 1000000000;
  t->tv_nsec = nanoseconds % 1000000000;
  if (t->tv_nsec < 0) {
    t->tv_nsec += 1000000000;
    t->tv_sec--;
  }
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
  int status = next(clock, t);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(t, shifts[WALL]);
  if (status == 0 && clock == CLOCK_BOOTTIME) shift(t, shifts[BOOT]);
  return status;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  t->tv_sec = now.tv_sec;
  t->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *t) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (t) *t = now.tv_sec;
  return now.tv_sec;
}

static void wait_for_disk(void) {
  struct timespec left = {shifts[DISK] / 1000000000, shifts[DISK] % 1000000000};
  while (nanosleep(&left, &left) != 0) {}
}

#define SLOW(name)                                                         \
  int name(int file) {                                                     \
    static int (*next)(int);                                               \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                  \
    wait_for_disk();                                                       \
    return next(file);                                                     \
  }
SLOW(fsync)
SLOW(fdatasync)
