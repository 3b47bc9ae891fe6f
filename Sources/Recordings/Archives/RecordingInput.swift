import Platform

/// What lies behind a source: text, or a dump and its decoder, out of whatever container.
struct RecordingInput {
  var source: ByteSource
  var dump: (format: RecordingFormat, decoder: any DumpDecoder)?

  private init(source: ByteSource, dump: (format: RecordingFormat, decoder: any DumpDecoder)?) {
    (self.source, self.dump) = (source, dump)
  }

  /// Containers in containers are opened up to here.
  private static let deepest = 3

  /// Looks at the first bytes and opens what has to be opened. Of a pipe no more is read than those.
  init(_ source: ByteSource, _ options: RecordingOptions, depth: Int = 0) throws(RecordingError) {
    let head = try source.peek { head, isAll in
      !DumpFormat.recognise(head, isAll: isAll).needsMore && !ArchiveContents.needsMore(head)
    }
    guard depth < Self.deepest, let kind = ArchiveContents.recognise(head) else {
      let format = DumpFormat.recognise(head, isAll: false).format ?? DumpFormat.recognise(head, isAll: true).format
      dump = format.map { ($0.format, $0.decoder(source.name)) }
      self.source = dump == nil && depth <= Self.deepest ? try Self.adapted(source, options) : source
      return
    }
    self = try Self.opened(source, kind, options, depth: depth)
  }

  private static func opened(
    _ source: ByteSource, _ kind: ArchiveContents.Kind, _ options: RecordingOptions, depth: Int
  ) throws(RecordingError) -> RecordingInput {
    var source = source
    if kind == .directory, source.seekableDescriptor == nil || source.isCompressed { source = try spooled(source) }
    guard source.seekableDescriptor != nil, !source.isCompressed else {
      let parts = ArchiveParts(try ArchiveStream(source), options.entry.map { .named($0) } ?? .first)
      return try RecordingInput(ByteSource(parts, name: source.name), inner(options), depth: depth + 1)
    }
    if let entry = options.entry { return try part(.named(entry), of: source, options, depth) }
    switch try ArchiveContents.survey(source, inner(options)) {
    case .document:
      throw .notText(path: source.name, byte: 0, value: 0x50, looksLike: "a spreadsheet or another office document")
    case .one(let name): return try part(.named(name), of: source, options, depth)
    case .parts(let pattern): return try part(.pattern(pattern), of: source, options, depth)
    case .several(let names): throw .severalRecordings(path: source.name, names: names)
    case .gt3x(let samples, let info):
      let information = info.map { GT3XInfo($0) } ?? GT3XInfo()
      let parts = ArchiveParts(try ArchiveStream(source), .named(samples))
      let isLog = samples.hasSuffix("log.bin")
      let decoder: any DumpDecoder = isLog ? GT3XLogDecoder(information) : GT3XActivityDecoder(information)
      return RecordingInput(source: ByteSource(parts, name: source.name), dump: (.gt3x, decoder))
    }
  }

  /// The source itself, or lines made of it where its text has another shape.
  private static func adapted(
    _ source: ByteSource, _ options: RecordingOptions
  ) throws(RecordingError) -> ByteSource {
    // Who names the columns or the format knows the lines.
    guard options.columns == nil, options.format == .auto else { return source }
    let head = try source.peek { head, _ in !TextAdapters.needsMore(head) }
    guard let adapter = TextAdapters.choose(head) else { return source }
    let lines = ByteSource(AdaptedText(source, adapter), name: source.name)
    // What was UTF-16 may have another shape, too.
    return adapter is UTF16Adapter ? try adapted(lines, options) : lines
  }

  private static func part(
    _ wanted: ArchiveParts.Wanted, of source: ByteSource, _ options: RecordingOptions, _ depth: Int
  ) throws(RecordingError) -> RecordingInput {
    let parts = ArchiveParts(try ArchiveStream(source), wanted)
    return try RecordingInput(ByteSource(parts, name: source.name), inner(options), depth: depth + 1)
  }

  private static func inner(_ options: RecordingOptions) -> RecordingOptions {
    var options = options
    options.entry = nil
    return options
  }

  /// The names of an archive's recordings when it holds several; nothing otherwise.
  static func recordings(in source: ByteSource, _ options: RecordingOptions) throws(RecordingError) -> [String] {
    do throws(RecordingError) {
      _ = try RecordingInput(source, options)
    } catch {
      if error.code == .severalRecordings { return error.names }
      throw error
    }
    return []
  }

  /// The bytes of a pipe as a file without a name: an archive's directory stands at its end.
  private static func spooled(_ source: ByteSource) throws(RecordingError) -> ByteSource {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
    var name = Array("\(folder)/pedometer.XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw .cannotOpen(path: folder, errno: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(name)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var failure: RecordingError?
    while failure == nil {
      let count = unsafe buffer.withUnsafeMutableBytes { all -> Int in
        do throws(RecordingError) { return try unsafe source.read(into: all) } catch {
          failure = error
          return 0
        }
      }
      if count == 0 { break }
      var written = 0
      while written < count {
        let some = unsafe buffer.withUnsafeBytes {
          unsafe write(descriptor, $0.baseAddress.map { unsafe $0 + written }, count - written)
        }
        if some < 0, errno != EINTR {
          let code = errno
          close(descriptor)
          throw .readFailed(path: folder, byte: written, errno: code)
        }
        written += max(0, some)
      }
    }
    if let failure {
      close(descriptor)
      throw failure
    }
    lseek(descriptor, 0, SEEK_SET)
    return ByteSource(fileDescriptor: descriptor, name: source.name, closes: true)
  }
}
