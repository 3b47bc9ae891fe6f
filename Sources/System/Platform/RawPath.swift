/// Opens files whose names are not UTF-8. A string holds U+FFFD in place of their bytes, so the path it spells does not exist.
package enum RawPath {
  /// Calls a system function with a path. If the file does not exist, calls it again with the bytes of the one name in the folder
  /// that reads the same as a string.
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
