import Accelerometry

/// How a recording is written down.
public enum RecordingFormat: String, Sendable, Hashable, CaseIterable {
  /// Found out from the first line that says something.
  case auto
  /// One sample a line, columns separated by a delimiter.
  case csv
  /// One JSON object or array a line.
  case jsonl
  /// Axivity's dump.
  case cwa
  /// ActiGraph's archive.
  case gt3x
  /// GENEActiv's `.bin`.
  case geneactiv
  /// Matrix `.BIN`.
  case matrix

  /// Whether it is text.
  public var isText: Bool {
    switch self {
    case .auto, .csv, .jsonl: true
    case .cwa, .gt3x, .geneactiv, .matrix: false
    }
  }
}

/// What somebody knows about a recording better than its text says.
public struct RecordingOptions: Sendable, Hashable {
  /// How it is written down.
  public var format: RecordingFormat
  /// The unit of its acceleration; nothing: by the header, else by the magnitude.
  public var unit: AccelerationUnit?
  /// Samples per second of a recording that has no timestamps.
  public var samplingFrequency: SamplingFrequency?
  /// The sampling frequency where nothing states one: it was measured as the samples came. Who gives it gives the samples other
  /// times than row numbers.
  package var measuredFrequency: SamplingFrequency?
  /// The columns of time, x, y and z, or of x, y and z alone: names, or numbers that count from 1.
  public var columns: [String]?
  /// The part that matters.
  public var window: TimeWindow?
  /// The file to read of an archive that holds several recordings.
  public var entry: String?

  /// Makes options; without arguments everything is found out.
  public init(
    format: RecordingFormat = .auto, unit: AccelerationUnit? = nil, samplingFrequency: SamplingFrequency? = nil,
    columns: [String]? = nil, window: TimeWindow? = nil
  ) {
    self.format = format
    self.unit = unit
    self.samplingFrequency = samplingFrequency
    self.columns = columns
    self.window = window
  }
}
