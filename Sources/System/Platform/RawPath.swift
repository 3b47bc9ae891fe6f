/// Paths of files whose names are not UTF-8: a string shows U+FFFD instead of their bytes, under which there is no file.
package enum RawPath {
  /// Calls a function of the system with a path; if there is no such file, with the bytes that the path stands for.
  /// - Parameter body: returns a negative number, and the error in `errno`, if it fails.
  package static func call(_ path: String, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    let result = unsafe path.withCString { unsafe body($0) }
    guard result < 0, errno == ENOENT, let raw = bytes(shownAs: path) else { return result }
    return unsafe raw.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe body($0) } ?? result }
  }

  /// The bytes of the only existing path that is shown as this one, with a NUL; `nil` if there is none, or if there are several.
  static func bytes(shownAs path: String) -> [CChar]? {
    guard path.contains("\u{FFFD}") else { return nil }
    var found: [CChar] = path.hasPrefix("/") ? [0x2F] : []
    for part in path.split(separator: "/") {
      if !found.isEmpty, found.last != 0x2F { found.append(0x2F) }
      guard part.contains("\u{FFFD}") else {
        found += part.utf8.map { CChar(bitPattern: $0) }
        continue
      }
      guard let name = name(shownAs: part, in: found.isEmpty ? [0x2E, 0] : found + [0]) else { return nil }
      found += name
    }
    return found + [0]
  }

  private static func name(shownAs part: Substring, in folder: [CChar]) -> [CChar]? {
    guard let listing = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(listing) }
    var found: [CChar]?
    while let entry = unsafe readdir(listing) {
      let (bytes, shown) = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
          unsafe ((0..<strlen(name)).map { unsafe name[$0] }, String(cString: name))
        }
      }
      guard shown == part else { continue }
      if found != nil { return nil }
      found = bytes
    }
    return found
  }
}
