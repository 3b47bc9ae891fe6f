/// The C library's text for a system error number: "No such file or directory". Thread-safe, unlike strerror(3).
package func systemText(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The path without symbolic links, `.` and `..`; `nil` if nothing exists there, with the reason in `errno`.
package func resolvedPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe String(cString: real)
}
