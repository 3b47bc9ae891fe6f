import Glibc

/// The limit of open files and connections of this process.
enum OpenFiles {
  /// Raises the limit as far as the system allows, since every connection is a file. The soft limit is usually 1024,
  /// for programs that use select(2); this one does not.
  /// - Returns: the new limit; if it cannot be read, the usual 1024.
  @discardableResult
  static func raiseLimit() -> UInt {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    let before = limit.rlim_cur
    // More would only hide errors.
    limit.rlim_cur = max(before, min(limit.rlim_max, 65_536))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return before }
    return limit.rlim_cur
  }

  /// The connections per listening address that leave files free for everything else: the history, sources, and the
  /// threads' states, which libdispatch reads from `/proc` and ends the process if it cannot.
  /// - Parameters:
  ///   - wanted: the connections per address if there are enough files.
  ///   - addresses: the number of listening addresses.
  ///   - limit: the limit of open files.
  static func connections(_ wanted: Int, addresses: Int, limit: UInt) -> Int {
    let limit = Int(clamping: limit)
    let free = limit - min(reserve, limit / 2)
    return max(1, min(wanted, free / max(1, addresses)))
  }

  /// The files that connections leave free, if the limit is at least twice as high.
  private static let reserve = 128
}
