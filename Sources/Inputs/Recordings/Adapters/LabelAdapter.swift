import Accelerometry

/// Lines in which each number has a name, or three numbers are in parentheses: `AccelX:1.17,AccelY:0.40,AccelZ:9.68`,
/// `Acceleration X: 1.17, Y: 0.40, Z: 9.68 m/s^2`, `Got accel={x=1.166 m/s², …}`, `(1.17, 0.40, 9.68)`, with or without
/// a leading time.
///
/// The first lines show which numbers are the acceleration; each line that contains them becomes a row. Other lines (of
/// a gyroscope, or a temperature) become empty lines, so that line numbers do not change.
final class LabelAdapter: LineAdapter {
  private typealias Item = LineItems.Item

  /// The names of a line's numbers, the same for all lines of a kind.
  private struct Shape: Equatable {
    var names: [[String]]
    var x: Int
    var time: Int?
    var unitOfTime: String?
    var unit: AccelerationUnit?
    var quantity: ColumnName.Quantity
  }

  private let shape: Shape
  private let firstName: [String]?
  var lines = TextLines()
  private var hasSample = false
  /// Lines with the same quantity beside other names.
  private var others = 0
  /// Whether the lines with some names are such.
  private var verdicts: [[String]: Bool] = [:]
  private static let mostVerdicts = 64

  var remarks: [String] {
    others == 0
      ? [] : ["\(others) lines have an acceleration beside other names, perhaps of another sensor; they were not used"]
  }

  init?(_ head: [UInt8]) {
    guard !JSONAdapter.mayBegin(head), !Self.beginsAsTable(head) else { return nil }
    var shapes: [(shape: Shape, count: Int)] = []
    var lines = 0
    for line in head.split(separator: 0x0A).prefix(200) {
      lines += 1
      guard let found = Self.shape(of: Array(line)) else { continue }
      if let known = shapes.firstIndex(where: { $0.shape.names == found.names }) {
        shapes[known].count += 1
      } else {
        shapes.append((found, 1))
      }
    }
    // Samples recur: in at least one of six lines.
    let usual = shapes.filter { $0.count >= 3 && $0.count * 6 >= lines }
    guard let best = usual.min(by: { ($0.shape.quantity, -$0.count) < ($1.shape.quantity, -$1.count) }) else {
      return nil
    }
    var shape = best.shape
    // Four numbers without names, such as `(1.50, 0.12, 0.40, 9.68)`: the first is the time if it increases.
    if shape.time == nil, shape.names.count == 4, shape.names.allSatisfy(\.isEmpty) {
      guard Self.firstNumbersRise(head, names: shape.names) else { return nil }
      (shape.time, shape.x) = (0, 1)
    }
    // `1234, x=0.12 y=0.40 z=0.97` and `[1234] X: 0.12 …`.
    if shape.time == nil, shape.x > 0, shape.names[0].isEmpty, Self.firstNumbersRise(head, names: shape.names) {
      shape.time = 0
    }
    self.shape = shape
    firstName = shape.names.enumerated().first { $0.offset != shape.time || !$0.element.isEmpty }?.element
    self.lines.preface = Array(header.utf8)
  }

  /// The name of a line's first number that is not a time in front of it; `nil` without numbers.
  private static func firstName(_ items: [Item]) -> [String]? {
    items.first { !$0.isClock || !$0.words.isEmpty }?.words
  }

