import FoundationEssentials

/// The last messages of a room, in order, with their numbers.
struct MessageLog: Sendable {
  let limit: Int
  /// The number of the newest message; 0 before the first one.
  private(set) var lastSeq = 0
  private var kept: [Message] = []
  private var numbers: [UUID: Int] = [:]

  init(limit: Int) { self.limit = max(1, limit) }

  var last: Message? { kept.last }

  mutating func append(_ message: Message) -> Message {
    lastSeq += 1
    var message = message
    message.seq = lastSeq
    kept.append(message)
    numbers[message.id] = lastSeq
    // Half of the messages are removed when there are twice as many as needed, so the average cost is constant.
    if kept.count >= limit * 2 {
      for old in kept.prefix(kept.count - limit) { numbers[old.id] = nil }
      kept.removeFirst(kept.count - limit)
    }
    return message
  }

  func number(of id: UUID) -> Int? { numbers[id] }

  func newest(_ count: Int) -> [Message] { Array(kept.suffix(max(0, min(count, limit)))) }

  func after(_ seq: Int) -> [Message] { newest(lastSeq - max(0, min(seq, lastSeq))) }
}
