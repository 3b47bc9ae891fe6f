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

  private var line: [UInt8] = []
  private var data: [String] = []
  /// Bytes of ``data``; an event with more than `InputLimits.message` is not one of the service, and is dropped.
  private var size = 0
  private var id: String?
  private var endsWithReturn = false

  /// Longer lines are not events of the service; their end is dropped.
  private static let longestLine = 65_536

  /// Creates a parser without data.
  package init() {}

  /// Takes the next chunk.
  /// - Returns: the completed events.
  package mutating func take(_ chunk: [UInt8]) -> [Event] {
    var events: [Event] = []
    for byte in chunk {
      // A line ends with CR, LF or both.
      defer { endsWithReturn = byte == 0x0D }
      switch byte {
      case 0x0A where endsWithReturn: continue
      case 0x0A, 0x0D: if let event = endLine() { events.append(event) }
      default: if line.count < Self.longestLine { line.append(byte) }
      }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
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
