import IIOScans

/// Writes raw scans as the kernel delivered them, and their description to a second file.
///
/// Like ``RecordingWriter``, it gives a file its name when it is complete; the description is `NAME.json`. A pipe gets
/// only the scans. If the name ends in `.gz`, the scans are compressed.
public struct ScanWriter: ~Copyable {
  private let file: OutputFile
  private let gzip: GzipStream?
  private var description: ScanDescription
  /// The description of an incomplete recording, which cannot be read without one; not for pipes.
  private var beside: OutputFile?
  private var pending: [UInt8] = []
  private var written = 0
  private var isFinished = false
  /// Whether a write failed; what is in the file ends there.
  private var hasFailed = false

  private static let capacity = 65536

  /// Opens the destination.
  /// - Throws: ``RecordingWriterError/Code/cannotCreate``, or errors of writing.
  public init(
    to destination: RecordingWriter.Destination, description: ScanDescription
  ) throws(RecordingWriterError) {
    let file = try OutputFile(destination, isKept: true)
    let gzip = file.path.hasSuffix(".gz") ? try GzipStream(path: file.path) : nil
    let beside = file.isFile ? try OutputFile(path: ScanDescription.file(of: file.path), isKept: true) : nil
    try beside?.write(Array(description.json.utf8).span)
    self.file = file
    self.gzip = gzip
    self.beside = beside
    self.description = description
  }

  /// Writes complete scans.
  public mutating func write(_ scans: [UInt8]) throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    pending += scans
    written += scans.count
    if pending.count >= Self.capacity { try send(.some) }
  }

  /// Writes the buffer, for readers of a live pipe.
  public mutating func flush() throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    try send(.all)
  }

  /// Writes the buffer and the description, syncs both to disk and gives them their names.
  public mutating func finish() throws(RecordingWriterError) {
    if isFinished { return }
    try send(.end)
    let isFile = file.isFile
    try file.finish()
    isFinished = true
    if isFile { try describe(file.path) }
  }

  /// The same as ``finishPart()``, and whether something could not be written.
  package mutating func endPart() -> (name: String, hasFailed: Bool) { (finishPart(), hasFailed) }

  /// Finishes an incomplete recording; see ``RecordingWriter/finishPart()``.
  /// - Returns: the final name of the file.
  public mutating func finishPart() -> String {
    if isFinished { return file.path }
    if !hasFailed { try? send(.end) }
    isFinished = true
    let isFile = file.isFile
    let name = file.finishPart()
    guard isFile else { return name }
    // Without room for a description with the number of scans there is still the one without.
    if hasFailed { _ = beside?.finishPart() } else { try? describe(name) }
    return name
  }

  /// Writes the description of a finished file.
  private mutating func describe(_ name: String) throws(RecordingWriterError) {
    description.count = written / max(1, description.layout.size)
    do throws(RecordingWriterError) {
      let complete = try OutputFile(path: ScanDescription.file(of: name))
      try complete.write(Array(description.json.utf8).span)
      try complete.finish()
    } catch {
      _ = beside?.finishPart()
      throw error
    }
    // Removes it.
    beside = nil
  }

  private mutating func send(_ reach: GzipStream.Reach) throws(RecordingWriterError) {
    defer { pending.removeAll(keepingCapacity: true) }
    do throws(RecordingWriterError) {
      if let gzip {
        try gzip.write(pending, reach, to: file)
      } else {
        try file.write(pending.span)
      }
    } catch {
      hasFailed = true
      if gzip == nil { file.truncate(to: file.length - file.length % max(1, description.layout.size)) }
      throw error
    }
  }
}
