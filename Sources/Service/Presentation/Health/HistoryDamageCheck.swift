import Platform

/// What damage cost the histories of this user and of the service, by the reports beside the damaged files: they are
/// readable without a database.
package struct HistoryDamageCheck {
  private let folders: [String]

  /// Uses the folders of this user and of the service.
  /// - Parameter environment: the value of a variable.
  package init(environment: (String) -> String?) {
    let own =
      environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment("HOME").map { $0 + "/.local/state" }
    folders = [own, "/var/lib"].compactMap { $0.map { $0 + "/pedometer" } }
  }

  /// One check for each report, the oldest first; empty without damage.
  package var all: [HealthCheck] {
    folders.flatMap { folder in
      (names(inFolder: folder) ?? []).filter { $0.hasPrefix("history-damaged-") && $0.hasSuffix(".txt") }.compactMap {
        Self.firstLine(of: folder + "/" + $0).map { line in
          .warning(
            "history", line,
            remedy:
              "'pedometer history restore --state \(folder)' lists the backups; delete the report and the damaged "
              + "file when they are no longer needed")
        }
      }
    }
  }

  private static func firstLine(of path: String) -> String? {
    guard let bytes = readFile(path, upTo: 4096, flags: O_NONBLOCK), !bytes.isEmpty else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
