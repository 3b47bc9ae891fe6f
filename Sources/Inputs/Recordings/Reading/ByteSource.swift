import Platform

/// The bytes of a file, a pipe or a device, decompressed if they are gzip.
///
/// It owns the descriptor and closes it.
final class ByteSource {
  let name: String
  /// Bytes read from the descriptor so far.
  private(set) var offset = 0
  private var descriptor: Int32 = -1
  private var closesDescriptor = false
  /// The offset and the number of a regular file's bytes when it was opened; `nil` for a pipe or a device.
  private var extent: (start: Int, count: Int)?
  /// For an excerpt: the offsets of the next byte and of its end.
  private var excerpt: Range<Int>?
  /// For an excerpt: the source whose descriptor it shares.
  private var whole: ByteSource?
  private var inflater: Inflater?
  /// For a copy: the damage of the container that it was taken from, in a sentence.
  private var copiedDamage: String?
  private var isFirstRead = true
  /// The origin of the bytes if they are not read from the descriptor.
  private var origin: Origin?
  /// Bytes that were peeked at, and how many of them have been read since.
  private var peeked: [UInt8] = []
  private var peekedTaken = 0
  private var hasEnded = false

  convenience init(path: String) throws(RecordingError) {
    var opened: Int32
    repeat {
      opened = unsafe RawPath.call(path) { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    } while opened < 0 && errno == EINTR
    if opened < 0 { throw .cannotOpen(path: path, errno: errno) }
    var status = stat()
    if unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(opened)
      throw .isDirectory(path: path)
    }
    posix_fadvise(opened, 0, 0, POSIX_FADV_SEQUENTIAL)
    self.init(fileDescriptor: opened, name: path, closes: true)
  }

