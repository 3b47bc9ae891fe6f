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
    package let descriptor: Int32
    /// `nil` for an unnamed file (`O_TMPFILE`), which the kernel removes when it is closed.
    package let path: String?
  }

  #if os(Linux) || os(Android)
    /// O_TMPFILE, a macro that Swift does not import.
    private static let nameless = 0o20_000_000 | O_DIRECTORY
  #endif

  /// Creates a file in the same folder that leaves nothing if the process ends. Where the file system has no files without
  /// a name, it has a hidden one.
  package static func makeDraft(beside path: String, permissions: mode_t) throws(Failure) -> Draft {
    #if os(Linux) || os(Android)
      let folder = split(path).folder
      let descriptor = unsafe open(folder.isEmpty ? "." : String(folder), O_WRONLY | O_CLOEXEC | nameless, permissions)
      // Its name is made from that of its descriptor.
      if descriptor >= 0, unsafe access("/proc/self/fd/\(descriptor)", F_OK) == 0 {
        return Draft(descriptor: descriptor, path: nil)
      }
      if descriptor >= 0 { close(descriptor) }
    #endif
    return try create(hiddenName(beside: path), permissions)
  }

  /// Creates a file for what cannot be made again, with a visible name such as `walk.part.csv` for `walk.csv`.
  package static func makePart(of path: String, permissions: mode_t) throws(Failure) -> Draft {
    while true {
      do throws(Failure) { return try create(unusedName(like: path, marked: "part"), permissions) } catch {
        // Another process was faster.
        if error.errno != EEXIST { throw error }
      }
    }
  }

  private static func create(_ path: String, _ permissions: mode_t) throws(Failure) -> Draft {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
    if descriptor < 0 { throw Failure(errno: errno, .create) }
    return Draft(descriptor: descriptor, path: path)
  }

  private static func hiddenName(beside path: String) -> String {
    let (folder, file) = split(path)
    return "\(folder).\(file.prefix(60)).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
  }

  /// Makes a draft durable and renames it to the file that it replaces. The descriptor stays open.
  package static func commit(_ draft: Draft, to path: String) throws(Failure) {
    if fsync(draft.descriptor) != 0 { throw Failure(errno: errno, .write) }
    let name = draft.path ?? hiddenName(beside: path)
    let own = "/proc/self/fd/\(draft.descriptor)"
    // A signal between the two steps would leave the hidden name.
    var (all, former) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    let isNamed = unsafe draft.path != nil || linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    guard isNamed, unsafe rename(name, path) == 0 else {
      let number = errno
      if draft.path == nil { unsafe unlink(name) }
      throw Failure(errno: number, .rename)
    }
    syncFolder(of: path)
  }

  /// Removes a draft. The descriptor stays open.
  package static func discard(_ draft: Draft) {
    if let path = draft.path { unsafe unlink(path) }
  }

  /// An unused name in the same folder: `walk.part.csv.gz` for `walk.csv.gz`.
  /// - Parameter mark: inserted before the name's extensions.
  package static func unusedName(like path: String, marked mark: String) -> String {
    let (folder, name) = split(path)
    let dot = name.dropFirst().firstIndex(of: ".") ?? name.endIndex
    var (number, status) = (1, stat())
    while true {
      let candidate = "\(folder)\(name[..<dot]).\(mark)\(number > 1 ? "-\(number)" : "")\(name[dot...])"
      if unsafe lstat(candidate, &status) != 0 { return candidate }
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
