import Accelerometry

/// The columns of time, x, y and z in a recording, and the information in their names.
struct ColumnLayout: Equatable {
  /// The column of the timestamps, counted from 0, if there is one.
  var time: Int?
  /// Whether it contains the date, and the next column the time of day.
  var timeSpansTwo = false
  /// Whether the first column is none of these and counts the rows: one with a text there is an average, or a sum.
  var beginsWithCounter = false
  var x: Int, y: Int, z: Int
  /// The columns of gravity that are added to these axes; empty if there are none.
  var gravity: [Int] = []
  var unit: AccelerationUnit?
  var timestampFormat: TimestampFormat?
  /// Whether the names state that gravity was removed.
  var isLinear = false
  /// Whether a row without a time has that of the row above, as where only the first sample of a batch has one.
  var repeatsTimes = false
  /// Whether dates such as 4/5/2026 begin with the day.
  var isDayFirst = false
  /// Whether two digits behind a third colon in a time of day are hundredths of a second.
  var hasHundredths = false
  /// The axes of further sensors that the names do not tell from this one.
  private(set) var rivals: [[Int]] = []
  private(set) var gyroscopes: [[Int]] = []
  /// Warnings, in sentences.
  var doubts: [String] = []
  /// The warning with which a count of no steps is worth nothing.
  var graveDoubt: String?

  /// The number of columns that a row needs.
  var width: Int { max(x, y, z, gravity.max() ?? 0, time.map { timeSpansTwo ? $0 + 1 : $0 } ?? 0) + 1 }

  init(time: Int?, x: Int, y: Int, z: Int) { (self.time, self.x, self.y, self.z) = (time, x, y, z) }

  /// The layout of some names; `nil` if they do not contain the three axes of one accelerometer.
  ///
  /// Columns of times are candidates for the timestamps in the order of the columns; `isRising` decides from the first
  /// rows whether one is suitable, `isReadable` whether a date is one, `isEmpty` whether nothing is in it, and
  /// `hasClock` whether a date has a time of day.
  init?(
    names: [String], isRising: (Int) -> Bool, isReadable: (Int) -> Bool = { _ in true },
    isEmpty: (Int) -> Bool = { _ in false }, hasClock: (Int) -> Bool = { _ in false }
  ) {
    let columns = names.map { ColumnName($0) }
    guard let axes = Self.bestAxes(columns) else { return nil }
    self.init(time: nil, x: axes.columns[0], y: axes.columns[1], z: axes.columns[2])
    isLinear = axes.quantity == .linear
    unit = axes.columns.lazy.compactMap { columns[$0].unit }.first
    if isLinear, unit == nil { unit = names[x].lowercased().contains("user") ? .g : nil }
    rivals = axes.rivals
    addGravity(columns, isEmpty)
    gyroscopes = Self.gyroscopes(names, columns)
    chooseTime(columns, names, isRising, isReadable, isEmpty, hasClock)
  }

  /// Completes the linear acceleration of one sensor by its gravity, unless that is named in another unit.
  private mutating func addGravity(_ columns: [ColumnName], _ isEmpty: (Int) -> Bool) {
    let parts = columns.indices.filter { columns[$0].gravity != nil && !isEmpty($0) }
    let axes = parts.sorted { columns[$0].gravity?.rawValue ?? 0 < columns[$1].gravity?.rawValue ?? 0 }
    guard isLinear, rivals.isEmpty, axes.map({ columns[$0].gravity }) == [.x, .y, .z],
      [nil, unit].contains(columns[axes[0]].unit)
    else { return }
    (gravity, isLinear) = (axes, false)
  }

  /// The axes of this sensor and of those that the names do not tell from it.
  var sensors: [[Int]] { [[x, y, z]] + rivals }

