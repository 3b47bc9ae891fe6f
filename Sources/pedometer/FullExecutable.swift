import Platform

/// `pedometer-full`, the same command line with an HTTP client and the history's database.
///
/// These two make up three quarters of it; whoever counts steps on a small board all day need not hold them in memory, as
/// who uses git without a network need not hold an HTTP client: there, too, it is an executable of its own.
enum FullExecutable {
  /// The commands that only it has.
  static let commands: Set<String> = ["history", "export"]

  /// Why it is not to be had.
  struct Missing: Error, CustomStringConvertible {
    var path: String
    var reason: String
    var description: String { "\(path) cannot be started (\(reason)); 'make release && sudo make install' brings it" }
  }

  /// Tells an executable that it was started here; one that would start itself for ever notices.
  private static let sign = "PEDOMETER_BECAME_FULL"

  /// The signals that were blocked when this process began.
  private static let formerMask: sigset_t = {
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    return mask
  }()

  /// To be called at the beginning of the process, before any other thread is there.
  static func prepare() { _ = formerMask }

  /// Becomes that executable: the same process, with the same arguments, the same environment and the same standard
  /// streams.
  ///
  /// Signals that are ignored stay so. Those that a live command has blocked to take them one by one stay blocked, so one
  /// that comes now is taken by the other executable; all others are as they were when this process began.
  static func becomeIt() throws(Missing) -> Never {
    let candidates = Self.candidates
    guard let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) ?? candidates.first else {
      throw Missing(path: "pedometer-full", reason: "/proc/self/exe cannot be read")
    }
    guard unsafe getenv(sign) == nil else { throw Missing(path: path, reason: "it is not what its name says") }
    if Task.isCancelled { throw Missing(path: path, reason: "interrupted") }
    unsafe setenv(sign, "1", 1)
    // A worker thread blocks nearly every signal, and the new image would take that over.
    var (present, mask) = (sigset_t(), formerMask)
    unsafe pthread_sigmask(SIG_BLOCK, nil, &present)
    for number in [SIGINT, SIGTERM, SIGHUP] where unsafe sigismember(&present, number) == 1 {
      unsafe sigaddset(&mask, number)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    _ = unsafe execv(path, CommandLine.unsafeArgv)
    let reason = errno
    unsafe pthread_sigmask(SIG_SETMASK, &present, nil)
    unsafe unsetenv(sign)
    throw Missing(path: path, reason: systemText(reason))
  }

  /// Where it may be: where it is installed, and beside this executable, as the build leaves it.
  private static var candidates: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { return [] }
    let path = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let beside = "\(folder)/pedometer-full"
    return folder.hasSuffix("/bin") ? ["\(folder.dropLast(4))/libexec/pedometer/pedometer-full", beside] : [beside]
  }
}
