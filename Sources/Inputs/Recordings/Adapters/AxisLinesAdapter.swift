/// Text in which each line has one axis of a sample:
///
///     time,name,value                       1709647330.000 home/imu/accel/x 0.7230       x:12
///     1709647330000,accelX,0.0737           1709647330.001 home/imu/accel/y 2.0159       y:3
///     1709647330000,accelY,0.2056           1709647330.002 home/imu/accel/z 9.5840       z:1005
///
///     accel{axis="x",instance="pi"} 0.1075 1709647330000          >ax:1500:0.12          channel idx=0 accel_x =   0.153
///
/// and the output of `ros2 topic echo` and `rostopic echo` (YAML, a document for each message). The three axes of a sample become
/// one row, at the time of the first of them. Other lines, also those of other sensors and devices, are left out.
final class AxisLinesAdapter: LineAdapter {
  struct Reading {
    /// The name of the axis; empty for a line that only has the time of the next ones.
    var name: [UInt8]
    var value: [UInt8]
    var time: [UInt8]?
  }

  /// A way to write such lines.
  private struct Form {
    var timeName = "time"
    var unit = ""
    var remarks: [String] = []
    /// Whether each line becomes one, so that rows keep their numbers. Elsewhere most lines are others.
    var keepsLines = false
    /// As many lines are of one sensor in the beginning: less than three samples if a line is unmistakable.
    var fewest = AxisLinesAdapter.fewestRows
    /// Notes what it needs to understand the next lines.
    var read: (_ line: [UInt8]) -> Reading?
  }

  /// Three samples.
  private static let fewestRows = 9
  private static let longestName = 256

  private static let forms: [@Sendable (TextHead) -> Form?] = [
    { _ in shell() }, { _ in teleplot() }, { messages($0) }, { named($0) }, { table($0) },
  ]

  var lines = TextLines()
  private let form: Form
  /// The name of the axes without their letter, and the axis with which a sample begins.
  private let stem: [UInt8]
  private let firstAxis: Int
  private let hasTimes: Bool
  private var sample: [[UInt8]?] = [nil, nil, nil]
  private var time: [UInt8]?
  /// The time of a line of its own.
  private var latest: [UInt8]?
  private let choice: [String]
  /// Samples of which an axis is missing.
  private var incomplete = 0

  init?(_ head: TextHead) {
    for make in Self.forms {
      guard let trial = make(head) else { continue }
      let readings = head.lines.compactMap { trial.read($0) }
      let stems = Self.stems(readings.map(\.name))
      // Another one, because the first remembers these lines.
      guard let stem = stems.first, let form = make(head) else { continue }
      let own = readings.compactMap { reading in
        Self.axis(of: reading.name, stem).map { (axis: $0, time: reading.time.flatMap(Self.number)) }
      }
      // All x before all y would have to be read whole.
      guard own.count >= trial.fewest,
        zip(own, own.dropFirst()).count(where: { $0.axis != $1.axis }) * 10 >= (own.count - 1) * 8
      else { continue }
      (self.form, self.stem, firstAxis) = (form, stem, Self.firstAxis(own))
      hasTimes = readings.contains { $0.time != nil || $0.name.isEmpty }
      let names = (hasTimes ? [form.timeName] : []) + ["x", "y", "z"].map { $0 + form.unit }
      lines.preface = Array((names.joined(separator: ",") + "\n").utf8)
      choice = form.remarks + Self.remarks("sensors", stems.map { $0.map { $0 == 0 ? UInt8(ascii: "x") : $0 } })
      return
    }
    return nil
  }

  var remarks: [String] {
    guard incomplete > 0 else { return choice }
    return choice + [
      incomplete == 1
        ? "1 sample lacks an axis and was left out" : "\(incomplete) samples lack an axis and were left out"
    ]
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    let length = output.count
    if let reading = form.read(line) { take(reading, into: &output) }
    if form.keepsLines || output.count > length { output.append(0x0A) }
  }

  private func take(_ reading: Reading, into output: inout [UInt8]) {
    guard !reading.name.isEmpty else {
      (latest, sample) = (reading.time, [nil, nil, nil])
      return
    }
    guard let axis = Self.axis(of: reading.name, stem) else { return }
    if axis == firstAxis {
      if sample.contains(where: { $0 != nil }) { incomplete += 1 }
      (sample, time) = ([nil, nil, nil], reading.time ?? latest)
    } else if sample[firstAxis] == nil {
      // The beginning of this sample was lost; its other axes are of no use.
      return
    }
    sample[axis] = reading.value
    let values = sample.compactMap(\.self)
    guard values.count == 3 else { return }
    sample = [nil, nil, nil]
    if !hasTimes || time != nil {
      output += ((time.map { [$0] } ?? []) + values).joined(separator: [UInt8(ascii: ",")])
    }
  }
}

// MARK: - Names of axes

