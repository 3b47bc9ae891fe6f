import Accelerometry

extension RecordingOptions {
  /// A setting that is not valid. Front ends have their own names for it, and so their own sentences.
  package enum Invalid: Error, Sendable, Hashable {
    case format(String)
    case rate(Double)
    /// There are not three or four columns.
    case columns
    case sameColumns
    case time(TimeWindow.ParsingError)
    case endBeforeStart
    case unit(String)
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
