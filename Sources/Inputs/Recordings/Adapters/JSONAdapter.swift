import Accelerometry

/// JSON that is not one sample per line: arrays of samples, objects of columns, and messages with many samples each.
///
/// The adapter takes one value at a time (an element of an outer array, or a line), finds the samples in it at any
/// depth, and writes them as rows of CSV. If there are several sensors, the first samples decide which one is read.
/// Samples of a message with a single time are spaced evenly up to the next message.
final class JSONAdapter: TextAdapter {
  /// A sample as found in the text.
  struct Sample {
    var sensor: String
    var quantity: ColumnName.Quantity
    var time: String?
    var timeName: String
    var axes: [String]
    /// Whether other samples of its message have the same time.
    var isBatch = false
    /// The gravity that belongs to it.
    var isGravity = false
    /// The lowest is preferred: with gravity, then unknown, then without gravity.
    var rank: Int {
      let name = sensor.lowercased()
      return quantity.rawValue * 3 + (name.holds("total") ? 0 : name.holds("uncalibrated") ? 2 : 1)
    }
    /// The axes as numbers.
    var vector: SIMD3<Double>? {
      let numbers = axes.compactMap { Double($0) }
      return numbers.count == 3 ? SIMD3(numbers[0], numbers[1], numbers[2]) : nil
    }
  }

  private var scanner = JSONScanner()
  /// Whether the text ended within a value.
  private var isCut = false
  /// The samples before the sensor is chosen.
  private var waiting: [Sample] = []
  private var sensor: String?
  /// Those of the same kind that are not read.
  private var (rank, others): (Int, Set<String>) = (0, [])
  private var batch: [Sample] = []
  private var lastStep: Double?
  /// The latest gravity, where it is to be added.
  private var gravity: SIMD3<Double>?
  private var addsGravity = false
  /// A header line with the sampling frequency, if the text states one.
  private var rate: [UInt8] = []

  /// The number of samples after which the sensor is chosen.
  private static let enough = 256

  init?(_ head: [UInt8]) {
    guard Self.mayBegin(head), Self.isLineOfSample(head, isAll: true) == false else { return nil }
    rate = JSONSamplingRate.line(in: head)
  }

  /// Whether a text may begin with an object or an array.
  static func mayBegin(_ head: [UInt8]) -> Bool {
    var start = JSONStart()
    start.take(head[...])
    return start.mayBegin
  }

  /// The number of lines that are examined.
  private static let linesOfHead = 8

  /// Whether the first lines are whole objects or arrays of one sample each, which the line reader parses directly.
  /// - Parameter isAll: whether no more lines follow.
  /// - Returns: `nil` if they are needed.
  static func isLineOfSample(_ head: [UInt8], isAll: Bool) -> Bool? {
    var isEmpty = true
    var sensors: Set<String> = []
    var answer: Bool?
    let lines = head.split(maxSplits: linesOfHead) { $0 == 0x0A || $0 == 0x0D }.prefix(linesOfHead)
    for line in lines {
      if RowDecoder.isBracket(line.span, 0..<line.count) || JSONFields.isMetadata(line.span, 0..<line.count) {
        continue
      }
      isEmpty = false
      var fields = JSONFields()
      guard line.count < LineBuffer.longestLine, fields.read(line.span, 0..<line.count) else { return false }
      // A nested array of objects or rows contains many samples.
      let names = fields.values.map { fields.name($0) }
      // A message encoded as a string in another message, or lines of several sensors.
      if fields.values.contains(where: {
        !$0.text.isEmpty && "{[".utf8.contains(line[line.startIndex + $0.text.lowerBound])
      }) {
        return false
      }
      for value in fields.values where sensorKeys.contains(fields.name(value)) {
        sensors.insert(String(decoding: Array(line)[value.text], as: UTF8.self))
      }
      let isNested = names.contains { name in
        let parts = name.split(separator: ".")
        return parts.dropLast().contains { Int($0) != nil } || Int(parts.last ?? "") ?? 0 > 8
      }
      answer = answer ?? (!isNested && !repeatsKey(names))
      if answer == false || sensors.isEmpty { return answer ?? true }
    }
    guard isAll || lines.count == linesOfHead else { return nil }
    return answer.map { $0 && sensors.count < 2 } ?? isEmpty
  }

