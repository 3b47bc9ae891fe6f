import Glibc
import Synchronization

/// What happens to the files of a folder, or to its ancestors while it does not exist: inotify(7).
///
/// Changes of a file system by another computer cause no events.
final class FolderEvents: Sendable {
  private struct State {
    /// The watch of the folder; -1 while it does not exist.
    var folder: Int32 = -1
    /// The watch of the nearest folder above that exists, and the name that is missing in it.
    var ancestor: Int32 = -1
    var awaited = ""
    /// Files that were changed and not closed yet.
    var written: Set<String> = []
  }

  private let path: String
  /// Readable when there are events.
  let descriptor: Int32
  private let state = Mutex(State())

  private static let selfEvents = IN_DELETE_SELF | IN_MOVE_SELF
  private static let fileEvents =
    IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | selfEvents
  private static let ancestorEvents = IN_CREATE | IN_MOVED_TO | selfEvents

  /// - Parameter path: of the folder, absolute.
  /// - Returns: `nil` if this user has too many watches; `errno` tells.
  init?(_ path: String) {
    self.path = path
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Watches the folder, or what has to appear before it.
  /// - Returns: whether the folder exists.
  func watch() -> Bool {
    state.withLock { state in
      while true {
        let folder = add(path, Self.fileEvents)
        if folder >= 0 {
          if folder != state.folder { (state.folder, state.written) = (folder, []) }
          remove(&state.ancestor)
          return true
        }
        if state.folder >= 0 { remove(&state.folder) }
        state.written = []
        // Before its watch began, the next folder may have appeared in it.
        if !watchAncestor(&state) { return false }
      }
    }
  }

  /// - Returns: whether it is another one than before.
  private func watchAncestor(_ state: inout State) -> Bool {
    var parts = path.split(separator: "/")
    while let name = parts.popLast() {
      let ancestor = add("/" + parts.joined(separator: "/"), Self.ancestorEvents)
      guard ancestor >= 0 else { continue }
      if ancestor == state.ancestor { return false }
      remove(&state.ancestor)
      (state.ancestor, state.awaited) = (ancestor, String(name))
      return true
    }
    return false
  }

  private func add(_ path: String, _ events: Int32) -> Int32 {
    unsafe inotify_add_watch(descriptor, path, UInt32(events | IN_ONLYDIR))
  }

  private func remove(_ watch: inout Int32) {
    if watch >= 0 { inotify_rm_watch(descriptor, watch) }
    watch = -1
  }

  /// Files that a program is writing.
  var written: Set<String> { state.withLock { $0.written } }

  /// Takes all events that have happened.
  /// - Returns: whether it is worth looking at the folder.
  func take() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var isWorthLooking = false
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return isWorthLooking }
      var event = bytes[..<count]
      while event.count >= Self.headerSize {
        let (watch, mask) = (Int32(bitPattern: Self.word(event, 0)), Int32(bitPattern: Self.word(event, 1)))
        let end = Self.headerSize + Int(Self.word(event, 3))
        let name = String(
          decoding: event.dropFirst(Self.headerSize).prefix(end - Self.headerSize).prefix { $0 != 0 }, as: UTF8.self)
        if note(watch, mask, name) { isWorthLooking = true }
        event = event.dropFirst(end)
      }
    }
  }

  /// Four words: the watch, the mask, a number, and the length of the name.
  private static let headerSize = 16

  private static func word(_ event: ArraySlice<UInt8>, _ number: Int) -> UInt32 {
    event.dropFirst(4 * number).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func note(_ watch: Int32, _ mask: Int32, _ name: String) -> Bool {
    state.withLock { state in
      if mask & IN_Q_OVERFLOW != 0 {
        // The end of a write may be among the lost ones.
        state.written = []
        return true
      }
      if watch == state.folder {
        guard mask & IN_MODIFY != 0 else {
          state.written.remove(name)
          return true
        }
        // The end of writing is worth a look.
        state.written.insert(name)
        return false
      }
      return watch == state.ancestor && (name == state.awaited || mask & Self.selfEvents != 0)
    }
  }
}
