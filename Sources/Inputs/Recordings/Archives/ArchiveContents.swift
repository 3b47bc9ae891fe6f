import Accelerometry

/// The contents of an archive: one recording, several, or the parts of one.
enum ArchiveContents: Equatable {
  case one(ArchiveParts.Wanted)
  case several([String])
  /// The entries of an ActiGraph GT3X: the one with the samples, and the bytes of `info.txt`.
  case gt3x(samples: String, info: [UInt8]?)
  case document

  /// Whether bytes begin like an archive, or like the output of a compressor other than gzip.
  static func recognise(_ head: [UInt8]) -> Kind? {
    for (magic, kind) in magics where head.starts(with: magic) { return kind }
    let mark = Array("ustar".utf8)
    return head.count >= 262 && head[257..<262].elementsEqual(mark) && mayBeTar(head[..<257]) ? .stream : nil
  }

  /// Whether a few more bytes may show an archive. A tar is only recognisable after the name of its first file.
  static func needsMore(_ head: [UInt8]) -> Bool {
    if magics.contains(where: { $0.bytes.starts(with: head) }) { return true }
    return head.count < 512 && mayBeTar(head[...])
  }

  /// The first block of a tar, a name and numbers with NULs between them, contains no line break.
  private static func mayBeTar(_ head: ArraySlice<UInt8>) -> Bool {
    head.first ?? 0 > 0x20 && !head.contains { $0 == 0x0A || $0 == 0x0D }
  }

  enum Kind {
    case directory
    /// From front to back.
    case stream
  }

  private static let magics: [(bytes: [UInt8], kind: Kind)] = [
    ([0x50, 0x4B, 0x03, 0x04], .directory), ([0x50, 0x4B, 0x05, 0x06], .directory),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .directory), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .stream),
    ([0x28, 0xB5, 0x2F, 0xFD], .stream), ([0x42, 0x5A, 0x68], .stream),
  ]

  /// Examines a seekable archive as far as necessary.
  /// - Throws: the error of the best of its files if none is a recording.
  static func survey(_ source: ByteSource, _ options: RecordingOptions) throws(RecordingError) -> ArchiveContents {
    let stream = try ArchiveStream(source)
    var found: [String] = []
    var failure: RecordingError?
    var info: [UInt8]?
    var samples: String?
    while let entry = try stream.next() {
      let file = lastComponent(entry.name)
      if file == "[Content_Types].xml" || entry.name == "mimetype" { return .document }
      if file == "info.txt", entry.size ?? 0 < 1 << 16 {
        info = try ByteSource(.entry(stream), name: entry.name).peek { bytes, _ in bytes.count >= 1 << 16 }
      }
      if file == "log.bin" || file == "activity.bin", samples == nil || file == "log.bin" { samples = entry.name }
      guard samples == nil, info == nil, stream.isBare || mayBeRecording(entry.name) else { continue }
      do throws(RecordingError) {
        // Inside a single compressed file there is no name.
        let name = stream.isBare ? source.name : entry.name
        let reader = RecordingReader(source: ByteSource(.entry(stream), name: name), options: options)
        var some: [AccelerationSample] = []
        if try reader.read(into: &some) {
          if stream.isBare { return .one(.named(entry.name)) }
          found.append(entry.name)
        }
      } catch {
        failure = failure ?? error.within(stream)
      }
      if found.count == 2, holdsDate(found[0]), pattern(found[0]) == pattern(found[1]) {
        return .one(.pattern(pattern(found[0])))
      }
    }
    if let samples { return .gt3x(samples: samples, info: info) }
    found = best(found)
    if found.count == 1 { return .one(.named(found[0])) }
    if found.isEmpty {
      if let damage = stream.damage { throw .damagedArchive(path: source.name, reason: damage) }
      throw failure ?? .damagedArchive(path: source.name, reason: "it contains no recording")
    }
    return .several(found.sorted())
  }

  /// Of several files, those with the best acceleration: with gravity rather than without.
  private static func best(_ names: [String]) -> [String] {
    for word in ["total", "withg", "uncalibrated"] where names.count > 1 {
      let chosen = names.filter { lastComponent($0).lowercased().contains(word) }
      if !chosen.isEmpty, chosen.count < names.count { return chosen }
    }
    let ranks = names.map { quantity($0)?.rawValue ?? ColumnName.Quantity.unnamed.rawValue }
    let best = ranks.contains(0) && ranks.contains(ColumnName.Quantity.linear.rawValue) ? 0 : nil
    return zip(names, ranks).filter { best == nil || $0.1 == best }.map(\.0)
  }

  /// The quantity in a file's name; `nil` if it names another sensor.
  private static func quantity(_ name: String) -> ColumnName.Quantity? {
    let stem = lastComponent(name).split(separator: ".").first.map(String.init) ?? name
    // A single letter says nothing.
    if stem.count < 3 { return .unnamed }
    if case .axis(_, let quantity, _) = ColumnName(stem + " x").role { return quantity }
    return nil
  }

  /// Whether a file of this name may be a recording of acceleration.
  static func mayBeRecording(_ name: String) -> Bool {
    let file = lastComponent(name)
    if file.hasPrefix(".") || name.hasPrefix("__MACOSX/") { return false }
    let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return !otherEndings.contains(ending) && quantity(file) != nil
  }

  private static let otherEndings: Set<String> = [
    "png", "jpg", "jpeg", "gif", "svg", "pdf", "mp4", "mov", "wav", "mp3", "m4a", "html", "htm", "css", "js", "xml",
    "ico", "exe", "inf", "md", "doc", "docx", "py", "m", "r", "plist", "sqlite", "db",
  ]

  static func lastComponent(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }

  /// A name without its digits.
  static func pattern(_ name: String) -> String { name.filter { !("0"..."9").contains($0) } }

  /// Whether a name contains a date, like those of hourly files: four digits of a year, and two each of month and day.
  static func holdsDate(_ name: String) -> Bool {
    name.split { !"0123456789-_".contains($0) }.contains { text in
      let runs = text.split { "-_".contains($0) }
      let isNumber = { (index: Int, digits: Int, range: ClosedRange<Int>) in
        index < runs.count && runs[index].count == digits && range.contains(Int(runs[index]) ?? 0)
      }
      return runs.indices.contains { i in
        isNumber(i, 8, 19_000_101...20_991_231)
          || isNumber(i, 4, 1900...2099) && isNumber(i + 1, 2, 1...12) && isNumber(i + 2, 2, 1...31)
      }
    }
  }
}
