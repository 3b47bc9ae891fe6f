import Czlib
import Platform

/// A destination of bytes: a file that gets its name when it is complete, or an open descriptor. Where the name ends in
/// `.gz`, the bytes are compressed.
package final class OutputFile {
  let path: String
  private var descriptor: Int32
  /// The file until it is finished; `nil` if there is nothing to rename.
  private var draft: FileReplacement.Draft?
  /// What the file becomes.
  private let target: String
  private let isKept: Bool
  private let closesDescriptor: Bool
  private let gzip: GzipStream?
  /// Whether a write failed; what is in the file ends there.
  private(set) var hasFailed = false
  /// Whether it was finished, complete or not.
  private(set) var isFinished = false

  /// The name of a file that is kept although it is incomplete, such as `walk.part.csv`.
  var part: String? { isKept ? draft?.path : nil }

  /// Opens a writer's destination.
  /// - Parameter isKept: whether an incomplete file has a value, so that it is visible and stays if the process is killed.
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
    (target, isKept) = (name, false)
    self.descriptor = descriptor
    closesDescriptor = false
  }

  /// Creates a file. An existing file (or the target of a symbolic link) is replaced atomically at the end. Pipes and
  /// devices are written to directly.
  package init(path: String, isKept: Bool = false) throws(RecordingWriterError) {
    (self.path, self.isKept) = (path, isKept)
    gzip = try Self.compressor(of: path)
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
    // Replacing a file does not require write permission, but a read-only file is probably meant to be kept.
    if exists, unsafe access(path, W_OK) != 0 { throw .cannotCreate(path: path, errno: errno) }
    target = exists ? resolvedPath(path) ?? path : path
    let draft: FileReplacement.Draft
    do throws(FileReplacement.Failure) {
      draft =
        isKept
        ? try FileReplacement.makePart(of: target, permissions: 0o666)
        : try FileReplacement.makeDraft(beside: target, permissions: 0o666)
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
      if draft != nil, gzip == nil, hasFailed {
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
      do throws(FileReplacement.Failure) { try FileReplacement.commit(draft, to: target) } catch {
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

  /// Ends a file that is kept although it is incomplete.
  /// - Returns: its name.
  func finishPart() -> String {
    if isFinished { return path }
    let name = part ?? path
    if gzip != nil, !hasFailed { try? send([], Z_FINISH) }
    isFinished = true
    guard closesDescriptor else { return path }
    _ = fsync(descriptor)
    if draft != nil { FileReplacement.syncFolder(of: name) }
    draft = nil
    close(descriptor)
    descriptor = -1
    return name
  }
}
