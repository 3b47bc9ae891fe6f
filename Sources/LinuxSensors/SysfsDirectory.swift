import CSensorShim
import Platform

/// A folder of sysfs or configfs: small text files, each of which is one value.
public struct SysfsDirectory: Sendable, Hashable {
  /// Absolute, without a slash at the end.
  public let path: String

  /// Names a folder; nothing is touched.
  public init(path: String) { self.path = path }

  /// A folder within.
  public subscript(_ name: String) -> SysfsDirectory { SysfsDirectory(path: "\(path)/\(name)") }

  /// The path of a file within.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The attribute's text without the blanks and NUL bytes around it.
  /// - Throws: what the open or the read gave; a missing file is `.nonsense`: an attribute that the ABI promises.
  public func text(_ name: String) throws(SensorError) -> String {
    if let text = try textIfPresent(name) { return text }
    throw .nonsense(path: path(of: name), text: "", expected: "an attribute of the IIO ABI")
  }

  /// The attribute's text without the blanks and NUL bytes around it; `nil` where there is no such file.
  public func textIfPresent(_ name: String) throws(SensorError) -> String? {
    let path = path(of: name)
    let opened = unsafe sensor_open(path, O_RDONLY | O_NONBLOCK)
    if opened == -ENOENT || opened == -ENOTDIR { return nil }
    if opened < 0 { throw .from(errno: -opened, operation: "open", path: path) }
    let file = NodeDescriptor(owning: opened, path: path)
    var bytes = [UInt8](repeating: 0, count: Self.attributeLimit)
    var count = 0
    while count < bytes.count {
      let read = try file.read(into: &bytes, from: count)
      if read == 0 { break }
      count += read
    }
    return Self.trimmed(bytes[..<count])
  }

  /// A page: the kernel never says more in one attribute.
  private static let attributeLimit = 4096

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let isPadding = { (byte: UInt8) in byte <= 0x20 }
    let start = bytes.drop(while: isPadding)
    let end = start.lastIndex { !isPadding($0) }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[start.startIndex..<end], as: UTF8.self)
  }

  /// Writes one value, as `echo` would.
  public func write(_ text: String, to name: String) throws(SensorError) {
    let path = path(of: name)
    let opened = unsafe sensor_open(path, O_WRONLY | O_TRUNC)
    if opened < 0 { throw .from(errno: -opened, operation: "open", path: path) }
    let file = NodeDescriptor(owning: opened, path: path)
    try file.write(Array((text + "\n").utf8))
  }

  /// The names within, sorted; none where the folder is missing or closed to this user.
  public var names: [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether there is such a file or folder.
  public func has(_ name: String) -> Bool { unsafe access(path(of: name), F_OK) == 0 }
  /// Whether the folder itself is there.
  public var exists: Bool { unsafe access(path, F_OK) == 0 }
  /// Whether this user may read the file.
  public func mayRead(_ name: String) -> Bool { unsafe access(path(of: name), R_OK) == 0 }
  /// Whether this user may write the file.
  public func mayWrite(_ name: String) -> Bool { unsafe access(path(of: name), W_OK) == 0 }

  /// The folder without symbolic links, or itself where it cannot be resolved.
  public var resolved: SysfsDirectory { resolvedPath(path).map { SysfsDirectory(path: $0) } ?? self }
}
