import Foundation

/// Compares salvaged minutes with the checksums that survived: finds what is missing or changed, and drops what cannot be right.
struct SalvageJudge {
  private(set) var rows: SalvagedRows
  private(set) var losses: [HistoryLoss] = []

  private let now: Date
  private var keys: [Int64: [SalvagedRows.Key]]

  /// Judges rows.
  /// - Parameters:
  ///   - former: the latest transaction that the writer noted.
  init(_ rows: SalvagedRows, former: WriterLock.Mark?, now: Date) {
    (self.rows, self.now) = (rows, now)
    keys = Dictionary(grouping: rows.minutes.keys) { $0.minute.floored(by: .quarter) }
    if rows.whole?.sum != sum(keys.keys) { judgeDays() }
    judgeBouts()
    judgeAge(former)
    judgeSources()
    losses = (rows.losses + losses).merged
  }

  private func sum(_ quarter: Int64) -> SalvagedRows.Sum {
    (keys[quarter] ?? []).reduce(SalvagedRows.Sum()) { sum, key in
      sum + SalvagedRows.Sum(minutes: 1, digest: rows.minutes[key]?.digest(key) ?? 0)
    }
  }

  private func sum(_ quarters: some Sequence<Int64>) -> SalvagedRows.Sum {
    quarters.reduce(SalvagedRows.Sum()) { $0 + sum($1) }
  }

  private func steps(of quarter: Int64) -> Int {
    var most: [Int64: Int] = [:]
    for key in keys[quarter] ?? [] {
      most[key.minute] = max(most[key.minute] ?? 0, rows.minutes[key]?.steps ?? 0)
    }
    return most.values.reduce(0, +)
  }

  private mutating func drop(_ quarter: Int64) {
    for key in keys[quarter] ?? [] { rows.minutes[key] = nil }
    keys[quarter] = nil
  }

  private mutating func lose(_ minutes: Range<Int64>, count: Int64 = 0, steps: Int? = nil) {
    losses.append(
      HistoryLoss(
        start: Date(minute: minutes.lowerBound), end: Date(minute: minutes.upperBound),
        minutes: Int(max(0, count)), steps: steps.map { max(0, $0) }, noticed: now))
  }

  private static func minutes(ofDay day: Int64) -> Range<Int64> {
    let length = Seals.quarters * .quarter
    return day * length..<(day + 1) * length
  }

  private mutating func judgeDays() {
    let quarters = Dictionary(grouping: Set(keys.keys).union(rows.quarters.keys)) { $0 / Seals.quarters }
    let known = rows.days.values.reduce(SalvagedRows.Sum()) { $0 + $1.sum }
    let areDaysComplete = rows.whole.map { $0.sum == known } ?? false
    var unsealed: [Int64] = []
    for day in Set(quarters.keys).union(rows.days.keys).sorted() {
      let own = (quarters[day] ?? []).sorted()
      guard let seal = rows.days[day] else {
        // With all days present, rows of another day are damaged ones.
        if areDaysComplete {
          for quarter in own { drop(quarter) }
        } else {
          judge(own)
          unsealed.append(day)
        }
        continue
      }
      if seal.sum != sum(own) { judge(day, own, seal.sum) }
    }
    if areDaysComplete { return }
    let rest = rows.whole.map { $0.sum - known }
    if rest == sum(unsealed.flatMap { quarters[$0] ?? [] }) { return }
    for day in unsealed { lose(Self.minutes(ofDay: day)) }
    // Days of which nothing is left, perhaps before or after the others: bouts and sources may know how far they reach.
    let reached = rows.bouts.values.map(\.start) + rows.sources.values.compactMap(\.numbers.first).compactMap(\.self)
    let days = Set(quarters.keys).union(reached.map { $0 / Seals.day })
    if unsealed.isEmpty, rows.whole != nil, let first = days.min(), let last = days.max() {
      lose(Self.minutes(ofDay: first).lowerBound..<Self.minutes(ofDay: last).upperBound, count: rest?.minutes ?? 0)
    }
  }

  /// Judges a day whose minutes do not have its checksum.
  private mutating func judge(_ day: Int64, _ quarters: [Int64], _ seal: SalvagedRows.Sum) {
    let known = quarters.reduce(SalvagedRows.Sum()) { $0 + (rows.quarters[$1]?.sum ?? SalvagedRows.Sum()) }
    let unsealed = quarters.filter { rows.quarters[$0]?.sum == nil }
    if known == seal { for quarter in unsealed { drop(quarter) } }
    judge(quarters.filter { rows.quarters[$0]?.sum != nil })
    if known == seal { return }
    let (rest, found) = (seal - known, sum(unsealed))
    if rest != found { lose(Self.minutes(ofDay: day), count: rest.minutes - found.minutes) }
  }

  /// Judges quarters of an hour by their own checksums.
  private mutating func judge(_ quarters: [Int64]) {
    for quarter in quarters {
      guard let row = rows.quarters[quarter], row.sum != sum(quarter) else { continue }
      if repair(quarter, row.entry, row.sum) { continue }
      var count = row.sum.minutes - sum(quarter).minutes
      if count <= 0 {
        // One of them was changed, but which?
        drop(quarter)
        count = row.sum.minutes
      }
      lose(quarter * .quarter..<(quarter + 1) * .quarter, count: count, steps: row.entry.steps - steps(of: quarter))
    }
  }

