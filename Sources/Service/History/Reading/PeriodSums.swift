import GRDB
import Platform

/// Adds up the totals of periods: stored sums for whole quarters of an hour, the remaining minutes one by one, and
/// single steps for partial minutes, as long as they are kept.
struct PeriodSums {
  private let db: Database
  private let quarters: Statement
  private let minutes: Statement

  private static let within = "WHERE minute >= ?1 AND minute < ?2"

  init(_ db: Database) throws {
    self.db = db
    quarters = try db.cachedStatement(
      sql: """
        SELECT sum(steps), sum(distance), sum(active), sum(ascended), sum(descended) FROM quarter
        WHERE quarter >= ? AND quarter < ?
        """)
    minutes = try db.cachedStatement(
      sql: """
        SELECT * FROM
          (SELECT sum(steps), sum(distance), sum(active) FROM
            (\(MinuteTable.standing) \(Self.within) GROUP BY minute)),
          (SELECT sum(ascended), sum(descended) FROM
            (\(MinuteTable.standingFloors) \(Self.within) AND ascended IS NOT NULL GROUP BY minute))
        """)
  }

  /// The sum between two moments in microseconds.
  func sum(_ from: Int64, _ to: Int64) throws -> MinuteTable.Entry {
    let first = from.ceiled(by: .minute)
    let last = to.floored(by: .minute)
    if first > last { return try part(of: last, from, to) }
    var sum = try wholes(first, last)
    if from < first * .minute { sum = sum + (try part(of: first - 1, from, first * .minute)) }
    if last * .minute < to { sum = sum + (try part(of: last, last * .minute, to)) }
    return sum
  }

  /// Each minute with steps that is completely between two moments.
  func wholeMinutes(_ from: Int64, _ to: Int64) throws -> [Int64: MinuteTable.Entry] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT max(steps), distance, active, minute FROM minute WHERE minute >= ? AND minute < ? GROUP BY minute
        """, arguments: [from.ceiled(by: .minute), to.floored(by: .minute)])
    var all: [Int64: MinuteTable.Entry] = [:]
    while let row = try rows.next() { all[row[3]] = MinuteTable.Entry(row) }
    let floors = try Row.fetchCursor(
      db,
      sql: """
        SELECT max(steps), ascended, descended, minute FROM minute \(Self.within) AND ascended IS NOT NULL
        GROUP BY minute
        """, arguments: [from.ceiled(by: .minute), to.floored(by: .minute)])
    while let row = try floors.next() {
      all[row[3]]?.floors = MinuteTable.Floors(ascended: row[1], descended: row[2])
    }
    return all
  }

  private func wholes(_ from: Int64, _ to: Int64) throws -> MinuteTable.Entry {
    let first = from.ceiled(by: .quarter)
    let last = to.floored(by: .quarter)
    guard first < last else { return try sum(minutes, from, to) }
    return try sum(quarters, first, last) + sum(minutes, from, first * .quarter) + sum(minutes, last * .quarter, to)
  }

  private func sum(_ statement: Statement, _ from: Int64, _ to: Int64) throws -> MinuteTable.Entry {
    guard from < to, let row = try Row.fetchOne(statement, arguments: [from, to]) else { return MinuteTable.Entry() }
    return MinuteTable.Entry(withFloors: row)
  }

  private func part(of minute: Int64, _ from: Int64, _ to: Int64) throws -> MinuteTable.Entry {
    let standing = try db.cachedStatement(
      sql: "SELECT max(steps), distance, active, source FROM minute WHERE minute = ?")
    guard let row = try Row.fetchOne(standing, arguments: [minute]), let steps: Int = row[0] else {
      return MinuteTable.Entry()
    }
    let source: Int64 = row[3]
    let recent = try db.cachedStatement(
      sql: "SELECT count(*), sum(distance), sum(active) FROM step WHERE time >= ? AND time < ? AND source = ?")
    // Steps have no checksums, but the minute has.
    let all = try Row.fetchOne(recent, arguments: [minute * .minute, (minute + 1) * .minute, source])
    let (distance, active): (Int64, Int64) = (row[1], row[2])
    let isRecent = all.map { $0[0] == steps && $0[1] == distance && $0[2] == active } ?? false
    let exact = isRecent ? try Row.fetchOne(recent, arguments: [from, to, source]) : nil
    let start = minute * .minute
    var entry =
      exact.map { MinuteTable.Entry($0) }
      ?? MinuteTable.Entry(row).part(from: from - start, to: to - start, of: .minute)
    // Floors are known by the minute, and are certain when it is over.
    entry.floors = try MinuteTable.floors(minute, db).map { to < start + .minute ? MinuteTable.Floors() : $0 }
    return entry
  }
}

extension MinuteTable.Entry {
  /// Three sums from a column on, which may be NULL.
  init(_ row: Row, from first: Int = 0) {
    let (steps, distance, active): (Int?, Int64?, Int64?) = (row[first], row[first + 1], row[first + 2])
    self.init(steps: steps ?? 0, distance: distance ?? 0, active: active ?? 0)
  }

  /// The same, and floors in the two columns behind them.
  init(withFloors row: Row, from first: Int = 0) {
    self.init(row, from: first)
    if let up: Int = row[first + 3] { floors = MinuteTable.Floors(ascended: up, descended: row[first + 4] ?? 0) }
  }

  /// What lies between two parts of a length, in whole units, so that adjoining parts add up to the whole.
  func part(from: Int64, to: Int64, of length: Int64) -> MinuteTable.Entry {
    upTo(to, of: length) - upTo(from, of: length)
  }

  private func upTo(_ end: Int64, of length: Int64) -> MinuteTable.Entry {
    let share = Double(end) / Double(length)
    return MinuteTable.Entry(
      steps: Int(bounded: Double(steps) * share), distance: Int64(bounded: Double(distance) * share),
      active: Int64(bounded: Double(active) * share))
  }
}
