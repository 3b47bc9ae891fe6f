/// The first rows of a table or of JSON Lines, and the columns of them that tell sensors or devices apart.
struct TaggedTable {
  let kind: RowFields.Kind
  /// The number of the first row's line, from 0.
  private(set) var firstRow = 0
  private var names: [String] = []
  private var rows: [Row] = []

  private struct Row {
    var fields: [[UInt8]]
    /// Numbers and times.
    var values: [Double?]
  }

  struct Tags {
    var column: Int
    /// The tag of the rows to use, and all of them.
    var tag: [UInt8]
    var all: [[UInt8]]
    var remark: String?
  }

  init?(_ head: TextHead) {
    let lines = head.lines
    guard let kind = Self.kind(of: lines, head.dialects) else { return nil }
    // A number with the name of the next one behind it is not a tag.
    if case .csv = kind.kind, lines.count(where: { LabelAdapter.hasLabels($0[...]) }) * 2 > lines.count { return nil }
    self.kind = kind.kind
    names = kind.names
    var fields = RowFields(kind: kind.kind)
    for (number, line) in lines.enumerated() {
      guard CSVDialect.commentText(line.span, line.indices) == nil,
        fields.read(line.span, line.indices, limit: LayoutProbe.mostColumns), Self.isRow(fields, line)
      else {
        if rows.isEmpty, !line.isEmpty, case .csv(let dialect) = kind.kind { names = dialect.cells(of: line) }
        continue
      }
      if rows.isEmpty { firstRow = number }
      rows.append(
        Row(
          fields: fields.ranges.map { Array(line[$0]) },
          values: fields.ranges.map { RowColumns.value(line.span, $0, decimalComma: fields.decimalComma) }))
    }
    guard rows.count >= Self.fewestRows else { return nil }
  }

  static let fewestRows = 8

  /// Whether a line of some fields is a row: three numbers or more.
  static func isRow(_ fields: RowFields, _ line: [UInt8]) -> Bool {
    var numbers = 0
    for range in fields.ranges where !range.isEmpty {
      if RowColumns.isValue(line.span, range, decimalComma: fields.decimalComma) { numbers += 1 }
      if numbers == 3 { return true }
    }
    return false
  }

  /// The delimiter that gives most rows, or the names of the first JSON object with axes.
  private static func kind(of lines: [[UInt8]], _ dialects: [CSVDialect]) -> (kind: RowFields.Kind, names: [String])? {
    if lines.first(where: { !$0.isEmpty })?.first == UInt8(ascii: "{") {
      for line in lines {
        var json = JSONFields()
        guard json.read(line.span, line.indices) else { continue }
        let names = json.values.map { json.name($0) }
        if ColumnLayout(names: names, isRising: { _ in true }) != nil {
          return (.json(names.map { Array($0.utf8) }), names)
        }
      }
      return nil
    }
    var best: (dialect: CSVDialect, rows: Int)?
    for dialect in dialects {
      var fields = RowFields(kind: .csv(dialect))
      let rows = lines.count { line in
        fields.read(line.span, line.indices, limit: LayoutProbe.mostColumns) && isRow(fields, line)
      }
      if rows > best?.rows ?? 0 { best = (dialect, rows) }
    }
    return best.map { (.csv($0.dialect), []) }
  }

  /// Whether a column may contain tags: text, or small integers that repeat.
  var mayHaveTags: Bool {
    (0..<(rows.map(\.fields.count).min() ?? 0)).contains { column in
      if isMeasured(column) { return false }
      if rows.allSatisfy({ $0.values[column] == nil && !$0.fields[column].isEmpty }) { return true }
      if namesDevice(column) { return true }
      let tags = Set(rows.map { $0.fields[column] })
      return tags.count > 1 && tags.count * 2 <= rows.count && interleaves(column)
        && rows.allSatisfy { $0.values[column].map { $0 == $0.rounded() && abs($0) < 1000 } ?? false }
    }
  }

  /// Whether a line of JSON has a text among its values.
  static func holdsText(_ line: [UInt8]) -> Bool {
    var json = JSONFields()
    guard json.read(line.span, line.indices) else { return false }
    return json.values.contains {
      $0.text.lowerBound > 0 && line[$0.text.lowerBound - 1] == UInt8(ascii: "\"")
        && !RowColumns.isValue(line.span, $0.text, decimalComma: true)
    }
  }

  mutating func keep(_ tag: [UInt8], in column: Int) {
    rows.removeAll { column >= $0.fields.count || $0.fields[column] != tag }
  }

