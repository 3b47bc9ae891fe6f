import Accelerometry

/// Writes step times, in seconds, one per line: the true steps of a synthetic walk.
///
/// Destinations, errors and temporary names are the same as for ``RecordingWriter``.
package struct StepTimesWriter: ~Copyable {
  private let file: OutputFile
  private var text: DecimalText

  package init(to destination: RecordingWriter.Destination) throws(RecordingWriterError) {
    file = try OutputFile(destination)
    text = DecimalText()
  }

  /// Writes one step's time, to the nanosecond.
  package mutating func write(_ step: Duration) throws(RecordingWriterError) {
    text.append(step.wholeNanoseconds, decimals: 9)
    text.append(UInt8(ascii: "\n"))
    if text.bytes.count >= 65536 { try send() }
  }

  /// Writes the rest, makes it durable, and gives the file its name.
  package mutating func finish() throws(RecordingWriterError) {
    try send()
    try file.finish()
  }

  private mutating func send() throws(RecordingWriterError) {
    defer { text.bytes.removeAll(keepingCapacity: true) }
    try file.write(text.bytes)
  }
}
