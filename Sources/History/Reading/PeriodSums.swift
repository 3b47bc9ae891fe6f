import GRDB

/// Adds up the totals of periods: whole quarters of an hour from their sums, the remaining minutes one by one, and
/// partial minutes from single steps, as long as they are kept.
struct PeriodSums {
  private let db: Database
  private let quarters: Statement
  private let minutes: Statement

  init(_ db: Database) throws {
    self.db = db
    quarters = try db.cachedStatement(
      sql: "SELECT sum(steps), sum(distance), sum(active) FROM quarter WHERE quarter >= ? AND quarter < ?")
    minutes = try db.cachedStatement(
      sql: """
        SELECT sum(steps), sum(distance), sum(active) FROM
          (\(MinuteTable.standing) WHERE minute >= ? AND minute < ? GROUP BY minute)
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
    return MinuteTable.Entry(row)
  }

  /// The totals of a part of a minute.
  private func part(of minute: Int64, _ from: Int64, _ to: Int64) throws -> MinuteTable.Entry {
    let standing = try db.cachedStatement(
      sql: "SELECT max(steps), distance, active, source FROM minute WHERE minute = ?")
    guard let row = try Row.fetchOne(standing, arguments: [minute]), let steps: Int = row[0] else {
      return MinuteTable.Entry()
    }
    let source: Int64 = row[3]
    let recent = try db.cachedStatement(
      sql: "SELECT count(*), sum(distance), sum(active) FROM step WHERE time >= ? AND time < ? AND source = ?")
    let all = try Int.fetchOne(recent, arguments: [minute * .minute, (minute + 1) * .minute, source])
    if all == steps, let row = try Row.fetchOne(recent, arguments: [from, to, source]) {
      return MinuteTable.Entry(row)
    }
    return MinuteTable.Entry(row).part(to - from, of: .minute)
  }
}

extension MinuteTable.Entry {
  /// Three sums, which may be NULL.
  init(_ row: Row) {
    let (steps, distance, active): (Int?, Int64?, Int64?) = (row[0], row[1], row[2])
    self.init(steps: steps ?? 0, distance: distance ?? 0, active: active ?? 0)
  }

  func part(_ numerator: Int64, of denominator: Int64) -> MinuteTable.Entry {
    let share = Double(numerator) / Double(denominator)
    return MinuteTable.Entry(
      steps: Int(Double(steps) * share), distance: Int64(Double(distance) * share),
      active: Int64(Double(active) * share))
  }
}