  /// Whether many members have a key of the same name, as the records of one object do.
  private static func repeatsKey(_ names: [String]) -> Bool {
    guard names.count > mostSensors else { return false }
    var counts: [Substring: Int] = [:]
    for name in names { counts[name.split(separator: ".").last ?? "", default: 0] += 1 }
    return counts.values.contains { $0 > mostSensors }
  }

  private static let mostSensors = 16

  var remarks: [String] {
    guard let sensor, !others.isEmpty else { return [] }
    return [
      "the samples are of \(others.count + 1) devices or sensors; only those of '\(sensor)' were used, and not those of"
        + " '\(others.sorted().joined(separator: "', '"))'"
    ]
  }

  /// Keys that name the sensor of a sample.
  private static let sensorKeys = ["name", "sensor", "type", "sensorName", "sensor_name"]

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    scanner.feed(input)
    while let value = scanner.next(isLast: isLast) {
      var found: [Sample] = []
      Self.walk(value, into: &found)
      if sensor == nil, rate.isEmpty { rate = JSONSamplingRate.line(in: value) }
      if sensor == nil { waiting += found } else { emit(found, &output) }
      if sensor == nil, waiting.count >= Self.enough { choose(&output) }
      reportDamage(&output)
    }
    if isLast {
      isCut = scanner.isCut
      if sensor == nil { choose(&output) }
      close(nextTime: nil, &output)
    }
    reportDamage(&output)
  }

  func failure(path: String) -> RecordingError? {
    sensor == nil && isCut ? .cutJSON(path: path) : nil
  }

  /// Writes a row that no reader accepts for each damaged value, so that the summary counts it as skipped.
  private func reportDamage(_ output: inout [UInt8]) {
    guard sensor != nil else { return }
    for _ in 0..<scanner.takeDamaged() { output += Array("damaged JSON\n".utf8) }
  }

  /// Chooses the sensor to read.
  private func choose(_ output: inout [UInt8]) {
    guard let best = waiting.filter({ !$0.isGravity }).min(by: { $0.rank < $1.rank }) else {
      // Only gravity so far; the latest is enough.
      waiting.removeFirst(max(0, waiting.count - Self.enough / 2))
      return
    }
    (sensor, rank) = (best.sensor, best.rank)
    addsGravity = lacksGravity(best.sensor)
    if addsGravity { gravity = waiting.first { $0.isGravity }?.vector }
    let kind = best.quantity == .linear && !addsGravity ? "linear acceleration " : "acceleration "
    let time = best.time == nil ? "" : best.timeName + ","
    if time.isEmpty { output += rate }
    output += Array((time + ["x", "y", "z"].map { kind + $0 }.joined(separator: ",") + "\n").utf8)
    emit(waiting, &output)
    waiting = []
  }

  /// Whether gravity stands beside the samples of a sensor and is not in them: Sensor Logger's `accelerometer` and `gravity`.
  private func lacksGravity(_ sensor: String) -> Bool {
    let size = { (samples: [SIMD3<Double>]) -> Double in
      let sum = samples.reduce(SIMD3<Double>()) { $0 + $1 }
      return (sum * sum).sum().squareRoot() / Double(max(1, samples.count))
    }
    let beside = waiting.filter(\.isGravity).compactMap(\.vector)
    return !beside.isEmpty && size(waiting.filter { $0.sensor == sensor }.compactMap(\.vector)) < 0.5 * size(beside)
  }

  /// A sample with gravity: that of the same message or time, or else the latest.
  private func withGravity(_ sample: Sample, _ samples: [Sample], _ gravities: [String: SIMD3<Double>]) -> Sample {
    guard addsGravity else { return sample }
    if let time = sample.time, let same = gravities[time] { gravity = same }
    guard let vector = sample.vector, let gravity else { return sample }
    var whole = sample
    let sum = vector + gravity
    whole.axes = ["\(sum.x)", "\(sum.y)", "\(sum.z)"]
    return whole
  }

  private func emit(_ samples: [Sample], _ output: inout [UInt8]) {
    var gravities: [String: SIMD3<Double>] = [:]
    if addsGravity {
      for sample in samples where sample.isGravity {
        if let time = sample.time { gravities[time] = sample.vector }
      }
    }
    for found in samples {
      if found.isGravity, addsGravity { gravity = found.vector ?? gravity }
      guard found.sensor == sensor else {
        if found.rank == rank, !found.isGravity, others.count < Self.mostSensors { others.insert(found.sensor) }
        continue
      }
      let sample = withGravity(found, samples, gravities)
      guard sample.isBatch else {
        write(sample, sample.time, &output)
        continue
      }
      if let first = batch.first, first.time != sample.time { close(nextTime: sample.time, &output) }
      batch.append(sample)
    }
  }

  /// Writes the samples of a message once the time of the next one is known.
  private func close(nextTime: String?, _ output: inout [UInt8]) {
    guard let first = batch.first else { return }
    defer { batch.removeAll(keepingCapacity: true) }
    let start = first.time.flatMap { Double($0) }
    let next = nextTime.flatMap { Double($0) }
    if let start, let next, next > start { lastStep = (next - start) / Double(batch.count) }
    for (index, sample) in batch.enumerated() {
      guard let start, let lastStep else {
        write(sample, sample.time, &output)
        continue
      }
      let time = start + Double(index) * lastStep
      write(sample, time == time.rounded() && abs(time) < 9e18 ? "\(Int64(time))" : "\(time)", &output)
    }
  }

  private func write(_ sample: Sample, _ time: String?, _ output: inout [UInt8]) {
    output += Array(((time.map { $0 + "," } ?? "") + sample.axes.joined(separator: ",") + "\n").utf8)
  }

  /// Finds the samples in a value.
  static func walk(_ value: JSONValue, into found: inout [Sample]) {
    walk(value, name: "", time: nil, isInArray: false, into: &found)
  }

  private static func walk(
    _ value: JSONValue, name: String, time: (String, String)?, isInArray: Bool, times: (String, [String])? = nil,
    into found: inout [Sample]
  ) {
    switch value.withElements {
    case .scalar(let text):
      // A message encoded as a string.
      guard text.first == "{" || text.first == "[" else { return }
      var scanner = JSONScanner()
      let plain = text.utf8.filter { $0 != UInt8(ascii: "\\") }
      scanner.feed((text.first == "[" ? Array("[".utf8) + plain : plain)[...])
      while let inner = scanner.next(isLast: true) {
        walk(inner, name: name, time: time, isInArray: isInArray, into: &found)
      }
    case .array(let elements): walkArray(elements, name: name, time: time, into: &found)
    case .object(let members):
      walkObject(members, name: name, time: time, isInArray: isInArray, times: times, into: &found)
    }
  }

  private static func walkObject(
    _ members: [(key: String, value: JSONValue)], name: String, time: (String, String)?, isInArray: Bool,
    times: (String, [String])?, into found: inout [Sample]
  ) {
    var name = name
    for key in sensorKeys {
      if let text = members.first(where: { $0.key == key })?.value.text, text.utf8.count <= ColumnName.longest,
        Double(text) == nil
      {
        name = text
        break
      }
    }
    let scalars = members.compactMap { member in member.value.text.map { (member.key, $0) } }
    var time = time
    var ownsTime = false
    let isOwn = { (pair: (String, String)) in ColumnName(pair.0).role.isTime && pair.1 != "" && pair.1 != "null" }
    if let own = scalars.first(where: isOwn) ?? recordTime(scalars) {
      time = (own.0, own.1)
      ownsTime = true
    }
    let names = scalars.map { name.isEmpty ? $0.0 : "\(name) \($0.0)" }
    if let layout = ColumnLayout(names: names, isRising: { _ in true }),
      case .axis(_, let quantity, _) = ColumnName(names[layout.x]).role
    {
      found.append(
        Sample(
          sensor: name + scalars[layout.x].0, quantity: quantity, time: time?.1, timeName: time?.0 ?? "",
          axes: [layout.x, layout.y, layout.z].map { scalars[$0].1 }, isBatch: isInArray && !ownsTime && time != nil))
      return
    }
    // Gravity as a sensor: its axes are those of no accelerometer.
    if isGravity(name), let layout = ColumnLayout(names: scalars.map(\.0), isRising: { _ in true }) {
      found.append(
        Sample(
          sensor: name, quantity: .unnamed, time: time?.1, timeName: time?.0 ?? "",
          axes: [layout.x, layout.y, layout.z].map { scalars[$0].1 }, isGravity: true))
      return
    }
    if takeTable(members, name: name, into: &found) { return }
    if takeColumns(members, name: name, times: times, start: ownsTime ? time : nil, into: &found) { return }
    let times =
      members.first { ColumnName($0.key).role.isTime && $0.value.column?.count ?? 0 > 3 }
      .flatMap { member in member.value.column.map { (member.key, $0) } } ?? times
    for member in members {
      let inner = name.isEmpty || member.value.isContainerOfNamed ? member.key : "\(name) \(member.key)"
      walk(
        member.value, name: ["values", "payload", "data", "samples"].contains(member.key) ? name : inner, time: time,
        isInArray: isInArray && !ownsTime, times: times, into: &found)
    }
  }

  /// The time at which a sample was stored, or its date with a time of day, if it has no other.
  private static func recordTime(_ scalars: [(String, String)]) -> (String, String)? {
    guard ColumnLayout(names: scalars.map(\.0), isRising: { _ in true }) != nil else { return nil }
    return scalars.first { name, value in
      let role = ColumnName(name).role
      guard role == .recordTime || role == .date else { return false }
      let text = Array(value.utf8)
      return DateTimeText.parseDateAndTime(text.span, text.indices) != nil || Double(value) != nil
    }
  }

  /// Whether a sensor is the gravity that a phone has taken from the acceleration.
  private static func isGravity(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "gravity" || name.hasSuffix(".gravity") || name.hasSuffix(" gravity")
  }

  private static func walkArray(
    _ elements: [JSONValue], name: String, time: (String, String)?, into found: inout [Sample]
  ) {
    let numbers = elements.compactMap(\.text)
    if numbers.count == elements.count {
      // Three numbers are a sample; four are a time and a sample.
      guard numbers.count == 3 || numbers.count == 4, numbers.allSatisfy({ Double($0) != nil }) else { return }
      guard case .axis(_, let quantity, _) = ColumnName(name.isEmpty ? "x" : name + " x").role else { return }
      let own = numbers.count == 4 ? numbers[0] : time?.1
      found.append(
        Sample(
          sensor: name, quantity: quantity, time: own, timeName: numbers.count == 4 ? "t" : time?.0 ?? "",
          axes: Array(numbers.suffix(3)), isBatch: false))
      return
    }
    if let rows = columns(elements) {
      walkArray(rows, name: name, time: time, into: &found)
      return
    }
    let start = found.count
    for element in elements { walk(element, name: name, time: time, isInArray: true, into: &found) }
    // Rows without a time get the message's time.
    if let time {
      for index in start..<found.count where found[index].time == time.1 && elements.count > 1 {
        found[index].isBatch = true
      }
    }
  }

  /// The rows of three arrays of numbers, one for each axis, or four with the times in front.
  private static func columns(_ elements: [JSONValue]) -> [JSONValue]? {
    guard elements.count == 3 || elements.count == 4 else { return nil }
    let columns = elements.compactMap(\.column)
    guard columns.count == elements.count, let count = columns.first?.count, count > 4,
      columns.allSatisfy({ $0.count == count })
    else { return nil }
    return (0..<count).map { row in .array(columns.map { .scalar($0[row]) }) }
  }

  /// Takes an object with the names of columns and the rows of a table, as data bases answer and pandas writes it:
  /// `{"columns":["time","ax","ay","az"],"values":[[0,0.1,0.2,0.9],…]}`. Its tags are part of the sensor's name.
  private static func takeTable(
    _ members: [(key: String, value: JSONValue)], name: String, into found: inout [Sample]
  ) -> Bool {
    guard let names = members.lazy.compactMap({ $0.value.namesOfColumns }).first,
      let layout = ColumnLayout(names: names, isRising: { _ in true }),
      case .axis(_, let quantity, _) = ColumnName(names[layout.x]).role,
      let rows = members.lazy.compactMap({ $0.value.rows(names.count) }).first
    else { return false }
    var tags: [String] = []
    if case .object(let values)? = members.first(where: { $0.key == "tags" })?.value {
      tags = values.compactMap(\.value.text)
    }
    let sensor = (tags + [name.isEmpty ? names[layout.x] : name]).joined(separator: " ")
    for row in rows {
      found.append(
        Sample(
          sensor: sensor, quantity: quantity, time: layout.time.map { row[$0] },
          timeName: layout.time.map { names[$0] } ?? "", axes: [layout.x, layout.y, layout.z].map { row[$0] }))
    }
    return true
  }

  /// Takes an object whose members are arrays of the same length: a table stored by columns.
  /// - Parameter start: the only time, if the samples have none of their own.
  private static func takeColumns(
    _ members: [(key: String, value: JSONValue)], name: String, times outer: (String, [String])?,
    start: (String, String)?, into found: inout [Sample]
  ) -> Bool {
    var columns: [(name: String, values: [String])] = []
    for member in members {
      guard let values = member.value.withElements.column, values.count > 3 else { continue }
      columns.append((member.key, values))
    }
    let names = columns.map(\.name)
    guard let layout = ColumnLayout(names: names, isRising: { _ in true }),
      case .axis(_, let quantity, _) = ColumnName(names[layout.x]).role
    else { return false }
    let isGravity = isGravity(name)
    let count = [layout.x, layout.y, layout.z].map { columns[$0].values.count }.min() ?? 0
    let times = layout.time.map { columns[$0] } ?? outer.map { (name: $0.0, values: $0.1) }
    for row in 0..<count {
      let time = times.flatMap { row < $0.values.count ? $0.values[row] : nil }
      found.append(
        Sample(
          sensor: name + names[layout.x], quantity: quantity, time: times == nil ? start?.1 : time,
          timeName: times?.name ?? start?.0 ?? "",
          axes: [layout.x, layout.y, layout.z].map { columns[$0].values[row] },
          isBatch: times == nil && start != nil, isGravity: isGravity))
    }
    return true
  }
}

