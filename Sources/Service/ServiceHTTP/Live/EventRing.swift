import NIOCore

/// The latest lines under increasing numbers, each framed once for all readers.
struct EventRing: Sendable {
  private var slots: [ByteBuffer?]
  /// The number of the next line.
  private(set) var next: UInt64
  private let first: UInt64

  init(capacity: Int, first: UInt64) {
    precondition(capacity > 0 && first > 0)
    slots = Array(repeating: nil, count: capacity)
    self.first = first
    next = first
  }

  /// The number of the oldest stored line; ``next`` if there is none.
  var oldest: UInt64 { max(first, next - min(next, UInt64(slots.count))) }

  /// Stores a line framed by ``data(_:)``; the oldest one is overwritten if there is no room.
  mutating func append(_ data: ByteBuffer) {
    var frame = ByteBuffer()
    frame.reserveCapacity(data.readableBytes + 28)
    frame.writeString("id: \(next)\n")
    frame.writeImmutableBuffer(data)
    slots[slot(next)] = frame
    next += 1
  }

  /// The position of a reader that has everything up to a line; a new reader, or one with a number that does not exist
  /// yet, is at the end.
  func position(after last: UInt64?) -> UInt64 {
    guard let last, last < next else { return next }
    return last + 1
  }

  /// The number of lines that a reader at that position has lost; `nil` if none.
  func missed(at position: UInt64) -> UInt64? { position < oldest ? oldest - position : nil }

  /// Lines from that position on: at least one, if there is one.
  func lines(from position: UInt64, atMost bytes: Int) -> [ByteBuffer] {
    var lines: [ByteBuffer] = []
    var size = 0
    var number = max(position, oldest)
    while number < next, let line = slots[slot(number)] {
      size += line.readableBytes
      if size > bytes, !lines.isEmpty { break }
      lines.append(line)
      number += 1
    }
    return lines
  }

  private func slot(_ number: UInt64) -> Int { Int(number % UInt64(slots.count)) }

  /// An event's data in the format of event streams: HTML, section 9.2.6. A line break within the line begins a new `data:`.
  static func data(_ line: String) -> ByteBuffer {
    let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    var bytes = Array(line.utf8)[...]
    while bytes.last.map(isEnd) == true { bytes.removeLast() }
    var buffer = ByteBuffer()
    buffer.reserveCapacity(bytes.count + 8)
    for part in bytes.split(omittingEmptySubsequences: false, whereSeparator: isEnd) {
      buffer.writeString("data: ")
      buffer.writeBytes(part)
      buffer.writeString("\n")
    }
    buffer.writeString("\n")
    return buffer
  }

  /// Whether a framed line tells of a step.
  static func isStep(_ frame: ByteBuffer) -> Bool {
    frame.readableBytesView.firstRange(of: Array(#"data: {"type":"step""#.utf8)) != nil
  }

  /// An event for one reader only.
  static func frame(_ line: String, number: UInt64?) -> ByteBuffer {
    var buffer = ByteBuffer()
    if let number { buffer.writeString("id: \(number)\n") }
    buffer.writeImmutableBuffer(data(line))
    return buffer
  }
}
