import Foundation
import History
import Pedometry
import Platform

/// Decides which minutes an import adds.
///
/// The history counts each minute once, with the steps of the source that counted most. That is not sufficient for a period of
/// several minutes: its steps would be spread over minutes in which a sensor here found nothing, and add to the minutes in which
/// it found the walk. So a period adds only the steps that the other sources lack, in the minutes in which they have none.
///
/// All files of a command are planned together, the shortest periods first, because those tell most about the times. If
/// an earlier import has spread its steps evenly over minutes, minutes that are imported later add only what exceeds the
/// steps of all those minutes together.
package struct ImportPlan {
  /// What files add to a history.
  /// - Parameters:
  ///   - stepLength: for files without distances.
  ///   - calendar: with which the files were read.
  package static func results(
    of contents: [ImportedFile], in folder: HistoryFolder, stepLength: StepLengthModel, calendar: DayCalendar,
    cost: ImportCost = ImportCost()
  ) throws -> [Result] {
    var plan = ImportPlan(stepLength: stepLength, calendar: calendar)
    plan.cost = cost
    let times = contents.flatMap { $0.periods.flatMap { [$0.start, $0.end] } + $0.minutes.map(\.start) }
    if let first = times.min(), let last = times.max() {
      do {
        // The whole days, because an import may have spread steps over them.
        try HistoryReader(folder: folder).minutes(from: first - 90_000, to: last + 90_000) { plan.know($0) }
      } catch let error as HistoryError where error.code == .nothingYet {}
    }
    let results = plan.take(contents)
    if let failure = plan.failure { throw failure }
    return results
  }

  /// Minutes since 1970.
  typealias Minute = Int

  private struct Key: Hashable {
    var file: Int
    var identity: String
  }

  /// The most steps of a minute.
  static let most = Int(WalkedStep.highestCadence * 60)

  private let stepLength: StepLengthModel
  private var counts = Counts()
  private var known: [String: HistorySource] = [:]
  private var results: [Key: Result] = [:]
  /// The place of each in the order of planning.
  private var order: [Key: Int] = [:]
  private let calendar: DayCalendar
  private var cost: ImportCost?
  private var failure: (any Error)?

  package init(stepLength: StepLengthModel = .walkRatio(), calendar: DayCalendar = DayCalendar()) {
    (self.stepLength, self.calendar) = (stepLength, calendar)
  }

  package mutating func know(_ minute: HistoryMinute) {
    known[minute.source.identity] = minute.source
    let sum = Sum(unlimited: minute.totals)
    counts[Self.minute(of: minute.start), minute.source.identity] = Count(history: sum, now: sum)
  }

  /// Plans files together; the results are in the order of the files.
  package mutating func take(_ files: [ImportedFile]) -> [Result] {
    let spread = SpreadMinutes(knownMinutes, calendar)
    for (index, file) in files.enumerated() { take(file.minutes, index, spread) }
    take(files.map(\.periods), files.contains { !$0.minutes.isEmpty } ? SpreadMinutes(knownMinutes, calendar) : spread)
    collectMinutes()
    defer { (results, order) = ([:], [:]) }
    return order.sorted { ($0.key.file, $0.value) < ($1.key.file, $1.value) }.compactMap { results[$0.key] }
  }

  // MARK: Minutes of our own export

  private mutating func take(_ minutes: [HistoryMinute], _ file: Int, _ spread: SpreadMinutes) {
    let sources = Dictionary(grouping: minutes, by: \.source).sorted { $0.key.identity < $1.key.identity }
    for (source, minutes) in sources {
      let key = begin(file, source)
      results[key]?.steps += minutes.reduce(0) { $0 + $1.totals.steps }
      var totals: [Minute: Sum] = [:]
      for minute in minutes {
        let number = Self.minute(of: minute.start)
        let known = totals[number] ?? counts[number, source.identity].now
        totals[number] = minute.totals.steps > known.steps ? Sum(unlimited: minute.totals) : known
      }
      var budgets = budgets(of: source, totals, spread)
      for (number, totals) in totals.sorted(by: { $0.key < $1.key }) {
        raise(number, source, to: totals, key, &budgets)
        // A period that another file has of the source finds them there.
        let now = counts[number, source.identity].now
        if now.steps > 0 { counts[number, source.identity].history = now }
      }
    }
  }

  // MARK: Periods

  private mutating func take(_ files: [[ImportedPeriod]], _ spread: SpreadMinutes) {
    var kinds: [HistorySource: [Int: [(period: ImportedPeriod, file: Int)]]] = [:]
    for (file, periods) in files.enumerated() {
      for period in periods { kinds[period.source, default: [:]][period.kind, default: []].append((period, file)) }
    }
    var levels: [Int: [HistorySource: [Stretch]]] = [:]
    var growth: [HistorySource: [Minute: Int]] = [:]
    var minutes = 0
    for (source, kinds) in kinds {
      var all: [Stretch] = []
      for (_, periods) in kinds.sorted(by: { $0.key < $1.key }) {
        let (stretches, repeats) = Stretch.all(of: periods)
        for stretch in stretches { levels[stretch.level, default: [:]][source, default: []].append(stretch) }
        all += stretches
        for (file, repeats) in repeats {
          let key = Key(file: file, identity: source.identity)
          results[key, default: Result(file: file, source: source)].repeated += repeats.count
          results[key]?.repeatedSteps += repeats.steps
        }
      }
      // More minutes than any import has would take gigabytes.
      minutes += all.reduce(0) { $0 + min($1.period.steps, $1.last - $1.first + 1) }
      guard minutes <= InputLimits.minutes else {
        failure = ImportFailure(
          .damaged, "the files have steps for more than \(InputLimits.minutes) minutes; import fewer years at once")
        return
      }
      growth[source] = self.growth(of: source, all, spread)
    }
    for (_, sources) in levels.sorted(by: { $0.key < $1.key }) {
      // Of equal fineness, the source with the most steps first: a telephone and a watch record the same walks.
      let sorted = sources.map { source, stretches in
        (source: source, steps: stretches.reduce(0) { $0 + $1.period.steps }, stretches: stretches)
      }.sorted { ($1.steps, $0.source.identity) < ($0.steps, $1.source.identity) }
      for (source, _, stretches) in sorted { take(stretches, of: source, spread, &growth[source, default: [:]]) }
    }
    for (file, periods) in files.enumerated() {
      let sources = Dictionary(grouping: periods, by: \.source)
      for (source, periods) in sources.sorted(by: { $0.key.identity < $1.key.identity }) {
        results[begin(file, source)]?.steps += periods.reduce(0) { $0 + $1.steps }
      }
    }
  }

  /// - Parameter growth: the steps by which minutes of longer runs may grow, by the first minute of the run.
  private mutating func take(
    _ stretches: [Stretch], of source: HistorySource, _ spread: SpreadMinutes, _ growth: inout [Minute: Int]
  ) {
    let stretches = stretches.sorted { ($0.file, $0.period.start) < ($1.file, $1.period.start) }
    var sums: [Minute: (totals: Sum, key: Key)] = [:]
    for stretch in stretches where stretch.isWithinMinute {
      let key = begin(stretch.file, source)
      var sum = sums[stretch.first] ?? (counts[stretch.first, source.identity].whole, key)
      let steps = min(stretch.period.steps, Self.most - sum.totals.steps)
      results[key]?.crowded += stretch.period.steps - steps
      sum.totals = sum.totals + totals(of: stretch.period, steps: steps)
      sums[stretch.first] = sum
    }
    var budgets = budgets(of: source, sums.mapValues(\.totals), spread)
    for (minute, sum) in sums.sorted(by: { $0.key < $1.key }) {
      counts[minute, source.identity].whole = sum.totals
      let count = counts[minute, source.identity]
      // The minute grows if it exceeds what the history has of the source.
      let whole = count.history.map { $0.steps < sum.totals.steps ? sum.totals : $0 } ?? sum.totals
      raise(minute, source, to: whole + count.parts, sum.key, &budgets)
    }
    for (index, stretch) in stretches.enumerated() where failure == nil && !stretch.isWithinMinute {
      if index % 64 == 0 { do { try cost?.checkState("the import") } catch { failure = error } }
      place(stretch, of: source, spread, &growth)
    }
  }

  /// Notes steps that are left out, because they are among those of a run.
  private mutating func note(_ steps: Int, among run: SpreadMinutes.Run, _ key: Key) {
    results[key]?.spread += steps
    results[key]?.spreadSources.formUnion(run.sources.filter { $0.identity != key.identity }.map(\.name))
  }

  /// Adds a part of a longer period.
  private mutating func add(
    _ steps: Int, of period: ImportedPeriod, _ minute: Minute, _ source: HistorySource, _ key: Key
  ) {
    var count = counts[minute, source.identity]
    let room = min(steps, Self.most - count.now.steps)
    results[key]?.crowded += steps - room
    guard room > 0 else { return }
    let part = totals(of: period, steps: room)
    count.parts = count.parts + part
    counts[minute, source.identity] = count
    var unlimited = Budgets(spread: SpreadMinutes())
    raise(minute, source, to: count.now + part, key, &unlimited)
  }

  /// Raises a minute to totals, as far as evenly spread steps of earlier imports do not have them already.
  private mutating func raise(
    _ minute: Minute, _ source: HistorySource, to totals: Sum, _ key: Key, _ budgets: inout Budgets
  ) {
    var count = counts[minute, source.identity]
    var totals = totals
    let standing = standing(minute)
    if totals.steps > standing {
      let more = totals.steps - standing
      let (allowed, run) = budgets.allow(more, in: minute)
      if allowed < more, let run {
        note(more - allowed, among: run, key)
        if allowed == 0 { return }
        totals = totals.share(standing + allowed)
      }
    }
    guard totals.steps > count.now.steps else { return }
    if totals.steps > Self.most {
      results[key]?.crowded += totals.steps - Self.most
      totals = totals.share(Self.most)
    }
    // The first step of a minute of our own export counts the time before it, too.
    if count.whole.steps + count.parts.steps > 0 { totals.active = min(totals.active, 60_000_000) }
    count.now = totals
    count.file = count.file ?? key.file
    counts[minute, source.identity] = count
    results[key]?.new += max(0, totals.steps - standing)
  }

  private func budgets(of source: HistorySource, _ sums: [Minute: Sum], _ spread: SpreadMinutes) -> Budgets {
    var budgets = Budgets(spread: spread)
    if spread.runs.isEmpty { return budgets }
    for minute in sums.keys {
      guard let run = spread.run(minute), budgets.left[run.minutes.lowerBound] == nil else { continue }
      let isOwn = run.sources.contains { $0.identity == source.identity }
      var (new, known) = (0, 0)
      for minute in run.minutes {
        let own = isOwn ? 0 : counts[minute, source.identity].now.steps
        new += max(own, sums[minute]?.steps ?? 0)
        known += standing(minute)
      }
      budgets.left[run.minutes.lowerBound] = max(0, new - known)
    }
    return budgets
  }

  /// Adds the steps of a period that its minutes lack, so that a period that was imported before, in whatever order of the
  /// sources, adds nothing, and one that has grown adds its growth.
  /// - Parameter growth: the steps by which minutes of longer runs may grow, by the first minute of the run.
  private mutating func place(
    _ stretch: Stretch, of source: HistorySource, _ spread: SpreadMinutes, _ growth: inout [Minute: Int]
  ) {
    let key = begin(stretch.file, source)
    var parts = stretch.weights.map { minute, weight in
      let count = counts[minute, source.identity]
      return Part(
        minute: minute, weight: weight, others: others(minute, source), own: count.history?.steps ?? 0,
        now: count.now.steps)
    }
    let length = parts.reduce(0) { $0 + $1.weight }
    let limit = WalkedStep.highestCadence
    let lacking = min(Double(stretch.period.steps - parts.reduce(0) { $0 + $1.others }), limit * length)
    // Steps of the source in a minute that the period has alone are of its earlier import, which may have been shorter.
    // Without any, and with a minute in which that import would have left some, it is new: the steps in the minutes at
    // its ends are of the periods before and after it.
    let isNew =
      parts.allSatisfy { $0.own == 0 || !$0.isWhole }
      && parts.contains { $0.others + $0.own == 0 && lacking * $0.weight >= 2 * length }
    for index in parts.indices {
      let part = parts[index]
      parts[index].counted = isNew ? part.others : max(part.others, part.own)
      parts[index].room = max(
        0, min(Int(bounded: (limit * part.weight).rounded(.up)) - parts[index].counted, Self.most - part.now))
    }
    let missing = max(0, stretch.period.steps - parts.reduce(0) { $0 + $1.counted })
    guard missing > 0 else { return }
    // Where another source counted, it found all steps.
    let rooms = parts.filter { $0.others == 0 }
    guard !rooms.isEmpty else {
      if let run = spread.run(stretch.first) { note(missing, among: run, key) }
      return
    }
    var shares = Part.shares(of: missing, in: rooms)
    var runs: [Minute: SpreadMinutes.Run] = [:]
    for part in rooms { runs[part.minute] = longerRun(with: part.minute, than: stretch, source, spread) }
    let budget = Set(runs.values.map(\.minutes.lowerBound)).reduce(0) { $0 + max(0, growth[$1] ?? 0) }
    if shares.reduce(0, { $0 + (runs[$1.0] == nil ? 0 : $1.1) }) > budget {
      shares =
        Part.shares(of: budget, in: rooms.filter { runs[$0.minute] != nil })
        + Part.shares(of: missing - budget, in: rooms.filter { runs[$0.minute] == nil })
    }
    for (minute, steps) in shares where steps > 0 {
      if let run = runs[minute] { growth[run.minutes.lowerBound, default: 0] -= steps }
      add(steps, of: stretch.period, minute, source, key)
    }
    let rest = missing - shares.reduce(0) { $0 + $1.1 }
    if let run = runs.values.min(by: { $0.minutes.lowerBound < $1.minutes.lowerBound }) {
      if rest > 0 { note(rest, among: run, key) }
    } else {
      results[key]?.crowded += rest
    }
  }

  /// The run of the source with a minute, if it goes on outside of the period: it may be that of a longer one.
  private func longerRun(
    with minute: Minute, than stretch: Stretch, _ source: HistorySource, _ spread: SpreadMinutes
  ) -> SpreadMinutes.Run? {
    guard let run = spread.run(minute), run.sources.contains(where: { $0.identity == source.identity }),
      run.minutes.lowerBound < stretch.first || run.minutes.upperBound > stretch.last
    else { return nil }
    return run
  }

  /// The steps by which periods exceed those that an earlier import has spread of their source, by the first minute of the run.
  private func growth(of source: HistorySource, _ stretches: [Stretch], _ spread: SpreadMinutes) -> [Minute: Int] {
    let runs = spread.runs.filter { $0.sources.contains { $0.identity == source.identity } }
    if runs.isEmpty { return [:] }
    var new: [Minute: Double] = [:]
    for stretch in stretches {
      let weights = stretch.weights
      let length = weights.reduce(0) { $0 + $1.seconds }
      for (minute, seconds) in weights {
        guard let run = spread.run(minute) else { continue }
        new[run.minutes.lowerBound, default: 0] += Double(stretch.period.steps) * seconds / length
      }
    }
    var growth: [Minute: Int] = [:]
    for run in runs {
      guard let steps = new[run.minutes.lowerBound] else { continue }
      let known = run.minutes.reduce(0) { $0 + (counts[$1, source.identity].history?.steps ?? 0) }
      growth[run.minutes.lowerBound] = max(0, Int(bounded: steps) - known)
    }
    return growth
  }

  // MARK: Counts

  private mutating func begin(_ file: Int, _ source: HistorySource) -> Key {
    let key = Key(file: file, identity: source.identity)
    if results[key] == nil { results[key] = Result(file: file, source: source) }
    if order[key] == nil { order[key] = order.count }
    known[source.identity] = source
    return key
  }

  private mutating func collectMinutes() {
    counts.release { file, minute, identity, now in
      guard let source = known[identity] else { return }
      results[Key(file: file, identity: identity)]?.minutes.append(
        HistoryMinute(start: Date(timeIntervalSince1970: Double(minute) * 60), source: source, totals: WalkTotals(now)))
    }
    for key in results.keys { results[key]?.minutes.sort { $0.start < $1.start } }
  }

  private var knownMinutes: [(minute: Minute, source: HistorySource, steps: Int)] {
    counts.minutes.flatMap { minute, sources in
      sources.compactMap { identity, count in known[identity].map { (minute, $0, count.now.steps) } }
    }
  }

  private func standing(_ minute: Minute) -> Int { counts.minutes[minute]?.lazy.map(\.count.now.steps).max() ?? 0 }

  private func others(_ minute: Minute, _ source: HistorySource) -> Int {
    counts.minutes[minute]?.lazy.filter { $0.identity != source.identity }.map(\.count.now.steps).max() ?? 0
  }

  /// Evenly spaced steps, because their times are unknown.
  private func totals(of period: ImportedPeriod, steps: Int) -> Sum {
    Sum(
      unlimited: EvenSteps.totals(
        of: steps, in: period.steps, over: period.end.timeIntervalSince(period.start), distance: period.distance,
        stepLength: stepLength))
  }

  static func minute(of date: Date) -> Minute { Int(bounded: (date.timeIntervalSince1970 / 60).rounded(.down)) }
}
