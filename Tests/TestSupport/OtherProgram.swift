import Glibc

/// Another program that has descriptors open, until it is released.
package final class OtherProgram {
  /// Its name in the kernel.
  package static let name = "cat"
  private let process: pid_t
  private let input: Int32

  /// Starts it with copies of these descriptors.
  package init(holding descriptors: [Int32]) throws {
    (process, input) = try RunningExecutable.starting.withLock { _ in
      let (reading, writing) = try RunningExecutable.pipe()
      var spawn = Spawn()
      spawn.give(reading, as: 0)
      for (index, descriptor) in descriptors.enumerated() {
        spawn.give(fcntl(descriptor, F_DUPFD_CLOEXEC, 100), as: Int32(10 + index))
      }
      return (try spawn.start(["/bin/cat"], environment: [:]), writing)
    }
  }

  deinit {
    // Its input ends, and so does the program.
    close(input)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
