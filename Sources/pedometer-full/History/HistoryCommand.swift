import ArgumentParser
import Foundation
import Glibc
import History
import LiveSources
import PedometerCommands
import ServiceNetwork

/// `pedometer history`: steps of a period.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show steps walked by hour or day",
    usage: "pedometer history [--day | --week | --month | --from <from>] [<options>]",
    discussion: """
      Shows today by the hour, or a week, a month or any other period, even years. The service pedometerd records the \
      history; this command only reads it, even while the service is writing. If you have no history of your own, it asks \
      a running service (PEDOMETER_SERVICE, PEDOMETER_TOKEN). A date alone, such as 2026-05-06, means the start of that \
      day in --from and its end in --to. Times without an offset are in the time zone.

      EXAMPLES
        pedometer history
        pedometer history --week --day-start 04:00
        pedometer history --from 2026-01-01 --bucket day --format csv > year.csv
        pedometer history --from 2026-05-06T08:00 --to 2026-05-06T09:00

      EXIT CODES
        0  shown                        64 usage error
        65 the history is damaged       66 no history recorded yet
        74 read error                   77 permission denied
      """)

  @Flag(help: "The period: today (default), the last 7 days or the last 30 days.")
  var span: Span?
  @Option(help: "Start of another period: an ISO 8601 date or time.")
  var from: String?
  @Option(help: "End of the period. (default: now)")
  var to: String?
  @Option(help: "Interval of each bar: minute, hour or day. (default: depends on the period)")
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
      throw ValidationError("--from and --to already define the period; leave out --day, --week or --month")
    }
    if from == nil, to != nil { throw ValidationError("--to needs --from") }
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

  /// This user's own history; if there is none, or it is not readable, that of a running service.
  private func source() throws -> any WalkHistory {
    do { return try HistoryReader(folder: place.folder) } catch {
      guard error.code == .nothingYet || error.code == .notPermitted else { throw error }
      // A folder, a zone or a beginning of the day that was asked for is not the service's.
      guard place.state == nil, place.timeZone == nil, place.dayStart == nil,
        let address = ServiceAddress.fromEnvironment()
      else { throw error }
      let service = ServiceHistory(address: address, transport: NetworkTransport())
      guard try service.isThere() else { throw error }
      return service
    }
  }

  /// The requested period.
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

/// A source of history: the database, or a service with one.
protocol WalkHistory {
  func buckets(
    from: Date, to: Date, by length: HistoryBucketLength, calendar: DayCalendar
  ) throws -> [HistoryBucket]
}

extension HistoryReader: WalkHistory {}

extension HistoryBucketLength: ExpressibleByArgument {}
