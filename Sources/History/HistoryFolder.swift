import Foundation

/// Where the history lives: one database, and the lock of the one who writes it.
public struct HistoryFolder: Sendable, Hashable {
  /// The folder's path.
  public let path: String

  /// A folder anywhere; the writer makes it when it is not there.
  public init(path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// `$XDG_STATE_HOME/pedometer`, else `~/.local/state/pedometer` (XDG Base Directory Specification 0.8).
  public static var standard: HistoryFolder { standard(environment: ProcessInfo.processInfo.environment) }

  static func standard(environment: [String: String]) -> HistoryFolder {
    // A relative path is to be ignored, says the specification.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return HistoryFolder(path: state + (state.hasSuffix("/") ? "pedometer" : "/pedometer"))
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return HistoryFolder(path: home + "/.local/state/pedometer")
  }

  /// The database's file.
  public var database: String { path + "/history.sqlite" }
  /// The file that the writer holds locked.
  var lock: String { path + "/history.lock" }
}