  private struct Group {
    var tag: [UInt8]
    var rows: [Int] = []
  }

  /// The first column whose values tell sensors or devices apart.
  func tags() -> Tags? {
    guard rows.count >= Self.fewestRows else { return nil }
    for column in 0..<(rows.map(\.fields.count).min() ?? 0) { if let tags = tags(in: column) { return tags } }
    return nil
  }

  /// The column that contains the name of a device, or that might in later rows.
  func tags(of device: String) -> Tags? {
    let columns = (0..<(rows.map(\.fields.count).min() ?? 0)).filter { !isMeasured($0) }
    for column in columns {
      let all = Set(rows.map { $0.fields[column] })
      if let tag = all.first(where: { String(decoding: $0, as: UTF8.self).lowercased() == device.lowercased() }) {
        return Tags(column: column, tag: tag, all: Array(all))
      }
    }
    return columns.first { namesDevice($0) || (groups(in: $0)?.count ?? 0) > 1 }.map { column in
      Tags(column: column, tag: Array(device.utf8), all: Array(Set(rows.map { $0.fields[column] })))
    }
  }

  /// A column that names the device, the same in all rows: those of other devices may follow.
  func tagsOfOne() -> Tags? {
    (0..<(rows.map(\.fields.count).min() ?? 0)).first { column in
      namesDevice(column) && !rows[0].fields[column].isEmpty
        && rows.allSatisfy { $0.fields[column] == rows[0].fields[column] }
    }.map { Tags(column: $0, tag: rows[0].fields[$0], all: [rows[0].fields[$0]]) }
  }

  /// Whether a column's name is that of devices, or of the people who wear them.
  private func namesDevice(_ column: Int) -> Bool {
    guard column < names.count else { return false }
    let name = names[column].lowercased().filter(\.isLetter)
    // Whether someone is there, not who.
    let isFlag =
      ["person", "user", "wearer"].contains(name)
      && rows.allSatisfy { ["0", "1"].contains(String(decoding: $0.fields[column], as: UTF8.self)) }
    return Self.namesOfDevices.contains(name) && !isFlag
  }

  static let namesOfDevices: Set = [
    "device", "deviceid", "devicename", "deviceserial", "sensor", "sensorid", "sensorname", "mac", "macaddress", "node",
    "nodeid", "serial", "serialnumber", "subject", "subjectid", "participant", "participantid", "person", "personid",
    "user", "userid", "username", "wearer", "wearerid", "patient", "patientid", "volunteer", "volunteerid",
  ]

  private func tags(in column: Int) -> Tags? {
    guard !isMeasured(column), let groups = groups(in: column), groups.count > 1 else { return nil }
    let texts = groups.map { String(decoding: $0.tag, as: UTF8.self) }
    let ranks = texts.map(Self.rank)
    let place = column < names.count && !names[column].isEmpty ? "the column \(names[column])" : "column \(column + 1)"
    // The names say it.
    if let best = ranks.compactMap(\.self).min(), best < Self.otherSensor,
      ranks.contains(where: { $0 != nil && $0 != best }), let chosen = ranks.firstIndex(of: best)
    {
      return Tags(column: column, tag: groups[chosen].tag, all: groups.map(\.tag))
    }
    guard interleaves(column), isTimed(groups, column) else { return nil }
    let means = groups.map { mean($0, column) }
    let having = groups.indices.filter { means[$0]?.isGravity ?? false }
    // One clock explains the rows of all tags, so these are only told apart by their values.
    if isEven(Group(tag: [], rows: Array(rows.indices)), column, within: 0.2), having.count == groups.count {
      let vectors = means.compactMap { $0?.vector }
      guard vectors.contains(where: { Self.length($0 - vectors[0]) > 0.3 * Self.length(vectors[0]) }) else {
        return nil
      }
    }
    if groups.allSatisfy({ Double(String(decoding: $0.tag, as: UTF8.self)) != nil }), !isTitled(column),
      having.count == groups.count
    {
      return nil
    }
    guard let chosen = having.first else { return nil }
    let sort = having.count == groups.count ? "devices" : "sensors"
    return Tags(
      column: column, tag: groups[chosen].tag, all: groups.map(\.tag),
      remark: "the rows are of \(groups.count) \(sort), told apart by \(place)"
        + " (\(texts.listed(most: 8))); only those of \(texts[chosen]) were used; select others with \(option: .deviceOfRows)"
    )
  }

