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

  /// Opens a path.
  init(path: String) throws(RecordingError) {
    var opened: Int32
    repeat { opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) } while opened < 0 && errno == EINTR
    if opened < 0 { throw .cannotOpen(path: path, errno: errno) }
    var status = stat()
    let isKnown = unsafe fstat(opened, &status) == 0
    if isKnown, status.st_mode & S_IFMT == S_IFDIR {
      close(opened)
      throw .isDirectory(path: path)
    }
    extent = isKnown && status.st_mode & S_IFMT == S_IFREG ? (0, status.st_size) : nil
    posix_fadvise(opened, 0, 0, POSIX_FADV_SEQUENTIAL)
    name = path
    descriptor = opened
    closesDescriptor = true
  }

  /// Takes over an open descriptor, or borrows it when `closes` is false.
  init(fileDescriptor: Int32, name: String, closes: Bool) {
    self.name = name
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
    descriptor = whole.descriptor
    closesDescriptor = false
    extent = nil
    excerpt = start..<start + count
  }

  /// How many bytes there are, when they can be read a second time: those of a regular file. The kernel's own files say
  /// that they are empty.
  var sizeIfRegular: Int? { extent.flatMap { $0.count > 0 ? $0.count : nil } }

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

  /// Fills the beginning of `target` with what is there, waiting only when nothing is.
  /// - Returns: how many bytes; 0 at the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
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
