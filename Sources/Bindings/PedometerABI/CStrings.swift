import Platform

/// Strings that stay where they are for as long as this lives.
@safe final class CStrings {
  private var strings: [UnsafeMutablePointer<CChar>] = unsafe []
  private var places: [String: Int64] = [:]

  var count: Int64 { unsafe Int64(strings.count) }

  func add(_ texts: [String]) {
    for text in texts { if let copy = unsafe strdup(text) { unsafe strings.append(copy) } }
  }

  /// A copy of a text, the same one each time.
  func copy(of text: String) -> UnsafePointer<CChar>? {
    if places[text] == nil {
      places[text] = count
      add([text])
    }
    return unsafe self[places[text] ?? 0]
  }

  subscript(index: Int64) -> UnsafePointer<CChar>? {
    unsafe (0..<count).contains(index) ? UnsafePointer(strings[Int(index)]) : nil
  }

  deinit { for index in unsafe strings.indices { unsafe free(strings[index]) } }
}
