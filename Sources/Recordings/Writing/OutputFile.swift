import Platform

/// A destination of bytes: a file that appears under its name when it is complete, or an open descriptor.
package final class OutputFile {
  let path: String
  private var descriptor: Int32
  /// The temporary name of a file; `nil` if there is nothing to rename.
  private var temporary: String?
  private let target: String
  private let closesDescriptor: Bool
  /// Whether a file will be replaced.
  private let replaces: Bool

  /// Whether the file has a temporary name until it is finished; not for pipes, devices and open descriptors.
  var isFile: Bool { temporary != nil }

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
    replaces = false
  }

  /// Creates a file. An existing file (or the target of a symbolic link) is replaced atomically at the end. Pipes and
  /// devices are written to directly.
  package init(path: String) throws(RecordingWriterError) {
    self.path = path
    closesDescriptor = true
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw .cannotCreate(path: path, errno: EISDIR) }
    if exists, kind != S_IFREG {
      target = path
      replaces = false
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw .cannotCreate(path: path, errno: errno) }
      return
    }
    // Replacing a file does not require write permission, but a read-only file is probably meant to be kept.
    if exists, unsafe access(path, W_OK) != 0 { throw .cannotCreate(path: path, errno: errno) }
    target = exists ? resolvedPath(path) ?? path : path
    replaces = exists
    let draft: FileReplacement.Draft
    do throws(FileReplacement.Failure) {
      draft = try FileReplacement.makeDraft(beside: target, permissions: 0o666)
    } catch { throw .cannotCreate(path: path, errno: error.errno) }
    (descriptor, temporary) = (draft.descriptor, draft.path)
    if exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  }

  deinit { abandon() }

  /// Writes all bytes, with as many calls as necessary.
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

  /// Syncs the bytes to disk and gives the file its name.
  /// - Parameter isPart: whether the content is incomplete. An incomplete file does not replace a file; it gets another
  ///   name.
  /// - Returns: the final name of the file.
  @discardableResult
  package func finish(isPart: Bool = false) throws(RecordingWriterError) -> String {
    guard closesDescriptor, descriptor >= 0 else { return path }
    var name = path
    if let temporary {
      let draft = FileReplacement.Draft(descriptor: descriptor, path: temporary)
      let place = isPart && replaces ? FileReplacement.unusedName(like: target, marked: "part") : target
      do throws(FileReplacement.Failure) { try FileReplacement.commit(draft, to: place) } catch {
        throw error.step == .rename
          ? .cannotCreate(path: path, errno: error.errno) : .io(path: path, errno: error.errno)
      }
      self.temporary = nil
      if place != target { name = place }
    }
    let result = close(descriptor)
    descriptor = -1
    if result != 0 { throw .io(path: path, errno: errno) }
    return name
  }

  /// Closes and removes the file.
  private func abandon() {
    if closesDescriptor, descriptor >= 0 { close(descriptor) }
    descriptor = -1
    if let temporary { unsafe unlink(temporary) }
    temporary = nil
  }

  /// Waits for a descriptor that another process made non-blocking (a shared terminal).
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, 1000)
  }
}