  /// Computes one wrong minute from the others and the sums of the quarter, if only one source counted.
  private mutating func repair(_ quarter: Int64, _ entry: MinuteTable.Entry, _ seal: SalvagedRows.Sum) -> Bool {
    let own = keys[quarter] ?? []
    let digest = sum(quarter).digest
    // A minute of another time that damage moved here.
    if let stray = own.first(where: { key in
      Int64(own.count) == seal.minutes + 1 && digest - (rows.minutes[key]?.digest(key) ?? 0) == seal.digest
    }) {
      rows.minutes[stray] = nil
      keys[quarter] = own.filter { $0 != stray }
      return true
    }
    let changed = Int64(own.count) == seal.minutes ? own : []
    let sources = own.isEmpty ? Set(rows.sources.keys) : Set(own.map(\.source))
    let missing = (0..<Int64.quarter).flatMap { minute in
      sources.map { SalvagedRows.Key(minute: quarter * .quarter + minute, source: $0) }
    }.filter { rows.minutes[$0] == nil }
    for key in changed { if repair(key, leaving: own.filter { $0 != key }, entry, seal) { return true } }
    let (lessOne, isShort) = (own, Int64(own.count) == seal.minutes - 1)
    if isShort { return missing.contains { repair($0, leaving: lessOne, entry, seal) } }
    // One whose time was changed within the quarter.
    for key in changed {
      let others = own.filter { $0 != key }
      if missing.contains(where: { repair($0, leaving: others, entry, seal) }) { return true }
    }
    return false
  }

  /// Tries whether a minute with what the others leave of the sums has the right checksum.
  private mutating func repair(
    _ key: SalvagedRows.Key, leaving others: [SalvagedRows.Key], _ entry: MinuteTable.Entry, _ seal: SalvagedRows.Sum
  ) -> Bool {
    let rest = others.reduce(entry) { sum, other in rows.minutes[other].map { sum - $0 } ?? sum }
    let wanted = others.reduce(seal.digest) { $0 - (rows.minutes[$1]?.digest($1) ?? 0) }
    guard rest.isPlausible, rest.digest(key) == wanted else { return false }
    for former in keys[key.minute.floored(by: .quarter)] ?? [] where !others.contains(former) {
      rows.minutes[former] = nil
    }
    rows.minutes[key] = rest
    keys[key.minute.floored(by: .quarter)] = others + [key]
    return true
  }

  private mutating func judgeBouts() {
    var found: [Int64: Int64] = [:]
    for bout in rows.bouts.values { found[bout.start / Seals.day, default: 0] &+= bout.chk }
    for (day, seal) in rows.days where seal.bouts != found[day] ?? 0 {
      let start = Date(microseconds: day * Seals.day)
      losses.append(HistoryLoss(start: start, end: start + 86_400, kind: .bouts, noticed: now))
    }
    let sealed = rows.days.values.reduce(Int64(0)) { $0 &+ $1.bouts }
    let all = found.values.reduce(Int64(0)) { $0 &+ $1 }
    guard let whole = rows.whole, whole.bouts != sealed, whole.bouts != all else { return }
    // Which ones is unknown: the sums of their days are lost, too.
    let minutes = rows.minutes.keys.map(\.minute)
    let (first, last) = (minutes.min() ?? 0, minutes.max() ?? 0)
    let start = losses.map(\.start).reduce(Date(minute: first), min)
    let end = losses.map(\.end).reduce(Date(minute: last + 1), max)
    losses.append(HistoryLoss(start: start, end: end, kind: .bouts, noticed: now))
  }

  /// The latest transactions are missing if the writer noted more than there are.
  private mutating func judgeAge(_ former: WriterLock.Mark?) {
    guard let former, let whole = rows.whole, whole.generation < former.generation else { return }
    let last = rows.minutes.keys.map(\.minute).max() ?? former.time.floored(by: .minute)
    let end = max(former.time.floored(by: .minute), last) + 1
    lose(last..<end)
  }

  /// A source without its row keeps its minutes under another name.
  private mutating func judgeSources() {
    var used: [Int64: (first: Int64, last: Int64)] = [:]
    for key in rows.minutes.keys {
      let former = used[key.source] ?? (key.minute, key.minute)
      used[key.source] = (min(former.first, key.minute), max(former.last, key.minute))
    }
    var names = Set(rows.sources.values.filter(\.isCertain).map(\.identity))
    for (id, source) in rows.sources where !source.isCertain && !names.insert(source.identity).inserted {
      rows.sources[id] = nil
    }
    for (id, period) in used where rows.sources[id]?.isCertain != true {
      if rows.sources[id] == nil {
        rows.sources[id] = SalvagedRows.Source(
          id: id, identity: "unknown-\(id)", name: "unknown \(id)", numbers: [nil, 0, nil, 0, 0], isCertain: false)
      }
      losses.append(
        HistoryLoss(
          start: Date(minute: period.first), end: Date(minute: period.last + 1), kind: .source, noticed: now))
    }
  }
}
