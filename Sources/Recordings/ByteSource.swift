import Platform

/// The bytes of a file, a pipe or a device, decompressed when they are gzip.
///
/// A class because it owns a descriptor and closes it.
final class ByteSource {
  /// What people call it.
  let name: String
  /// Bytes read from the descriptor so far.
  private(set) var offset = 0
  private let descriptor: Int32
  private let closesDescriptor: Bool
  /// Where a regular file's bytes begin and how many there were when it was opened; nothing of a pipe or a device.
  private let extent: (start: Int, count: Int)?
  /// Of an excerpt: the place of the next byte, and that behind its last.
  private var excerpt: Range<Int>?
  private var inflater: GzipInflater?
  private var isFirstRead = true
  /// Where the bytes come from when they lie in an archive.
  private let archive: Archive?
  /// Bytes that were looked at and not read yet, and how many of them were read since.
  private var peeked: [UInt8] = []
  private var peekedTaken = 0
  private var hasEnded = false

  /// Opens a path.
  init(path: String) throws(RecordingError) {
    var opened: Int32
    repeat { opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) } while opened < 0 && errno == EINTR
    if opened < 0, errno == ENOENT, let raw = Self.argument(shownAs: path) {
      opened = unsafe open(raw, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    }
    if opened < 0 { throw .cannotOpen(path: path, errno: errno) }
    var status = stat()
    let isKnown = unsafe fstat(opened, &status) == 0
    if isKnown, status.st_mode & S_IFMT == S_IFDIR {
      close(opened)
      throw .isDirectory(path: path)
    }
    extent = isKnown && status.st_mode & S_IFMT == S_IFREG ? (0, status.st_size) : nil
    posix_fadvise(opened, 0, 0, POSIX_FADV_SEQUENTIAL)
    archive = nil
    name = path
    descriptor = opened
    closesDescriptor = true
  }

