import NIOCore

/// The latest lines under increasing numbers, each framed once for all readers.
struct EventRing: Sendable {
  private var slots: [ByteBuffer?]
  /// The number that the next line gets.
  private(set) var next: UInt64
  private let first: UInt64

  init(capacity: Int, first: UInt64) {
    precondition(capacity > 0 && first > 0)
    slots = Array(repeating: nil, count: capacity)
    self.first = first
    next = first
  }

  /// The number of the oldest line that is kept; ``next`` when there is none.
  var oldest: UInt64 { max(first, next - min(next, UInt64(slots.count))) }

  /// Keeps a line, as ``data(_:)`` has framed it; the oldest one goes when there is no room.
  mutating func append(_ data: ByteBuffer) {
    var frame = ByteBuffer()
    frame.reserveCapacity(data.readableBytes + 28)
    frame.writeString("id: \(next)\n")
    frame.writeImmutableBuffer(data)
    slots[slot(next)] = frame
    next += 1
  }

  /// Where a reader stands that has everything up to a line; one that begins, or that has what does not exist yet, stands
  /// at the end.
  func position(after last: UInt64?) -> UInt64 {
    guard let last, last < next else { return next }
    return last + 1
  }

  /// How many lines a reader at that position has lost for ever; `nil` when none.
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

  /// An event's data as a stream of events has it: HTML, section 9.2.6. A line end within the line begins a new `data:`.
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

  /// An event that is for one reader only.
  static func frame(_ line: String, number: UInt64?) -> ByteBuffer {
    var buffer = ByteBuffer()
    if let number { buffer.writeString("id: \(number)\n") }
    buffer.writeImmutableBuffer(data(line))
    return buffer
  }
}
