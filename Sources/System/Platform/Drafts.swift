import Synchronization

/// The drafts of this process, and those that killed processes left behind.
///
/// A process that ends early, by a signal or an error, settles its drafts: one with a recording gets a visible name, all
/// others are removed, so that no hidden file is left.
package enum Drafts {
  /// What becomes of a draft whose content cannot be made again.
  package struct Keeper: Sendable {
    /// The file that the draft would have become.
    package var target: String
    /// Whether the target existed before, so that an incomplete file must not replace it.
    package var replaces: Bool

    package init(target: String, replaces: Bool) { (self.target, self.replaces) = (target, replaces) }

    /// Renames a draft to its target, or to a name such as `walk.part.csv` if that is taken.
    func keep(_ path: String) -> String {
      let isTaken = unsafe replaces || access(target, F_OK) == 0
      let name = isTaken ? FileReplacement.unusedName(like: target, marked: "part") : target
      return unsafe rename(path, name) == 0 ? name : path
    }
  }

  private struct Entry {
    var draft: FileReplacement.Draft
    var keeper: Keeper?
  }

  private static let drafts = Mutex<[String: Entry]>([:])

  /// Creates a draft, in one step for ``endProcess(_:)``.
  /// - Parameter open: returns the descriptor of the new file, or -1 with `errno`.
  static func add(
    _ path: String, _ keeper: Keeper?, _ open: () -> Int32
  ) throws(FileReplacement.Failure) -> FileReplacement.Draft {
    try drafts.withLock { drafts throws(FileReplacement.Failure) in
      let descriptor = open()
      if descriptor < 0 { throw FileReplacement.Failure(errno: errno, .create) }
      let draft = FileReplacement.Draft(descriptor: descriptor, path: path)
      drafts[path] = Entry(draft: draft, keeper: keeper)
      return draft
    }
  }

  /// Does what gives a draft its final state, in one step for ``endProcess(_:)``.
  /// - Parameter body: returns the number of an error, after which the draft stays as it is.
  static func settle(_ draft: FileReplacement.Draft, _ body: () -> Int32) -> Int32 {
    drafts.withLock { drafts in
      let number = body()
      if number == 0 { drafts[draft.path] = nil }
      return number
    }
  }

  /// Ends the process at once: other threads may be writing.
  /// - Parameter end: gets the names of files that were kept although they are incomplete, and ends the process. No
  ///   draft changes meanwhile.
  package static func endProcess(_ end: ([String]) -> Never) -> Never {
    drafts.withLock { drafts in
      var kept: [String] = []
      for entry in drafts.values.sorted(by: { $0.draft.path < $1.draft.path }) {
        var status = stat()
        if let keeper = entry.keeper, unsafe stat(entry.draft.path, &status) == 0, status.st_size > 0 {
          kept.append(keeper.keep(entry.draft.path))
        } else {
          unsafe unlink(entry.draft.path)
        }
      }
      end(kept)
    }
  }

  /// The drafts of killed processes in the folder of a file, with content, in order of their names.
  package static func abandoned(beside path: String) -> [String] {
    let folder = FileReplacement.split(path).folder
    return (names(inFolder: folder.isEmpty ? "." : String(folder)) ?? [])
      .filter { original(of: $0) != nil && isAbandoned(folder + $0) }.map { folder + $0 }
  }

  /// The name of the file that a draft with this name would have become, perhaps truncated; `nil` for other names.
  package static func original(of name: some StringProtocol) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(".part") else { return nil }
    let middle = name.dropFirst().dropLast(5)
    guard let dot = middle.lastIndex(of: "."), dot != middle.startIndex,
      UInt64(middle[middle.index(after: dot)...], radix: 36) != nil
    else { return nil }
    return String(middle[..<dot])
  }

  private static func isAbandoned(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return false
    }
    return flock(descriptor, LOCK_SH | LOCK_NB) == 0
  }
}
