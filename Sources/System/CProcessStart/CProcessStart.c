#include "CProcessStart.h"

#include <fcntl.h>
#include <stdlib.h>

// C because Swift has no constructors, and its `main` does not pass on its arguments.

// Part of the Swift library's interface: `CommandLine` then uses these arguments. Otherwise it reads them from
// /proc/self/cmdline, and without a readable /proc there are none.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

// glibc passes the arguments of `main` to constructors. This one precedes those of libraries that are linked statically.
__attribute__((constructor(101))) static void begin_process(int count, char **arguments) {
  _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);

  // A file that is opened while a standard stream is closed would get its number, and output meant for the stream would
  // be written into it. So each of the three is open, but for the opposite direction, so that its use is an error.
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number.
    if (open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream) abort();
  }
}
