/// Paths of files whose names are not UTF-8: a string shows U+FFFD instead of their bytes, under which there is no file.
package enum RawPath {
  /// Calls a function of the system with a path; if there is no such file, with the bytes that the path stands for.
  /// - Parameter body: returns a negative number, and the error in `errno`, if it fails.
  package static func call(_ path: String, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    let result = unsafe path.withCString { unsafe body($0) }
    guard result < 0, errno == ENOENT else { return result }
    guard let raw = bytes(shownAs: path) else {
      // Reading a folder may have changed it.
      errno = ENOENT
      return result
    }
    return unsafe raw.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe body($0) } ?? result }
  }

  /// Whether several existing paths are shown as this one, so that it names none of them.
  package static func isAmbiguous(_ path: String) -> Bool { find(path) == .several }

  private enum Found: Equatable {
    case none
    /// The only path that is shown like that, with a NUL.
    case one([CChar])
    case several
  }

  private static func bytes(shownAs path: String) -> [CChar]? {
    if case .one(let bytes) = find(path) { bytes } else { nil }
  }

  private static func find(_ path: String) -> Found {
    guard path.contains("\u{FFFD}") else { return .none }
    var found: [CChar] = path.hasPrefix("/") ? [0x2F] : []
    for part in path.split(separator: "/") {
      if !found.isEmpty, found.last != 0x2F { found.append(0x2F) }
      guard part.contains("\u{FFFD}") else {
        found += part.utf8.map { CChar(bitPattern: $0) }
        continue
      }
      let names = names(shownAs: part, in: found.isEmpty ? [0x2E, 0] : found + [0])
      guard let name = names.first else { return .none }
      if names.count > 1 { return .several }
      found += name
    }
    return .one(found + [0])
  }

  /// The names in a folder that are shown like that, of several two.
  private static func names(shownAs part: Substring, in folder: [CChar]) -> [[CChar]] {
    guard let listing = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(listing) }
    var found: [[CChar]] = []
    while found.count < 2, let entry = unsafe readdir(listing) {
      let (bytes, shown) = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
          unsafe ((0..<strlen(name)).map { unsafe name[$0] }, String(cString: name))
        }
      }
      if shown == part { found.append(bytes) }
    }
    return found
  }
}
