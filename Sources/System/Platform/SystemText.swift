/// The C library's text for a system error number: "No such file or directory". Thread-safe, unlike strerror(3).
package func systemText(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The names in a folder, sorted; `nil` if it cannot be read, with the reason in `errno`.
package func names(inFolder path: String) -> [String]? {
  guard let listing = unsafe opendir(path) else { return nil }
  defer { unsafe closedir(listing) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = unsafe readdir(listing) else { return errno == 0 ? names.sorted() : nil }
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      unsafe tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
}

/// The path without symbolic links, `.` and `..`; `nil` if nothing exists there, with the reason in `errno`.
package func resolvedPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe String(cString: real)
}
