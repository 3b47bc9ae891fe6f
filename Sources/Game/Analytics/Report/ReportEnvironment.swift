import FoundationEssentials

/// The computer and program that send reports. It is a parameter, so tests can use their own, and no bundle is needed,
/// which Linux lacks.
public struct ReportEnvironment: Sendable, Hashable {
  /// The computer's model, such as `ThinkPad X1 Carbon Gen 9` or `Raspberry Pi 5 Model B Rev 1.0`.
  public var device: String
  /// The system and its kernel, such as `Debian GNU/Linux 12 (bookworm), Linux 6.1.0-28-amd64`.
  public var os: String
  /// The program's version.
  public var appVersion: String

  /// Creates an environment.
  public init(device: String, os: String, appVersion: String) {
    (self.device, self.os, self.appVersion) = (device, os, appVersion)
  }

  /// This computer. Unknown values are `unknown`.
  /// - Parameters:
  ///   - appVersion: the program's version, a constant of its build.
  ///   - root: the root folder of its files.
  public static func machine(appVersion: String, root: String = "/") -> ReportEnvironment {
    let device = ["sys/class/dmi/id/product_name", "proc/device-tree/model"].lazy
      .compactMap { line(root + $0) }.first
    let release = PrivateFile.bytes(of: root + "etc/os-release") ?? PrivateFile.bytes(of: root + "usr/lib/os-release")
    let name = release.flatMap { prettyName(in: String(decoding: $0, as: UTF8.self)) }
    let kernel = line(root + "proc/sys/kernel/osrelease").map { "Linux \($0)" }
    let os = [name, kernel].compactMap { $0 }.joined(separator: ", ")
    return ReportEnvironment(
      device: device ?? "unknown", os: os.isEmpty ? "unknown" : clean(os), appVersion: appVersion)
  }

  /// The maximum length of a model or a system, in characters.
  private static let longest = 160

  private static func line(_ path: String) -> String? {
    guard let bytes = PrivateFile.bytes(of: path) else { return nil }
    let line = clean(String(decoding: bytes.prefix { $0 != 0 && $0 != 0x0A }, as: UTF8.self))
    return line.isEmpty ? nil : line
  }

  /// Without surrounding blanks and control characters, and truncated.
  private static func clean(_ text: String) -> String {
    var scalars = text.unicodeScalars.filter { !($0.value < 0x20 || 0x7F...0x9F ~= $0.value) }[...]
    while scalars.first == " " { scalars.removeFirst() }
    while scalars.last == " " { scalars.removeLast() }
    return String(String(String.UnicodeScalarView(scalars)).prefix(longest))
  }

  /// PRETTY_NAME of os-release(5), unquoted.
  private static func prettyName(in text: String) -> String? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("PRETTY_NAME=") }) else { return nil }
    var value = line.dropFirst("PRETTY_NAME=".count)
    for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
      value = value.dropFirst().dropLast()
    }
    return value.isEmpty ? nil : value.filter { $0 != "\\" }
  }
}
