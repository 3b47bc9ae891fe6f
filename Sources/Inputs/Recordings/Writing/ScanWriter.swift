import IIOScans

/// Writes raw scans as the kernel delivered them, and their description to a second file.
///
/// Like ``RecordingWriter``, it gives a file its name when it is complete; the description is `NAME.json`. A pipe gets
/// only the scans. If the name ends in `.gz`, the scans are compressed.
public struct ScanWriter: ~Copyable {
  private let file: OutputFile
  private var description: ScanDescription
  /// The description of an incomplete recording, which cannot be read without one; not for pipes.
  private var beside: OutputFile?
  private var pending: [UInt8] = []
  private var written = 0

  private static let capacity = 65536

  /// Opens the destination.
  /// - Throws: ``RecordingWriterError/Code/cannotCreate``, or errors of writing.
  public init(
    to destination: RecordingWriter.Destination, description: ScanDescription
  ) throws(RecordingWriterError) {
    let file = try OutputFile(destination, isKept: true)
    let beside = file.isFile ? try OutputFile(path: ScanDescription.file(of: file.path), isKept: true) : nil
    try beside?.write(Array(description.json.utf8))
    self.init(file, beside: beside, description: description)
  }

  /// Not in the other initializer: where that fails, Swift 6.2 would release the initial values twice.
  private init(_ file: OutputFile, beside: OutputFile?, description: ScanDescription) {
    (self.file, self.beside, self.description) = (file, beside, description)
  }

  /// Writes complete scans.
  public mutating func write(_ scans: [UInt8]) throws(RecordingWriterError) {
    if file.isFinished { throw .finished(path: file.path) }
    pending += scans
    written += scans.count
    if pending.count >= Self.capacity { try send(isFlushed: false) }
  }

  /// Writes the buffer, for readers of a live pipe.
  public mutating func flush() throws(RecordingWriterError) { try send(isFlushed: true) }

  /// Writes the buffer and the description, syncs both to disk and gives them their names.
  public mutating func finish() throws(RecordingWriterError) {
    if file.isFinished { return }
    try send(isFlushed: false)
    let isFile = file.isFile
    try file.finish()
    if isFile { try describe(file.path) }
  }

  /// The same as ``finishPart()``, and whether something could not be written.
  package mutating func endPart() -> (name: String, hasFailed: Bool) { (finishPart(), file.hasFailed) }

  /// Finishes an incomplete recording; see ``RecordingWriter/finishPart()``.
  /// - Returns: the final name of the file.
  public mutating func finishPart() -> String {
    if file.isFinished { return file.path }
    if !file.hasFailed { try? send(isFlushed: false) }
    let isFile = file.isFile
    let name = file.finishPart()
    guard isFile else { return name }
    // Without room for a description with the number of scans there is still the one without.
    if file.hasFailed { _ = beside?.finishPart() } else { try? describe(name) }
    return name
  }

  /// Writes the description of a finished file.
  private mutating func describe(_ name: String) throws(RecordingWriterError) {
    description.count = written / max(1, description.layout.size)
    do throws(RecordingWriterError) {
      let complete = try OutputFile(path: ScanDescription.file(of: name))
      try complete.write(Array(description.json.utf8))
      try complete.finish()
    } catch {
      _ = beside?.finishPart()
      throw error
    }
    // Removes it.
    beside = nil
  }

  private mutating func send(isFlushed: Bool) throws(RecordingWriterError) {
    defer { pending.removeAll(keepingCapacity: true) }
    let size = max(1, description.layout.size)
    try file.write(rows: pending, isFlushed: isFlushed) { $0.count - $0.count % size }
  }
}
