/// Output of Zephyr for a sensor: `sensor get` and `sensor stream` in its shell, and its polling sample.
///
///     channel type=3(accel_xyz) index=0 shift=5 num_samples=1 value=5020000000ns, (0.153229, -0.306458, 9.806650)
///     channel type=0(accel_x) index=0 shift=5 num_samples=1 value=5020000000ns, (0.153229)
///     channel idx=0 accel_x =   0.153229
///     fxos8700@1d [m/s^2]:    (    0.153229,    -0.306458,     9.806650)
///
/// Values are in m/s² (`SENSOR_CHAN_ACCEL_XYZ`), times in nanoseconds since boot. Other lines, such as a prompt or
/// another channel, become empty lines.
final class SensorShellAdapter: LineAdapter {
  var lines = TextLines()
  private let isTimed: Bool
  private var hasHeader = false
  private var axes: [String?] = [nil, nil, nil]

  init?(_ head: [UInt8]) {
    let samples = head.split(separator: 0x0A).prefix(TextAdapters.linesOfHead).compactMap {
      Self.reading(String(decoding: $0, as: UTF8.self)[...])
    }
    guard let first = samples.first else { return nil }
    isTimed = first.time != nil
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    if !hasHeader {
      hasHeader = true
      output += Array(((isTimed ? "time (ns)," : "") + "x (m/s^2),y (m/s^2),z (m/s^2)\n").utf8)
    }
    if let row = row(String(decoding: line, as: UTF8.self)[...]) { output += Array(row.utf8) }
    output.append(0x0A)
  }

  /// The row that a line completes.
  private func row(_ line: Substring) -> String? {
    guard let reading = Self.reading(line) else { return nil }
    for (axis, value) in reading.values { axes[axis] = value }
    // Samples with one line per axis are complete with z.
    guard reading.values.last?.axis == 2 else { return nil }
    defer { axes = [nil, nil, nil] }
    let values = axes.compactMap { $0 }
    guard values.count == 3, (reading.time != nil) == isTimed else { return "damaged" }
    return (reading.time.map { $0 + "," } ?? "") + values.joined(separator: ",")
  }

  private typealias Reading = (time: String?, values: [(axis: Int, value: String)])

  /// The acceleration in a line.
  private static func reading(_ line: Substring) -> Reading? {
    if let channel = line.behind("channel type=") {
      guard let named = channel.behind("("), let axes = axes(ofChannel: named.prefix { $0 != ")" }),
        let value = channel.behind("value=")
      else { return nil }
      let time = value.prefix { $0.isASCII && $0.isNumber }
      guard !time.isEmpty, value[time.endIndex...].hasPrefix("ns") else { return nil }
      return numbers(value).flatMap { pair(axes, $0, time: String(time)) }
    }
    if let channel = line.behind("channel idx=") {
      let words = channel.split { " =\r".contains($0) }
      guard words.count == 3, let axes = axes(ofChannel: words[1]), axes.count == 1, Double(words[2]) != nil else {
        return nil
      }
      return (nil, [(axes[0], String(words[2]))])
    }
    guard let values = line.behind("[m/s^2]:") else { return nil }
    return numbers(values).flatMap { pair([0, 1, 2], $0, time: nil) }
  }

  private static func axes(ofChannel name: Substring) -> [Int]? {
    switch name {
    case "accel_xyz": [0, 1, 2]
    case "accel_x": [0]
    case "accel_y": [1]
    case "accel_z": [2]
    default: nil
    }
  }

  private static func pair(_ axes: [Int], _ values: [String], time: String?) -> Reading? {
    axes.count == values.count ? (time, zip(axes, values).map { (axis: $0.0, value: $0.1) }) : nil
  }

  /// The numbers in the next parentheses.
  private static func numbers(_ text: Substring) -> [String]? {
    guard let open = text.behind("("), let close = open.firstIndex(of: ")") else { return nil }
    let parts = open[..<close].split(separator: ",").map { $0.filter { $0 != " " } }
    return parts.allSatisfy { Double($0) != nil } ? parts : nil
  }
}

extension Substring {
  /// The text after some characters.
  fileprivate func behind(_ letters: String) -> Substring? {
    var rest = self
    while let first = letters.first, let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.hasPrefix(letters) { return rest.dropFirst(letters.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
