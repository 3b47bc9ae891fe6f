/// The samples of an input device with an accelerometer: an event contains one axis that changed, and a report ends a group of
/// events, which is one sample once all axes are known.
private struct InputReports {
  private var values: [Int?] = [nil, nil, nil]
  private var hasChanged = false
  private var hasHeader = false
  /// Counts per g; 0 if unknown, so that the unit is detected.
  var resolution = 0

  /// - Parameter isInitial: whether it stands above the events.
  mutating func set(_ code: Int?, _ value: Int?, isInitial: Bool = false) {
    guard let code, let value, (0..<3).contains(code) else { return }
    values[code] = value
    hasChanged = hasChanged || !isInitial
  }

  mutating func report(_ time: String, _ output: inout [UInt8]) {
    guard hasChanged, let x = values[0], let y = values[1], let z = values[2] else { return }
    drop()
    let unit = resolution > 1 ? " (g)" : ""
    if !hasHeader { output += Array("time (s),x\(unit),y\(unit),z\(unit)\n".utf8) }
    hasHeader = true
    let axes = [x, y, z].map { resolution > 1 ? "\(Double($0) / Double(resolution))" : "\($0)" }
    output += Array("\(time),\(axes.joined(separator: ","))\n".utf8)
  }

  /// Leaves out the sample that the events since the last report belong to.
  mutating func drop() { hasChanged = false }

  static func time(_ seconds: Int, _ microseconds: Int) -> String {
    "\(seconds)." + String(1_000_000 + microseconds).dropFirst()
  }
}

/// Output of evtest, `evemu-record` and `libinput record` for an input device with an accelerometer.
///
///     Event: time 1.234567, type 3 (EV_ABS), code 0 (ABS_X), value 12     Event: time 1.234567, -------------- SYN_REPORT
///     E: 0.000001 0003 0000 0012                                          E: 0.000001 0000 0000 0000
///     - [  0, 443750,   3,   0,    12] # EV_ABS / ABS_X                   - [  0, 443750,   0,   0,     0]
///
/// The header states the first values and the counts per g (`Resolution`, or the last of five or six numbers).
final class InputEventAdapter: LineAdapter {
  var lines = TextLines()
  private var reports = InputReports()
  private var code: Int?

  init?(_ head: [UInt8]) {
    let text = head.span.extracting(first: 4096)
    let parts = ["Input driver version is", "-------------- SYN_REPORT", "\nE: 0", "\nlibinput:"]
    let beginnings = ["# EVEMU", "# libinput record"]
    guard
      parts.contains(where: { text.firstPlace(of: $0) != nil })
        || beginnings.contains(where: { head.starts(with: $0.utf8) })
    else { return nil }
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    let words = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
      .split { " ,()[]\t:".contains($0) }
    guard let first = words.first else { return }
    let numbers = words.dropFirst().compactMap { Int($0) }
    func number(behind name: Substring) -> Int? {
      words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
    }
    switch (first, words.count) {
    case ("Event", 3...) where words[1] == "time":
      if words.contains("SYN_REPORT") {
        reports.report(String(words[2]), &output)
      } else if number(behind: "type") == 3 {
        reports.set(number(behind: "code"), number(behind: "value"))
      }
    case ("Event", 3...) where words[1] == "code": code = words.last?.hasPrefix("ABS_") == true ? Int(words[2]) : nil
    case ("Value", 2): reports.set(code, numbers.first, isInitial: true)
    case ("Resolution", 2): note(resolution: numbers.first, of: code)
    case ("A", 7...): note(resolution: Int(words[6]), of: Int(words[1], radix: 16))
    case ("E", 5...):
      guard let type = Int(words[2], radix: 16), let code = Int(words[3], radix: 16) else { return }
      if type == 0, code == 0 { reports.report(String(words[1]), &output) }
      if type == 3 { reports.set(code, Int(words[4])) }
    case ("-", 6) where numbers.count == 5:
      if numbers[2] == 0, numbers[3] == 0 { reports.report(InputReports.time(numbers[0], numbers[1]), &output) }
      if numbers[2] == 3 { reports.set(numbers[3], numbers[4]) }
    case (_, 6) where numbers.count == 5: note(resolution: numbers[4], of: Int(first))
    default: break
    }
  }

  private func note(resolution: Int?, of code: Int?) {
    guard let resolution, let code, (0..<3).contains(code) else { return }
    reports.resolution = max(reports.resolution, resolution)
  }
}

/// Raw bytes of `/dev/input/event*`: `struct input_event` of 24 bytes, or of 16 from 32-bit kernels (linux/input.h),
/// little-endian. After lost bytes, decoding resumes at the next position with consecutive events.
final class InputStreamAdapter: TextAdapter {
  private struct Event {
    var seconds: Int
    var microseconds: Int
    var type: UInt16
    var code: UInt16
    var value: Int32
  }

  private let size: Int
  private var rest: [UInt8] = []
  private var reports = InputReports()
  private var isDropping = false
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
    case (3, _) where !isDropping: reports.set(Int(event.code), Int(event.value))
    // The kernel's buffer overflowed: the events up to the next report are part of a sample.
    case (0, 3): isDropping = true
    case (0, 0):
      if isDropping { reports.drop() }
      isDropping = false
      reports.report(InputReports.time(event.seconds, event.microseconds), &output)
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
