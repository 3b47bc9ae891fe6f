/// Replaces files atomically and durably: after a power failure there is either the old or the new file.
package enum FileReplacement {
  package struct Failure: Error, Hashable, Sendable {
    package enum Step: Sendable {
      case create
      case write
      case rename
    }

    package let errno: Int32
    package let step: Step

    package init(errno: Int32, _ step: Step) { (self.errno, self.step) = (errno, step) }
  }

  /// Replaces the content of a file. The folder must exist; after a failure, the old file is unchanged.
  /// - Parameters:
  ///   - path: the file. A symbolic link is replaced, not followed.
  ///   - permissions: of the new file, less the process's mask.
  ///   - prepare: gets the descriptor of the new file before anything is written, as to change its owner.
  package static func replace(
    _ path: String, with bytes: [UInt8], permissions: mode_t, prepare: (Int32) -> Void = { _ in }
  ) throws(Failure) {
    let draft = try makeDraft(beside: path, permissions: permissions)
    do throws(Failure) {
      prepare(draft.descriptor)
      let number = writeWhole(bytes, to: draft.descriptor)
      if number != 0 { throw Failure(errno: number, .write) }
      try commit(draft, to: path)
    } catch {
      discard(draft)
      close(draft.descriptor)
      throw error
    }
    close(draft.descriptor)
  }

  /// A new, empty file that will replace another one.
  package struct Draft: Sendable {
    package var descriptor: Int32
    package var path: String

    package init(descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }
  }

  /// Creates a file with an unused, hidden name in the same folder, so that it can be renamed atomically.
  ///
  /// It is locked with flock(2) as long as its descriptor is open, which tells it from the draft of a killed process,
  /// and known to ``Drafts`` until it is committed or discarded.
  /// - Parameter keeper: what becomes of it if the process ends before; `nil` if it is worthless then.
  package static func makeDraft(
    beside path: String, permissions: mode_t, keeper: Drafts.Keeper? = nil
  ) throws(Failure) -> Draft {
    let (folder, file) = split(path)
    var random = SystemRandomNumberGenerator()
    while true {
      let name = "\(folder).\(file.prefix(60)).\(String(random.next(), radix: 36)).part"
      do throws(Failure) {
        let draft = try Drafts.add(name, keeper) {
          unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
        }
        _ = flock(draft.descriptor, LOCK_EX | LOCK_NB)
        return draft
      } catch  where error.errno == EEXIST || error.errno == EINTR { continue }
    }
  }

  /// Makes a draft durable and renames it to the file that it replaces. The descriptor stays open.
  package static func commit(_ draft: Draft, to path: String) throws(Failure) {
    if fsync(draft.descriptor) != 0 { throw Failure(errno: errno, .write) }
    let number = Drafts.settle(draft) { unsafe rename(draft.path, path) == 0 ? 0 : errno }
    if number != 0 { throw Failure(errno: number, .rename) }
    syncFolder(of: path)
  }

  /// Removes a draft. The descriptor stays open.
  package static func discard(_ draft: Draft) {
    _ = Drafts.settle(draft) {
      unsafe unlink(draft.path)
      return 0
    }
  }

  /// Gives an unfinished draft its visible name, without which it would be lost, even if it cannot be made durable.
  /// - Returns: the name; that of the draft if it cannot be renamed.
  package static func keep(_ draft: Draft, _ keeper: Drafts.Keeper) -> String {
    _ = fsync(draft.descriptor)
    var name = draft.path
    _ = Drafts.settle(draft) {
      name = keeper.keep(draft.path)
      return 0
    }
    syncFolder(of: name)
    return name
  }

  /// An unused name in the same folder: `walk.part.csv.gz` for `walk.csv.gz`.
  /// - Parameter mark: inserted before the name's extensions.
  package static func unusedName(like path: String, marked mark: String) -> String {
    let (folder, name) = split(path)
    let dot = name.dropFirst().firstIndex(of: ".") ?? name.endIndex
    var number = 1
    while true {
      let candidate = "\(folder)\(name[..<dot]).\(mark)\(number > 1 ? "-\(number)" : "")\(name[dot...])"
      if unsafe access(candidate, F_OK) != 0 { return candidate }
      number += 1
    }
  }

  /// A path's folder with the slash, or nothing, and its last part.
  static func split(_ path: String) -> (folder: Substring, name: Substring) {
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return (path[..<cut], path[cut...])
  }

  /// Makes the content of a file durable.
  package static func syncing(_ path: String) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// Makes a new name durable; file systems that do not support this need nothing.
  package static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
