import IIOScans
import Platform

/// The content of a source after all containers are opened: text, or a binary recording and its decoder.
struct RecordingInput {
  var source: ByteSource
  var dump: (format: RecordingFormat, decoder: any DumpDecoder)?
  /// The device that the user named, if lines between the rows name it.
  var device: String?
  /// Whether it was in an archive, or compressed by another program than gzip.
  private(set) var isArchived = false

  private init(source: ByteSource, dump: (format: RecordingFormat, decoder: any DumpDecoder)?) {
    (self.source, self.dump) = (source, dump)
  }

  private static let deepest = 3

  /// Examines the first bytes and opens containers. No more is read from a pipe.
  init(_ source: ByteSource, _ options: RecordingOptions, depth: Int = 0) throws(RecordingError) {
    if !options.scans.isEmpty {
      self.source = source
      dump = (.iio, ScanDumpDecoder(options.scans, path: source.name, rate: options.samplingFrequency))
      return
    }
    let head = try source.peek { head, isAll in
      !DumpFormat.recognise(head, isAll: isAll, path: source.name).needsMore && !ArchiveContents.needsMore(head)
    }
    guard depth < Self.deepest, let kind = ArchiveContents.recognise(head) else {
      dump =
        DumpFormat.recognise(head, isAll: false, path: source.name).dump
        ?? DumpFormat.recognise(head, isAll: true, path: source.name).dump
      if dump == nil, try Self.areScans(source, options) { throw .rawScans(path: source.name) }
      self.source = dump == nil && depth <= Self.deepest ? try Self.adapted(source, options) : source
      if options.device != nil, !self.source.isAdapted { device = options.device }
      return
    }
    self = try Self.opened(source, kind, options, depth: depth)
    isArchived = true
  }

  /// Whether bytes in no other binary format are raw scans. Does not wait for a text pipe.
  private static func areScans(_ source: ByteSource, _ options: RecordingOptions) throws(RecordingError) -> Bool {
    if options.format == .iio { return true }
    guard options.format == .auto else { return false }
    let least = TextFormatSearch.leastHead
    let head = try source.peek { head, _ in
      head.count >= ScanDumpDecoder.headLength || (head.count >= least && !head.prefix(least).contains(0))
    }
    guard head.prefix(least).contains(0) else { return false }
    return InputStreamAdapter.size(of: head) == nil && ScanDumpDecoder.mayBeScans(head)
  }

  private static func opened(
    _ source: ByteSource, _ kind: ArchiveContents.Kind, _ options: RecordingOptions, depth: Int
  ) throws(RecordingError) -> RecordingInput {
    var source = source
    if kind == .directory, source.seekableDescriptor == nil || source.isCompressed { source = try spooled(source) }
    guard source.seekableDescriptor != nil, !source.isCompressed else {
      return try part(options.entry.map { .named($0) } ?? .first, of: source, options, depth)
    }
    if let entry = options.entry { return try part(.named(entry), of: source, options, depth) }
    switch try ArchiveContents.survey(source, inner(options)) {
    case .document:
      throw .notText(path: source.name, byte: 0, value: 0x50, looksLike: "a spreadsheet or another office document")
    case .one(let wanted): return try part(wanted, of: source, options, depth)
    case .several(let names): throw .severalRecordings(path: source.name, names: names)
    case .gt3x(let samples, let info):
      let information = info.map { GT3XInfo($0) } ?? GT3XInfo()
      let parts = ArchiveParts(try ArchiveStream(source), .named(samples))
      let isLog = samples.hasSuffix("log.bin")
      let decoder: any DumpDecoder = isLog ? GT3XLogDecoder(information) : GT3XActivityDecoder(information)
      return RecordingInput(source: ByteSource(.parts(parts), name: source.name), dump: (.gt3x, decoder))
    }
  }

  /// The source, or converted lines if its text has another format.
  private static func adapted(_ source: ByteSource, _ options: RecordingOptions) throws(RecordingError) -> ByteSource {
    if let device = options.device { return try rows(of: device, source) }
    guard options.format == .auto else { return source }
    var search = TextFormatSearch()
    var format: TextFormatSearch.Format?
    let head = try source.peek { head, _ in
      format = search.format(of: head, isAll: false)
      return format != nil
    }
    guard case .adapted(let whole)? = format ?? search.format(of: head, isAll: true),
      // The columns that the user names are those of the file.
      let adapter = options.columns == nil ? whole : whole.keepingColumns
    else { return source }
    let lines = ByteSource(.adapted(AdaptedText(source, adapter, head: head)), name: source.name)
    // Decoded UTF-16 may need another adapter.
    return adapter is UTF16Adapter ? try adapted(lines, options) : lines
  }

  private static func rows(of device: String, _ source: ByteSource) throws(RecordingError) -> ByteSource {
    let head = try source.peek { head, _ in
      head.count >= TextAdapters.headLength || head.count { $0 == 0x0A } >= TextHead.most
    }
    let text = PlainText.plain(beginning: Array(head.prefix(TextAdapters.headLength)))
    guard let adapter = TaggedRowsAdapter(TextHead(text), device: device) else {
      if text.split(separator: 0x0A).contains(where: { DeviceLabel(Array($0).span, 0..<$0.count) != nil }) {
        return source
      }
      throw .unknownDevice(path: source.name, name: device, names: [])
    }
    return ByteSource(.adapted(AdaptedText(source, adapter)), name: source.name)
  }

  private static func part(
    _ wanted: ArchiveParts.Wanted, of source: ByteSource, _ options: RecordingOptions, _ depth: Int
  ) throws(RecordingError) -> RecordingInput {
    let stream = try ArchiveStream(source)
    let parts = ArchiveParts(stream, wanted)
    do throws(RecordingError) {
      return try RecordingInput(ByteSource(.parts(parts), name: source.name), inner(options), depth: depth + 1)
    } catch {
      throw error.within(stream)
    }
  }

  private static func inner(_ options: RecordingOptions) -> RecordingOptions {
    var options = options
    options.entry = nil
    return options
  }

  /// The names of the recordings in an archive of several; otherwise empty.
  static func recordings(in source: ByteSource, _ options: RecordingOptions) throws(RecordingError) -> [String] {
    do throws(RecordingError) { _ = try RecordingInput(source, options) } catch {
      guard error.code == .severalRecordings else { throw error }
      return error.names
    }
    return []
  }

  /// Copies a pipe to an unnamed file, because the directory of a zip is at its end.
  private static func spooled(_ source: ByteSource) throws(RecordingError) -> ByteSource {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
    var name = Array("\(folder)/pedometer.XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw .cannotOpen(path: folder, errno: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(name)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isSpooled = false
    defer { if !isSpooled { close(descriptor) } }
    while case let count = try source.read(into: &buffer), count > 0 {
      let failure = unsafe buffer.withUnsafeBytes { all in
        unsafe writeWhole(UnsafeRawBufferPointer(rebasing: all[..<count]), to: descriptor)
      }
      if failure != 0 { throw .readFailed(path: folder, byte: 0, errno: failure) }
    }
    lseek(descriptor, 0, SEEK_SET)
    isSpooled = true
    return ByteSource(fileDescriptor: descriptor, name: source.name, closes: true, copyOf: source)
  }
}
