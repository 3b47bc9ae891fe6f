import Foundation
import History
import JSONLines
import Synchronization

/// Answers from a history: the day so far, and periods page by page.
///
/// The day is read after every write and once a minute, so a new day, another time zone and a clock change take effect within a
/// minute without a notification.
package final class HistoryAnswers: Sendable {
  private let reader: HistoryReader
  private let clock: ServiceClock
  private let calendar: @Sendable () -> DayCalendar
  private let goals: GoalFile
  private let walks: WalkAnswers
  private let lanes: WorkLanes
  private let maintenance: HistoryMaintenance
  private let publish: (@Sendable (String) -> Void)?
  /// The day as it was published last.
  private let told = Mutex<TodayFigures?>(nil)

  /// The maximum number of buckets in an answer: eleven years of minutes.
  private static let mostBuckets = 6_000_000

  /// - Parameters:
  ///   - calendar: the current calendar, called for each reading.
  ///   - maintenance: learns why the history cannot be read.
  ///   - publish: gets a line whenever the day has changed; `nil`: nobody reads them.
  init(
    reader: HistoryReader, clock: ServiceClock, calendar: @escaping @Sendable () -> DayCalendar, goals: GoalFile,
    walks: WalkAnswers, lanes: WorkLanes, maintenance: HistoryMaintenance, publish: (@Sendable (String) -> Void)?
  ) {
    (self.reader, self.clock, self.calendar, self.goals, self.walks) = (reader, clock, calendar, goals, walks)
    (self.lanes, self.maintenance, self.publish) = (lanes, maintenance, publish)
  }

  // MARK: The day

  /// The day so far.
  package func today() async throws -> TodayFigures {
    let (now, calendar) = (clock.now(), calendar())
    let day = calendar.day(containing: now)
    let date = calendar.civil(day.start).date
    goals.note(on: date)
    let (totals, corrected) = try await refusing {
      try await lanes.figures.run { [self] in
        let totals = try reader.totals(from: day.start, to: day.end)
        let bucket = HistoryBucket(start: day.start, end: day.end, totals: totals)
        return (totals, try walks.corrected(bucket) { try reader.totals(from: $0, to: $1) })
      }
    }
    return TodayFigures(
      date: date, steps: totals.steps, distanceTravelled: totals.distanceTravelled,
      activeTime: totals.activeTime.timeInterval, goal: goals.plan?[date], floorsAscended: totals.floorsAscended,
      floorsDescended: totals.floorsDescended, corrected: corrected)
  }

  /// Publishes the day if it has changed.
  package func refresh() async {
    guard let publish, let figures = try? await today() else { return }
    told.withLock { if $0.changes(to: figures) { publish(figures.liveLine) } }
  }

  /// Changes what the figures are computed with, and publishes the day that follows.
  package func change(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await refusing { try await lanes.keeping.run(body) }
    await refresh()
  }

  // MARK: Periods

  /// The totals of a period, in buckets. Throws a ``ServiceRefusal`` for an invalid period.
  package func pages(_ query: HistoryQuery, client: String) throws -> HistoryPages {
    let (calendar, bucket, end) = (query.calendar(calendar()), query.bucket, query.to ?? clock.now())
    let start = query.from ?? Self.usualStart(of: bucket, before: end, calendar)
    guard start <= end else { throw ServiceRefusal(400, "'from' is after 'to'; swap them") }
    guard end.timeIntervalSince(start) / bucket.least <= Double(Self.mostBuckets) else {
      throw ServiceRefusal(400, "the period is too long for \(bucket) buckets; use longer ones")
    }
    let reached = Mutex(start)
    return { [self] in
      while true {
        let from = reached.withLock { $0 }
        guard from < end else { return nil }
        // First pages have a separate lane, so that answers start soon even while others continue.
        let lane = from == start ? lanes.answers : lanes.pages
        let text = try await refusing {
          try await lane.run(for: client) { [self] in
            let to = min(end, calendar.endOfPage(at: from, by: bucket))
            let page = try reader.buckets(from: from, to: to, by: bucket, calendar: calendar)
            reached.withLock { $0 = to }
            let objects = try page.compactMap { interval -> String? in
              let corrected = try walks.corrected(interval) { try reader.totals(from: $0, to: $1) }
              guard query.listsEmpty || interval.steps > 0 || corrected != nil else { return nil }
              var line = JSONLine(interval, calendar)
              line.add(corrected: corrected)
              let goal = bucket == .day ? goals.goal(on: calendar.civil(interval.start).date) : nil
              if let goal { line.add("goal", goal) }
              return line.object
            }
            return objects.joined(separator: ",")
          }
        }
        if !text.isEmpty { return text }
      }
    }
  }

  /// The doubtful walks of a period, by rising time; without those that another sensor counted after all.
  package func doubtful(_ query: HistoryQuery) async throws -> [JSONLine] {
    let (calendar, end) = (calendar(), query.to ?? clock.now())
    let start = query.from ?? Self.usualStart(of: .day, before: end, calendar)
    return try await refusing {
      try await lanes.figures.run { [self] in
        try walks.all(from: start, to: end).filter { walk in
          if walk.answer != nil { return true }
          let counted = try reader.totals(from: walk.start, to: walk.end).steps
          return 2 * counted < walk.steps
        }.map { $0.json(calendar) }
      }
    }
  }

  /// The walk with the longest walking time, as an object like a bucket; `nil` before any. What was no walk is none.
  package func longestWalk() async throws -> JSONLine? {
    let said = walks.all(from: .distantPast, to: .distantFuture)
    let none = said.filter(\.isLeftOut).map { DateInterval(start: $0.start, end: $0.end) }
    let found = try await refusing { try await lanes.pages.run { [reader] in try reader.longestWalk(without: none) } }
    guard let walk = found else { return nil }
    let bucket = HistoryBucket(start: walk.start, end: walk.end, totals: walk.totals)
    return JSONLine(bucket, calendar())
  }

  /// Errors of reading are temporary refusals.
  package func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let refusal as ServiceRefusal { throw refusal } catch {
      maintenance.notice(error)
      throw ServiceRefusal(503, "\(error)")
    }
  }

  /// The default start: today for minutes and hours, the last thirty days for days.
  private static func usualStart(of bucket: HistoryBucketLength, before end: Date, _ calendar: DayCalendar) -> Date {
    var start = calendar.day(containing: end).start
    if bucket == .day { for _ in 1..<30 { start = calendar.day(before: start).start } }
    return start
  }
}

extension HistoryBucketLength {
  /// The minimum duration of a bucket in seconds.
  fileprivate var least: TimeInterval {
    switch self {
    case .minute: 60
    case .hour: 3600
    case .day: 82_800
    }
  }
}
