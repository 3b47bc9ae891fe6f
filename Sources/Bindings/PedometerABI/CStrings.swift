import Platform

/// Strings that stay where they are for as long as this lives.
@safe final class CStrings {
  private var strings: [UnsafeMutablePointer<CChar>] = unsafe []

  var count: Int { unsafe strings.count }

  func add(_ texts: [String]) {
    for text in texts { if let copy = unsafe strdup(text) { unsafe strings.append(copy) } }
  }

  subscript(index: Int) -> UnsafePointer<CChar>? {
    unsafe strings.indices.contains(index) ? UnsafePointer(strings[index]) : nil
  }

  deinit { for index in unsafe strings.indices { unsafe free(strings[index]) } }
}
