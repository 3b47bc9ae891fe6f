import CSensorShim
import Platform

/// A folder of sysfs or configfs: small text files with one value each.
package struct SysfsDirectory: Sendable, Hashable {
  /// Absolute, without a trailing slash.
  package let path: String

  /// Creates a reference to a folder without touching it.
  package init(path: String) { self.path = path }

  package subscript(_ name: String) -> SysfsDirectory { SysfsDirectory(path: "\(path)/\(name)") }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The attribute's text without surrounding white space and NUL bytes.
  /// - Throws: errors of opening and reading; `.nonsense` if the file is missing, because the ABI requires it.
  package func text(_ name: String) throws(SensorError) -> String {
    if let text = try textIfPresent(name) { return text }
    throw .nonsense(path: path(of: name), text: "", expected: "an attribute of the IIO ABI")
  }

  /// The attribute's text without surrounding white space and NUL bytes; `nil` if there is no such file.
  package func textIfPresent(_ name: String) throws(SensorError) -> String? {
    let path = path(of: name)
    guard let bytes = readFile(path, upTo: Self.attributeLimit, flags: O_NONBLOCK) else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return nil }
      throw .from(errno: code, operation: "read", path: path)
    }
    return Self.trimmed(bytes[...])
  }

  /// An attribute by which a sensor is recognised; `nil` if it is missing or empty.
  ///
  /// An attribute that cannot be read is tried once more, because a signal or a moment without descriptors passes. Then
  /// a remark names it.
  func identifying(_ name: String, remarks: inout [String]) -> String? {
    do throws(SensorError) {
      let text: String?
      do throws(SensorError) { text = try textIfPresent(name) } catch { text = try textIfPresent(name) }
      return text.flatMap { $0.isEmpty ? nil : $0 }
    } catch {
      remarks.append("it may not be recognised after replugging: \(error.reason)")
      return nil
    }
  }

  /// One page, the kernel's limit for an attribute.
  private static let attributeLimit = 4096

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let isPadding = { (byte: UInt8) in byte <= 0x20 }
    let start = bytes.drop(while: isPadding)
    let end = start.lastIndex { !isPadding($0) }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[start.startIndex..<end], as: UTF8.self)
  }

  /// Writes one value, as `echo` would.
  package func write(_ text: String, to name: String) throws(SensorError) {
    let path = path(of: name)
    let opened = unsafe sensor_open(path, O_WRONLY | O_TRUNC)
    if opened < 0 { throw .from(errno: -opened, operation: "open", path: path) }
    let file = NodeDescriptor(owning: opened, path: path)
    try file.write(Array((text + "\n").utf8))
  }

  /// The names of its entries, sorted; empty if the folder is missing or not readable.
  package var names: [String] { Platform.names(inFolder: path) ?? [] }

  package func has(_ name: String) -> Bool { unsafe access(path(of: name), F_OK) == 0 }
  package var exists: Bool { unsafe access(path, F_OK) == 0 }
  package func mayRead(_ name: String) -> Bool { unsafe access(path(of: name), R_OK) == 0 }
  package func mayWrite(_ name: String) -> Bool { unsafe access(path(of: name), W_OK) == 0 }

  /// The folder without symbolic links, or itself if it cannot be resolved.
  package var resolved: SysfsDirectory { resolvedPath(path).map { SysfsDirectory(path: $0) } ?? self }
}