extension AxisLinesAdapter {
  /// A name that ends in the letter of an axis, or has it in quotes as Prometheus writes labels, and the name with a zero in its
  /// place.
  private static func split(_ name: [UInt8]) -> (stem: [UInt8], letter: UInt8)? {
    func isAxis(_ place: Int) -> Bool { (UInt8(ascii: "x")...UInt8(ascii: "z")).contains(name[place] | 0x20) }
    let quote = UInt8(ascii: "\"")
    guard !name.isEmpty, name.count <= longestName,
      let place = isAxis(name.count - 1)
        ? name.count - 1
        : name.indices.dropFirst().dropLast().first(where: {
          name[$0 - 1] == quote && isAxis($0) && name[$0 + 1] == quote
        })
    else { return nil }
    var stem = name
    stem[place] = 0
    return (stem, name[place] | 0x20)
  }

  private static func axis(of name: [UInt8], _ stem: [UInt8]) -> Int? {
    guard let (found, letter) = split(name), found == stem else { return nil }
    return Int(letter - UInt8(ascii: "x"))
  }

  /// The stems of triples of axes, an acceleration first.
  private static func stems(_ names: [[UInt8]]) -> [[UInt8]] {
    var letters: [[UInt8]: Set<UInt8>] = [:]
    for (stem, letter) in names.compactMap(split) { letters[stem, default: []].insert(letter) }
    let ranked = letters.filter { $0.value.count == 3 }.keys.map { stem in
      let text = String(decoding: stem.filter { $0 != 0 }, as: UTF8.self)
      return (rank: rank(text), text: text, stem: stem)
    }
    return ranked.filter { $0.rank < TaggedTable.otherSensor }
      .sorted { ($0.rank, $0.stem.count, $0.text) < ($1.rank, $1.stem.count, $1.text) }.map(\.stem)
  }

  private static func rank(_ stem: String) -> Int {
    if let rank = TaggedTable.rank(stem) { return rank }
    // Turns may be named like axes of g: `gx`.
    guard case .axis(_, let quantity, _) = ColumnName(stem + "x").role, quantity != .ambiguous else {
      return TaggedTable.otherSensor
    }
    return quantity == .acceleration ? 0 : 1
  }

  /// The axis before which most time passes; without times the first one.
  private static func firstAxis(_ readings: [(axis: Int, time: Double?)]) -> Int {
    var waits = [0.0, 0, 0]
    for (former, reading) in zip(readings, readings.dropFirst()) {
      waits[reading.axis] += (reading.time ?? 0) - (former.time ?? 0)
    }
    return waits.indices.max { waits[$0] < waits[$1] } ?? 0
  }

  private static func number(_ text: [UInt8]) -> Double? {
    RowColumns.value(text.span, text.indices, decimalComma: false)
  }

  private static func remarks(_ kind: String, _ names: [[UInt8]]) -> [String] {
    guard names.count > 1 else { return [] }
    let texts = names.map { String(decoding: $0, as: UTF8.self) }
    return [
      "the rows are of \(texts.count) \(kind) (\(texts.joined(separator: ", "))); only those of \(texts[0]) were used"
    ]
  }
}

// MARK: - Forms

extension AxisLinesAdapter {
  /// Zephyr's shell and its older one, each with one axis in a line.
  private static func shell() -> Form {
    Form(timeName: "time (ns)", unit: " (m/s^2)", fewest: 3) { line in
      guard line.starts(with: "channel ".utf8) else { return nil }
      let items = LineItems.of(line, most: 16)
      guard let last = items.last,
        let name = items.flatMap(\.words).first(where: { $0.hasPrefix("accel_") && $0.count == 7 })
      else { return nil }
      let time = items.first { $0.unitOfTime != nil }.map { Array(line[$0.text]) }
      return Reading(name: Array(name.utf8), value: Array(line[last.text]), time: time)
    }
  }

  /// Lines of Teleplot: `>name:value` or `>name:time:value`, optionally followed by `§unit` and by flags after a bar.
  private static func teleplot() -> Form {
    Form(timeName: "time (ms)", fewest: 3) { line in
      guard line.first == UInt8(ascii: ">") else { return nil }
      let text = line.dropFirst().prefix { $0 < 0x80 && $0 != UInt8(ascii: "|") }
      let parts = text.split(separator: UInt8(ascii: ":")).map(Array.init)
      guard parts.count == 2 || parts.count == 3, let value = parts.last, number(value) != nil else { return nil }
      return Reading(name: parts[0].map { $0 | 0x20 }, value: value, time: parts.count == 3 ? parts[1] : nil)
    }
  }

  /// Lines that are a name and a number, `x:12` as of a micro:bit, `board/acc/x 0.12` as of `mosquitto_sub -v`, or an element of a list
  /// of YAML. One may be the time of the next ones.
  private static func named(_ head: TextHead) -> Form? {
    var form = Form { line in
      let text = String(decoding: line.starts(with: "- ".utf8) ? line.dropFirst(2) : line[...], as: UTF8.self)
      let words = line.count <= longestName ? text.split { ": =\t".contains($0) } : []
      guard words.count == 2, words[0].last?.isLetter == true, Double(words[1])?.isFinite == true else { return nil }
      let value = Array(words[1].utf8)
      if case .time = ColumnName(String(words[0])).role { return Reading(name: [], value: [], time: value) }
      return Reading(name: Array(words[0].lowercased().utf8), value: value)
    }
    let lines = head.lines.filter { !$0.isEmpty }
    let readings = lines.map { form.read($0) }
    // Hardly any line is another one.
    guard readings.count(where: { $0 != nil }) * 10 >= lines.count * 9 else { return nil }
    if let place = readings.firstIndex(where: { $0?.name.isEmpty ?? false }) {
      let text = String(decoding: lines[place], as: UTF8.self)
      form.timeName = text.split { ": =\t-".contains($0) }.first.map(String.init) ?? form.timeName
    }
    return form
  }

