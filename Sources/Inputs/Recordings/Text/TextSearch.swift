extension String {
  /// Whether the UTF-8 of a text contains that of another. `contains` prepares a table for each call, which takes much
  /// longer than the search in a short text.
  func holds(_ part: String) -> Bool { utf8.span.firstPlace(of: part) != nil }
}

extension [String] {
  /// The first of some names, for a message.
  func listed(most: Int) -> String { prefix(most).joined(separator: ", ") + (count > most ? ", …" : "") }
}

extension Span<UInt8> {
  func firstPlace(of part: String) -> Int? { firstPlace(of: part.utf8.span, from: 0) }

  func firstPlace(of letters: Span<UInt8>, from start: Int) -> Int? {
    guard letters.count > 0 else { return start }
    var place = firstPlace(of: letters[0], from: start, to: count)
    while place + letters.count <= count {
      var length = 1
      while length < letters.count, self[place + length] == letters[length] { length += 1 }
      if length == letters.count { return place }
      place = firstPlace(of: letters[0], from: place + 1, to: count)
    }
    return nil
  }
}