  /// The bytes of the command line's argument that a string shows, where they are no UTF-8: the string has lost them.
  private static func argument(shownAs path: String) -> [CChar]? {
    guard path.contains("\u{FFFD}") else { return nil }
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
      let shown = unsafe String(cString: argument)
      let prefix = shown.hasPrefix("file:") && !path.hasPrefix("file:") ? 5 : 0
      guard shown.dropFirst(prefix) == path else { continue }
      return unsafe (prefix...strlen(argument)).map { unsafe argument[$0] }
    }
    return nil
  }

  /// Takes over an open descriptor, or borrows it when `closes` is false.
  init(fileDescriptor: Int32, name: String, closes: Bool) {
    self.name = name
    archive = nil
    descriptor = fileDescriptor
    closesDescriptor = closes
    var status = stat()
    let isRegular = unsafe fstat(fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let start = isRegular ? lseek(fileDescriptor, 0, SEEK_CUR) : -1
    extent = start >= 0 ? (start, max(0, status.st_size - start)) : nil
  }

  /// See ``excerpt(from:count:)``.
  private init(_ whole: ByteSource, start: Int, count: Int) {
    name = whole.name
    archive = nil
    descriptor = whole.descriptor
    closesDescriptor = false
    extent = nil
    excerpt = start..<start + count
  }

  /// What in an archive.
  private enum Archive {
    /// The entry that it stands at.
    case entry(ArchiveStream)
    /// The parts of one recording.
    case parts(ArchiveParts)
    /// Text of another shape, made into lines.
    case adapted(AdaptedText)
    /// Not in an archive: what somebody else reads.
    case supply(any ByteSupply)
  }

  /// The bytes of the entry at which an archive stands.
  convenience init(_ entry: ArchiveStream, name: String) { self.init(.entry(entry), name: name) }

  /// The bytes of an archive's entries that are one recording.
  convenience init(_ parts: ArchiveParts, name: String) { self.init(.parts(parts), name: name) }

  /// Bytes that somebody else reads.
  convenience init(_ supply: any ByteSupply, name: String) { self.init(.supply(supply), name: name) }

  /// Whether an adapter made the lines.
  var isAdapted: Bool { if case .adapted = archive { true } else { false } }

  /// What an adapter makes of a text.
  convenience init(_ text: AdaptedText, name: String) { self.init(.adapted(text), name: name) }

  private init(_ archive: Archive, name: String) {
    self.name = name
    self.archive = archive
    descriptor = -1
    closesDescriptor = false
    extent = nil
  }

  /// What was wrong with the archive in which the bytes lie, in a sentence, and files in it that were not read.
  var archiveDamage: [String] {
    if case .adapted(let text) = archive { return text.damage }
    guard case .parts(let parts) = archive else { return [] }
    let others = parts.passedOver
    return (parts.damage.map { ["the archive: \($0); the readable part was read"] } ?? [])
      + (others > 0
        ? ["\(others) other file\(others == 1 ? "" : "s") of the archive \(others == 1 ? "was" : "were") not read"]
        : [])
  }

  /// Passes over bytes that were looked at.
  func skipPeeked(_ count: Int) { peekedTaken = min(peeked.count, peekedTaken + count) }

  /// How many bytes there are, when they can be read a second time: those of a regular file. The kernel's own files say
  /// that they are empty.
  var sizeIfRegular: Int? { extent.flatMap { $0.count > 0 ? $0.count : nil } }

  /// The part of a regular file's bytes that was read, 0 to 1; nothing where nobody knows how many there are.
  var fractionRead: Double? {
    if case .adapted(let text) = archive { return text.fractionRead }
    return sizeIfRegular.map { min(1, Double(offset) / Double($0)) }
  }

  /// Part of a regular file, to be looked at while this source stays where it is.
  func excerpt(from offset: Int, count: Int) -> ByteSource {
    ByteSource(self, start: (extent?.start ?? 0) + offset, count: count)
  }

  deinit {
    if closesDescriptor { close(descriptor) }
  }

  /// Whether the bytes are compressed; known after the first read.
  var isCompressed: Bool { inflater != nil }

  /// What was wrong with the compressed data, if anything.
  var damage: GzipInflater.Damage? { inflater?.damage }

  /// The descriptor of a regular file that begins at its first byte: its bytes can be read again from any place.
  var seekableDescriptor: Int32? { extent?.start == 0 && descriptor >= 0 ? descriptor : nil }

  /// The next bytes, which stay where they are: as many as `isEnough` asks for, or all there are.
  /// - Parameter isEnough: gets the bytes so far and whether they are all.
  func peek(until isEnough: (_ bytes: [UInt8], _ isAll: Bool) -> Bool) throws(RecordingError) -> [UInt8] {
    if peekedTaken > 0 {
      peeked.removeFirst(peekedTaken)
      peekedTaken = 0
    }
    while !hasEnded, peeked.isEmpty || !isEnough(peeked, false) {
      let start = peeked.count
      peeked.append(contentsOf: repeatElement(0, count: 1 << 16))
      var failure: RecordingError?
      let count = unsafe peeked.withUnsafeMutableBytes { all -> Int in
        do throws(RecordingError) {
          return try unsafe self.readOn(into: UnsafeMutableRawBufferPointer(rebasing: all[start...]))
        } catch {
          failure = error
          return 0
        }
      }
      peeked.removeLast(peeked.count - start - count)
      if let failure { throw failure }
      hasEnded = count == 0
    }
    return peeked
  }

  /// Fills the beginning of `target` with what is there, waiting only when nothing is.
  /// - Returns: how many bytes; 0 at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let rest = peeked.count - peekedTaken
    if rest > 0 {
      let count = min(rest, target.count)
      unsafe peeked.withUnsafeBytes { all in
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[peekedTaken..<peekedTaken + count]))
      }
      peekedTaken += count
      if peekedTaken == peeked.count { (peeked, peekedTaken) = ([], 0) }
      return count
    }
    return hasEnded ? 0 : try unsafe readOn(into: target)
  }

  /// Goes on behind what was looked at.
  private func readOn(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    if isFirstRead {
      isFirstRead = false
      let count = try unsafe readMagic(into: target)
      if inflater == nil { return count }
    }
    guard let inflater else { return try unsafe readRaw(into: target) }
    let count = try unsafe inflater.read(into: target) { input throws(RecordingError) in
      try unsafe self.readRaw(into: input)
    }
    if count == 0, inflater.producedBytes == 0, let damage = inflater.damage {
      throw .damagedGzip(path: name, byte: damage.byte)
    }
    return count
  }

  /// The first read, which needs two bytes to tell whether there is something to inflate.
  private func readMagic(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    var count = 0
    while count < 2 {
      let more = try unsafe readRaw(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
      if more == 0 { break }
      count += more
      if unsafe target[0] != 0x1F { break }
    }
    if count >= 2, unsafe target[0] == 0x1F, unsafe target[1] == 0x8B {
      inflater = unsafe GzipInflater(head: UnsafeRawBufferPointer(rebasing: target[..<count]))
    }
    return count
  }

  private func readRaw(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    switch archive {
    case .entry(let stream): return try unsafe stream.read(into: target)
    case .parts(let parts): return try unsafe parts.read(into: target)
    case .adapted(let text): return try unsafe text.read(into: target)
    case .supply(let supply): return unsafe supply.read(into: target)
    case nil: break
    }
    while true {
      let count = unsafe readOnce(into: target)
      if count >= 0 {
        offset += count
        return count
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitForInput()
      case let code: throw .readFailed(path: name, byte: offset, errno: code)
      }
    }
  }

  private func readOnce(into target: UnsafeMutableRawBufferPointer) -> Int {
    guard let place = excerpt else { return unsafe Platform.read(descriptor, target.baseAddress, target.count) }
    let count = unsafe pread(descriptor, target.baseAddress, min(target.count, place.count), place.lowerBound)
    if count > 0 { excerpt = place.lowerBound + count..<place.upperBound }
    return count
  }

  /// Standard input may have been left non-blocking by whoever shares it.
  private func waitForInput() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}

/// Bytes of a recording that somebody else reads, from a serial port for instance.
package protocol ByteSupply: AnyObject {
  /// Waits for bytes and fills the beginning of `target` with them.
  /// - Returns: how many; 0 at the end, also when what they come from has failed.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int
}
