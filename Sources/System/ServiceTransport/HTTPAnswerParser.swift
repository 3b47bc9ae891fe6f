/// Parses one HTTP/1.1 response (RFC 9112) from bytes that arrive in chunks, split anywhere.
struct HTTPAnswerParser: Sendable {
  struct Malformed: Error {}

  private enum Phase {
    case head
    case body(left: Int)
    case chunk(left: Int)
    case chunkSize, chunkEnd, trailer
    /// The body ends with the connection.
    case untilClose
    case complete
  }

  /// Longer lines are not valid header fields or chunk sizes.
  private static let longestLine = 65_536

  /// The response without its body, once the header fields are complete.
  private(set) var head: TransportResponse?
  private var phase = Phase.head
  private var line: [UInt8] = []
  private var lines: [String] = []

  var isComplete: Bool { if case .complete = phase { true } else { false } }

  /// Takes the end of the connection.
  /// - Returns: whether the response is complete.
  mutating func end() -> Bool {
    if case .untilClose = phase { phase = .complete }
    return isComplete
  }

  /// Takes the next bytes.
  /// - Returns: the bytes of the body that they contain.
  mutating func take(_ bytes: [UInt8]) throws(Malformed) -> [UInt8] {
    var body: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first, !isComplete {
      switch phase {
      case .complete: break
      case .untilClose:
        body += rest
        rest = []
      case .body(let left):
        let part = rest.prefix(left)
        body += part
        rest = rest.dropFirst(part.count)
        phase = left == part.count ? .complete : .body(left: left - part.count)
      case .chunk(let left):
        let part = rest.prefix(left)
        body += part
        rest = rest.dropFirst(part.count)
        phase = left == part.count ? .chunkEnd : .chunk(left: left - part.count)
      case .head, .chunkSize, .chunkEnd, .trailer:
        rest = rest.dropFirst()
        guard first == 0x0A else {
          guard line.count < Self.longestLine else { throw Malformed() }
          line.append(first)
          continue
        }
        if line.last == 0x0D { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        line = []
        try end(text)
      }
    }
    return body
  }

  private mutating func end(_ line: String) throws(Malformed) {
    switch phase {
    case .head where !line.isEmpty:
      guard lines.count < 1000 else { throw Malformed() }
      lines.append(line)
    case .head: try endHead()
    case .chunkSize:
      let digits = line.prefix { $0 != ";" && $0 != " " }
      guard let size = Int(digits, radix: 16), size >= 0 else { throw Malformed() }
      phase = size == 0 ? .trailer : .chunk(left: size)
    case .chunkEnd:
      guard line.isEmpty else { throw Malformed() }
      phase = .chunkSize
    case .trailer: if line.isEmpty { phase = .complete }
    case .body, .chunk, .untilClose, .complete: break
    }
  }

  private mutating func endHead() throws(Malformed) {
    let parts = lines.first?.split(separator: " ", maxSplits: 2) ?? []
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]), 100...599 ~= status else {
      throw Malformed()
    }
    let fields = lines.dropFirst()
    lines = []
    // An interim response; the final one follows.
    if status < 200 { return }
    var head = TransportResponse(status: status)
    for field in fields {
      guard let colon = field.firstIndex(of: ":") else { throw Malformed() }
      let value = field[field.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      head.headers.append(.init(field[..<colon].lowercased(), String(value)))
    }
    let value = { (name: String) in head.headers.first { $0.name == name }?.value }
    if status == 204 || status == 304 {
      phase = .complete
    } else if value("transfer-encoding")?.lowercased().hasSuffix("chunked") == true {
      phase = .chunkSize
    } else if let length = value("content-length") {
      guard let count = Int(length), count >= 0 else { throw Malformed() }
      phase = count == 0 ? .complete : .body(left: count)
    } else {
      phase = .untilClose
    }
    self.head = head
  }
}
