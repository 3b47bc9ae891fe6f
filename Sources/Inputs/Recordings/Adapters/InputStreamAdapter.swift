/// Raw bytes of `/dev/input/event*`: `struct input_event` of 24 bytes, or of 16 from 32-bit kernels (linux/input.h),
/// little-endian.
///
/// As in ``InputEventAdapter``, a report completes a sample once all axes are known. The stream does not contain the
/// counts per g, so the unit is detected or stated. After lost bytes, decoding resumes at the next position with
/// consecutive events.
final class InputStreamAdapter: TextAdapter {
  private struct Event {
    var seconds: Int
    var microseconds: Int
    var type: UInt16
    var code: UInt16
    var value: Int32
  }

  /// Bytes of an event.
  private let size: Int
  private var rest: [UInt8] = []
  private var values: [Int32?] = [nil, nil, nil]
  private var hasChanged = false
  private var isDropping = false
  private var hasHeader = false
  private var isAligned = true

  /// The bytes that are examined at most, and at least: four 64-bit events.
  static let (longestHead, shortestHead) = (16 * 24, 4 * 24)

  init?(_ head: [UInt8]) {
    guard let size = Self.size(of: head) else { return nil }
    self.size = size
  }

  /// The size in bytes of the events at the beginning of the data; `nil` if there are none.
  ///
  /// Four events or more that hold an axis and a report decide, whatever follows them: the fewest bytes that suffice are
  /// examined, however many have arrived, and damage that follows is a matter of the reader.
  static func size(of head: [UInt8]) -> Int? {
    let most = min(head.count, longestHead)
    for count in stride(from: min(shortestHead, most), through: most, by: 8) {
      if let size = [24, 16].first(where: { holdsEvents(head, count, of: $0) }) { return size }
    }
    return nil
  }

  private static func holdsEvents(_ head: [UInt8], _ count: Int, of size: Int) -> Bool {
    var (axes, reports, last) = (0, 0, Int.min)
    for index in 0..<count / size {
      guard let event = event(head, index * size, size), event.seconds >= last,
        event.seconds - max(last, 0) < 86_400 || last == .min
      else { return false }
      last = event.seconds
      if event.type == 3, event.code < 3 { axes += 1 }
      if event.type == 0 { reports += 1 }
      if index >= 3, axes > 0, reports > 0 { return true }
    }
    return false
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    rest += input
    var place = 0
    while place + 2 * size <= rest.count || (isLast && place + size <= rest.count) {
      guard let event = Self.event(rest, place, size),
        isAligned || (place + 2 * size <= rest.count && Self.event(rest, place + size, size) != nil)
      else {
        // An invalid row marks the loss, so that the reader counts it.
        if isAligned { output += Array("damaged\n".utf8) }
        (isAligned, isDropping) = (false, true)
        place += 1
        continue
      }
      isAligned = true
      take(event, &output)
      place += size
    }
    rest.removeFirst(place)
  }

  private func take(_ event: Event, _ output: inout [UInt8]) {
    switch (event.type, event.code) {
    case (3, 0...2) where !isDropping:
      values[Int(event.code)] = event.value
      hasChanged = true
    // The kernel's buffer overflowed: the events up to the next report are part of a sample.
    case (0, 3): isDropping = true
    case (0, 0):
      defer { (isDropping, hasChanged) = (false, false) }
      guard !isDropping, hasChanged, let x = values[0], let y = values[1], let z = values[2] else { return }
      if !hasHeader { output += Array("time (s),x,y,z\n".utf8) }
      hasHeader = true
      let fraction = String(1_000_000 + event.microseconds).dropFirst()
      output += Array("\(event.seconds).\(fraction),\(x),\(y),\(z)\n".utf8)
    default: break
    }
  }

  /// The event at an offset, if it is plausible.
  private static func event(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Event? {
    let span = bytes.span
    let wide = size == 24
    let seconds = wide ? span.uint64(place) : UInt64(span.uint32(place))
    let microseconds = wide ? span.uint64(place + 8) : UInt64(span.uint32(place + 4))
    let rest = place + size - 8
    let type = span.uint16(rest)
    // Types up to EV_MAX; times up to the year 2106.
    guard seconds < 1 << 32, microseconds < 1_000_000, type < 0x20, span.uint16(rest + 2) < 0x300 else { return nil }
    return Event(
      seconds: Int(seconds), microseconds: Int(microseconds), type: type, code: span.uint16(rest + 2),
      value: Int32(bitPattern: span.uint32(rest + 4)))
  }
}
