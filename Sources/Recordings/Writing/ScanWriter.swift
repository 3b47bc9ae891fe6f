import IIOScans

/// Writes raw scans as the kernel delivered them, and the description that makes them readable beside them.
///
/// Like ``RecordingWriter`` it gives a file its name only when it is whole; the description follows as `NAME.json`. A pipe gets
/// the scans alone. A name that ends in `.gz` is compressed.
public struct ScanWriter: ~Copyable {
  private let file: OutputFile
  private let gzip: GzipStream?
  private var description: ScanDescription
  private var pending: [UInt8] = []
  private var written = 0
  private var isFinished = false

  private static let capacity = 65536

  /// Opens the destination.
  /// - Throws: ``RecordingWriterError/cannotCreate(path:errno:)`` or what writing throws.
  public init(
    to destination: RecordingWriter.Destination, description: ScanDescription
  ) throws(RecordingWriterError) {
    let file = try OutputFile(destination)
    let gzip = file.path.hasSuffix(".gz") ? try GzipStream(path: file.path) : nil
    self.file = file
    self.gzip = gzip
    self.description = description
  }

  /// Writes some more whole scans.
  public mutating func write(_ scans: [UInt8]) throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    pending += scans
    written += scans.count
    if pending.count >= Self.capacity { try send(isLast: false) }
  }

  /// Hands on what is kept back, for readers of a live pipe.
  public mutating func flush() throws(RecordingWriterError) {
    if isFinished { throw .finished(path: file.path) }
    try send(isLast: false)
  }

  /// Writes what is left and the description, makes both stay on disk, and gives them their names.
  public mutating func finish() throws(RecordingWriterError) { _ = try finish(isPart: false) }

  /// Finishes what is the beginning of a recording only; see ``RecordingWriter/finishPart()``.
  /// - Returns: the name that the file has.
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
