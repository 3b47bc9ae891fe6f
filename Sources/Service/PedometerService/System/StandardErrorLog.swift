import Foundation
import Logging
import Platform

/// Log lines on standard error: for the journal with their priority as a prefix, sd-daemon(3), for people with the
/// program's name.
package struct StandardErrorLog: LogHandler {
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  private let isJournal: Bool

  /// - Parameter isJournal: whether the service manager receives standard error: it sets `JOURNAL_STREAM`.
  package init(logLevel: Logger.Level, isJournal: Bool) { (self.logLevel, self.isJournal) = (logLevel, isJournal) }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let front = isJournal ? "<\(Self.priority(event.level))>" : "pedometerd: "
    let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let rest = details.map { " \($0.key)=\($0.value)" }.joined()
    // Messages contain names of people, devices and files.
    let text = PrintableText.line("\(event.message)".replacing("\n", with: " ") + rest, longest: Self.longest)
    let line = Array("\(front)\(text)\n".utf8)
    // One write per line, so that lines of several threads are not mixed.
    _ = unsafe write(2, line, line.count)
  }

  private static let longest = 4000

  /// RFC 5424's severities.
  private static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
