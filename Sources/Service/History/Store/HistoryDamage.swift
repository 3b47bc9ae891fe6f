import Foundation
import Platform

/// A damaged database that a writer replaced.
public struct HistoryDamage: Sendable, Hashable {
  /// The damaged file, which is kept.
  public let path: String
  /// The number of minutes of sources that were saved.
  public let minutes: Int
  /// What was lost, also by earlier damage, by rising time; empty if everything was saved.
  public let losses: [HistoryLoss]

  /// One sentence for people.
  public var text: String {
    let kept = "the history was damaged; \(minutes) \(minutes == 1 ? "minute was" : "minutes were") saved"
    let lost = losses.isEmpty ? "nothing was lost" : "lost: \(losses.summary)"
    let remedy = losses.isEmpty ? "" : " ('pedometer history restore' lists the backups)"
    return "\(kept), \(lost); the damaged file is \(path)\(remedy)"
  }

  /// The name of the report beside the damaged file, which programs without a database read.
  static func report(of path: String) -> String { path.replacingOccurrences(of: ".sqlite", with: ".txt") }

  /// Writes the report; without space for it, the log and the database still tell.
  func writeReport(now: Date) {
    let lines = [CivilDate(now, offset: 0).iso8601 + " " + text] + losses.map { "lost: " + $0.text }
    try? FileReplacement.replace(
      Self.report(of: path), with: Array((lines.joined(separator: "\n") + "\n").utf8), permissions: 0o600)
  }
}