  /// The rows of each tag, in the order of the tags; `nil` if the column has no tags.
  private func groups(in column: Int) -> [Group]? {
    var groups: [Group] = []
    for (index, row) in rows.enumerated() {
      let field = row.fields[column]
      guard !field.isEmpty else { return nil }
      if let value = row.values[column] {
        guard value == value.rounded(), value >= -1, value < 1000, field.count <= 3 else { return nil }
      }
      if let known = groups.firstIndex(where: { $0.tag == field }) {
        groups[known].rows.append(index)
      } else {
        guard groups.count < Self.mostTags else { return nil }
        groups.append(Group(tag: field, rows: [index]))
      }
    }
    groups.removeAll { $0.rows.count < Self.fewestRowsOfTag }
    return groups
  }

  private static let mostTags = 16
  private static let fewestRowsOfTag = 3

  /// Whether the tags take turns, as those of sensors do and those of activities do not.
  private func interleaves(_ column: Int) -> Bool {
    zip(rows, rows.dropFirst()).count { $0.fields[column] != $1.fields[column] } * 5 >= rows.count
  }

  /// Whether a column's name is that of an axis or of a time, whose values may take turns as well.
  private func isMeasured(_ column: Int) -> Bool {
    guard column < names.count else { return false }
    return ColumnName(names[column]).role != .other
  }

  /// Whether a column's name is that of tags.
  private func isTitled(_ column: Int) -> Bool {
    guard column < names.count else { return false }
    let name = names[column].lowercased()
    return ["sensor", "type", "device", "id", "mac", "source", "name", "node", "kind", "stream"].contains {
      name.holds($0)
    }
  }

  /// Whether the rows of each tag follow each other evenly, or all tags take turns in one order.
  private func isTimed(_ groups: [Group], _ column: Int) -> Bool {
    groups.allSatisfy { group in
      if clock(of: group, column) != nil { return isEven(group, column, within: 0.5) }
      return Set(zip(group.rows, group.rows.dropFirst()).map { $1 - $0 }).count == 1
    }
  }

  private func numbers(_ group: Group) -> [[Double?]] { group.rows.map { rows[$0].values } }

  /// Whether most times of some rows have even steps, within a share of the median.
  private func isEven(_ group: Group, _ tags: Int, within share: Double) -> Bool {
    guard let clock = clock(of: group, tags) else { return false }
    let steps = numbers(group).column(clock).steps
    let middle = steps.median
    guard middle > 0 else { return false }
    return steps.count { abs($0 - middle) < share * middle } * 10 >= steps.count * 7
  }

  /// The first column that rises in the rows of a tag.
  private func clock(of group: Group, _ tags: Int) -> Int? {
    let numbers = numbers(group)
    return (0..<(numbers.map(\.count).min() ?? 0)).first { column in
      let values = numbers.column(column)
      return column != tags && values.count == numbers.count && values.neverFall && values.first != values.last
    }
  }

  private static func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

  /// The mean of three numbers of a tag's rows, and whether it is gravity: one g in a common unit, or the counts of a
  /// converter, and large compared with the motion.
  private func mean(_ group: Group, _ tags: Int) -> (vector: SIMD3<Double>, isGravity: Bool)? {
    let clock = clock(of: group, tags)
    let layout = ColumnLayout(names: names, isRising: { $0 == clock })
    let values = numbers(group)
    let width = values.map(\.count).min() ?? 0
    let whole = (0..<width).filter { $0 != tags && $0 != clock && values.column($0).count == values.count }
    let behind = whole.filter { $0 > clock ?? -1 }
    let axes = layout.map { [$0.x, $0.y, $0.z] } ?? Array((behind.count >= 3 ? behind : whole).prefix(3))
    guard axes.count == 3, axes.allSatisfy({ $0 < width }) else { return nil }
    let columns = axes.map { values.column($0) }
    let vector = SIMD3(columns.map(\.mean))
    let variance = columns.reduce(0) { $0 + $1.variance }
    let size = Self.length(vector)
    let isCommon = (0.7..<1.8).contains(size) || (7..<15.5).contains(size) || size > 200
    return (vector, isCommon && size > variance.squareRoot())
  }

  static let otherSensor = 2

  /// 0 for an accelerometer, 1 for one without gravity, 2 for another sensor; `nil` if the name says nothing.
  static func rank(_ name: String) -> Int? {
    let text = name.lowercased()
    if text.holds("acc") { return text.holds("lin") || text.holds("user") || text.holds("free") ? 1 : 0 }
    let others = [
      "gyr", "mag", "grav", "rot", "orient", "press", "baro", "light", "temp", "heart", "ppg", "gps", "gpg", "loc",
    ]
    return others.contains { text.holds($0) } ? otherSensor : nil
  }
}
