import Foundation

/// The location of the history: a database, and the lock of its writer.
public struct HistoryFolder: Sendable, Hashable {
  /// The folder's path.
  public let path: String

  /// Uses any folder, which the writer creates if necessary.
  public init(path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// `$XDG_STATE_HOME/pedometer`, otherwise `~/.local/state/pedometer` (XDG Base Directory Specification 0.8).
  public static var standard: HistoryFolder { standard(environment: ProcessInfo.processInfo.environment) }

  static func standard(environment: [String: String]) -> HistoryFolder {
    // The specification says to ignore relative paths.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return HistoryFolder(path: state + (state.hasSuffix("/") ? "pedometer" : "/pedometer"))
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return HistoryFolder(path: home + "/.local/state/pedometer")
  }

  /// The database's file.
  public var database: String { path + "/history.sqlite" }
  /// The new database while a damaged one is replaced.
  var salvaged: String { path + "/history-salvaged.sqlite" }
  /// The folder of backups.
  public var backups: String { path + "/backups" }
  /// The file that the writer holds locked.
  var lock: String { path + "/history.lock" }
}