  /// Uses the sensor with gravity, of several that the names do not tell apart, and says so.
  /// - Parameter found: which of ``sensors`` have gravity, the best first; empty if that is unknown.
  mutating func choose(of names: [String], withGravity found: [Int]) {
    let sensors = sensors
    let having = isLinear ? [] : found
    if let best = having.first, best > 0 {
      (x, y, z) = (sensors[best][0], sensors[best][1], sensors[best][2])
      unit = sensors[best].lazy.compactMap { ColumnName(names[$0]).unit }.first
    }
    let list = "\(names[x]), \(names[y]), \(names[z])"
    if having.count == 1 {
      doubts.append(
        "\(sensors.count) sensors may be accelerometers; using \(list), which contain gravity; select others with \(option: .columns)"
      )
    } else {
      doubts.append(
        "there are \(having.isEmpty ? sensors.count : having.count) accelerometers; using the columns \(list); select others with \(option: .columns)"
      )
    }
  }

  private static func gyroscopes(_ names: [String], _ columns: [ColumnName]) -> [[Int]] {
    let isOther = { (role: ColumnName.Role) in
      if case .axis(_, .ambiguous, _) = role { true } else { role == .foreign || role == .other }
    }
    let isTurn = names.indices.map { index in
      let name = names[index].lowercased()
      return isOther(columns[index].role)
        && name.split { !$0.isLetter && !$0.isNumber }.contains {
          $0.hasPrefix("gyr") || ["gx", "gy", "gz", "dps"].contains($0)
        }
    }
    var found: [[Int]] = []
    var start = 0
    while start + 2 < names.count {
      let isThree = isTurn[start..<start + 3].allSatisfy { $0 }
      if isThree { found.append([start, start + 1, start + 2]) }
      start += isThree ? 3 : 1
    }
    return found
  }

  /// Uses columns with gravity that are named as those of a gyroscope, because those of the accelerometer have none, and says so.
  mutating func exchange(for axes: [Int], _ names: [String]) {
    let list = { (axes: [Int]) in axes.map { names[$0] }.joined(separator: ", ") }
    doubts.append(
      "the columns \(list([x, y, z])) have no gravity, but \(list(axes)) have, so the names are exchanged; using the latter;"
        + " select others with \(option: .columns)")
    (x, y, z, unit) = (axes[0], axes[1], axes[2], nil)
  }

  private mutating func chooseTime(
    _ columns: [ColumnName], _ names: [String], _ isRising: (Int) -> Bool, _ isReadable: (Int) -> Bool,
    _ isEmpty: (Int) -> Bool, _ hasClock: (Int) -> Bool
  ) {
    var candidates = columns.indices.filter { columns[$0].role.isTime && !isEmpty($0) }
    if candidates.isEmpty { candidates = columns.indices.filter { columns[$0].role == .recordTime } }
    if let date = columns.indices.first(where: { columns[$0].role == .date }), candidates.isEmpty || isReadable(date) {
      if candidates.contains(date + 1), !hasClock(date) {
        (time, timeSpansTwo) = (date, true)
        return
      }
      if candidates.isEmpty { time = date }
    }
    // Where each channel has its own times, those in front of the axes are theirs.
    let own = candidates.last { $0 < x && names[$0] == names[candidates[0]] }
    guard let chosen = own.flatMap({ isRising($0) ? $0 : nil }) ?? candidates.first(where: isRising) ?? candidates.first
    else { return }
    time = chosen
    if case .time(let format) = columns[chosen].role { timestampFormat = format }
  }

  private struct Sensor: Hashable {
    var name: String
    var quantity: ColumnName.Quantity
  }

  /// The three columns of the best sensor with all axes.
  private static func bestAxes(
    _ columns: [ColumnName]
  ) -> (columns: [Int], quantity: ColumnName.Quantity, rivals: [[Int]])? {
    var whole = wholeSensors(columns) { $0 }
    // Each axis may have the number of its channel: "CH1 X", "CH2 Y", "CH3 Z".
    if whole.isEmpty { whole = wholeSensors(columns) { $0.filter { !$0.isNumber } } }
    guard let best = whole.map(\.quantity).min() else { return nil }
    whole.removeAll { $0.quantity != best }
    // Names in another encoding may leave only the unit.
    let united = whole.filter { sensor in sensor.columns.contains { $0.flatMap { columns[$0].unit } != nil } }
    if best == .unnamed, !united.isEmpty { whole = united }
    // Beside `accelerationIncludingGravity`, the plain acceleration of a browser is without it.
    let including = whole.filter { sensor in sensor.columns.contains { $0.map { columns[$0].includesGravity } ?? false }
    }
    if !including.isEmpty { whole = including }
    guard !whole.isEmpty else { return nil }
    let axes = whole.map { $0.columns.compactMap(\.self) }
    return (axes[0], best, Array(axes.dropFirst()))
  }