  private static func firstNumbersRise(_ head: [UInt8], names: [[String]]) -> Bool {
    let numbers = head.split(separator: 0x0A).prefix(TextAdapters.linesOfHead).compactMap { line -> Double? in
      let line = Array(line)
      let items = LineItems.of(line, most: names.count + 1)
      return items.map(\.words) == names ? Double(String(decoding: line[items[0].text], as: UTF8.self)) : nil
    }
    return numbers.count >= 3 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Whether the lines with numbers are rows of a table. A single one among more than two lines is not a table: `ets
  /// Jul 29 2019 12:21:46`.
  private static func beginsAsTable(_ head: [UInt8]) -> Bool {
    let lines = head.split(separator: 0x0A).prefix(TextAdapters.linesOfHead)
    let rows = lines.count(where: isRow)
    return rows > 1 || (rows == 1 && lines.count <= 2)
  }

  /// Whether a line may be a row of a table: three numbers or more, which are most of its fields.
  static func isRow(_ line: ArraySlice<UInt8>) -> Bool {
    // A time in brackets stands before a message: `[08:15:00.000] 0.12 0.40 0.97`.
    if line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")),
      line[..<end].contains(UInt8(ascii: ":"))
    {
      return false
    }
    // A tuple, a list or a dictionary of Python.
    if zip(line, line.dropFirst()).contains(where: { mark, next in
      "{([".utf8.contains(mark) && (next &- 0x30 <= 9 || "-'\"".utf8.contains(next))
    }) {
      return false
    }
    if hasLabels(line) { return false }
    return CSVDialect.candidates.contains { dialect in
      var fields: [Range<Int>] = []
      dialect.split(line.span, 0..<line.count, limit: 64, into: &fields)
      let values = fields.count { RowColumns.isValue(line.span, $0, decimalComma: dialect.decimalComma) }
      return values >= 3 && values * 2 >= fields.count
    }
  }

  /// Whether two numbers or more have a name in front, as in `Accel: 0.12, 0.04, 0.98 Gyro: 0.1, 0.7, 0.2`, or an arrow stands between a
  /// time and a message. Cells with names among twice as many numbers are text beside a row.
  static func hasLabels(_ line: ArraySlice<UInt8>) -> Bool {
    var (labels, cells, numbers) = (0, 0, 0)
    for cell in line.split(omittingEmptySubsequences: false, whereSeparator: { ",;|\t".utf8.contains($0) }) {
      let found = labelled(cell)
      labels += found
      if found > 0 { cells += 1 } else if isNumber(cell) { numbers += 1 }
    }
    if labels > 1, numbers < 2 * cells || numbers < 3 { return true }
    guard let arrow = line.firstRange(of: " -> ".utf8) else { return false }
    let time = Array(line[..<arrow.lowerBound])
    return DateTimeText.parseTimeOfDay(time.span, time.indices) != nil
      || DateTimeText.parseDateAndTime(time.span, time.indices) != nil
  }

  /// The numbers with a name in front; in `AC:1D:2E` and `fe80::1` there are none.
  private static func labelled(_ cell: ArraySlice<UInt8>) -> Int {
    let words = cell.split(separator: 0x20)
    return words.indices.count { index in
      let word = words[index]
      guard word.count(where: { ":=".utf8.contains($0) }) == 1,
        let mark = word.firstIndex(where: { ":=".utf8.contains($0) })
      else { return false }
      let value = mark + 1 < word.endIndex ? word[(mark + 1)...] : index + 1 < words.endIndex ? words[index + 1] : []
      return word[..<mark].contains { $0 | 0x20 &- 0x61 < 26 } && isNumber(value)
    }
  }

  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    Double(String(decoding: text.filter { $0 != 0x20 }, as: UTF8.self))?.isFinite == true
  }

  /// The column names, written in front of the first row. Later line numbers are therefore one higher.
  private var header: String {
    let unit =
      switch shape.unit {
      case .g?: " (g)"
      case .milliG?: " (mg)"
      case .metresPerSecondSquared?: " (m/s^2)"
      case .raw?, nil: ""
      }
    let kind = shape.quantity == .linear ? "linear acceleration " : "acceleration "
    let time = shape.time.map { shape.unitOfTime.map { "time (\($0))" } ?? shape.names[$0].joined(separator: " ") }
    let names = ["x", "y", "z"].map { kind + $0 + unit }
    return ((time.map { [$0.isEmpty ? "time" : $0] } ?? []) + names).joined(separator: ",") + "\n"
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    let items = LineItems.of(line, most: shape.names.count + 1)
    let names = items.map(\.words)
    if names == shape.names {
      hasSample = true
      if let time = shape.time {
        output += line[items[time].text]
        output.append(UInt8(ascii: ","))
      }
      for axis in 0..<3 {
        output += line[items[shape.x + axis].text]
        if axis < 2 { output.append(UInt8(ascii: ",")) }
      }
    } else if let first = Self.firstName(items), first == firstName, names.count != shape.names.count {
      // The line begins like a sample but is invalid.
      output += Array("damaged".utf8)
    } else if isOfOther(line, names.map { $0.joined(separator: " ") }) {
      others += 1
    } else if !hasSample, StatedRate.speaksOfSamples(line) {
      output += Array("# ".utf8) + line
    }
    output.append(0x0A)
  }

