/// Text with one number per line: `ros2 topic echo` and `rostopic echo` of an IMU (YAML, one document per message), and Teleplot lines of a
/// serial port (`>ax:1500:0.12`, with an optional time in milliseconds). Lines of a name and a number need no mark in front:
/// `x:12` as of a micro:bit, `board/acc/x 0.12` as of `mosquitto_sub -v`.
///
/// A row is written when all three axes have been set since the last one.
final class FieldAdapter: LineAdapter {
  private enum Kind { case message, teleplot }

  private let kind: Kind
  var lines = TextLines()
  private var hasHeader = false
  /// For messages: the keys above the line with their indentation.
  private var path: [(indent: Int, key: String)] = []
  private var seconds: String?
  private var nanoseconds: String?
  /// For Teleplot: the prefix of the axes' letters, such as `a` or `accel_`.
  private let prefix: String
  /// Whether each line begins with the mark of Teleplot.
  private let isMarked: Bool
  /// Whether lines have times. A sample before the first of them has none.
  private let hasTimes: Bool
  private var timeName = "time (ms)"
  private static let fewestNamed = 9
  private var time: String?
  private var axes: [String?] = [nil, nil, nil]

  /// Keys of messages that contain an acceleration.
  private static let accelerations: Set = ["linear_acceleration", "accel", "acceleration", "linear"]

  init?(_ head: [UInt8]) {
    let lines = String(decoding: head.prefix(8192), as: UTF8.self).split(separator: "\n")
    if lines.contains(where: { $0.hasPrefix("linear_acceleration:") || $0.hasPrefix("accel:") }),
      lines.contains(where: { $0.hasPrefix("    sec:") || $0.hasPrefix("    secs:") })
    {
      (kind, prefix, isMarked, hasTimes) = (.message, "", true, false)
      return
    }
    let marked = lines.contains { Self.teleplot($0) != nil }
    // Without the mark, hardly any line is another one.
    let named = marked ? [] : lines.compactMap { Self.named($0) }
    isMarked = marked
    hasTimes = named.contains { ColumnName($0.name).role.isTime }
    guard marked || (named.count >= Self.fewestNamed && named.count * 10 >= lines.count * 9) else { return nil }
    let names = Set(marked ? lines.compactMap { Self.teleplot($0)?.name } : named.map(\.name))
    // Prefers the name of an acceleration if several quantities have axes.
    let prefixes = names.filter { $0.last == "x" }.map { String($0.dropLast()) }
      .filter { prefix in ["y", "z"].allSatisfy { names.contains(prefix + $0) } }
      .filter { marked ? !$0.hasPrefix("g") && !$0.hasPrefix("m") : Self.rank($0) < TaggedTable.otherSensor }
    let rank = { (prefix: String) in marked ? prefix.hasPrefix("a") ? 0 : 1 : Self.rank(prefix) }
    guard let best = prefixes.min(by: { (rank($0), $0) < (rank($1), $1) }) else { return nil }
    (kind, prefix) = (.teleplot, best)
  }

  private static func rank(_ prefix: String) -> Int {
    // Turns may be named like axes of g: `gx`.
    if case .axis(_, let quantity, _) = ColumnName(prefix + "x").role, quantity != .ambiguous {
      return quantity == .linear ? 1 : 0
    }
    return TaggedTable.rank(prefix) ?? TaggedTable.otherSensor
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    let line = String(decoding: line, as: UTF8.self)
    switch kind {
    case .message: takeMessage(line, &output)
    case .teleplot: takeTeleplot(line, &output)
    }
  }

  private func takeMessage(_ line: String, _ output: inout [UInt8]) {
    if line.hasPrefix("---") {
      (seconds, nanoseconds, axes, path) = (nil, nil, [nil, nil, nil], [])
      return
    }
    let indent = line.prefix { $0 == " " }.count
    let parts = line.dropFirst(indent).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    while let last = path.last, last.indent >= indent { path.removeLast() }
    let key = String(parts[0])
    let value = parts[1].filter { $0 != " " && $0 != "\r" }
    if value.isEmpty {
      if path.count < 8 { path.append((indent, key)) }
      return
    }
    let parent = path.last?.key ?? ""
    switch (parent, key) {
    case ("stamp", "sec"), ("stamp", "secs"): seconds = value
    case ("stamp", "nanosec"), ("stamp", "nsecs"): nanoseconds = value
    case (_, "x") where Self.accelerations.contains(parent): axes[0] = value
    case (_, "y") where Self.accelerations.contains(parent): axes[1] = value
    case (_, "z") where Self.accelerations.contains(parent):
      axes[2] = value
      guard let seconds, let fraction = nanoseconds, fraction.utf8.count <= 9 else { return }
      time = "\(seconds).\(String(repeating: "0", count: 9 - fraction.utf8.count))\(fraction)"
      write(header: "time (s),x (m/s^2),y (m/s^2),z (m/s^2)", &output)
    default: break
    }
  }

  private func takeTeleplot(_ line: String, _ output: inout [UInt8]) {
    if !isMarked, let field = Self.named(line), case .time = ColumnName(field.name).role {
      (time, timeName, axes) = (field.value, field.name, [nil, nil, nil])
      return
    }
    guard let field = isMarked ? Self.teleplot(line) : Self.named(line), field.name.dropLast() == prefix,
      let axis = ["x", "y", "z"].firstIndex(of: field.name.last.map { String($0) } ?? "")
    else { return }
    // Another time begins another sample, even if the previous one is incomplete.
    if isMarked {
      if field.time != time { axes = [nil, nil, nil] }
      time = field.time
    }
    axes[axis] = field.value
    write(header: time == nil ? "x,y,z" : "\(timeName),x,y,z", &output)
  }

  /// `>name:value` or `>name:time:value`, optionally followed by `§unit` and by flags after a bar.
  private static func teleplot(_ line: some StringProtocol) -> (name: String, time: String?, value: String)? {
    guard line.first == ">" else { return nil }
    let parts = line.dropFirst().prefix { $0 != "§" && $0 != "|" && $0 != "\r" }.split(separator: ":")
    guard parts.count == 2 || parts.count == 3, let value = parts.last, Double(value) != nil else { return nil }
    return (parts[0].lowercased(), parts.count == 3 ? String(parts[1]) : nil, String(value))
  }

  /// `name:value`, `name=value` or `name value`, and nothing else; the name ends in a letter.
  private static func named(_ line: some StringProtocol) -> (name: String, time: String?, value: String)? {
    // An element of a list of YAML begins with a dash.
    let text = line.hasPrefix("- ") ? line.dropFirst(2) : line.dropFirst(0)
    let words = text.utf8.count <= longestNamed ? text.split { ": =\t\r".contains($0) } : []
    guard words.count == 2, words[0].last?.isLetter == true, Double(words[1])?.isFinite == true else { return nil }
    return (words[0].lowercased(), nil, String(words[1]))
  }

  private static let longestNamed = 256

  private func write(header: String, _ output: inout [UInt8]) {
    guard let x = axes[0], let y = axes[1], let z = axes[2] else { return }
    defer { axes = [nil, nil, nil] }
    if hasTimes, time == nil { return }
    if !hasHeader { output += Array((header + "\n").utf8) }
    hasHeader = true
    output += Array(((time.map { $0 + "," } ?? "") + "\(x),\(y),\(z)\n").utf8)
  }
}
