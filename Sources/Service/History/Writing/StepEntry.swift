import GRDB
import Pedometry

struct StepEntry {
  private let db: Database
  /// Its row ID in the database.
  let id: Int64
  private var deduplicator: StepDeduplicator
  private var bouts: BoutTable

  /// Looks the source up, or inserts it.
  init(_ db: Database, _ source: HistorySource) throws {
    self.db = db
    try Seals.require("\(RowDigest.source) FROM source WHERE identity = ?", [source.identity], db)
    try db.cachedStatement(
      sql: """
        INSERT INTO source (identity, name) VALUES (?1, ?2)
        ON CONFLICT (identity) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
        """
    ).execute(arguments: [source.identity, source.name])
    let isChanged = db.changesCount > 0
    let known = try db.cachedStatement(sql: "SELECT id, newest, minuteSteps, boutStart FROM source WHERE identity = ?")
    guard let row = try Row.fetchOne(known, arguments: [source.identity]) else {
      throw DatabaseError(message: "a source that was just inserted is missing")
    }
    id = row[0]
    if isChanged { try Seals.sources(id, db) }
    deduplicator = StepDeduplicator(newest: row[1], minuteSteps: row[2])
    bouts = BoutTable(start: row[3], latest: row[1], source: id)
  }

  /// Records the steps that count, and the floors.
  /// - Parameters:
  ///   - floors: after the steps on which they were climbed.
  ///   - now: microseconds of the wall clock.
  ///   - set: how far the clock was set forward since the last record.
  ///   - isPeriod: whether the steps are those of a period, which may be earlier than others of its source.
  consuming func enter(
    _ steps: [WalkedStep], floors: [WalkedFloors], now: Int64, set: Int64, isPeriod: Bool
  ) throws -> HistoryReceipt {
    var receipt = HistoryReceipt()
    var minutes: [Int64: MinuteTable.Entry] = [:]
    let (former, continued) = (deduplicator, bouts)
    let timed = steps.map { step in
      let time = step.time.microseconds
      return (time: set == 0 ? time : former.heeding(set, time, now: now), step: step)
    }
    let ordered = timed.sorted { $0.time < $1.time }
    if isPeriod, let first = ordered.first?.time, let last = ordered.last?.time, last <= former.newest ?? .min,
      first >= 0, try isFree(first...last, steps: steps.count, now: now)
    {
      // An earlier period is one of its own, and the newest step stays.
      deduplicator = StepDeduplicator(newest: nil, minuteSteps: 0)
      bouts = BoutTable(start: nil, latest: nil, source: id)
    }
    for (time, step) in ordered {
      switch deduplicator.take(time, now: now) {
      case .repeated: receipt.repeated += 1
      case .impossible: receipt.impossible += 1
      case .counts:
        receipt.recorded += 1
        let entry = MinuteTable.Entry(steps: 1, distance: step.micrometres, active: step.activeMicroseconds)
        minutes[time.floored(by: .minute), default: MinuteTable.Entry()] =
          minutes[time.floored(by: .minute), default: MinuteTable.Entry()] + entry
        try bouts.add(time, entry, db)
        try db.cachedStatement(
          sql: "INSERT OR REPLACE INTO step (time, source, distance, active) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [time, id, entry.distance, entry.active])
      }
    }
    try bouts.write(db)
    for (minute, entry) in minutes { try MinuteTable.add(entry, minute: minute, source: id, db) }
    for minute in minutes.keys { try JointMinutes.update(minute, db) }
    receipt.refusedFloors = try enter(floors, now: now)
    try db.cachedStatement(sql: "DELETE FROM step WHERE time < ?").execute(arguments: [now - HistoryWriter.recentSteps])
    if let newest = former.newest, newest > deduplicator.newest ?? .min { (deduplicator, bouts) = (former, continued) }
    try close(receipt)
    return receipt
  }

  /// Whether a source has no steps in a period yet. A period that is sent again has the same times; single steps are known for two
  /// days, and before that the minutes tell.
  private func isFree(_ period: ClosedRange<Int64>, steps: Int, now: Int64) throws -> Bool {
    if period.lowerBound >= now - HistoryWriter.recentSteps {
      return try !has("step WHERE time BETWEEN ? AND ? AND source = ?", [period.lowerBound, period.upperBound, id])
    }
    let (first, last) = (period.lowerBound.floored(by: .minute), (period.upperBound - 1).floored(by: .minute))
    let known = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT sum(steps) FROM minute WHERE minute BETWEEN ? AND ? AND source = ?"),
      arguments: [first, last, id])
    return try known ?? 0 < max(1, steps - 1)
      && !has("minute WHERE minute > ? AND minute < ? AND source = ?", [first, last, id])
  }

  private func has(_ rows: String, _ arguments: StatementArguments) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(rows))"), arguments: arguments) ?? false
  }

  /// How long before floors the steps may be on which they were climbed, in minutes.
  private static let latestStep: Int64 = 2

  /// Adds floors to the minutes of the steps on which they were climbed.
  /// - Returns: the number of refused floors.
  private func enter(_ floors: [WalkedFloors], now: Int64) throws -> Int {
    var refused = 0
    for walked in floors {
      let time = walked.time.microseconds
      let last = time.floored(by: .minute)
      let minute = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT max(minute) FROM minute WHERE minute BETWEEN ? AND ? AND source = ?"),
        arguments: [last - Self.latestStep, last, id])
      let isPossible = time <= now + StepDeduplicator.tolerance && walked.isPossible
      guard let minute, isPossible else {
        refused += max(0, walked.ascended) + max(0, walked.descended)
        continue
      }
      let sum = MinuteTable.Floors(ascended: walked.ascended, descended: walked.descended)
      try MinuteTable.add(MinuteTable.Entry(floors: sum), minute: minute, source: id, db)
    }
    return refused
  }

  private func close(_ receipt: HistoryReceipt) throws {
    try db.cachedStatement(
      sql: """
        UPDATE source SET newest = ?, minuteSteps = ?, boutStart = ?, repeated = repeated + ?,
          impossible = impossible + ? WHERE id = ?
        """
    ).execute(
      arguments: [deduplicator.newest, deduplicator.minuteSteps, bouts.start, receipt.repeated, receipt.impossible, id])
    try Seals.sources(id, db)
  }
}

extension MinuteTable.Entry {
  /// Totals as they are.
  package init(unlimited totals: WalkTotals = WalkTotals()) {
    let distance = Int64(bounded: totals.distanceTravelled * 1e6)
    self.init(steps: totals.steps, distance: distance, active: totals.activeTime.microseconds)
    guard totals.floorsAscended != nil || totals.floorsDescended != nil else { return }
    floors = MinuteTable.Floors(ascended: totals.floorsAscended ?? 0, descended: totals.floorsDescended ?? 0)
  }

  /// Totals of a whole minute; `nil` if they are impossible for a walker.
  init?(_ totals: WalkTotals) {
    let longest = Double(totals.steps) * WalkedStep.longestDistance * 1e6
    guard (1...StepDeduplicator.mostStepsPerMinute).contains(totals.steps),
      (0...longest).contains((totals.distanceTravelled * 1e6).rounded()),
      (.zero ... .seconds(64)).contains(totals.activeTime),
      (0...totals.steps).contains(totals.floorsAscended ?? 0), (0...totals.steps).contains(totals.floorsDescended ?? 0)
    else { return nil }
    self.init(unlimited: totals)
  }
}
