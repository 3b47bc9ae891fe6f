import Accelerometry

/// Writes samples as CSV or JSON Lines while they come, in memory that does not grow.
///
/// A file appears under its name only when it is whole: ``finish()`` makes the bytes stay and renames. A writer that
/// goes away unfinished leaves nothing behind. A name that ends in `.gz` is compressed.
///
///     var writer = try RecordingWriter(to: .file(path: "walk.csv.gz"))
///     try writer.write(samples)
///     try writer.finish()
public struct RecordingWriter: ~Copyable {
  /// Where a recording goes.
  public enum Destination: Sendable, Hashable {
    /// A file; a pipe or a device with that name is written to as it is.
    case file(path: String)
    /// An open descriptor, which stays open; the name stands in errors.
    case descriptor(Int32, name: String)
    /// File descriptor 1.
    public static let standardOutput = Destination.descriptor(1, name: "standard output")
  }

  /// How samples are spelled.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A header, then one line for each sample: `t,x,y,z`.
    case csv
    /// One object for each sample: `{"t":0.02,"x":0.012,"y":-0.5,"z":0.87}`.
    case jsonLines
  }

  /// The unit of the timestamps.
  public enum TimeUnit: String, Sendable, Hashable, CaseIterable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    /// How many decimals say a nanosecond.
    fileprivate var decimals: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .microseconds: 3
      case .nanoseconds: 0
      }
    }
  }

  /// One line of what has to be known to count the recording again; a reader that does not know it skips it.
  public struct Metadata: Sendable, Hashable {
    public var key: String
    public var value: String

    /// Makes a line. Line breaks in either part are written as blanks.
    public init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// How timestamps become times of day.
  public struct Clock: Sendable, Hashable {
    /// What makes a timestamp one of the clock on the wall, in nanoseconds since 1970-01-01T00:00.
    public var shift: Int64
    /// Seconds by which that clock is ahead of UTC, where that is known.
    public var offset: Int?

    /// Makes a clock.
    public init(shift: Int64, offset: Int?) {
      self.shift = shift
      self.offset = offset
    }
  }

  /// What the recording looks like.
  public struct Options: Sendable, Hashable {
    /// CSV or JSON Lines.
    public var format = Format.csv
    /// The unit of `t`.
    public var timeUnit = TimeUnit.seconds
    /// The unit of `x`, `y` and `z`.
    public var accelerationUnit = AccelerationUnit.g
    /// Whether the CSV header names the units even where they are seconds and g, as `t [s],x [g],y [g],z [g]`; the
    /// header `t,x,y,z` means these two.
    public var namesUnits = false
    /// Significant digits of an acceleration, 6 to 9; 9 keep every bit of a `Float`.
    public var significantDigits = 7
    /// Writes `t` in ISO 8601, to the nanosecond, instead of as a number.
    public var clock: Clock?
    /// Lines before the first sample: `# key: value` in CSV, one object under `"metadata"` in JSON Lines.
    public var metadata: [Metadata] = []

    /// CSV in seconds and g, without metadata.
    public init() {}
  }

  private let file: OutputFile
  private let gzip: GzipStream?
  private var options: Options
  private let scale: Double
  private var text = DecimalText()
  private var isFinished = false

  /// Bytes kept back before they are written.
  private static let capacity = 65536

  /// Opens the destination and writes the header.
  /// - Throws: ``RecordingWriterError/Code/cannotCreate`` or what writing throws.
  public init(to destination: Destination, options: Options = Options()) throws(RecordingWriterError) {
    let file = try OutputFile(destination)
    let gzip = file.path.hasSuffix(".gz") ? try GzipStream(path: file.path) : nil
    self.file = file
    self.gzip = gzip
    self.options = options
    self.options.significantDigits = min(9, max(6, options.significantDigits))
    scale = 1 / options.accelerationUnit.inG
    text.bytes.reserveCapacity(Self.capacity + 4096)
    text.bytes.append(contentsOf: Self.header(options).utf8)
  }

  /// Writes some more samples. A number that is not finite becomes `nan` in CSV and `null` in JSON.
  public mutating func write(_ samples: [AccelerationSample]) throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    for sample in samples {
      if options.format == .csv { appendRow(sample) } else { appendObject(sample) }
      if text.bytes.count >= Self.capacity { try send(isLast: false) }
    }
  }

  /// Hands on what is kept back, for readers of a live pipe; the file is not finished by it.
  ///
  /// What is compressed stays in the compressor until there is enough of it.
  public mutating func flush() throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    try send(isLast: false)
  }

  /// Writes what is left, makes it stay on disk, and gives the file its name. Twice is once.
  public mutating func finish() throws(RecordingWriterError) { _ = try finish(isPart: false) }

  /// Finishes what is the beginning of a recording only. It replaces no file: where one has the name, it gets a name beside
  /// it, as `walk.part.csv` beside `walk.csv`.
  /// - Returns: the name that the file has.
  public mutating func finishPart() throws(RecordingWriterError) -> String { try finish(isPart: true) }

  private mutating func finish(isPart: Bool) throws(RecordingWriterError) -> String {
    if isFinished { return file.path }
    try send(isLast: true)
    let name = try file.finish(isPart: isPart)
    isFinished = true
    return name
  }

  private mutating func send(isLast: Bool) throws(RecordingWriterError) {
    defer { text.bytes.removeAll(keepingCapacity: true) }
    if let gzip {
      try gzip.write(text.bytes, isLast: isLast, to: file)
    } else {
      try file.write(text.bytes.span)
    }
  }

  private mutating func appendTime(_ nanoseconds: Int64) {
    guard let clock = options.clock else { return text.append(nanoseconds, decimals: options.timeUnit.decimals) }
    if options.format == .jsonLines { text.append(UInt8(ascii: "\"")) }
    let time = ClockTime.iso8601(wallNanoseconds: nanoseconds + clock.shift, offset: clock.offset, decimals: 9)
    text.bytes.append(contentsOf: time.utf8)
    if options.format == .jsonLines { text.append(UInt8(ascii: "\"")) }
  }

  private mutating func appendRow(_ sample: AccelerationSample) {
    appendTime(sample.nanoseconds)
    for axis in 0..<3 {
      text.append(UInt8(ascii: ","))
      let value = Double(sample.acceleration[axis]) * scale
      if !text.append(value, significantDigits: options.significantDigits) { text.append("nan") }
    }
    text.append(UInt8(ascii: "\n"))
  }

  private static let keys: [3 of StaticString] = [",\"x\":", ",\"y\":", ",\"z\":"]

  private mutating func appendObject(_ sample: AccelerationSample) {
    text.append("{\"t\":")
    appendTime(sample.nanoseconds)
    for axis in 0..<3 {
      text.append(Self.keys[axis])
      let value = Double(sample.acceleration[axis]) * scale
      if !text.append(value, significantDigits: options.significantDigits) { text.append("null") }
    }
    text.append("}\n")
  }
}
