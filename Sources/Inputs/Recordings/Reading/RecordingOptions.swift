import Accelerometry
import IIOScans

/// The format of a recording.
public enum RecordingFormat: String, Sendable, Hashable, CaseIterable {
  /// Detected from the content.
  case auto
  /// One sample per line, columns separated by a delimiter.
  case csv
  /// One JSON object or array per line.
  case jsonl
  /// The binary format of Axivity.
  case cwa
  /// The archive of ActiGraph.
  case gt3x
  /// GENEActiv's `.bin`.
  case geneactiv
  /// Matrix `.BIN`.
  case matrix
  /// Raw scans of an IIO buffer.
  case iio

  /// Whether the format is text.
  public var isText: Bool { self == .auto || self == .csv || self == .jsonl }
}

/// The time zone of a recording's local times.
package struct RecordingZone: Sendable, Hashable {
  /// Zones of the same name are equal.
  package let name: String
  /// Seconds ahead of UTC at a moment, in nanoseconds since 1970-01-01T00:00Z.
  package let offset: @Sendable (Int64) -> Int

  package init(name: String, offset: @escaping @Sendable (Int64) -> Int) { (self.name, self.offset) = (name, offset) }

  package static func == (a: RecordingZone, b: RecordingZone) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Facts about a recording that override detection.
public struct RecordingOptions: Sendable, Hashable {
  /// The format.
  public var format: RecordingFormat
  /// The unit of acceleration; `nil`: from the header, otherwise detected from the magnitude.
  public var unit: AccelerationUnit?
  /// The reading of an axis without acceleration, in ``unit``, for analogue-digital converters: half of their range, or of the
  /// sensor's supply voltage. Ignored without a ``unit``.
  public var zero: Double?
  /// Samples per second of a recording without timestamps.
  public var samplingFrequency: SamplingFrequency?
  /// The sampling frequency measured while the samples arrive, used if none is stated. The caller replaces the row
  /// numbers by times.
  package var measuredFrequency: SamplingFrequency?
  /// The columns of time, x, y and z, or of x, y and z only: names, or numbers from 1.
  public var columns: [String]?
  /// The part of the recording to read.
  public var window: TimeWindow?
  /// The zone of local times. It places the bounds of ``window`` that have an offset. In text it also shortens a pause
  /// by the hour that clocks skip within it.
  package var zone: RecordingZone?
  /// The file to read from an archive of several recordings.
  public var entry: String?
  /// The device or sensor to read from text whose rows belong to several, as a column names it; upper and lower case are
  /// the same.
  public var device: String?
  /// Possible layouts of raw scans, the most probable first; the first that fits is used. If this is not empty, the input is read
  /// as raw scans.
  public var scans: [ScanDescription] = []

  /// Creates options; without arguments everything is detected.
  public init(
    format: RecordingFormat = .auto, unit: AccelerationUnit? = nil, samplingFrequency: SamplingFrequency? = nil,
    columns: [String]? = nil, window: TimeWindow? = nil
  ) {
    (self.format, self.unit, self.samplingFrequency) = (format, unit, samplingFrequency)
    (self.columns, self.window) = (columns, window)
  }

  /// Takes the unit of a name: `g`, `mg`, `m/s2`, `raw=16384` with the counts per g, or `raw=102@512` with the reading of an axis
  /// without acceleration, too.
  /// - Returns: whether it is one.
  package mutating func takeUnit(named name: String) -> Bool {
    let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let unit = AccelerationUnit(named: String(parts[0])) else { return false }
    if parts.count == 2 {
      guard case .raw = unit, let zero = Double(parts[1]), zero.isFinite, abs(zero) < 1e12 else { return false }
      self.zero = zero
    }
    self.unit = unit
    return true
  }
}
