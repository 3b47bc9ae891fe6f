import Foundation
import History
import JSONLines
import Synchronization

/// Answers from a history, page by page.
package struct HistoryAnswers: Sendable {
  let reader: HistoryReader
  let clock: ServiceClock
  let calendar: @Sendable () -> DayCalendar
  let lanes: WorkLanes
  let goal: @Sendable (String) -> Int?
  let walks: WalkAnswers?
  let failed: @Sendable (any Error) -> Void

  /// The maximum number of buckets in an answer: eleven years of minutes.
  private static let mostBuckets = 6_000_000

  /// - Parameters:
  ///   - goal: the goal that a day had, by its date.
  ///   - failed: gets the reason when a page cannot be read.
  package init(
    reader: HistoryReader, clock: ServiceClock, calendar: @escaping @Sendable () -> DayCalendar, lanes: WorkLanes,
    goal: @escaping @Sendable (String) -> Int?, walks: WalkAnswers? = nil,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    (self.reader, self.clock, self.calendar) = (reader, clock, calendar)
    (self.lanes, self.goal, self.walks, self.failed) = (lanes, goal, walks, failed)
  }

  /// The totals of a period, in buckets. Throws a ``ServiceRefusal`` for an invalid period.
  package func pages(_ query: HistoryQuery, client: String) throws -> HistoryPages {
    let (reader, calendar, now, lanes, walks) = (reader, query.calendar(calendar()), clock.now(), lanes, walks)
    let bucket = query.bucket
    let end = query.to ?? now
    let start = query.from ?? Self.usualStart(of: bucket, before: end, calendar)
    guard start <= end else { throw ServiceRefusal(400, "'from' is after 'to'; swap them") }
    guard end.timeIntervalSince(start) / bucket.least <= Double(Self.mostBuckets) else {
      throw ServiceRefusal(400, "the period is too long for \(bucket) buckets; use longer ones")
    }
    let goal: @Sendable (String) -> Int? = { [goals = self.goal] in bucket == .day ? goals($0) : nil }
    let reached = Mutex(start)
    return HistoryPages {
      while true {
        let from = reached.withLock { $0 }
        guard from < end else { return nil }
        // First pages have a separate lane, so that answers start soon even while others continue.
        let lane = from == start ? lanes.answers : lanes.pages
        let text = try await refusing {
          try await lane.run(for: client) {
            let to = min(end, calendar.endOfPage(at: from, by: bucket))
            let page = try reader.buckets(from: from, to: to, by: bucket, calendar: calendar)
            reached.withLock { $0 = to }
            let objects = try page.compactMap { interval -> String? in
              let corrected = try walks?.corrected(interval) { try reader.totals(from: $0, to: $1) }
              guard query.listsEmpty || interval.steps > 0 || corrected != nil else { return nil }
              var line = JSONLine(interval, calendar)
              line.add(corrected: corrected)
              if let steps = goal(calendar.civil(interval.start).date) { line.add("goal", steps) }
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
    let (reader, walks, calendar, end) = (reader, walks, calendar(), query.to ?? clock.now())
    let start = query.from ?? Self.usualStart(of: .day, before: end, calendar)
    return try await refusing {
      try await lanes.figures.run {
        try (walks?.all(from: start, to: end) ?? []).filter { walk in
          if walk.answer != nil { return true }
          let counted = try reader.totals(from: walk.start, to: walk.end).steps
          return 2 * counted < walk.steps
        }.map { $0.json(calendar) }
      }
    }
  }

  /// The walk with the longest walking time, as an object like a bucket; `nil` before any. What was no walk is none.
  package func longestWalk() async throws -> JSONLine? {
    let (reader, said) = (reader, walks?.all(from: .distantPast, to: .distantFuture) ?? [])
    let none = said.filter(\.isLeftOut).map { DateInterval(start: $0.start, end: $0.end) }
    guard let walk = try await refusing({ try await lanes.pages.run { try reader.longestWalk(without: none) } })
    else { return nil }
    let bucket = HistoryBucket(start: walk.start, end: walk.end, totals: walk.totals)
    return JSONLine(bucket, calendar())
  }

  /// Errors of reading are temporary refusals.
  package func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let refusal as ServiceRefusal { throw refusal } catch {
      failed(error)
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