  /// Uses an open descriptor, and closes it at the end if `closes` is true.
  /// - Parameter original: for a file with all bytes of another source, that source.
  init(fileDescriptor: Int32, name: String, closes: Bool, copyOf original: ByteSource? = nil) {
    self.name = name
    copiedDamage = original?.containerDamage
    descriptor = fileDescriptor
    closesDescriptor = closes
    var status = stat()
    let isRegular = unsafe fstat(fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let start = isRegular ? lseek(fileDescriptor, 0, SEEK_CUR) : -1
    extent = start >= 0 ? (start, max(0, status.st_size - start)) : nil
  }

  private init(_ whole: ByteSource, start: Int, count: Int) {
    name = whole.name
    copiedDamage = whole.copiedDamage
    self.whole = whole
    descriptor = whole.descriptor
    excerpt = start..<start + count
  }

  /// An origin of bytes other than the descriptor.
  enum Origin {
    case entry(ArchiveStream)
    case parts(ArchiveParts)
    /// Text in another format, converted to lines.
    case adapted(AdaptedText)
    case supply(any ByteSupply)
  }

  var isAdapted: Bool { if case .adapted = origin { true } else { false } }

  /// Whether its columns are other ones than the file's, so that no option can name them.
  var isRewritten: Bool { if case .adapted(let text) = origin { !text.keepsColumns } else { false } }

  init(_ origin: Origin, name: String) { (self.name, self.origin) = (name, origin) }

  /// The damage of the enclosing archive, and the number of its files that were not read, in sentences.
  var archiveDamage: [String] {
    if case .adapted(let text) = origin { return text.damage }
    let parts = if case .parts(let parts) = origin { parts } else { nil as ArchiveParts? }
    let (damage, others) = (parts.map(\.damage) ?? copiedDamage, parts?.passedOver ?? 0)
    return (damage.map { ["the archive: \($0); the readable part was read"] } ?? [])
      + (others > 0
        ? ["\(others) other file\(others == 1 ? "" : "s") of the archive \(others == 1 ? "was" : "were") not read"]
        : [])
  }

  /// Why the content differs from what was compressed or put in the enclosing archive; `nil` if it does not.
  var containerDamage: String? {
    if let damage, damage.losesContent { return damage.cause }
    return switch origin {
    case .entry(let stream): stream.damage
    case .parts(let parts): parts.damage
    case .adapted(let text): text.containerDamage
    default: copiedDamage
    }
  }

  /// The bytes of the outermost container: of its file, or of a pipe so far.
  var packedBytes: Int {
    switch origin {
    case .entry(let stream): stream.packedBytes
    case .parts(let parts): parts.packedBytes
    case .adapted, .supply: .max
    case nil: whole?.packedBytes ?? sizeIfRegular ?? offset
    }
  }

  /// Whether the bytes come out of a container, whose checksum may be at its end.
  var isContained: Bool {
    switch origin {
    case .entry, .parts: true
    default: isCompressed
    }
  }

  func skipPeeked(_ count: Int) { peekedTaken = min(peeked.count, peekedTaken + count) }

  /// The number of bytes if they can be read a second time, which is the case for regular files. Files of the kernel
  /// (procfs, sysfs) have the size 0.
  var sizeIfRegular: Int? { extent.flatMap { $0.count > 0 ? $0.count : nil } }

  var canBeReadAgain: Bool {
    if case .adapted(let text) = origin { return text.sizeIfRegular != nil }
    return sizeIfRegular != nil
  }

  /// Another source of the same bytes, if they can only be read a second time from their beginning: compressed ones, and lines
  /// that an adapter produces.
  func fromBeginning() -> ByteSource? {
    if case .adapted(let text) = origin { return text.again().map { ByteSource(.adapted($0), name: name) } }
    return isCompressed ? sizeIfRegular.map { excerpt(from: 0, count: $0) } : nil
  }

  /// The fraction of a regular file that was read, 0 to 1; `nil` if the size is unknown.
  var fractionRead: Double? {
    if case .adapted(let text) = origin { return text.fractionRead }
    return sizeIfRegular.map { min(1, Double(offset) / Double($0)) }
  }

  /// A part of a regular file; this source keeps its position.
  func excerpt(from offset: Int, count: Int) -> ByteSource {
    ByteSource(self, start: (extent?.start ?? 0) + offset, count: count)
  }

  /// The content of a deflated file at an offset of a zip.
  func deflated(_ place: Range<Int>, checksum: UInt32) -> ByteSource {
    let content = excerpt(from: place.lowerBound, count: place.count)
    content.isFirstRead = false
    content.inflater = unsafe Inflater(head: UnsafeRawBufferPointer(start: nil, count: 0), checksum: checksum)
    return content
  }

  deinit { if closesDescriptor { close(descriptor) } }

  /// Whether somebody else reads the bytes as they come, a few at a time: large buffers would be a waste.
  var isSupplied: Bool { if case .supply? = origin { true } else { false } }

  /// Whether the bytes are compressed; known after the first read.
  var isCompressed: Bool { inflater != nil }

  var damage: Inflater.Damage? { inflater?.damage }

  /// The descriptor of a regular file that is read from its first byte, so that it can be read again from any offset.
  var seekableDescriptor: Int32? { extent?.start == 0 && descriptor >= 0 ? descriptor : nil }

  /// Returns the next bytes without consuming them: as many as `isEnough` requires, or all.
  /// - Parameter isEnough: receives the bytes so far and whether they are all.
  func peek(until isEnough: (_ bytes: [UInt8], _ isAll: Bool) -> Bool) throws(RecordingError) -> [UInt8] {
    if peekedTaken > 0 {
      peeked.removeFirst(peekedTaken)
      peekedTaken = 0
    }
    while !hasEnded, peeked.isEmpty || !isEnough(peeked, false) {
      let start = peeked.count
      // Not filled with zeros first: a pipe may deliver a few bytes at a time.
      try peeked.append(addingCapacity: isSupplied ? 1 << 12 : 1 << 16) { room throws(RecordingError) in
        try unsafe room.withUnsafeMutableBufferPointer { buffer, count throws(RecordingError) in
          count = try unsafe self.readOn(into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
      hasEnded = peeked.count == start
    }
    return peeked
  }

  /// Fills the beginning of `target` with the available bytes; waits only if there are none.
  /// - Returns: the number of bytes; 0 at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let rest = peeked.count - peekedTaken
    if rest > 0 {
      let count = min(rest, target.count)
      unsafe target.copyBytes(from: peeked[peekedTaken..<peekedTaken + count])
      peekedTaken += count
      if peekedTaken == peeked.count { (peeked, peekedTaken) = ([], 0) }
      return count
    }
    return hasEnded ? 0 : try unsafe readOn(into: target)
  }

  /// Fills the beginning of an array's part from `start` to `end`, by default to its end.
  func read(into buffer: inout [UInt8], from start: Int = 0, to end: Int? = nil) throws(RecordingError) -> Int {
    let part = start..<(end ?? buffer.count)
    return try unsafe buffer.withUnsafeMutableBufferPointer { all throws(RecordingError) in
      try unsafe self.read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: all[part])))
    }
  }

  /// Reads the bytes after those that were peeked at.
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
    if count == 0, inflater.producedBytes == 0, inflater.checksum == nil, let byte = inflater.damage?.byte {
      throw .damagedGzip(path: name, byte: byte)
    }
    if inflater.producedBytes > InputLimits.unpackedBytes(of: packedBytes) { throw .excessiveArchive(path: name) }
    return count
  }

  /// The first read. It needs two bytes to recognise gzip.
  private func readMagic(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    var count = 0
    while count < 2 {
      let more = try unsafe readRaw(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
      if more == 0 { break }
      count += more
      if unsafe target[0] != 0x1F { break }
    }
    if count >= 2, unsafe target[0] == 0x1F, unsafe target[1] == 0x8B {
      inflater = unsafe Inflater(head: UnsafeRawBufferPointer(rebasing: target[..<count]))
    }
    return count
  }

  private func readRaw(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    switch origin {
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
      case EAGAIN:
        // Another process that shares standard input may have made it non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, -1)
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
}

/// Bytes of a recording that another object reads, for instance from a serial port.
package protocol ByteSupply: AnyObject {
  /// Waits for bytes and fills the beginning of `target`.
  /// - Returns: the number of bytes; 0 at the end or after a failure.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int
}
