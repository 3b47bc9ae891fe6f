/// The bytes of the entries of an archive that form one recording: of one file, or of several consecutive ones, as
/// hourly loggers write them.
final class ArchiveParts {
  enum Wanted: Equatable {
    case named(String)
    /// All whose names differ only in digits.
    case pattern(String)
    /// The first that may be a recording, and those that continue it.
    case first
  }

  private let stream: ArchiveStream
  private var wanted: Wanted
  private let wasFirst: Bool
  private var part: ByteSource?
  private var partDamage: String?
  /// The first line of the first part, which is a header if other parts repeat it.
  private var firstLine: [UInt8]?
  private var hasEnded = false
  /// The number of files that may be recordings and were not read.
  private(set) var passedOver = 0
  private var isFound = false
  /// The first files that are not the wanted one.
  private var others: [String] = []
  private static let mostOthers = 16

  init(_ stream: ArchiveStream, _ wanted: Wanted) {
    (self.stream, self.wanted) = (stream, wanted)
    wasFirst = wanted == .first
  }

  var packedBytes: Int { stream.packedBytes }

  var damage: String? { stream.damage ?? partDamage ?? part?.damage?.sentence }

  /// Fills the beginning of `target`, from entry to entry.
  /// - Returns: the number of bytes; 0 at the end of the last.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    while !hasEnded {
      if part == nil { part = try openNext() }
      guard let part else {
        hasEnded = true
        break
      }
      let count = try unsafe part.read(into: target)
      if count > 0 { return count }
      partDamage = partDamage ?? part.damage?.sentence
      self.part = nil
    }
    return 0
  }

  private func openNext() throws(RecordingError) -> ByteSource? {
    while let entry = try stream.next() {
      guard takes(entry.name) else {
        if !isFound, others.count < Self.mostOthers { others.append(entry.name) }
        // In an archive that was examined before, they are known not to be recordings.
        if wasFirst, ArchiveContents.mayBeRecording(entry.name) { passedOver += 1 }
        continue
      }
      isFound = true
      let source = ByteSource(.entry(stream), name: entry.name)
      guard case .pattern = wanted else { return source }
      let head = try source.peek { bytes, _ in bytes.contains(0x0A) || bytes.count > LineBuffer.longestLine }
      let line = Array(head.prefix { $0 != 0x0A })
      if line == firstLine, head.count > line.count { source.skipPeeked(line.count + 1) }
      firstLine = firstLine ?? line
      return source
    }
    if case .named(let name) = wanted, !isFound, stream.damage == nil {
      throw .unknownEntry(path: stream.path, name: name, names: stream.isBare ? [] : others)
    }
    return nil
  }

  private func takes(_ name: String) -> Bool {
    switch wanted {
    case .named(let wanted): return name == wanted
    case .pattern(let pattern): return ArchiveContents.pattern(name) == pattern
    case .first:
      guard ArchiveContents.mayBeRecording(name) || stream.isBare else { return false }
      wanted = ArchiveContents.holdsDate(name) ? .pattern(ArchiveContents.pattern(name)) : .named(name)
      return true
    }
  }
}
