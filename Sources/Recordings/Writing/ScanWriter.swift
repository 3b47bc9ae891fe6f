import IIOScans

/// Writes raw scans as the kernel delivered them, and their description to a second file.
///
/// Like ``RecordingWriter``, it gives a file its name when it is complete; the description is `NAME.json`. A pipe gets
/// only the scans. If the name ends in `.gz`, the scans are compressed.
public struct ScanWriter: ~Copyable {
  private let file: OutputFile
  private let gzip: GzipStream?
  private var description: ScanDescription
  private var pending: [UInt8] = []
  private var written = 0
  private var isFinished = false

  private static let capacity = 65536

  /// Opens the destination.
  /// - Throws: ``RecordingWriterError/cannotCreate(path:errno:)``, or errors of writing.
  public init(
    to destination: RecordingWriter.Destination, description: ScanDescription
  ) throws(RecordingWriterError) {
    let file = try OutputFile(destination)
    let gzip = file.path.hasSuffix(".gz") ? try GzipStream(path: file.path) : nil
    self.file = file
    self.gzip = gzip
    self.description = description
  }

  /// Writes complete scans.
  public mutating func write(_ scans: [UInt8]) throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    pending += scans
    written += scans.count
    if pending.count >= Self.capacity { try send(isLast: false) }
  }

  /// Writes the buffer, for readers of a live pipe.
  public mutating func flush() throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    try send(isLast: false)
  }

  /// Writes the buffer and the description, syncs both to disk and gives them their names.
  public mutating func finish() throws(RecordingWriterError) { _ = try finish(isPart: false) }

  /// Finishes an incomplete recording; see ``RecordingWriter/finishPart()``.
  /// - Returns: the final name of the file.
  public mutating func finishPart() throws(RecordingWriterError) -> String { try finish(isPart: true) }

  private mutating func finish(isPart: Bool) throws(RecordingWriterError) -> String {
    if isFinished { return file.path }
    try send(isLast: true)
    description.count = written / max(1, description.layout.size)
    let isFile = file.isFile
    let name = try file.finish(isPart: isPart)
    isFinished = true
    if isFile {
      let beside = try OutputFile(path: ScanDescription.file(of: name))
      try beside.write(Array(description.json.utf8).span)
      try beside.finish()
    }
    return name
  }

  private mutating func send(isLast: Bool) throws(RecordingWriterError) {
    defer { pending.removeAll(keepingCapacity: true) }
    if let gzip {
      try gzip.write(pending, isLast: isLast, to: file)
    } else {
      try file.write(pending.span)
    }
  }
}
