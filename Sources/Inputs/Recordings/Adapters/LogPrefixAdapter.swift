import JSONLines

/// Lines of a logger, each with its time in front: ESP-IDF's, with milliseconds since boot, Android's logcat, and those of
/// Python, Java, C++ and .NET, with a level behind the time.
///
///     I (345) mpu6050 test: acce_x:0.07, acce_y:0.21, acce_z:0.98
///     2026-05-04 08:15:00,020 - INFO - 0.12,0.40,0.97
///     [2026-05-04 08:15:00.020] [imu] [info] x=0.12 y=0.40 z=0.97
///     03-05 14:02:10.000  8123  8150 D StepTest: onSensorChanged type=1 values=[0.7230, 2.0159, 9.5840] acc=3
///
/// The prefix becomes a time in front of the message, which is read as if it stood alone. Messages with another tag, or of
/// another of Android's sensors, become empty lines.
final class LogPrefixAdapter: TextAdapter {
  private struct Entry {
    /// Seconds since boot, or the time of day.
    var time: String
    var isClock = false
    var tag: String
    var message: ArraySlice<UInt8>

    /// What it is of: the tag, and the number of one of Android's sensors.
    var origin: String { LogPrefixAdapter.sensor(in: message).map { "\(tag), sensor \($0)" } ?? tag }

    /// Whether the message may be a sample.
    var hasThreeNumbers: Bool {
      let digits = message.map { (0x30...0x39).contains($0) }
      return zip([false] + digits, digits).count { !$0 && $1 } >= 3
    }
  }

  /// Reads what the messages become; `nil` where these are rows.
  private let inner: (any TextAdapter)?
  /// What a message becomes; `nil` for one that is no sample.
  private let rewrite: (Entry) -> [UInt8]?
  /// What the messages that are read are of.
  private let origin: String
  private let choice: [String]
  private var lines = TextLines()

