import Foundation
import GRDB

@testable import History

extension HistoryReader {
  /// All sources that have counted, and the numbers of their refused steps.
  func sources() throws(HistoryError) -> [HistorySourceReport] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT identity, name, newest, repeated, impossible FROM source WHERE identity <> ? ORDER BY id",
        arguments: [JointMinutes.source.identity]
      ).map { row in
        let newest: Int64? = row[2]
        return HistorySourceReport(
          source: HistorySource(identity: row[0], name: row[1]), latestStep: newest.map { Date(microseconds: $0) },
          repeatedSteps: row[3], impossibleSteps: row[4])
      }
    }
  }
}

/// A source, and the numbers of its refused steps.
struct HistorySourceReport: Sendable, Hashable {
  /// The source.
  var source: HistorySource
  /// The time of its latest step.
  var latestStep: Date?
  /// The number of steps that were refused because they were submitted twice.
  var repeatedSteps: Int
  /// The number of steps that were refused because they are physically impossible.
  var impossibleSteps: Int
}
