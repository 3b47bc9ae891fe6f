import Platform

/// A destination of bytes: a file that appears under its name when it is complete, or an open descriptor.
package final class OutputFile {
  let path: String
  private var descriptor: Int32
  /// The file until it is finished; `nil` if there is nothing to rename.
  private var draft: FileReplacement.Draft?
  /// What the file becomes, finished or not.
  private let keeper: Drafts.Keeper
  private let closesDescriptor: Bool
  /// The bytes written so far.
  private(set) var length = 0

  /// Whether the file has a temporary name until it is finished; not for pipes, devices and open descriptors.
  var isFile: Bool { draft != nil }

  /// Opens a writer's destination.
  /// - Parameter isKept: whether an incomplete file has a value, and is kept if the process ends early.
  convenience init(_ destination: RecordingWriter.Destination, isKept: Bool = false) throws(RecordingWriterError) {
    switch destination {
    case .file(let path): try self.init(path: path, isKept: isKept)
    case .descriptor(let descriptor, let name): self.init(descriptor: descriptor, name: name)
    }
  }

  /// Writes to an open descriptor, which stays open.
  init(descriptor: Int32, name: String) {
    path = name
    keeper = Drafts.Keeper(target: name, replaces: false)
    self.descriptor = descriptor
    closesDescriptor = false
  }

  /// Creates a file. An existing file (or the target of a symbolic link) is replaced atomically at the end. Pipes and
  /// devices are written to directly.
  package init(path: String, isKept: Bool = false) throws(RecordingWriterError) {
    self.path = path
    closesDescriptor = true
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw .cannotCreate(path: path, errno: EISDIR) }
    if exists, kind != S_IFREG {
      keeper = Drafts.Keeper(target: path, replaces: false)
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw .cannotCreate(path: path, errno: errno) }
      return
    }
    // Replacing a file does not require write permission, but a read-only file is probably meant to be kept.
    if exists, unsafe access(path, W_OK) != 0 { throw .cannotCreate(path: path, errno: errno) }
    keeper = Drafts.Keeper(target: exists ? resolvedPath(path) ?? path : path, replaces: exists)
    let draft: FileReplacement.Draft
    do throws(FileReplacement.Failure) {
      draft = try FileReplacement.makeDraft(
        beside: keeper.target, permissions: 0o666, keeper: isKept ? keeper : nil)
    } catch { throw .cannotCreate(path: path, errno: error.errno) }
    (descriptor, self.draft) = (draft.descriptor, draft)
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
        length += count
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

  /// Removes the bytes after the first `count`, such as a part of a row; only from a file.
  func truncate(to count: Int) {
    if isFile, ftruncate(descriptor, off_t(count)) == 0 { length = count }
  }

  /// Syncs the bytes to disk and gives the file its name.
  package func finish() throws(RecordingWriterError) {
    guard closesDescriptor, descriptor >= 0 else { return }
    if let draft {
      do throws(FileReplacement.Failure) { try FileReplacement.commit(draft, to: keeper.target) } catch {
        throw error.step == .rename
          ? .cannotCreate(path: path, errno: error.errno) : .io(path: path, errno: error.errno)
      }
      self.draft = nil
    }
    let result = close(descriptor)
    descriptor = -1
    if result != 0 { throw .io(path: path, errno: errno) }
  }

  /// Gives a file with incomplete content a name. It does not replace a file; if the name is taken, it gets another one.
  /// - Returns: the final name of the file.
  func finishPart() -> String {
    guard closesDescriptor, descriptor >= 0 else { return path }
    var name = path
    if let draft {
      name = FileReplacement.keep(draft, keeper)
      self.draft = nil
      if name == keeper.target { name = path }
    }
    close(descriptor)
    descriptor = -1
    return name
  }

  /// Closes and removes the file.
  private func abandon() {
    if let draft { FileReplacement.discard(draft) }
    draft = nil
    if closesDescriptor, descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Waits for a descriptor that another process made non-blocking (a shared terminal).
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, 1000)
  }
}
