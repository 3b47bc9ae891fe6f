import Foundation
import GRDB

enum LossTable {
  static func all(_ db: Database) throws -> [HistoryLoss] {
    try Row.fetchAll(
      db, sql: "SELECT start, finish, kind, minutes, steps, noticed FROM loss ORDER BY start, id"
    ).map { row in
      HistoryLoss(
        start: Date(microseconds: row[0]), end: Date(microseconds: row[1]),
        kind: HistoryLoss.Kind(rawValue: row[2]) ?? .minutes, minutes: row[3], steps: row[4],
        noticed: Date(microseconds: row[5]))
    }
  }

  static func add(_ losses: [HistoryLoss], _ db: Database) throws {
    for loss in losses {
      try db.execute(
        sql: "INSERT INTO loss (noticed, start, finish, minutes, steps, kind) VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          loss.noticed.microseconds, loss.start.microseconds, loss.end.microseconds, loss.minutes, loss.steps,
          loss.kind.rawValue,
        ])
    }
  }
}
