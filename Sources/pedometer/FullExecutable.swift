import Glibc

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
    var description: String { "\(path) cannot be started (\(reason)); 'make install' puts it there" }
  }

  /// Becomes that executable: the same process, with the same arguments, the same environment and the same standard
  /// streams. Signals that are blocked or ignored stay so, and one that has come in meanwhile is not lost.
  static func becomeIt() throws(Missing) -> Never {
    let candidates = Self.candidates
    guard let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) ?? candidates.first else {
      throw Missing(path: "pedometer-full", reason: "/proc/self/exe cannot be read")
    }
    _ = unsafe execv(path, CommandLine.unsafeArgv)
    throw Missing(path: path, reason: unsafe String(cString: strerror(errno)))
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
