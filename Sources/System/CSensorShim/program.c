#define _GNU_SOURCE  // pipe2
#include "CSensorShim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_both(const int pipe[2]) {
  close(pipe[0]);
  close(pipe[1]);
}

// Not execvp(3), which gives a file without a known beginning to a shell: a recording would be run line by line.
static int find_program(const char *name, char path[PATH_MAX]) {
  if (strchr(name, '/')) return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX ? 0 : -ENAMETOOLONG;
  const char *folders = getenv("PATH");
  if (!folders) folders = "/usr/local/bin:/usr/bin:/bin";
  int code = -ENOENT;
  while (1) {
    int length = (int)strcspn(folders, ":");
    struct stat status;
    if (snprintf(path, PATH_MAX, "%.*s/%s", length ? length : 1, length ? folders : ".", name) < PATH_MAX &&
        stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
      if (access(path, X_OK) == 0) return 0;
      code = -EACCES;
    }
    if (!folders[length]) return code;
    folders += length + 1;
  }
}

static int reap(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return 0;
  return status;
}

// Ends a group when the other end of the lifeline is closed, with this process or before. The kernel would tell only the program
// itself (PR_SET_PDEATHSIG), and not what it has started. After fork only functions that are safe in signal handlers.
__attribute__((noreturn)) static void keep(pid_t group, const int lifeline[2]) {
  setsid();  // out of reach of the terminal's signals; all others are blocked
  prctl(PR_SET_NAME, "program-keeper", 0, 0, 0);
  dup2(lifeline[0], 0);
  // Others that wait for the end of a pipe would wait for this process. Before Linux 5.9 there is no close_range(2).
  if (syscall(SYS_close_range, 1, ~0U, 0) < 0)
    for (int descriptor = 1; descriptor < 4096; descriptor++) close(descriptor);
  char byte;
  while (read(0, &byte, 1) < 0 && errno == EINTR) {}
  kill(-group, SIGTERM);
  for (int tenths = 0; tenths < 10 && kill(-group, 0) == 0; tenths++) poll(NULL, 0, 100);
  kill(-group, SIGKILL);
  _exit(0);
}

// Between fork and exec only functions that are safe in signal handlers.
__attribute__((noreturn)) static void become(const char *path, const char *const *words, const int output[2], const int errors[2],
                                             int report) {
  setpgid(0, 0);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Also of libraries that do not know O_CLOEXEC. Before Linux 5.11 those are inherited.
  syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
  int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input >= 0 && dup2(input, 0) >= 0 && dup2(output[1], 1) >= 0 && dup2(errors[1], 2) >= 0)
    execv(path, (char *const *)words);
  int code = errno;
  ssize_t written = write(report, &code, sizeof code);
  (void)written;
  _exit(127);
}

int sensor_program_start(const char *const *words, struct sensor_program *program) {
  char path[PATH_MAX];
  int pipes[4][2], count = 0, code = find_program(words[0], path);
  if (code < 0) return code;
  while (count < 4 && pipe2(pipes[count], O_CLOEXEC) == 0) count++;
  if (count < 4) {
    code = errno;
    while (count > 0) close_both(pipes[--count]);
    return -code;
  }
  int *output = pipes[0], *errors = pipes[1], *report = pipes[2], *lifeline = pipes[3];
  // A signal that arrives in the child before exec would run this process's handler there.
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pid_t process = fork(), keeper = -1;
  if (process == 0) become(path, words, output, errors, report[1]);
  if (process > 0 && (keeper = fork()) == 0) keep(process, lifeline);
  if (keeper < 0) code = errno;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  close(output[1]);
  close(errors[1]);
  close(report[1]);
  close(lifeline[0]);
  if (process > 0) {
    // Also here, so that a signal to the group cannot come too early.
    setpgid(process, process);
    int failure;
    ssize_t length;
    do length = read(report[0], &failure, sizeof failure);
    while (length < 0 && errno == EINTR);
    if (length == sizeof failure) code = failure;
  }
  close(report[0]);
  int ready = code ? -1 : epoll_create1(EPOLL_CLOEXEC);
  if (!code && ready < 0) code = errno;
  *program = (struct sensor_program){
      .process = process, .keeper = keeper, .lifeline = lifeline[1], .output = output[0], .errors = errors[0], .ready = ready};
  if (code) {
    if (process > 0) sensor_program_end(program, 0, 0);
    else close(lifeline[1]);
    close(output[0]);
    close(errors[0]);
    *program = (struct sensor_program){.ready = -1};
    return -code;
  }
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(ready, EPOLL_CTL_ADD, output[0], &event);
  epoll_ctl(ready, EPOLL_CTL_ADD, errors[0], &event);
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  fcntl(errors[0], F_SETFL, O_NONBLOCK);
  return 0;
}

void sensor_program_ignore_errors(const struct sensor_program *program) {
  epoll_ctl(program->ready, EPOLL_CTL_DEL, program->errors, NULL);
}

int sensor_program_end(const struct sensor_program *program, int timeout_milliseconds, int grace_milliseconds) {
  pid_t process = program->process;
  // A process that was not waited for keeps its number, so no other process is meant.
  int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  struct pollfd set = {.fd = descriptor, .events = POLLIN};
  if (descriptor < 0 || poll(&set, 1, timeout_milliseconds) == 0) {
    kill(-process, SIGTERM);
    if (descriptor >= 0) poll(&set, 1, grace_milliseconds);
  }
  // What it started and left behind.
  kill(-process, SIGKILL);
  if (descriptor >= 0) close(descriptor);
  // The keeper goes while the group's number is taken, so that it never ends another group.
  if (program->keeper > 0) {
    kill(program->keeper, SIGKILL);
    reap(program->keeper);
  }
  close(program->lifeline);
  return reap(process);
}
