import ArgumentParser
import Foundation
import Glibc
import History
import LiveSources
import PedometerCommands
import ServiceNetwork

/// `pedometer history`: what was walked.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show what was walked, by hours or days",
    usage: "pedometer history [--day | --week | --month | --from <from>] [<options>]",
    discussion: """
      Shows today by hours, or a week, a month or any period, which may reach back over years. The service pedometerd \
      records it; this only reads, also while the service writes. Where this user has no history, a running service is \
      asked for its own (PEDOMETER_SERVICE, PEDOMETER_TOKEN). A date alone, as 2026-05-06, means its beginning after \
      --from and its end after --to; a time without an offset is that of the time zone.

      EXAMPLES
        pedometer history
        pedometer history --week --day-start 04:00
        pedometer history --from 2026-01-01 --bucket day --format csv > year.csv
        pedometer history --from 2026-05-06T08:00 --to 2026-05-06T09:00

      EXIT CODES
        0  shown                        64 wrong usage
        65 the history is damaged       66 nothing has been recorded yet
        74 it cannot be read            77 this user may not read it
      """)

  @Flag(help: "Which period: today (the default), the seven days to today, or the thirty days to today.")
  var span: Span?
  @Option(help: "The beginning of another period: a date, or a time in ISO 8601.")
  var from: String?
  @Option(help: "Its end. (default: now)")
  var to: String?
  @Option(help: "minute, hour or day: how long a stretch is. (default: as suits the period)")
  var bucket: HistoryBucketLength?
  @OptionGroup var place: HistoryPlace
  @Option(help: "text (a chart), json (JSON Lines) or csv.")
  var format = OutputFormat.text

  enum Span: String, EnumerableFlag {
    case day, week, month
  }

  func validate() throws {
    _ = try plan(place.calendar(), now: Date())
    if span != nil, from != nil || to != nil {
      throw ValidationError("--from and --to are a period of their own; leave out --day, --week or --month")
    }
    if from == nil, to != nil { throw ValidationError("--to needs --from; say where the period begins") }
  }

  func run() throws {
    try HistoryPlace.reporting {
      let calendar = try place.calendar()
      let plan = try plan(calendar, now: Date())
      let source = try source()
      let buckets = try source.buckets(
        from: plan.period.start, to: plan.period.end, by: plan.bucket, calendar: calendar)
      switch format {
      case .json: try StandardOutput.write(buckets.map { HistoryLines.json($0, calendar) }.joined())
      case .csv:
        try StandardOutput.write(HistoryLines.heading + buckets.map { HistoryLines.csv($0, calendar) }.joined())
      case .text:
        let totals = buckets.reduce(WalkTotals()) { $0 + $1.totals }
        let environment = ProcessEnvironment.current
        let style = HistoryChart.Style(
          isUnicode: environment.isUTF8, hasColour: environment.allowsColour && isatty(1) == 1)
        let chart = HistoryChart(calendar: calendar, length: plan.bucket, style: style)
        try StandardOutput.write(chart.text(buckets, totals: totals, period: plan.period))
      }
    }
  }

  /// This user's own history; where there is none, or it may not be read, that of a running service.
  private func source() throws -> any WalkHistory {
    do { return try HistoryReader(folder: place.folder) } catch {
      switch error {
      case .nothingYet, .notPermitted: break
      default: throw error
      }
      // A folder, a zone or a beginning of the day that was asked for is not the service's.
      guard place.state == nil, place.timeZone == nil, place.dayStart == nil,
        let address = ServiceAddress.fromEnvironment()
      else { throw error }
      let service = ServiceHistory(address: address, transport: NetworkTransport())
      guard try service.isThere() else { throw error }
      return service
    }
  }

  /// What is asked for.
  func plan(_ calendar: DayCalendar, now: Date) throws -> (period: DateInterval, bucket: HistoryBucketLength) {
    if from != nil {
      let period = try place.period(from: from, to: to, calendar, otherwise: (now, now))
      return (period, bucket ?? (period.duration > 50 * 3600 ? .day : .hour))
    }
    let today = calendar.day(containing: now)
    let days = [.day: 1, .week: 7, .month: 30][span ?? .day] ?? 1
    var first = today
    for _ in 1..<days { first = calendar.day(before: first.start) }
    return (DateInterval(start: first.start, end: today.end), bucket ?? (days == 1 ? .hour : .day))
  }
}

/// Whoever can say what was walked: the database, or another that stands in front of it.
protocol WalkHistory {
  func buckets(
    from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar
  ) throws -> [HistoryBucket]
}

extension HistoryReader: WalkHistory {}

extension HistoryBucketLength: ExpressibleByArgument {}