  /// Whether a line has the same quantity beside other names.
  private func isOfOther(_ line: [UInt8], _ names: [String]) -> Bool {
    if let known = verdicts[names] { return known }
    guard verdicts.count < Self.mostVerdicts else { return false }
    let isOther = Self.shape(of: line)?.quantity == shape.quantity
    verdicts[names] = isOther
    return isOther
  }

  /// A line with more numbers is not a sample.
  private static let mostItems = 64

  /// Finds the acceleration among a line's numbers.
  private static func shape(of line: [UInt8]) -> Shape? {
    let items = LineItems.of(line, most: mostItems + 1)
    guard items.count >= 3, items.count <= mostItems else { return nil }
    let roles = items.map { ColumnName($0.words.joined(separator: " ")).role }
    let times = items.indices.filter {
      items[$0].isClock || isUnixTime(items[$0], line) || roles[$0].isTime || items[$0].unitOfTime != nil
    }
    var best: Shape?
    for start in 0...items.count - 3 {
      guard let quantity = quantity(items, roles, start) else { continue }
      let time = times.first { !(start..<start + 3).contains($0) }
      let unit = items[start..<start + 3].compactMap(\.unit).first
      let shape = Shape(
        names: items.map(\.words), x: start, time: time, unitOfTime: time.flatMap { items[$0].unitOfTime }, unit: unit,
        quantity: quantity)
      if best == nil || quantity < best?.quantity ?? quantity { best = shape }
    }
    return best
  }

  /// Whether a number without a name is Unix time in milliseconds or less, as InfluxDB's line protocol writes it behind
  /// the values, or in seconds with decimals in front of a line.
  private static func isUnixTime(_ item: Item, _ line: [UInt8]) -> Bool {
    let whole = line[item.text].prefix { $0 &- 0x30 <= 9 }
    guard item.words.isEmpty,
      whole.endIndex == item.text.upperBound ? whole.count >= 13 : whole.startIndex == 0 && whole.count >= 10
    else { return false }
    return Double(String(decoding: line[item.text], as: UTF8.self)).map(TimeGuess.isUnixTime) ?? false
  }

  /// The quantity of three consecutive numbers, if they are named x, y and z or are the only numbers.
  private static func quantity(_ items: [Item], _ roles: [ColumnName.Role], _ start: Int) -> ColumnName.Quantity? {
    let three = items[start..<start + 3]
    let areBare = three.allSatisfy { $0.words.isEmpty && !$0.isClock }
    if areBare {
      let others = items.count { !$0.isClock } - 3
      if others == 0 || (others == 1 && start == 1 && items[0].words.isEmpty) { return .unnamed }
    }
    // `SensorEvent{sensor=LIS3DH Accelerometer, timestamp=812, values=[0.1, 0.2, 9.7]}`, `type=3(accel_xyz) index=0: (0.1, 0.2, 9.7)`
    if areBare || items[start].words == ["values"], start + 3 == items.count,
      three.dropFirst().allSatisfy(\.words.isEmpty)
    {
      let rank = TaggedTable.rank(items[..<start].flatMap(\.words).joined(separator: " "))
      return rank == 0 ? .acceleration : rank == 1 ? .linear : nil
    }
    // A single name before three numbers: `acc=(0.1, 0.2, 0.9)`.
    if !items[start].words.isEmpty, items[start + 1].words.isEmpty, items[start + 2].words.isEmpty,
      !three.contains(where: \.isClock), start + 3 == items.count || !items[start + 3].words.isEmpty,
      case .axis(_, let quantity, _) = ColumnName(items[start].words.joined(separator: " ") + " x").role
    {
      return quantity != .unnamed ? quantity : items[start].unit == nil ? nil : .acceleration
    }
    // The last word is the axis; the words before it name the sensor, once for all three axes.
    let axes = roles[start..<start + 3].compactMap { role -> (ColumnName.Axis, ColumnName.Quantity)? in
      if case .axis(let axis, let quantity, _) = role { (axis, quantity) } else { nil }
    }
    return axes.map(\.0) == [.x, .y, .z] ? axes[0].1 : nil
  }
}
