import Glibc

/// A new folder for a test, removed with its contents when it is released.
public final class TemporaryDirectory {
  /// Its path, without a trailing slash.
  public let path: String

  /// Creates the folder in `TMPDIR` or `/tmp`.
  public init() throws {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/pedometer-test-XXXXXX\0".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw Failure(errno: errno) }
    path = unsafe String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Removes a file, or a folder with its contents; links are not followed.
  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    for name in names(in: path) { remove(path + "/" + name) }
    unsafe rmdir(path)
  }

  /// The names of its entries, including hidden ones, sorted.
  public var contents: [String] { Self.names(in: path) }

  /// The names in a folder, hidden ones too, sorted.
  public static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a folder in it, with those above.
  public func makeFolder(_ name: String) throws {
    var made = path
    for part in name.split(separator: "/") {
      made += "/" + part
      guard unsafe mkdir(made, 0o755) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
    }
  }

  /// Writes a file into it.
  /// - Returns: the file's path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path + "/" + name
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw Failure(errno: errno) }
      rest = rest.dropFirst(count)
    }
    return path
  }

  /// The bytes of a file, by path.
  public static func bytes(of path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var some = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &some, some.count)
      guard count >= 0 else { throw Failure(errno: errno) }
      if count == 0 { return all }
      all += some[..<count]
    }
  }

  /// The text of a file, by path.
  public static func text(of path: String) throws -> String { String(decoding: try bytes(of: path), as: UTF8.self) }

  /// The system's error message.
  public struct Failure: Error, Hashable {
    public var errno: Int32
  }
}
