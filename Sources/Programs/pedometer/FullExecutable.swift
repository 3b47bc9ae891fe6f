import PedometerCommands
import Platform

/// `pedometer-full`: the same command line with an HTTP client for TLS and the history's database.
///
/// Those are three quarters of it, and a small board that counts all day need not keep them in memory. It is an
/// external command as in git: it replaces this process, with the same arguments and streams, before this process has
/// read or written anything.
enum FullExecutable {
  static let commands: Set<String> = ["history", "export", "study", "status", "import"]

  /// Why it cannot be run, and what to do.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Replaces this process with it.
  static func run() throws(Failure) -> Never {
    let path = candidates.first { unsafe access($0, X_OK) == 0 } ?? candidates.first ?? "pedometer-full"
    if let own = FileNumber(of: "/proc/self/exe"), own == FileNumber(of: path) {
      // A link to this file, which would run itself again and again.
      errno = ELOOP
    } else {
      _ = unsafe execv(path, CommandLine.unsafeArgv)
    }
    throw Failure(description: "cannot run \(path) (\(systemText(errno))); run 'make release && sudo make install'")
  }

  /// Its possible locations: the installation folder, and next to this executable, for builds.
  private static var candidates: [String] {
    guard let path = resolvedPath("/proc/self/exe") else { return [] }
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let beside = "\(folder)/pedometer-full"
    return folder.hasSuffix("/bin") ? ["\(folder.dropLast(4))/libexec/pedometer/pedometer-full", beside] : [beside]
  }
}