/// A JSON value; numbers, strings and literals keep their text.
enum JSONValue {
  case scalar(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  var text: String? { if case .scalar(let text) = self { text } else { nil } }

  /// An array instead of an object whose keys are the numbers of its elements, as pandas writes tables: `{"0":0.12,"1":0.13}`.
  var withElements: JSONValue {
    guard case .object(let members) = self, members.count > 3,
      zip(members, 0...).allSatisfy({ $0.key == String($1) }) || Self.areRecords(members)
    else { return self }
    return .array(members.map(\.value))
  }

  /// Whether many members are objects with the same keys, three or more: a list whose elements have names, as data bases
  /// export them: `{"-Nx01":{"t":1,"x":0.12,…},"-Nx02":{…}}`. Sensors are not so many.
  private static func areRecords(_ members: [(key: String, value: JSONValue)]) -> Bool {
    guard members.count > mostSensors, case .object(let first) = members[0].value, first.count >= 3 else {
      return false
    }
    let keys = Set(first.map(\.key))
    return members.allSatisfy { member in
      guard case .object(let inner) = member.value, inner.count == first.count else { return false }
      return inner.allSatisfy { keys.contains($0.key) }
    }
  }

  private static let mostSensors = 16

  /// The elements of an array of scalars, possibly nested as `buffer` in an object.
  var column: [String]? {
    switch self {
    case .scalar: return nil
    case .array(let elements):
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    case .object(let members):
      return members.first { $0.key == "buffer" || $0.key == "values" || $0.key == "data" }?.value.column
    }
  }

  /// The names of a table's columns: an array of texts, or of objects with a `name`.
  var namesOfColumns: [String]? {
    guard case .array(let elements) = self, (3...LayoutProbe.mostColumns).contains(elements.count) else { return nil }
    let names = elements.compactMap { element -> String? in
      if case .object(let members) = element { return members.first { $0.key == "name" }?.value.text }
      return element.text
    }
    return names.count == elements.count && names.allSatisfy { Double($0) == nil } ? names : nil
  }

  /// The rows of a table of so many columns.
  func rows(_ width: Int) -> [[String]]? {
    guard case .array(let elements) = self, !elements.isEmpty else { return nil }
    let rows = elements.compactMap(\.column)
    return rows.count == elements.count && rows.allSatisfy { $0.count == width } ? rows : nil
  }

  /// Whether the elements are objects or arrays that name their content.
  var isContainerOfNamed: Bool {
    guard case .array(let elements) = self, case .object(let members)? = elements.first else { return false }
    return members.contains { $0.key == "name" || $0.key == "sensor" }
  }
}

/// Splits a stream into values: the elements of an outer array, or consecutive values.
struct JSONScanner {
  private var bytes: [UInt8] = []
  private var place = 0
  private var searched = 0
  private var depth = 0
  private var marks = JSONMarks()
  private var hasOuterArray: Bool?
  /// Whether values are lines; `nil` before the end of the first one.
  private var isLinewise: Bool?
  private var isAtLineStart = false
  private var damaged = 0
  /// Whether the text ended within a value.
  private(set) var isCut = false