  /// Messages of ROS: the keys above a line, with their indentation, are part of its name.
  private static func messages(_ head: TextHead) -> Form? {
    guard head.lines.contains(where: { $0.starts(with: "    sec:".utf8) || $0.starts(with: "    secs:".utf8) }) else {
      return nil
    }
    var path: [(indent: Int, key: Substring)] = []
    var stamp: (seconds: Substring?, nanoseconds: Substring?)
    return Form(timeName: "time (s)", unit: " (m/s^2)", fewest: 3) { line in
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("---") { (path, stamp) = ([], (nil, nil)) }
      let indent = text.prefix { $0 == " " }.count
      let parts = text.dropFirst(indent).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      while let last = path.last, last.indent >= indent { path.removeLast() }
      let value = parts[1].drop { $0 == " " }
      if value.isEmpty {
        if path.count < 8 { path.append((indent, parts[0])) }
        return nil
      }
      let parent = path.last?.key ?? ""
      switch (parent, parts[0]) {
      case ("stamp", "sec"), ("stamp", "secs"): stamp.seconds = value
      case ("stamp", "nanosec"), ("stamp", "nsecs"): stamp.nanoseconds = value
      default: break
      }
      guard ["linear_acceleration", "accel", "acceleration", "linear"].contains(parent), parts[0].count == 1,
        let seconds = stamp.seconds, let part = stamp.nanoseconds, part.utf8.count <= 9
      else { return nil }
      let time = "\(seconds)." + String(repeating: "0", count: 9 - part.utf8.count) + part
      return Reading(name: Array("accel.\(parts[0])".utf8), value: Array(value.utf8), time: Array(time.utf8))
    }
  }

  /// A table of one value a row, with its time and its name, as data bases and brokers write them.
  private static func table(_ head: TextHead) -> Form? {
    for dialect in head.dialects {
      let rows = head.rows(dialect).map { $0.map(Array.init) }
      let width = rows.map(\.count).max() ?? 0
      guard (3...16).contains(width) else { continue }
      for column in 0..<width {
        let stems = stems(rows.compactMap { $0.count > column ? $0[column] : nil })
        guard let stem = stems.first else { continue }
        let own = rows.filter { $0.count > column && axis(of: $0[column], stem) != nil }
        if let form = table(own, column, dialect, names: rows[0]) { return form }
      }
    }
    return nil
  }

  /// - Parameter rows: those of one sensor, whose name is in a column.
  private static func table(_ rows: [[[UInt8]]], _ column: Int, _ dialect: CSVDialect, names: [[UInt8]]) -> Form? {
    let width = rows.map(\.count).min() ?? 0
    let value = { (cell: [UInt8]) in RowColumns.value(cell.span, cell.indices, decimalComma: dialect.decimalComma) }
    let numbers = rows.map { row in row.map(value) }
    let isWhole = { (place: Int) in place != column && numbers.column(place).count == rows.count }
    let rises = { (place: Int) in
      let values = numbers.column(place)
      return values.neverFall && values.first != values.last
    }
    guard rows.count >= fewestRows, let clock = (0..<width).first(where: { isWhole($0) && rises($0) }),
      let measured = (0..<width).last(where: { isWhole($0) && $0 != clock && !rises($0) })
    else { return nil }
    // Mixed, the axes of two devices would be one sample.
    var device: (column: Int, name: [UInt8])?
    var remarks: [String] = []
    for place in 0..<width where ![column, clock, measured].contains(place) {
      var names: [[UInt8]] = []
      for row in rows where !names.contains(row[place]) { names.append(row[place]) }
      guard (2...8).contains(names.count) else { continue }
      (device, remarks) = ((place, names[0]), Self.remarks("devices", names))
      break
    }
    let isNamed = names.count > clock && value(names[clock]) == nil
    let name = isNamed ? String(decoding: names[clock], as: UTF8.self).filter { $0 != "," && $0 != "\"" } : "time"
    return Form(timeName: name, remarks: remarks, keepsLines: true) { line in
      let cells = dialect.fields(of: line).map { line[$0] }
      guard [clock, column, measured].allSatisfy({ $0 < cells.count }) else { return nil }
      if let device, device.column >= cells.count || !cells[device.column].elementsEqual(device.name) { return nil }
      // The rows that are written have commas between their columns.
      let number = { (place: Int) in cells[place].map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 } }
      guard value(Array(cells[measured])) != nil else { return nil }
      return Reading(name: Array(cells[column]), value: number(measured), time: number(clock))
    }
  }
}
