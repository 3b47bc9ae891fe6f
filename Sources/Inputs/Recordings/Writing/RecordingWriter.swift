import Accelerometry
import JSONLines

/// Writes samples as CSV or JSON Lines while they arrive, in constant memory.
///
/// A file gets its name when it is complete: until ``finish()`` syncs it to disk and renames it, it is `walk.part.csv`
/// beside `walk.csv`. A writer that is not finished leaves no file, unless the process is killed. If the name ends in `.gz`,
/// the file is compressed.
///
///     var writer = try RecordingWriter(to: .file(path: "walk.csv.gz"))
///     try writer.write(samples)
///     try writer.finish()
public struct RecordingWriter: ~Copyable {
  /// The destination of a recording.
  public enum Destination: Sendable, Hashable {
    /// A file. An existing pipe or device is written to directly.
    case file(path: String)
    /// An open descriptor, which stays open; the name is used in errors.
    case descriptor(Int32, name: String)
    /// File descriptor 1.
    public static let standardOutput = Destination.descriptor(1, name: "standard output")
  }

  /// The format of samples.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A header, then one line for each sample: `t,x,y,z`.
    case csv
    /// One object for each sample: `{"t":0.02,"x":0.012,"y":-0.5,"z":0.87}`.
    case jsonLines
  }

  /// A line of information needed to count the recording again; readers skip unknown keys.
  public struct Metadata: Sendable, Hashable {
    public var key: String
    public var value: String

    /// Creates a line. Line breaks are replaced by blanks.
    public init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  /// The conversion of timestamps to local time.
  public struct Clock: Sendable, Hashable {
    /// The difference between local time and the timestamps, in nanoseconds since 1970-01-01T00:00.
    public var shift: Int64
    /// The offset of local time from UTC in seconds, if known.
    public var offset: Int?

    /// Creates a clock.
    public init(shift: Int64, offset: Int?) { (self.shift, self.offset) = (shift, offset) }
  }

  /// The format of the recording.
  public struct Options: Sendable, Hashable {
    /// CSV or JSON Lines.
    public var format = Format.csv
    /// Whether the CSV header names the units, as in `t [s],x [g],y [g],z [g]`, which `t,x,y,z` implies.
    public var namesUnits = false
    /// Significant digits of an acceleration, 6 to 9; 9 digits preserve every bit of a `Float`, and are only written as far as
    /// that needs them: 0.04.
    public var significantDigits = 7
    /// Writes `t` in ISO 8601, to the nanosecond, instead of as a number.
    public var clock: Clock?
    /// Lines before the first sample: `# key: value` in CSV, one object under `"metadata"` in JSON Lines.
    public var metadata: [Metadata] = []

    /// CSV, without metadata.
    public init() {}
  }

  private let file: OutputFile
  private var options: Options
  private var text: DecimalText

  /// The number of bytes that are buffered.
  private static let capacity = 65536

  /// Opens the destination and writes the header.
  /// - Throws: ``RecordingWriterError/Code/cannotCreate``, or errors of writing.
  public init(to destination: Destination, options: Options = Options()) throws(RecordingWriterError) {
    try self.init(to: destination, options: options, isKept: true)
  }

  /// - Parameter isKept: whether the samples cannot be read again, so that an incomplete file is kept.
  package init(to destination: Destination, options: Options, isKept: Bool) throws(RecordingWriterError) {
    file = try OutputFile(destination, isKept: isKept)
    self.options = options
    self.options.significantDigits = min(9, max(6, options.significantDigits))
    // Not before what may fail: Swift 6.2 would release it twice.
    text = DecimalText()
    text.bytes.reserveCapacity(Self.capacity + 4096)
    text.bytes.append(contentsOf: Self.header(options).utf8)
  }

  /// Writes samples. Non-finite numbers become `nan` in CSV and `null` in JSON.
  public mutating func write(_ samples: [AccelerationSample]) throws(RecordingWriterError) {
    if file.isFinished { throw .finished(path: file.path) }
    for sample in samples {
      if options.format == .csv { appendRow(sample) } else { appendObject(sample) }
      if text.bytes.count >= Self.capacity { try send(isFlushed: false) }
    }
  }

  /// Writes the buffer, for readers of a live pipe, and so that a killed process loses nothing of it. The file is not finished.
  public mutating func flush() throws(RecordingWriterError) { try send(isFlushed: true) }

  /// Writes the buffer, syncs the file to disk and gives it its name. Repeated calls have no effect.
  public mutating func finish() throws(RecordingWriterError) {
    if file.isFinished { return }
    try send(isFlushed: false)
    try file.finish()
  }

  /// The same as ``finishPart()``, and whether something could not be written.
  package mutating func endPart() -> (name: String, hasFailed: Bool) { (finishPart(), file.hasFailed) }

  /// The name of the file until it is finished; `nil` if it is not kept then, and for pipes and devices.
  package var part: String? { file.part }

  /// Finishes an incomplete recording, also after an error of writing: the file then ends with the last row for which there was
  /// room. It replaces no file and keeps its name, such as `walk.part.csv` beside `walk.csv`.
  /// - Returns: the name of the file.
  public mutating func finishPart() -> String {
    if !file.hasFailed, !file.isFinished { try? send(isFlushed: false) }
    return file.finishPart()
  }

  private mutating func send(isFlushed: Bool) throws(RecordingWriterError) {
    defer { text.bytes.removeAll(keepingCapacity: true) }
    try file.write(rows: text.bytes, isFlushed: isFlushed) { $0.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }
  }

  private mutating func appendTime(_ nanoseconds: Int64) {
    guard let clock = options.clock else { return text.append(nanoseconds, decimals: 9) }
    if options.format == .jsonLines { text.append(UInt8(ascii: "\"")) }
    let time = ClockTime.iso8601(wallNanoseconds: nanoseconds + clock.shift, offset: clock.offset, decimals: 9)
    text.bytes.append(contentsOf: time.utf8)
    if options.format == .jsonLines { text.append(UInt8(ascii: "\"")) }
  }

  private mutating func appendRow(_ sample: AccelerationSample) {
    appendTime(sample.nanoseconds)
    for axis in 0..<3 {
      text.append(UInt8(ascii: ","))
      if !append(sample.acceleration[axis]) { text.append("nan") }
    }
    text.append(UInt8(ascii: "\n"))
  }

  /// Appends an acceleration; with nine digits, as few as preserve every bit.
  private mutating func append(_ acceleration: Float) -> Bool {
    if options.significantDigits == 9 { return text.append(shortest: acceleration) }
    return text.append(Double(acceleration), significantDigits: options.significantDigits)
  }

  private static let keys: [3 of StaticString] = [",\"x\":", ",\"y\":", ",\"z\":"]

  private mutating func appendObject(_ sample: AccelerationSample) {
    text.append("{\"t\":")
    appendTime(sample.nanoseconds)
    for axis in 0..<3 {
      text.append(Self.keys[axis])
      if !append(sample.acceleration[axis]) { text.append("null") }
    }
    text.append("}\n")
  }

  private static func header(_ options: Options) -> String {
    let pairs = options.metadata
    switch options.format {
    case .csv:
      return pairs.map { "# \(oneLine($0.key)): \(oneLine($0.value))\n" }.joined()
        + (options.namesUnits ? "t [s],x [g],y [g],z [g]\n" : "t,x,y,z\n")
    case .jsonLines where pairs.isEmpty: return ""
    case .jsonLines:
      let members = pairs.map { "\(JSONLine.quoted($0.key)):\(JSONLine.quoted($0.value))" }
      return "{\"metadata\":{\(members.joined(separator: ","))}}\n"
    }
  }

  private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
