import Foundation
import GRDB
import Pedometry

/// Counters and their latest readings, in the transaction that adds their steps: so a reading counts once, whenever the process
/// ends.
enum CounterTable {
  static func enter(
    _ reading: CounterReading, of source: HistorySource, stepLength: StepLengthModel, _ db: Database
  ) throws -> CounterReceipt {
    let id = try StepEntry(db, source).id
    guard var counter = try counter(id, db), try !hasMinutes(after: counter.mark.time, of: id, db) else {
      // The history knows minutes of the counter but not its reading, as after damage: what it has must not count again.
      if try hasMinutes(after: reading.time.microseconds - .minute, of: id, db) { return CounterReceipt(.late) }
      try keep(StepCounter(reading), of: id, db)
      return CounterReceipt(.first)
    }
    let former = counter
    let growth = counter.take(reading)
    if counter != former { try keep(counter, of: id, db) }
    var receipt = CounterReceipt(growth.verdict)
    switch growth.verdict {
    case .counted, .restarted:
      let end = reading.time.microseconds
      (receipt.accepted, receipt.elsewhere) = try add(
        growth.steps, from: growth.start, to: end, source: id, stepLength, db)
      receipt.dropped = growth.steps - receipt.accepted - receipt.elsewhere
    case .tooLong: receipt.dropped = growth.steps
    default: break
    }
    return receipt
  }

  /// Adds steps of a period by the rules of imports: evenly, without those that other sources have, in the minutes in which
  /// those have none. Within a minute the source with the most steps counts anyway.
  private static func add(
    _ steps: Int, from start: Int64, to end: Int64, source: Int64, _ stepLength: StepLengthModel, _ db: Database
  ) throws -> (accepted: Int, elsewhere: Int) {
    guard steps > 0 else { return (0, 0) }
    let first = start.floored(by: .minute)
    let last = max(first, (end - 1).floored(by: .minute))
    var counts: [Int64: (own: MinuteTable.Entry, others: Int)] = [:]
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT minute, source, steps, distance, active FROM minute WHERE minute >= ? AND minute <= ?"),
      arguments: [first, last])
    while let row = try rows.next() {
      let entry = MinuteTable.Entry(row, from: 2)
      var count = counts[row[0]] ?? (MinuteTable.Entry(), 0)
      if row[1] == source { count.own = entry } else { count.others = max(count.others, entry.steps) }
      counts[row[0]] = count
    }
    let isWithinMinute = first == last
    let others = isWithinMinute ? 0 : counts.values.reduce(0) { $0 + $1.others }
    let free = (first...last).filter { isWithinMinute || (counts[$0]?.others ?? 0) == 0 }
    let weights = free.map { minute in
      Double(min(end, (minute + 1) * .minute) - max(start, minute * .minute)) / 1e6
    }
    var lacking = max(0, steps - others)
    // Beside others, the rest has to fit into the rest of the time.
    if others > 0 { lacking = min(lacking, Int(weights.reduce(0, +) * WalkedStep.highestCadence)) }
    var accepted = 0
    for (minute, share) in zip(free, EvenSteps.shares(of: lacking, by: weights)) {
      let own = counts[minute]?.own ?? MinuteTable.Entry()
      let part = min(share, StepDeduplicator.mostStepsPerMinute - own.steps)
      guard part > 0 else { continue }
      var totals = EvenSteps.totals(of: part, in: steps, over: Double(end - start) / 1e6, stepLength: stepLength)
      totals.activeTime = min(totals.activeTime, .microseconds(max(0, .minute - own.active)))
      guard let entry = MinuteTable.Entry(totals) else { continue }
      try MinuteTable.add(entry, minute: minute, source: source, db)
      accepted += part
    }
    return (accepted, min(steps, others))
  }

  private static func hasMinutes(after time: Int64, of source: Int64, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM minute WHERE minute > ? AND source = ?)"),
      arguments: [time.floored(by: .minute), source]) ?? false
  }

  private static func counter(_ source: Int64, _ db: Database) throws -> StepCounter? {
    try Seals.require("\(RowDigest.counter) FROM counter WHERE source = ?", [source], db)
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT origin, since, time, steps, doubtTime, doubtSteps FROM counter WHERE source = ?"),
      arguments: [source])
    guard let row, let kind = CounterReading.Origin(rawValue: row[0]) else { return nil }
    let (time, steps): (Int64?, Int?) = (row[4], row[5])
    return StepCounter(
      kind: kind, since: row[1], mark: StepCounter.Mark(time: row[2], steps: row[3]),
      doubt: time.flatMap { time in steps.map { StepCounter.Mark(time: time, steps: $0) } })
  }

  static func keep(_ counter: StepCounter, of source: Int64, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO counter (source, origin, since, time, steps, doubtTime, doubtSteps)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      source, counter.kind.rawValue, counter.since, counter.mark.time, counter.mark.steps, counter.doubt?.time,
      counter.doubt?.steps,
    ])
    try db.cachedStatement(sql: "UPDATE counter SET chk = \(RowDigest.counter) WHERE source = ?")
      .execute(arguments: [source])
  }
}
