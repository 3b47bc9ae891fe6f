import Platform

/// Where bytes go: a file that appears under its name only when it is whole, or a descriptor that is open already.
package final class OutputFile {
  let path: String
  private var descriptor: Int32
  /// The name under which a file grows; `nil` when there is nothing to rename.
  private var temporary: String?
  private let target: String
  private let closesDescriptor: Bool

  /// Opens a writer's destination.
  convenience init(_ destination: RecordingWriter.Destination) throws(RecordingWriterError) {
    switch destination {
    case .file(let path): try self.init(path: path)
    case .descriptor(let descriptor, let name): self.init(descriptor: descriptor, name: name)
    }
  }

  /// Writes to an open descriptor, which stays open.
  init(descriptor: Int32, name: String) {
    path = name
    target = name
    self.descriptor = descriptor
    closesDescriptor = false
  }

  /// Makes a file. What stands under the path (or where a symbolic link points) is replaced at the end, at once; a pipe
  /// or a device is written to as it is.
  package init(path: String) throws(RecordingWriterError) {
    self.path = path
    closesDescriptor = true
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw .cannotCreate(path: path, errno: EISDIR) }
    if exists, kind != S_IFREG {
      target = path
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw .cannotCreate(path: path, errno: errno) }
      return
    }
    // replacing a file needs no leave to write to it, but its owner meant something by taking that leave away
    if exists, unsafe access(path, W_OK) != 0 { throw .cannotCreate(path: path, errno: errno) }
    target = exists ? Self.resolved(path) : path
    let name = try Self.makeTemporary(beside: target, for: path)
    (descriptor, temporary) = (name.descriptor, name.path)
    if exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  }

  deinit { abandon() }

  /// Writes all bytes, however many calls it takes.
  package func write(_ bytes: Span<UInt8>) throws(RecordingWriterError) {
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.extracting(offset...)
      let count = unsafe rest.withUnsafeBufferPointer { unsafe Platform.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        offset += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: throw .brokenPipe(path: path)
      default: throw .io(path: path, errno: errno)
      }
    }
  }

  /// Makes the bytes stay and gives the file its name.
  package func finish() throws(RecordingWriterError) {
    guard closesDescriptor, descriptor >= 0 else { return }
    if let temporary {
      if fsync(descriptor) != 0 { throw .io(path: path, errno: errno) }
      if unsafe rename(temporary, target) != 0 { throw .cannotCreate(path: path, errno: errno) }
      self.temporary = nil
      Self.syncDirectory(of: target)
    }
    let result = close(descriptor)
    descriptor = -1
    if result != 0 { throw .io(path: path, errno: errno) }
  }

  /// Closes the file and leaves no trace of it.
  private func abandon() {
    if closesDescriptor, descriptor >= 0 { close(descriptor) }
    descriptor = -1
    if let temporary { unsafe unlink(temporary) }
    temporary = nil
  }

  /// A descriptor somebody else has made non-blocking (a shared terminal) is waited for.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, 1000)
  }

  private static func makeTemporary(beside target: String, for path: String) throws(RecordingWriterError) -> (
    descriptor: Int32, path: String
  ) {
    let cut = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    var random = SystemRandomNumberGenerator()
    while true {
      let name = "\(target[..<cut]).\(target[cut...].prefix(60)).\(String(random.next(), radix: 36)).part"
      let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, name) }
      if errno != EEXIST && errno != EINTR { throw .cannotCreate(path: path, errno: errno) }
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// The new name stays after a power cut; file systems that cannot do this have nothing to lose.
  private static func syncDirectory(of path: String) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
