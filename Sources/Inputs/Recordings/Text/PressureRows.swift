import Accelerometry

/// Takes the pressures of a recording in order of time, on the clock of the samples; 0 if the values cannot be air pressure.
package typealias PressureSink = @Sendable ([(nanoseconds: Int64, kilopascals: Double)]) -> Void

/// Reads the column of a barometer in the rows that the parser of the samples has consumed. A row may have only one of
/// the two, so pressures have times of their own.
struct PressureRows {
  private let column: PressureColumn
  private let sink: PressureSink
  /// Takes the column for each axis.
  private var parser: RowParser
  private var rows: [AccelerationSample] = []
  private var scale: Double?

  /// The number of first values that decide about the unit.
  private static let deciding = 2048

  /// `nil` without a pressure column or without a sink.
  init?(
    _ finding: LayoutProbe.Finding, summary: RecordingSummary, window: TimeWindow?, zone: RecordingZone?,
    sink: PressureSink?
  ) {
    var finding = finding
    guard let column = finding.pressure, let sink else { return nil }
    (self.column, self.sink) = (column, sink)
    var layout = finding.decoder.layout
    (layout.x, layout.y, layout.z) = (column.place, column.place, column.place)
    (finding.failedRead, finding.followsNames) = (nil, false)
    finding.decoder = RowDecoder(
      fields: finding.decoder.fields, layout: layout, timestampFormat: finding.decoder.timestampFormat, unitInG: 1)
    parser = RowParser(finding, summary: summary, window: window, zone: zone)
  }

  /// Reads the consumed lines of a buffer, from `place` on.
  mutating func follow(_ lines: inout LineBuffer, from place: Int) {
    parser.follow(&lines, from: place, into: &rows)
    if scale != nil || rows.count >= Self.deciding { deliver() }
  }

  /// Call this at the end of the recording.
  mutating func finish() {
    parser.finish(into: &rows)
    deliver()
  }

  private mutating func deliver() {
    let scale = scale ?? column.scale(of: rows.prefix(Self.deciding).map { Double($0.acceleration.x) }) ?? 0
    self.scale = scale
    sink(
      rows.map { [column] row in
        (nanoseconds: row.nanoseconds, kilopascals: column.kilopascals(Double(row.acceleration.x), scale: scale))
      })
    rows.removeAll(keepingCapacity: true)
  }
}
