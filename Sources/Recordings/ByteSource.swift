import Glibc

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
  private var inflater: GzipInflater?
  private var isFirstRead = true

  /// Opens a path.
  init(path: String) throws(RecordingError) {
    var opened: Int32
    repeat { opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) } while opened < 0 && errno == EINTR
    if opened < 0 { throw .cannotOpen(path: path, errno: errno) }
    var status = stat()
    if unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(opened)
      throw .isDirectory(path: path)
    }
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
      let count = unsafe Glibc.read(descriptor, target.baseAddress, target.count)
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

  /// Standard input may have been left non-blocking by whoever shares it.
  private func waitForInput() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}
