import Glibc
import Platform

/// A new folder for a test, removed with its contents when it is released.
public final class TemporaryDirectory: Sendable {
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
  public static func names(in path: String) -> [String] { Platform.names(inFolder: path) ?? [] }

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
    let number = writeWhole(bytes, to: descriptor)
    guard number == 0 else { throw Failure(errno: number) }
    return path
  }

  /// The bytes of a file, by path.
  public static func bytes(of path: String) throws -> [UInt8] {
    guard let bytes = readFile(path) else { throw Failure(errno: errno) }
    return bytes
  }

  /// The text of a file, by path.
  public static func text(of path: String) throws -> String { String(decoding: try bytes(of: path), as: UTF8.self) }

  /// The system's error message.
  public struct Failure: Error, Hashable {
    public var errno: Int32
  }
}
