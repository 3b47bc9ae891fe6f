import Accelerometry

extension RecordingOptions {
  /// A setting that is not valid.
  package enum Invalid: Error, Sendable, Hashable {
    case format(String)
    case rate(Double)
    /// There are not three or four columns.
    case columns
    case sameColumns
    case time(TimeWindow.ParsingError)
    case endBeforeStart
    case unit(String)

    /// The problem and the remedy.
    /// - Parameter option: the front end's name of `input-format`, `rate` and so on.
    package func sentence(naming option: (String) -> String) -> String {
      let columns = option("columns")
      switch self {
      case .format(let name):
        return "\(option("input-format")) '\(name)' is not supported; give one of "
          + RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ")
      case .rate(let rate):
        let name = option("rate")
        return "\(name) \(rate) is out of range; counting needs 5 to 100000 samples per second, such as \(name) 50"
      case .columns:
        return "\(columns) takes four names or numbers (time, x, y, z) or three (x, y, z), such as \(columns) t,x,y,z"
      case .sameColumns: return "\(columns) names a column twice; give different ones, such as \(columns) t,x,y,z"
      case .time(let error): return "\(error)"
      case .endBeforeStart: return "\(option("end")) is earlier than \(option("start")); swap them"
      case .unit(let name):
        return "\(option("units")) '\(name)' is not a unit; give auto, g, mg, m/s2 or raw=COUNTS, such as raw=16384, or"
          + " raw=102@512"
      }
    }
  }

  /// Creates options from text, as users of a front end write it.
  /// - Parameters:
  ///   - inputFormat: a raw value of ``RecordingFormat``.
  ///   - units: `auto`, or a unit as for ``takeUnit(named:)``.
  ///   - rate: samples per second, 5 to 100,000.
  ///   - columns: three or four names or numbers, separated by commas.
  ///   - start: the first included moment; ISO 8601 or seconds.
  ///   - end: the first excluded moment.
  package init(
    format inputFormat: String, units: String, rate: Double?, columns: String?, start: String?, end: String?
  ) throws(Invalid) {
    guard let format = RecordingFormat(rawValue: inputFormat) else { throw .format(inputFormat) }
    if let rate, !(5...100_000).contains(rate) { throw .rate(rate) }
    let names = columns.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    if let names, !(3...4).contains(names.count) || names.contains("") { throw .columns }
    if let names, Set(names).count < names.count { throw .sameColumns }
    let window = try Self.window(start, end)
    self.init(
      format: format, samplingFrequency: rate.flatMap { SamplingFrequency(hertz: $0) }, columns: names, window: window)
    if units != "auto", !takeUnit(named: units) { throw .unit(units) }
  }

  private static func window(_ start: String?, _ end: String?) throws(Invalid) -> TimeWindow? {
    if start == nil, end == nil { return nil }
    let window: TimeWindow
    do throws(TimeWindow.ParsingError) { window = try TimeWindow(start: start, end: end) } catch { throw .time(error) }
    // Seconds, dates, and dates with an offset can be compared with one another only within a recording.
    let areAlike = (window.startOffset == nil) == (window.endOffset == nil)
    switch (window.start, window.end) {
    case (.unix(let start)?, .unix(let end)?) where areAlike && end < start: throw .endBeforeStart
    case (.sinceFirstSample(let start)?, .sinceFirstSample(let end)?) where end < start: throw .endBeforeStart
    default: return window
    }
  }
}
