/// Lines of a logger, each with its time in front: ESP-IDF's, with milliseconds since boot, and Android's logcat.
///
///     I (345) mpu6050 test: acce_x:0.07, acce_y:0.21, acce_z:0.98
///     03-05 14:02:10.000  8123  8150 D StepTest: onSensorChanged type=1 values=[0.7230, 2.0159, 9.5840] acc=3
///
/// The prefix becomes a time in front of the message, which is read as if it stood alone.
final class LogPrefixAdapter: TextAdapter {
  /// A line without its prefix.
  private struct Entry {
    /// Seconds since boot, or the time of day.
    var time: String
    var isClock = false
    var message: ArraySlice<UInt8>
  }

  private let inner: (any TextAdapter)?
  /// Whether messages are three numbers alone; otherwise names stand beside them.
  private let isPlain: Bool
  private let isClock: Bool
  private var lines = TextLines()
  private var hasHeader = false

  var remarks: [String] { inner?.remarks ?? [] }

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(200)
    let entries = lines.compactMap { Self.entry($0) }
    guard entries.count >= 3, entries.count * 2 >= lines.count else { return nil }
    isClock = entries[0].isClock
    let plain = entries.count { Self.numbers($0.message) != nil }
    isPlain = plain >= 3 && plain * 6 >= entries.count
    if isPlain {
      inner = nil
      return
    }
    let rewritten = Array(lines.map(Self.rewritten).joined(separator: [0x0A])) + [0x0A]
    guard let labels = LabelAdapter(rewritten) else { return nil }
    inner = labels
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    if isPlain, !hasHeader { output += Array((isClock ? "time,x,y,z\n" : "time (s),x,y,z\n").utf8) }
    hasHeader = true
    var text: [UInt8] = []
    lines.add(input, isLast: isLast, into: &text) { line, text in
      if isPlain {
        if let entry = Self.entry(line), let numbers = Self.numbers(entry.message) {
          text += Array("\(entry.time),\(numbers.joined(separator: ","))".utf8)
        }
      } else {
        text += Self.rewritten(line)
      }
      text.append(0x0A)
    }
    if let inner { inner.adapt(text[...], isLast: isLast, into: &output) } else { output += text }
  }

  func failure(path: String) -> RecordingError? { inner?.failure(path: path) }

  /// A line with its time as a named number; a line without a prefix as it is, and nothing of a message without three
  /// numbers, which is no sample.
  private static func rewritten(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard let entry = entry(line) else { return Array(line) }
    let digits = entry.message.map { (0x30...0x39).contains($0) }
    guard zip(digits, digits.dropFirst()).count(where: { !$0 && $1 }) >= 3 else { return [] }
    return Array((entry.isClock ? "\(entry.time) " : "time_s:\(entry.time), ").utf8) + entry.message
  }

  /// The time and the message of a line; `nil` for a line of another form.
  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    var rest = line
    if rest.last == 0x0D { rest = rest.dropLast() }
    // The colour of a level, and its end.
    if rest.starts(with: "\u{1B}[".utf8), let end = rest.firstIndex(of: UInt8(ascii: "m")) { rest = rest[(end + 1)...] }
    if rest.suffix(4).elementsEqual("\u{1B}[0m".utf8) { rest = rest.dropLast(4) }
    return bootEntry(rest) ?? clockEntry(rest)
  }

  /// `I (345) tag: message`.
  private static func bootEntry(_ line: ArraySlice<UInt8>) -> Entry? {
    guard let level = line.first, "EWIDV".utf8.contains(level), line.dropFirst().starts(with: " (".utf8) else {
      return nil
    }
    let digits = line.dropFirst(3).prefix { (0x30...0x39).contains($0) }
    guard (1...15).contains(digits.count), line[digits.endIndex...].starts(with: ") ".utf8),
      let milliseconds = Int(String(decoding: digits, as: UTF8.self)), let message = message(line[digits.endIndex...])
    else { return nil }
    let rest = String(milliseconds % 1000)
    return Entry(
      time: "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)", message: message)
  }

  /// `03-05 14:02:10.000  8123  8150 D Tag: message`, with a year or without one.
  private static func clockEntry(_ line: ArraySlice<UInt8>) -> Entry? {
    let words = line.split(separator: 0x20, maxSplits: 16)
    guard words.count >= 6, words[0].count == 5 || words[0].count == 10, words[0].contains(UInt8(ascii: "-")),
      Int(String(decoding: words[2], as: UTF8.self)) != nil, Int(String(decoding: words[3], as: UTF8.self)) != nil,
      words[4].count == 1, "VDIWEF".utf8.contains(words[4].first ?? 0),
      let message = message(line[words[4].endIndex...])
    else { return nil }
    let clock = Array(words[1])
    guard DateTimeText.parseTimeOfDay(clock.span, clock.indices) != nil else { return nil }
    return Entry(time: String(decoding: clock, as: UTF8.self), isClock: true, message: message)
  }

  /// What follows the tag.
  private static func message(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon < line.endIndex - 1 else { return nil }
    return line[(colon + 1)...].drop { $0 == 0x20 }
  }

  /// The three numbers that a message is, or that it has in brackets; of Android's sensors, only the accelerometer's.
  private static func numbers(_ message: ArraySlice<UInt8>) -> [String]? {
    var text = String(decoding: message, as: UTF8.self)
    if text.contains("type="), !["type=1 ", "type=1,", "type=10"].contains(where: { text.contains($0) }) { return nil }
    for (open, close): (Character, Character) in [("[", "]"), ("(", ")"), ("{", "}")] {
      guard let begin = text.range(of: open), let end = text.range(of: close, in: begin.upperBound) else { continue }
      text = String(text[begin.upperBound..<end])
      break
    }
    let parts = text.split { ", \t;".contains($0) }
    guard parts.count == 3, parts.allSatisfy({ Double($0)?.isFinite == true }) else { return nil }
    return parts.map(String.init)
  }
}

extension String {
  fileprivate func range(of mark: Character) -> Range<Index>? {
    firstIndex(of: mark).map { $0..<index(after: $0) }
  }

  fileprivate func range(of mark: Character, in begin: Index) -> Index? { self[begin...].firstIndex(of: mark) }
}
