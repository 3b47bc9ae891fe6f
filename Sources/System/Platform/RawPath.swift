/// Paths of files whose names are not UTF-8: a string shows U+FFFD instead of their bytes, under which there is no file.
package enum RawPath {
  /// Calls a function of the system with a path; if there is no such file, with the bytes of the only name in its folder that is
  /// shown like its own.
  /// - Parameter body: returns a negative number, and the error in `errno`, if it fails.
  package static func call(_ path: String, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    let result = unsafe path.withCString { unsafe body($0) }
    guard result < 0, errno == ENOENT else { return result }
    let name = path.split(separator: "/").last ?? ""
    let folder = String(path.dropLast(name.count))
    let names = name.contains("\u{FFFD}") ? names(shownAs: name, in: folder.isEmpty ? "." : folder) : []
    // Reading a folder may have changed it.
    errno = ENOENT
    guard names.count == 1 else { return result }
    let raw = folder.utf8.map { CChar(bitPattern: $0) } + names[0] + [0]
    return unsafe raw.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe body($0) } ?? result }
  }

  private static func names(shownAs shown: Substring, in folder: String) -> [[CChar]] {
    guard let listing = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(listing) }
    var found: [[CChar]] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
          unsafe (0..<strlen(name)).map { unsafe name[$0] }
        }
      }
      if String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self) == shown { found.append(name) }
    }
    return found
  }
}
