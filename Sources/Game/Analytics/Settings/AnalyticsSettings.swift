import FoundationEssentials
import Platform

/// Whether the user wants reports to be sent, and where to. Off by default.
public struct AnalyticsSettings: Codable, Sendable, Hashable {
  /// Whether reports are recorded and sent.
  public var isOn: Bool
  /// The service's address, in the format of ``AnalyticsAddress``.
  public var url: String?
  /// The file whose first line is the token.
  public var tokenFile: String?

  /// Creates settings; by default those of a user who was never asked.
  public init(isOn: Bool = false, url: String? = nil, tokenFile: String? = nil) {
    (self.isOn, self.url, self.tokenFile) = (isOn, url, tokenFile)
  }

  private enum CodingKeys: String, CodingKey {
    case isOn = "on"
    case url, tokenFile
  }

  /// Decodes settings; missing values mean off.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    isOn = try values.decodeIfPresent(Bool.self, forKey: .isOn) ?? false
    url = try values.decodeIfPresent(String.self, forKey: .url)
    tokenFile = try values.decodeIfPresent(String.self, forKey: .tokenFile)
  }

  /// Why settings cannot be read or written.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not valid JSON of settings.
    case unreadable(path: String)
    /// It cannot be written, for the reason that an errno(3) tells.
    case notWritten(path: String, errno: Int32)

    /// One sentence with the remedy.
    public var description: String {
      switch self {
      case .unreadable(let path): return "\(path) contains no valid settings; fix it, or run 'pedometer analytics off'"
      case .notWritten(let path, let errno):
        let remedy =
          switch errno {
          case let number where isOutOfSpace(number): "free some space"
          case EACCES, EPERM: "change its permissions"
          // The folder cannot be made: a part of the path is missing, a file, or on a disk that is read-only.
          default: "set XDG_CONFIG_HOME to a folder that can be written"
          }
        return "cannot write \(path): \(SystemFailure(errno: errno)); \(remedy)"
      }
    }
  }

  /// The settings in a file; off if there is no file.
  public static func load(from path: String) throws(Failure) -> AnalyticsSettings {
    guard let bytes = PrivateFile.bytes(of: path) else { return AnalyticsSettings() }
    do {
      return try ReportJSON.value(AnalyticsSettings.self, of: bytes)
    } catch { throw .unreadable(path: path) }
  }

  /// Writes them to a file, which is replaced atomically.
  public func save(to path: String) throws(Failure) {
    do throws(SystemFailure) {
      if let slash = path.lastIndex(of: "/") { try PrivateFile.makeFolder(String(path[..<slash])) }
      // Strings and a flag can always be encoded.
      try PrivateFile.replace(path, with: ((try? ReportJSON.bytes(of: self)) ?? []) + [0x0A])
    } catch { throw .notWritten(path: path, errno: error.errno) }
  }

  /// The service and the token; `nil` while reports are off, or without an address or a token.
  public func access() -> AnalyticsAccess? {
    guard isOn, let url, let address = try? AnalyticsAddress(url), let token = token() else { return nil }
    return AnalyticsAccess(address: address, token: token)
  }

  /// The first line of the token file; `nil` if it is missing, or not allowed in a header.
  public func token() -> String? {
    guard let tokenFile, let bytes = PrivateFile.bytes(of: tokenFile) else { return nil }
    let line = bytes.prefix { $0 != 0x0A }.filter { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }
    guard !line.isEmpty, line.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
    return String(decoding: line, as: UTF8.self)
  }
}

/// The locations of settings and spool: the folders of the XDG Base Directory Specification.
public struct AnalyticsPlaces: Sendable, Hashable {
  /// The file of the settings.
  public var settings: String
  /// The folder of the spool.
  public var spool: String

  /// Creates locations.
  public init(settings: String, spool: String) { (self.settings, self.spool) = (settings, spool) }

  /// `$XDG_CONFIG_HOME/pedometer/analytics.json` and `$XDG_STATE_HOME/pedometer/analytics`, or their defaults below the
  /// home folder; `nil` for a process without one. Relative folders are ignored, as the specification requires.
  public init?(environment value: (String) -> String?) {
    func folder(_ name: String, _ otherwise: String) -> String? {
      if let given = value(name), given.hasPrefix("/") { return given }
      return value("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/\(otherwise)" : nil }
    }
    guard let config = folder("XDG_CONFIG_HOME", ".config"), let state = folder("XDG_STATE_HOME", ".local/state") else {
      return nil
    }
    self.init(settings: config + "/pedometer/analytics.json", spool: state + "/pedometer/analytics")
  }
}
