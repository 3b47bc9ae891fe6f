import Czlib
import Platform

/// A destination of bytes: a file that appears under its name when it is complete, or an open descriptor. Where the name
/// ends in `.gz`, the bytes are compressed.
package final class OutputFile {
  let path: String
  private var descriptor: Int32
  /// The file until it is finished; `nil` if there is nothing to rename.
  private var draft: FileReplacement.Draft?
  /// What the file becomes, finished or not.
  private let keeper: Drafts.Keeper
  private let closesDescriptor: Bool
  private let gzip: GzipStream?
  /// Whether a write failed; what is in the file ends there.
  private(set) var hasFailed = false
  /// Whether it was finished, complete or not.
  private(set) var isFinished = false

  /// Whether the file has a temporary name until it is finished; not for pipes, devices and open descriptors.
  var isFile: Bool { draft != nil }

  /// Opens a writer's destination.
  /// - Parameter isKept: whether an incomplete file has a value, and is kept if the process ends early.
  convenience init(_ destination: RecordingWriter.Destination, isKept: Bool = false) throws(RecordingWriterError) {
    switch destination {
    case .file(let path): try self.init(path: path, isKept: isKept)
    case .descriptor(let descriptor, let name): try self.init(descriptor: descriptor, name: name)
    }
  }

  /// Writes to an open descriptor, which stays open.
  init(descriptor: Int32, name: String) throws(RecordingWriterError) {
    path = name
    gzip = try Self.compressor(of: name)
    keeper = Drafts.Keeper(target: name, replaces: false)
    self.descriptor = descriptor
    closesDescriptor = false
  }

  /// Creates a file. An existing file (or the target of a symbolic link) is replaced atomically at the end. Pipes and
  /// devices are written to directly.
  package init(path: String, isKept: Bool = false) throws(RecordingWriterError) {
    self.path = path
    gzip = try Self.compressor(of: path)
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
      draft = try FileReplacement.makeDraft(beside: keeper.target, permissions: 0o666, keeper: isKept ? keeper : nil)
    } catch { throw .cannotCreate(path: path, errno: error.errno) }
    (descriptor, self.draft) = (draft.descriptor, draft)
    if exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  }

  private static func compressor(of name: String) throws(RecordingWriterError) -> GzipStream? {
    name.hasSuffix(".gz") ? try GzipStream(path: name) : nil
  }

  deinit {
    if let draft { FileReplacement.discard(draft) }
    if closesDescriptor, descriptor >= 0 { close(descriptor) }
  }

  /// Writes all bytes, with as many calls as necessary.
  /// - Parameter isFlushed: whether a reader of the unfinished file finds all of them, although that compresses less.
  package func write(_ bytes: [UInt8], isFlushed: Bool = false) throws(RecordingWriterError) {
    if isFinished { throw .finished(path: path) }
    try send(bytes, isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH)
  }

  /// - Parameter flush: see ``GzipStream/compress(_:_:to:)``.
  private func send(_ bytes: [UInt8], _ flush: Int32) throws(RecordingWriterError) {
    do throws(RecordingWriterError) {
      guard let gzip else { return try put(bytes) }
      try gzip.compress(bytes, flush) { some throws(RecordingWriterError) in try put(some) }
    } catch {
      hasFailed = true
      throw error
    }
  }

  private func put(_ bytes: [UInt8]) throws(RecordingWriterError) {
    let failure = writeWhole(bytes, to: descriptor)
    if failure != 0 { throw failure == EPIPE ? .brokenPipe(path: path) : .io(path: path, errno: failure) }
  }

  /// Writes rows; if there is no room for all, the file ends with the last whole one.
  /// - Parameter whole: the length of the whole rows at the beginning of some bytes.
  func write(rows bytes: [UInt8], isFlushed: Bool, whole: (ArraySlice<UInt8>) -> Int) throws(RecordingWriterError) {
    let before = Int(lseek(descriptor, 0, SEEK_CUR))
    do throws(RecordingWriterError) { try write(bytes, isFlushed: isFlushed) } catch {
      // What was compressed cannot be cut.
      if isFile, gzip == nil, hasFailed {
        let written = Int(lseek(descriptor, 0, SEEK_CUR)) - before
        _ = ftruncate(descriptor, off_t(before + whole(bytes.prefix(written))))
      }
      throw error
    }
  }

  /// Syncs the bytes to disk and gives the file its name. Repeated calls have no effect.
  package func finish() throws(RecordingWriterError) {
    if isFinished { return }
    if gzip != nil { try send([], Z_FINISH) }
    guard closesDescriptor else {
      isFinished = true
      return
    }
    if let draft {
      do throws(FileReplacement.Failure) { try FileReplacement.commit(draft, to: keeper.target) } catch {
        throw error.step == .rename
          ? .cannotCreate(path: path, errno: error.errno) : .io(path: path, errno: error.errno)
      }
      self.draft = nil
    }
    let result = close(descriptor)
    descriptor = -1
    isFinished = true
    if result != 0 { throw .io(path: path, errno: errno) }
  }

  /// Gives a file with incomplete content a name. It does not replace a file; if the name is taken, it gets another one.
  /// - Returns: the final name of the file.
  func finishPart() -> String {
    if isFinished { return path }
    if gzip != nil, !hasFailed { try? send([], Z_FINISH) }
    isFinished = true
    guard closesDescriptor else { return path }
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
}
