import Glibc

/// How many files and connections this process may have open.
enum OpenFiles {
  /// Raises the limit as far as the system lets it, as every connection is a file. The soft limit is 1024 by habit, for
  /// programs that use select(2); nothing here does.
  /// - Returns: the limit now.
  @discardableResult
  static func raiseLimit() -> UInt {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    let before = limit.rlim_cur
    // More would only make room for mistakes.
    limit.rlim_cur = max(before, min(limit.rlim_max, 65_536))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return before }
    return limit.rlim_cur
  }
}