  /// The maximum nesting depth.
  private static let deepest = 32

  /// The number of values that could not be read since the last call.
  mutating func takeDamaged() -> Int {
    defer { damaged = 0 }
    return damaged
  }

  mutating func feed(_ input: ArraySlice<UInt8>) {
    if place > 0 {
      bytes.removeFirst(place)
      searched -= place
      place = 0
    }
    bytes += input
  }

  /// The next complete object or array.
  mutating func next(isLast: Bool) -> JSONValue? {
    while searched < bytes.count {
      let byte = bytes[searched]
      searched += 1
      // A value at the beginning of a line ends a damaged one. Otherwise one lost quote would cost all lines after it.
      if isAtLineStart, depth > 0, isLinewise == true, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        damaged += 1
        (depth, marks) = (0, JSONMarks())
      }
      isAtLineStart = byte == 0x0A
      // A quotation mark outside of values begins no string.
      if depth == 0, byte == UInt8(ascii: "\"") { continue }
      switch marks.take(byte) {
      case .openObject, .openArray:
        if depth == 0 {
          if hasOuterArray == nil {
            hasOuterArray = byte == UInt8(ascii: "[")
            if hasOuterArray == true {
              place = searched
              continue
            }
          }
          place = searched - 1
        }
        depth += 1
      case .close:
        if depth == 0 { continue }
        depth -= 1
        if depth == 0 {
          var i = place
          let value = Self.parse(bytes, &i, depth: 0)
          if isLinewise == nil { isLinewise = hasOuterArray == false && !bytes[place..<searched].contains(0x0A) }
          place = searched
          if let value { return value }
          damaged += 1
        }
      default: break
      }
    }
    if isLast, depth > 0 {
      damaged += 1
      (depth, isCut) = (0, true)
    }
    return nil
  }