  /// The sensors with all axes, in the order of their columns.
  private static func wholeSensors(
    _ columns: [ColumnName], named name: (String) -> String
  ) -> [(quantity: ColumnName.Quantity, columns: [Int?])] {
    var sensors: [(quantity: ColumnName.Quantity, columns: [Int?])] = []
    var places: [Sensor: Int] = [:]
    for (index, column) in columns.enumerated() {
      guard case .axis(let axis, let quantity, let sensorName) = column.role else { continue }
      let sensor = Sensor(name: name(sensorName), quantity: quantity)
      // The same names again are those of another sensor.
      let known = places[sensor].flatMap { sensors[$0].columns.contains(nil) ? $0 : nil }
      let place = known ?? sensors.count
      if place == sensors.count {
        sensors.append((quantity, [nil, nil, nil]))
        places[sensor] = place
      }
      if sensors[place].columns[axis.rawValue] == nil { sensors[place].columns[axis.rawValue] = index }
    }
    return sensors.filter { !$0.columns.contains(nil) }
  }

  /// The layout that the user requested, by names or by numbers from 1.
  init(asked: [String], names: [String]?, width: Int, path: String) throws(RecordingError) {
    guard asked.count == 3 || asked.count == 4 else { throw .wrongNumberOfColumns(asked.count) }
    var found: [[Int]] = []
    for name in asked { found.append(try Self.places(name, names: names, width: width, path: path)) }
    if let ambiguous = found.firstIndex(where: { $0.count > 1 }) {
      throw .ambiguousColumn(
        path: path, name: asked[ambiguous], count: found[ambiguous].count, columns: Self.oneOfEach(found))
    }
    let places = found.map { $0[0] }
    let axes = Array(places.suffix(3))
    self.init(time: asked.count == 4 ? places[0] : nil, x: axes[0], y: axes[1], z: axes[2])
    guard let names else { return }
    let columns = names.map { ColumnName($0) }
    unit = axes.lazy.compactMap { $0 < columns.count ? columns[$0].unit : nil }.first
    if axes[0] < columns.count, case .axis(_, .linear, _) = columns[axes[0]].role { isLinear = true }
    if let time, time < columns.count {
      if case .time(let format) = columns[time].role { timestampFormat = format }
      timeSpansTwo = columns[time].role == .date && time + 1 < columns.count && !axes.contains(time + 1)
    }
  }

  /// The columns that a name may mean, at least one.
  private static func places(
    _ asked: String, names: [String]?, width: Int, path: String
  ) throws(RecordingError) -> [Int] {
    let wanted = plain(asked)
    if let names {
      let exact = names.indices.filter { plain(names[$0]) == wanted }
      if !exact.isEmpty { return exact }
      // Without the unit: `Time` for `Time (s)`.
      let bare = names.indices.filter { plain(String(names[$0].prefix { !"([".contains($0) })) == wanted }
      if !bare.isEmpty { return bare }
      let last = names.indices.filter { names[$0].split(separator: ".").last.map { plain(String($0)) } == wanted }
      if !last.isEmpty { return last }
    }
    if let number = Int(wanted), number >= 1, number <= width { return [number - 1] }
    throw .unknownColumn(path: path, name: asked, names: names ?? (1...max(width, 1)).map(String.init))
  }

  /// The numbers of one column of each name: axes in order, and the time nearest before them.
  private static func oneOfEach(_ found: [[Int]]) -> String {
    var axes: [Int] = []
    for places in found.suffix(3) { axes.append(places.first { $0 > axes.last ?? -1 } ?? places[0]) }
    let first = axes.min() ?? 0
    let time = found.count == 4 ? [found[0].last { $0 < first } ?? found[0][0]] : []
    return (time + axes).map { "\($0 + 1)" }.joined(separator: ",")
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
