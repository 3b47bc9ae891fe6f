import Foundation
import GRDB
import Platform

/// Saves what is readable in a damaged file to a new one.
enum Salvage {
  struct Outcome {
    /// What was lost in all, earlier losses included.
    var losses: [HistoryLoss]
    /// The number of minutes of sources in the new file.
    var minutes: Int
  }

  /// Reads a database without SQLite, page by page, and writes a new one.
  ///
  /// The new file is complete and durable when this returns. The damaged one is not changed.
  /// - Parameters:
  ///   - former: the latest transaction that the writer noted.
  static func salvage(
    _ path: String, to new: String, former: WriterLock.Mark?, now: Date
  ) throws(HistoryError) -> Outcome {
    var judge = try judge(path, log: path + "-wal", former, now)
    if let withLog = judge.hasLog ? judge.result : nil, !withLog.losses.isEmpty {
      // A log of another time spoils pages that are right in the file.
      let without = try self.judge(path, log: nil, former, now)
      if without.result.isBetter(than: withLog) { judge = without }
    }
    let result = judge.result
    return try speakingOf(new) { try write(result, to: new, former: former, now: now) }
  }

  private static func judge(
    _ path: String, log: String?, _ former: WriterLock.Mark?, _ now: Date
  ) throws(HistoryError) -> (result: SalvageJudge, hasLog: Bool) {
    let image = try DatabaseImage(path: path, log: log)
    defer { image.close() }
    return (SalvageJudge(SalvagedRows(image), former: former, now: now), image.hasLog)
  }

  private static func write(
    _ judge: SalvageJudge, to path: String, former: WriterLock.Mark?, now: Date
  ) throws -> Outcome {
    for ending in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(path + ending) }
    let rows = judge.rows
    let queue = try DatabaseQueue(path: path, configuration: .history(isReadOnly: false))
    try HistorySchema.migrator.migrate(queue)
    let generation = max(rows.whole?.generation ?? 0, former?.generation ?? 0) + 1
    try queue.write { db in
      try insert(rows, db)
      try Seals.fillQuarters(db)
      try LossTable.add(judge.losses, db)
      try db.execute(sql: "UPDATE whole SET generation = ?, checked = ?", arguments: [generation, now.microseconds])
      try Seals.fill(db)
    }
    try queue.close()
    return Outcome(losses: judge.losses, minutes: rows.minutes.count)
  }

  private static func insert(_ rows: SalvagedRows, _ db: Database) throws {
    if let clock = rows.clock {
      try db.execute(sql: "INSERT INTO clock (id, boot, ahead) VALUES (1, ?, ?)", arguments: [clock.boot, clock.ahead])
    }
    for source in rows.sources.values {
      let numbers = source.isCertain ? source.numbers : [nil, 0, nil, 0, 0]
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO source (id, identity, name, newest, minuteSteps, boutStart, repeated, impossible)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          source.id, source.identity, source.name, numbers[0], numbers[1] ?? 0, numbers[2], numbers[3] ?? 0,
          numbers[4] ?? 0,
        ])
    }
    let minute = try db.makeStatement(
      sql: "INSERT INTO minute (minute, source, steps, distance, active, ascended, descended) VALUES (?,?,?,?,?,?,?)")
    for (key, entry) in rows.minutes.sorted(by: { ($0.key.minute, $0.key.source) < ($1.key.minute, $1.key.source) }) {
      try minute.execute(arguments: [
        key.minute, key.source, entry.steps, entry.distance, entry.active, entry.floors?.ascended,
        entry.floors?.descended,
      ])
    }
    for bout in rows.bouts.values where rows.sources[bout.source] != nil {
      try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO bout (start, source, finish, steps, distance, active) VALUES (?,?,?,?,?,?)"
      ).execute(arguments: [
        bout.start, bout.source, bout.finish, bout.entry.steps, bout.entry.distance, bout.entry.active,
      ])
    }
    for step in rows.steps where rows.sources[step[1]] != nil {
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO step (time, source, distance, active) VALUES (?,?,?,?)")
        .execute(arguments: [step[0], step[1], step[2], step[3]])
    }
    for (source, counter) in rows.counters where rows.sources[source] != nil {
      try CounterTable.keep(counter, of: source, db)
    }
    try insertReports(rows, db)
    // Steps that were submitted before must not count again, whatever became of their source's row.
    try db.execute(
      sql: """
        UPDATE source SET newest = max(coalesce(newest, 0),
          coalesce((SELECT max(finish) FROM bout WHERE bout.source = source.id), 0),
          coalesce((SELECT max(time) FROM step WHERE step.source = source.id), 0)), boutStart = NULL
          WHERE newest IS NULL;
        UPDATE source SET newest = NULL WHERE newest = 0;
        """)
  }

  private static func insertReports(_ rows: SalvagedRows, _ db: Database) throws {
    for (number, report) in rows.reports.sorted(by: { $0.key < $1.key }) {
      guard let event = report[5].integer, let recorded = report[6].integer else { continue }
      try db.execute(
        sql: "INSERT OR IGNORE INTO report VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          number, report[1].text, report[2].text, report[3].text, report[4].text, event, recorded, report[7].real,
          report[8].text, report[9].text, report[10].text,
        ])
    }
  }
}

extension SalvageJudge {
  fileprivate func isBetter(than other: SalvageJudge) -> Bool {
    let lost = losses.reduce(0.0) { $0 + $1.end.timeIntervalSince($1.start) }
    let others = other.losses.reduce(0.0) { $0 + $1.end.timeIntervalSince($1.start) }
    return (-rows.minutes.count, lost) < (-other.rows.minutes.count, others)
  }
}
