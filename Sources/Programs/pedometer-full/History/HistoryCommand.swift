import ArgumentParser
import Foundation
import History
import JSONLines
import LiveSources
import PedometerCommands
import Pedometry
import ServiceCore
import Terminals

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show steps walked by hour, day, week or month",
    usage: "pedometer history [--day | --yesterday | --week | --month | --year | --from <from>] [<options>]",
    discussion: """
      Shows today or yesterday by the hour, or a week, a month, a year or any other period. If you have no history of your own, \
      it asks a running service (PEDOMETER_SERVICE, PEDOMETER_TOKEN). A date alone, such as 2026-05-06, means the start of that \
      day in --from and its end in --to. Times without an offset are in the time zone.

      EXAMPLES
        pedometer history
        pedometer history --week --day-start 04:00
        pedometer history --from 2026-01-01 --bucket day --format csv > year.csv
      """,
    subcommands: [RestoreCommand.self])

  @Flag(
    help: "The period: today (default), yesterday, the last 7, 30 or 365 days; 30 with --bucket week, 365 with month.")
  var span: Span?
  @Option(help: "Start of another period: an ISO 8601 date or time.")
  var from: String?
  @Option(help: "End of the period. (default: now)")
  var to: String?
  @Option(help: "Interval of each bar: minute, hour, day, week or month. (default: depends on the period)")
  var bucket: HistoryInterval?
  @Option(
    parsing: .unconditional,
    help: "Steps a day, marked in the chart. (default: the service's goal, if there is one)")
  var goal: Int?
  @OptionGroup var place: HistoryPlace
  @Option(help: "text (a chart), json (JSON Lines) or csv.")
  var format = OutputFormat.text

  enum Span: String, EnumerableFlag {
    case day, yesterday, week, month, year
  }

  func validate() throws {
    _ = try plan(place.calendar(), now: Date())
    if span != nil, from != nil || to != nil {
      throw ValidationError(
        "--from and --to already define the period; leave out --day, --yesterday, --week, --month or --year")
    }
    if let goal, goal < 1 { throw ValidationError("--goal takes a number of steps, at least 1, such as --goal 8000") }
    if from == nil, to != nil { throw ValidationError("--to needs --from") }
  }

  func run() throws {
    try HistoryPlace.reporting {
      let calendar = try place.calendar()
      let plan = try plan(calendar, now: Date())
      let (source, history) = try place.source(plan.period)
      defer { history?.close() }
      let parts = try source.buckets(
        from: plan.period.start, to: plan.period.end, by: plan.bucket.base, calendar: calendar)
      let buckets = plan.bucket.combined(parts, calendar)
      let answers = history == nil ? nil : try WalkAnswers(folder: place.folder.path)
      let corrected = { (bucket: HistoryBucket) in
        try answers?.corrected(bucket) { try history?.reader.totals(from: $0, to: $1) ?? WalkTotals() }
      }
      switch format {
      case .json, .csv:
        let lines = try buckets.map { HistoryLines.line($0, try corrected($0), calendar, format) }
        try StandardOutput.write((format == .csv ? CSV.row(HistoryLines.columns) : "") + lines.joined())
      case .text:
        // The service may have another folder.
        let served = goal == nil ? (source as? ServiceHistory).flatMap { try? $0.status(nil).goal } : nil
        let (given, goals) = (goal ?? served, place.goals)
        try StandardOutput.write(chart(parts, plan, calendar) { given ?? goals?.goal(on: $0) })
      }
      if let history { try place.reportLosses(of: history, always: false) }
    }
  }

  private func chart(
    _ parts: [HistoryBucket], _ plan: (period: DateInterval, bucket: HistoryInterval), _ calendar: DayCalendar,
    goal: @escaping (String) -> Int?
  ) -> String {
    let now = Date()
    let walked = parts.filter { $0.start <= now }
    let isLong = bucket == nil && plan.bucket == .day && walked.count > 62
    let length = isLong ? walked.count > 186 ? .month : .week : plan.bucket
    var chart = HistoryChart(
      calendar: calendar, length: length, style: ScreenStyle(.current), width: StandardOutput.width, goal: goal)
    if !StandardOutput.isTerminal { chart.style.depth = .none }
    if length.base == .day { chart.mean = .init(of: walked, at: now) }
    return chart.text(length.combined(walked, calendar), period: plan.period)
  }

  func plan(_ calendar: DayCalendar, now: Date) throws -> (period: DateInterval, bucket: HistoryInterval) {
    if from != nil {
      let period = try place.period(from: from, to: to, calendar, otherwise: (now, now))
      return (period, bucket ?? (period.duration > 50 * 3600 ? .day : .hour))
    }
    let today = calendar.day(containing: now)
    // Today alone would be a single bar.
    let usual: Span = bucket == .month ? .year : bucket == .week ? .month : .day
    if span == .yesterday {
      let yesterday = calendar.day(before: today.start)
      return (yesterday, bucket ?? .hour)
    }
    let days = [.day: 1, .week: 7, .month: 30, .year: 365][span ?? usual] ?? 1
    var first = today
    for _ in 1..<days { first = calendar.day(before: first.start) }
    return (DateInterval(start: first.start, end: today.end), bucket ?? (days == 1 ? .hour : .day))
  }
}

/// A source of history: the database, or a service with one.
protocol WalkHistory {
  func buckets(from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar) throws -> [HistoryBucket]

  func minutes(from: Date, to: Date, _ body: (HistoryMinute) throws -> Void) throws
}

extension HistoryReader: WalkHistory {}

extension HistoryPlace {
  /// This user's own history; if there is none, or it is not readable, that of a running service.
  func source(_ period: DateInterval) throws -> (source: any WalkHistory, own: ReadableHistory?) {
    do {
      let history = try ReadableHistory(folder: folder, from: period.start, to: period.end)
      return (history.reader, history)
    } catch {
      guard error.code == .nothingYet || error.code == .notPermitted else { throw error }
      // An explicitly requested folder is not the service's.
      guard state == nil, let service = try ServiceHistory.running() else { throw error }
      return (service, nil)
    }
  }
}