  var remarks: [String] { choice + (inner?.remarks ?? []) }

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A).prefix(200)
    let entries = lines.compactMap { Self.entry($0) }
    guard entries.count >= 3, entries.count * 2 >= lines.count else { return nil }
    let samples = entries.filter(\.hasThreeNumbers)
    let readings = entries.filter { Self.reading($0) != nil }
    if readings.count * 2 > entries.count {
      let text = readings.compactMap { Self.reading($0) }.joined(separator: [0x0A])
      guard let table = AxisLinesAdapter(TextHead(Array(text))) else { return nil }
      (inner, rewrite, origin, choice) = (table, Self.reading, readings[0].origin, [])
      return
    }
    var origins: [String] = []
    for sample in samples where Self.rank(sample) < TaggedTable.otherSensor && !origins.contains(sample.origin) {
      if samples.count(where: { $0.origin == sample.origin }) >= 3 { origins.append(sample.origin) }
    }
    let ranks = Dictionary(samples.map { ($0.origin, Self.rank($0)) }) { first, _ in first }
    guard let origin = origins.min(by: { ranks[$0, default: 1] < ranks[$1, default: 1] }) else { return nil }
    // Where the names say which is the accelerometer, there was no choice.
    origins.removeAll { ranks[$0] != ranks[origin] }
    let own = samples.filter { $0.origin == origin }
    self.origin = origin
    choice =
      origins.count < 2
      ? []
      : [
        "the log has samples of \(origins.count) sources (\(origins.joined(separator: "; "))); only those of \(origin) were used"
      ]
    if own.count(where: { Self.row($0) != nil }) * 2 > own.count {
      (inner, rewrite) = (nil, Self.row)
      self.lines.preface = Array((own[0].isClock ? "time,x,y,z\n" : "time (s),x,y,z\n").utf8)
    } else {
      let messages = own.compactMap { Self.named($0) }
      guard let labels = LabelAdapter(Array(messages.joined(separator: [0x0A])) + [0x0A]) else { return nil }
      (inner, rewrite) = (labels, Self.named)
    }
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    var text: [UInt8] = []
    lines.add(input, isLast: isLast, into: &text) { line, text in
      if let entry = Self.entry(line), entry.origin == origin { text += rewrite(entry) ?? [] }
      text.append(0x0A)
    }
    if let inner { inner.adapt(text[...], isLast: isLast, into: &output) } else { output += text }
  }

  func failure(path: String) -> RecordingError? { inner?.failure(path: path) }

  /// See ``TaggedTable/rank(_:)``; 1 without a name that says anything.
  private static func rank(_ entry: Entry) -> Int {
    switch sensor(in: entry.message) {
    case 1?: 0
    case 10?: 1
    case .some: TaggedTable.otherSensor
    case nil: TaggedTable.rank(entry.tag) ?? 1
    }
  }

  /// The number of one of Android's sensors in `type=1`: 1 is the accelerometer, 10 the linear acceleration.
  private static func sensor(in message: ArraySlice<UInt8>) -> Int? {
    guard let match = String(decoding: message, as: UTF8.self).firstMatch(of: /\btype=(\d{1,5})\b/) else { return nil }
    return Int(match.1)
  }

  /// A message with names beside its numbers, and its time as one of these, or in front of it.
  private static func named(_ entry: Entry) -> [UInt8]? {
    guard entry.hasThreeNumbers else { return nil }
    return Array((entry.isClock ? "\(entry.time) " : "time_s:\(entry.time), ").utf8) + entry.message
  }

  /// The time, the name and the number of a message such as `X: 0.12`, separated by commas; `nil` for any other.
  private static func reading(_ entry: Entry) -> [UInt8]? {
    let text = Substring(decoding: entry.message, as: UTF8.self)
    guard text.utf8.count <= longestReading, let mark = text.lastIndex(where: { ":=".contains($0) }) else { return nil }
    // The name of the logger may stand in front.
    let name = (text[..<mark].split(separator: ":").last ?? "").filter { !$0.isWhitespace }
    let number = text[text.index(after: mark)...].filter { !$0.isWhitespace }
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || "_./".contains($0) }), Double(number)?.isFinite == true else {
      return nil
    }
    return Array("\(entry.time),\(name),\(number)".utf8)
  }

  /// The time and the message of a line; `nil` for a line of another form.
  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    var rest = line
    if rest.last == 0x0D { rest = rest.dropLast() }
    return letterEntry(rest) ?? levelEntry(rest)
  }

  private static let levels: Set = [
    "trace", "debug", "info", "notice", "warn", "warning", "error", "critical", "fatal", "verbose", "information",
    "trc", "dbg", "inf", "wrn", "err",
  ]

  /// In words.
  private static let mostBeforeLevel = 6

  /// A date and a time of day, and a level among the words behind them.
  private static func levelEntry(_ line: ArraySlice<UInt8>) -> Entry? {
    let isBracket = { (byte: UInt8) in byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }
    guard line.count <= LineBuffer.longestLine else { return nil }
    let words = line.prefix(longestPrefix).split(maxSplits: mostBeforeLevel + 3) { $0 == 0x20 || $0 == 0x09 }
    guard words.count > 2, let first = words[0].first, first &- 0x30 <= 9 || isBracket(first) else { return nil }
    var (time, end): (String?, Int) = (nil, 0)
    for count in [2, 1] {
      let text = Array(line[words[0].startIndex..<words[count - 1].endIndex].filter { !isBracket($0) })
      let isTime =
        DateTimeText.parseDateAndTime(text.span, text.indices) != nil
        || (count == 1 && DateTimeText.parseTimeOfDay(text.span, text.indices) != nil)
      guard isTime else { continue }
      (time, end) = (String(decoding: text, as: UTF8.self), count)
      break
    }
    guard let time else { return nil }
    let level = words[end...].prefix(mostBeforeLevel).firstIndex { word in
      let letters = word.filter { $0 | 0x20 &- 0x61 < 26 }
      return letters.count * 2 > word.count && levels.contains(String(decoding: letters, as: UTF8.self).lowercased())
    }
    guard let level else { return nil }
    // The name of the logger stands before the level, or between it and the message.
    let rest = line[words[level].endIndex...]
    var message = rest.drop { !($0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 <= 9 || "-+.({".utf8.contains($0)) }
    for mark in ["- ", "-- "] where message.starts(with: mark.utf8) {
      message = message.dropFirst(mark.utf8.count).drop { $0 == 0x20 }
    }
    // A bracket in front of a number begins a list.
    if message.startIndex > rest.startIndex, rest[message.startIndex - 1] == UInt8(ascii: "["),
      message.first.map({ $0 &- 0x30 <= 9 || "-+.".utf8.contains($0) }) ?? false
    {
      message = rest[(message.startIndex - 1)...]
    }
    for mark in [" - ", " -- ", "] "].map({ Array($0.utf8) }) {
      while let place = message.prefix(longestPrefix).firstRange(of: mark) {
        let (front, behind) = (message[..<place.lowerBound], message[place.upperBound...])
        guard !Entry(time: "", tag: "", message: front).hasThreeNumbers,
          Entry(time: "", tag: "", message: behind).hasThreeNumbers
        else { break }
        message = behind
      }
    }
    let tag = String(decoding: line[words[end].startIndex..<message.startIndex], as: UTF8.self)
    return Entry(
      time: time.replacing(",", with: "."), isClock: true,
      // The level, and the numbers of processes and threads, change from line to line.
      tag: tag.split { " -[]()|:".contains($0) }
        .filter { word in !word.contains(where: \.isNumber) && !levels.contains(word.lowercased()) }
        .joined(separator: " "),
      message: message)
  }

  /// In bytes.
  private static let longestPrefix = 256
  private static let longestReading = 64

  /// `I (345) tag: message`, or `03-05 14:02:10.000  8123  8150 D tag: message`, with a year or without one.
  private static func letterEntry(_ line: ArraySlice<UInt8>) -> Entry? {
    let words = line.split(separator: 0x20, maxSplits: 16)
    guard words.count > 2 else { return nil }
    let isBoot = words[0].count == 1 && words[1].first == UInt8(ascii: "(") && words[1].last == UInt8(ascii: ")")
    guard isBoot || words.count >= 6 else { return nil }
    let level = words[isBoot ? 0 : 4]
    guard level.count == 1, "VDIWEF".utf8.contains(level.first ?? 0),
      let (tag, message) = split(line[words[isBoot ? 1 : 4].endIndex...])
    else { return nil }
    if isBoot {
      let digits = String(decoding: words[1].dropFirst().dropLast(), as: UTF8.self)
      guard let time = Int(digits).flatMap({ Decimals.fixed(Double($0) / 1000, 3) }) else { return nil }
      return Entry(time: time, tag: tag, message: message)
    }
    let clock = Array(words[1])
    guard words[0].count == 5 || words[0].count == 10, words[0].contains(UInt8(ascii: "-")),
      words[2...3].allSatisfy({ Int(String(decoding: $0, as: UTF8.self)) != nil }),
      DateTimeText.parseTimeOfDay(clock.span, clock.indices) != nil
    else { return nil }
    return Entry(time: String(decoding: clock, as: UTF8.self), isClock: true, tag: tag, message: message)
  }

  private static func split(_ line: ArraySlice<UInt8>) -> (tag: String, message: ArraySlice<UInt8>)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon < line.endIndex - 1 else { return nil }
    let tag = String(decoding: line[..<colon].drop { $0 == 0x20 }, as: UTF8.self)
    return (tag, line[(colon + 1)...].drop { $0 == 0x20 })
  }

  /// The time and the three numbers that a message is, or that it has in brackets.
  private static func row(_ entry: Entry) -> [UInt8]? {
    var text = Substring(decoding: entry.message, as: UTF8.self)
    if let begin = text.firstIndex(where: { "[({".contains($0) }),
      let end = text[begin...].firstIndex(where: { "])}".contains($0) })
    {
      text = text[text.index(after: begin)..<end]
    }
    // A name may stand in front.
    if let colon = text.lastIndex(of: ":"), text[..<colon].allSatisfy({ $0.isLetter || " _.".contains($0) }) {
      text = text[text.index(after: colon)...]
    }
    let parts = text.split { ", \t;".contains($0) }
    guard parts.count == 3, parts.allSatisfy({ Double($0)?.isFinite == true }) else { return nil }
    return Array("\(entry.time),\(parts.joined(separator: ","))".utf8)
  }
}
