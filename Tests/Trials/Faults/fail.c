// Makes the n-th call of one system function fail once, for programs that are linked with the C library dynamically.
//
// FAULT_CALL names the function, FAULT_NUMBER the call (from 1) and FAULT_ERRNO the error. FAULT_COUNTS names a file to
// which the numbers of calls of all functions are written at exit. Build: cc -shared -fPIC -O1 -o fail.so fail.c -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, FSYNC, RENAME, MMAP, POLL, IOCTL, CONNECT, ACCEPT, CLOCK, FTRUNCATE, CALLS };
static const char *const names[CALLS] = {"open",  "read",    "write",  "fsync",         "rename",    "mmap", "poll",
                                         "ioctl", "connect", "accept", "clock_gettime", "ftruncate"};
static atomic_long counts[CALLS];
static int failing = -1;
static long number;
static int error;

__attribute__((constructor)) static void begin(void) {
  const char *call = getenv("FAULT_CALL"), *nth = getenv("FAULT_NUMBER"), *code = getenv("FAULT_ERRNO");
  if (!call || !nth || !code) return;
  number = atol(nth);
  error = atoi(code);
  for (int i = 0; i < CALLS; i++)
    if (strcmp(call, names[i]) == 0) failing = i;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNTS");
  if (!path) return;
  FILE *file = fopen(path, "w");
  if (!file) return;
  for (int i = 0; i < CALLS; i++) fprintf(file, "%s %ld\n", names[i], (long)counts[i]);
  fclose(file);
}

static int fails(int call) {
  long n = atomic_fetch_add(&counts[call], 1) + 1;
  if (call != failing || n != number) return 0;
  errno = error;
  return 1;
}

#define NEXT(type, name, ...) static type (*next)(__VA_ARGS__); if (!next) *(void **)&next = dlsym(RTLD_NEXT, name)

// libdispatch counts its runnable threads once a second in /proc/THREAD/stat, and ends the process if it cannot open one. That is
// its own decision, not an error that the product could handle; so these calls are neither counted nor failed. What could make them
// fail is a lack of descriptors, which `conditions descriptors` tries.
static int of_dispatch(const char *path) {
  int thread, end = 0;
  return sscanf(path, "/proc/%d/stat%n", &thread, &end) == 1 && end > 0 && path[end] == 0;
}

#define OPENER(name)                                                \
  int name(const char *path, int flags, ...) {                      \
    NEXT(int, #name, const char *, int, ...);                       \
    va_list list;                                                   \
    va_start(list, flags);                                          \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                   \
    return !of_dispatch(path) && fails(OPEN) ? -1 : next(path, flags, mode);              \
  }
OPENER(open)
OPENER(open64)

ssize_t read(int f, void *b, size_t n) { NEXT(ssize_t, "read", int, void *, size_t); return fails(READ) ? -1 : next(f, b, n); }
ssize_t pread(int f, void *b, size_t n, off_t o) { NEXT(ssize_t, "pread", int, void *, size_t, off_t); return fails(READ) ? -1 : next(f, b, n, o); }
ssize_t pread64(int f, void *b, size_t n, off64_t o) { NEXT(ssize_t, "pread64", int, void *, size_t, off64_t); return fails(READ) ? -1 : next(f, b, n, o); }
ssize_t write(int f, const void *b, size_t n) { NEXT(ssize_t, "write", int, const void *, size_t); return fails(WRITE) ? -1 : next(f, b, n); }
ssize_t pwrite(int f, const void *b, size_t n, off_t o) { NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t); return fails(WRITE) ? -1 : next(f, b, n, o); }
ssize_t pwrite64(int f, const void *b, size_t n, off64_t o) { NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t); return fails(WRITE) ? -1 : next(f, b, n, o); }
ssize_t writev(int f, const struct iovec *v, int n) { NEXT(ssize_t, "writev", int, const struct iovec *, int); return fails(WRITE) ? -1 : next(f, v, n); }
ssize_t recv(int f, void *b, size_t n, int g) { NEXT(ssize_t, "recv", int, void *, size_t, int); return fails(READ) ? -1 : next(f, b, n, g); }
ssize_t send(int f, const void *b, size_t n, int g) { NEXT(ssize_t, "send", int, const void *, size_t, int); return fails(WRITE) ? -1 : next(f, b, n, g); }
int fsync(int f) { NEXT(int, "fsync", int); return fails(FSYNC) ? -1 : next(f); }
int fdatasync(int f) { NEXT(int, "fdatasync", int); return fails(FSYNC) ? -1 : next(f); }
int rename(const char *a, const char *b) { NEXT(int, "rename", const char *, const char *); return fails(RENAME) ? -1 : next(a, b); }
void *mmap(void *a, size_t n, int p, int l, int f, off_t o) { NEXT(void *, "mmap", void *, size_t, int, int, int, off_t); return f >= 0 && fails(MMAP) ? MAP_FAILED : next(a, n, p, l, f, o); }
void *mmap64(void *a, size_t n, int p, int l, int f, off64_t o) { NEXT(void *, "mmap64", void *, size_t, int, int, int, off64_t); return f >= 0 && fails(MMAP) ? MAP_FAILED : next(a, n, p, l, f, o); }
int poll(struct pollfd *p, nfds_t n, int t) { NEXT(int, "poll", struct pollfd *, nfds_t, int); return fails(POLL) ? -1 : next(p, n, t); }
int ppoll(struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *s) { NEXT(int, "ppoll", struct pollfd *, nfds_t, const struct timespec *, const sigset_t *); return fails(POLL) ? -1 : next(p, n, t, s); }
int ioctl(int f, unsigned long r, ...) {
  NEXT(int, "ioctl", int, unsigned long, ...);
  va_list list;
  va_start(list, r);
  void *argument = va_arg(list, void *);
  va_end(list);
  return fails(IOCTL) ? -1 : next(f, r, argument);
}
int connect(int f, const struct sockaddr *a, socklen_t n) { NEXT(int, "connect", int, const struct sockaddr *, socklen_t); return fails(CONNECT) ? -1 : next(f, a, n); }
int accept(int f, struct sockaddr *a, socklen_t *n) { NEXT(int, "accept", int, struct sockaddr *, socklen_t *); return fails(ACCEPT) ? -1 : next(f, a, n); }
int accept4(int f, struct sockaddr *a, socklen_t *n, int g) { NEXT(int, "accept4", int, struct sockaddr *, socklen_t *, int); return fails(ACCEPT) ? -1 : next(f, a, n, g); }
// Swift's clocks do not read the result, and trap on what an untouched timespec happens to hold. A call that fails
// therefore says zero: the clock jumps once, far back.
int clock_gettime(clockid_t c, struct timespec *t) {
  NEXT(int, "clock_gettime", clockid_t, struct timespec *);
  if (!fails(CLOCK)) return next(c, t);
  *t = (struct timespec){0};
  return -1;
}
int ftruncate(int f, off_t n) { NEXT(int, "ftruncate", int, off_t); return fails(FTRUNCATE) ? -1 : next(f, n); }
int ftruncate64(int f, off64_t n) { NEXT(int, "ftruncate64", int, off64_t); return fails(FTRUNCATE) ? -1 : next(f, n); }
