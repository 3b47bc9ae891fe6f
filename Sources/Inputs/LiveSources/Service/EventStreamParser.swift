import Platform

/// Parses server-sent events from bytes that arrive in chunks, split anywhere: HTML Living Standard, 9.2.6.
///
/// Only the fields that the service sends are kept: IDs and data.
package struct EventStreamParser: Sendable {
  /// One event.
  package struct Event: Sendable, Hashable {
    /// The latest ID, for `Last-Event-ID`.
    package var id: String?
    /// Its lines, joined.
    package var data: String
  }

  /// Longer lines are not events of the service.
  private var splitter = LineSplitter(longest: 65_536, .cut)
  private var data: [String] = []
  /// Bytes of ``data``; an event with more than `InputLimits.message` is not one of the service, and is dropped.
  private var size = 0
  private var id: String?

  /// Creates a parser without data.
  package init() {}

  /// Takes the next chunk.
  /// - Returns: the completed events.
  package mutating func take(_ chunk: [UInt8]) -> [Event] {
    splitter.append(chunk).compactMap { take(line: $0) }
  }

  private mutating func take(line: [UInt8]) -> Event? {
    if line.isEmpty {
      defer { (data, size) = ([], 0) }
      return data.isEmpty || size > InputLimits.message ? nil : Event(id: id, data: data.joined(separator: "\n"))
    }
    let text = String(decoding: line, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else { return nil }
    var value = text[text.index(after: colon)...]
    if value.first == " " { value.removeFirst() }
    switch text[..<colon] {
    case "data":
      size += value.utf8.count + 1
      if size > InputLimits.message { data = [] } else { data.append(String(value)) }
    case "id": id = String(value)
    default: break
    }
    return nil
  }
}
