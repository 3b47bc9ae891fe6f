import GRDB
import Pedometry

/// The minutes in which a walker changed from one source to another: as the minutes of one more source, which has more
/// steps than each of them and so counts.
enum JointMinutes {
  static let source = HistorySource(identity: "joint", name: "several sensors in turn")

  struct Step {
    var time: Int64
    var distance: Int64 = 0
    var active: Int64 = 0
  }

  /// Computes a minute anew, after a source's steps were added to it. Without single steps of a source, which are kept
  /// for two days, its walks cannot be told from those of others; then the source with the most steps counts.
  static func update(_ minute: Int64, _ db: Database) throws {
    let known = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM source WHERE identity = ?"), arguments: [source.identity])
    let counts = try db.cachedStatement(
      sql: "SELECT source, steps FROM minute WHERE minute = ? AND source <> ? AND steps > 0")
    let all = try Row.fetchAll(counts, arguments: [minute, known ?? -1])
    guard all.count > 1 else { return }
    let walks = try walks(minute, without: known, db)
    let complete = all.compactMap { row -> [Step]? in
      let (id, steps): (Int64, Int) = (row[0], row[1])
      return walks[id].flatMap { $0.count == steps ? $0 : nil }
    }
    let steps = union(of: complete)
    let best = all.map { $0[1] as Int }.max() ?? 0
    let stored = try known.flatMap { id in
      try Int.fetchOne(
        db.cachedStatement(sql: "SELECT steps FROM minute WHERE minute = ? AND source = ?"), arguments: [minute, id])
    }
    guard steps.count > best || (stored != nil && complete.count == all.count) else { return }
    try store(steps, minute, try known ?? StepEntry(db, source).id, db)
  }

  private static func walks(_ minute: Int64, without joint: Int64?, _ db: Database) throws -> [Int64: [Step]] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT source, time, distance, active FROM step WHERE time >= ? AND time < ? AND source <> ? ORDER BY time
          """), arguments: [minute * .minute, (minute + 1) * .minute, joint ?? -1])
    var walks: [Int64: [Step]] = [:]
    while let row = try rows.next() {
      walks[row[0], default: []].append(Step(time: row[1], distance: row[2], active: row[3]))
    }
    return walks
  }

  private static func store(_ steps: [Step], _ minute: Int64, _ id: Int64, _ db: Database) throws {
    var entry = MinuteTable.Entry()
    for step in steps { entry = entry + MinuteTable.Entry(steps: 1, distance: step.distance, active: step.active) }
    try MinuteTable.replace(with: entry, minute: minute, source: id, db)
    // For periods that begin or end within the minute.
    try db.cachedStatement(sql: "DELETE FROM step WHERE time >= ? AND time < ? AND source = ?")
      .execute(arguments: [minute * .minute, (minute + 1) * .minute, id])
    for step in steps {
      try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO step (time, source, distance, active) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [step.time, id, step.distance, step.active])
    }
  }

  /// The steps of all sources, without those of a walk that another source counted at the same time.
  /// - Parameter walks: the steps of each source, by rising time.
  static func union(of walks: [[Step]]) -> [Step] {
    var all: [Step] = []
    var covered = CoveredTime()
    for walk in walks.sorted(by: { $0.count > $1.count }) {
      let new = runs(of: walk).flatMap { run in
        let near = covered.overlapping(run[run.startIndex].time, run[run.endIndex - 1].time)
        return run.filter { step in !near.contains { $0.contains(step.time) } }
      }
      for run in runs(of: new) { covered.add(run[run.startIndex].time, run[run.endIndex - 1].time) }
      all += new
    }
    return all.sorted { $0.time < $1.time }
  }

  private static func runs(of walk: [Step]) -> [ArraySlice<Step>] {
    var runs: [ArraySlice<Step>] = []
    var start = walk.startIndex
    for index in walk.indices.dropFirst() where walk[index].time - walk[index - 1].time > CoveredTime.margin {
      runs.append(walk[start..<index])
      start = index
    }
    if start < walk.endIndex { runs.append(walk[start...]) }
    return runs
  }
}

/// The times in which the sources with the most steps walked.
///
/// Two sources do not agree to the second about the beginning and end of one walk. So where their bouts overlap, what is
/// less than the rest between two bouts away from the better source's bout belongs to it. Bouts that do not overlap are
/// different walks, however close they are.
struct CoveredTime {
  static let margin = WalkTracker.boutGap.microseconds

  private var spans: [ClosedRange<Int64>] = []

  mutating func add(_ start: Int64, _ finish: Int64) { spans.append(start...max(start, finish)) }

  /// The spans that overlap with a bout, with their margins.
  func overlapping(_ start: Int64, _ finish: Int64) -> [ClosedRange<Int64>] {
    spans.filter { $0.overlaps(start...max(start, finish)) }
      .map { $0.lowerBound - Self.margin...$0.upperBound + Self.margin }
  }

  /// The part of a bout that no span covers, in microseconds.
  func uncovered(_ start: Int64, _ finish: Int64) -> Int64 {
    var (rest, from) = (Int64(0), start)
    for span in overlapping(start, finish).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      rest += max(0, min(span.lowerBound, finish) - from)
      from = max(from, span.upperBound)
    }
    return rest + max(0, finish - from)
  }
}