  private static func parse(_ bytes: [UInt8], _ i: inout Int, depth: Int) -> JSONValue? {
    skip(bytes, &i)
    guard i < bytes.count, depth < deepest else { return nil }
    switch bytes[i] {
    case UInt8(ascii: "{"):
      var members: [(key: String, value: JSONValue)] = []
      i += 1
      while true {
        skip(bytes, &i)
        guard i < bytes.count else { return nil }
        if bytes[i] == UInt8(ascii: "}") {
          i += 1
          return .object(members)
        }
        guard case .scalar(let key)? = parse(bytes, &i, depth: depth + 1) else { return nil }
        skip(bytes, &i)
        guard i < bytes.count, bytes[i] == UInt8(ascii: ":") else { return nil }
        i += 1
        guard let value = parse(bytes, &i, depth: depth + 1) else { return nil }
        members.append((key, value))
        skip(bytes, &i)
        if i < bytes.count, bytes[i] == UInt8(ascii: ",") { i += 1 }
      }
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      i += 1
      while true {
        skip(bytes, &i)
        guard i < bytes.count else { return nil }
        if bytes[i] == UInt8(ascii: "]") {
          i += 1
          return .array(elements)
        }
        guard let value = parse(bytes, &i, depth: depth + 1) else { return nil }
        elements.append(value)
        skip(bytes, &i)
        if i < bytes.count, bytes[i] == UInt8(ascii: ",") { i += 1 }
      }
    case 0x22:
      i += 1
      let start = i
      while i < bytes.count, bytes[i] != 0x22 { i += bytes[i] == UInt8(ascii: "\\") ? 2 : 1 }
      guard i < bytes.count else { return nil }
      i += 1
      return .scalar(JSONString.decoded(bytes[start..<i - 1]))
    default:
      let start = i
      while i < bytes.count, bytes[i] > 0x20, !",:]}".utf8.contains(bytes[i]) { i += 1 }
      return i > start ? .scalar(String(decoding: bytes[start..<i], as: UTF8.self)) : nil
    }
  }

  private static func skip(_ bytes: [UInt8], _ i: inout Int) {
    while i < bytes.count, bytes[i] <= 0x20 { i += 1 }
  }
}
