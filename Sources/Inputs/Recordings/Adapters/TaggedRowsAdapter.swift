/// Tables and JSON Lines whose rows belong to several sensors or devices, told apart by a tag: a column with a name, a
/// number or a letter.
///
///     timestamp,sensor,x,y,z                 A 0 1.17 0.40 9.68
///     1778062272000,accelerometer,…          G 1 0.02 -0.62 0.17
///     1778062272003,gyroscope,…              A 20 1.21 0.37 9.71
///
/// Rows with other tags become empty lines. Mixed, they halve gravity, repeat times and add motion.
final class TaggedRowsAdapter: TextAdapter {
  private let kind: RowFields.Kind
  private let tags: [(column: Int, tag: [UInt8])]
  /// The columns of a table whose tags are numbers, the last first.
  private let numericTags: [Int]
  private let hasHeader: Bool
  let mayBeFollowed = true
  private(set) var remarks: [String]
  private var lines = TextLines()
  private var fields: RowFields
  private var number = 0
  /// Rows with tags that the first lines did not contain.
  private var strangers: (rows: Int, line: Int, tags: Set<[UInt8]>) = (0, 0, [])
  /// The device that the user named, and whether a row is of it.
  private let device: String?
  private var hasRow = false
  private let known: Set<[UInt8]>
  /// The beginning of the line that states the columns of the tag, and their names.
  private var header: (line: [UInt8], names: [UInt8])?

  /// - Parameter device: the device whose rows to use; `nil` for the best.
  init?(_ head: TextHead, device: String? = nil) {
    let stated = device == nil ? Self.statedColumns(head) : []
    let isAccelerometer = { (tag: String, names: [String]) in
      (TaggedTable.rank(tag) ?? 0) < TaggedTable.otherSensor
        && ColumnLayout(names: names, isRising: { _ in true }) != nil
    }
    if let own = stated.first(where: isAccelerometer) {
      (tags, remarks, known) = ([(0, Array("$\(own.tag)".utf8))], [], Set(stated.map { Array("$\($0.tag)".utf8) }))
      header = (Array("$COL,\(own.tag),".utf8), Array("tag,\(own.names.joined(separator: ","))".utf8))
      (kind, hasHeader, numericTags, self.device) = (.csv(CSVDialect(delimiter: UInt8(ascii: ","))), true, [], nil)
      fields = RowFields(kind: kind)
      return
    }
    guard var table = TaggedTable(head) else { return nil }
    var (tags, remarks): ([(column: Int, tag: [UInt8])], [String]) = ([], [])
    var known: Set<[UInt8]> = []
    var next = device.flatMap { table.tags(of: $0) }
    if device != nil, next == nil { return nil }
    // The sensor, and the device that it is in.
    while tags.count < 2, let found = next ?? table.tags() {
      tags.append((found.column, found.tag))
      if let remark = found.remark { remarks.append(remark) }
      known.formUnion(found.all)
      table.keep(found.tag, in: found.column)
      next = nil
    }
    if let found = tags.isEmpty ? table.tagsOfOne() : nil {
      tags.append((found.column, found.tag))
      known.formUnion(found.all)
    }
    guard !tags.isEmpty else { return nil }
    (self.tags, self.remarks, self.known, self.device) = (tags, remarks, known, device)
    (kind, hasHeader) = (table.kind, table.firstRow > 0)
    if case .csv = kind {
      numericTags = tags.filter { Double(Self.text($0.tag)) != nil }.map(\.column).sorted(by: >)
    } else {
      numericTags = []
    }
    fields = RowFields(kind: table.kind)
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    lines.add(input, isLast: isLast, into: &output) { line, output in
      number += 1
      let line = Array(line)
      if let header, line.starts(with: header.line) {
        output += header.names
      } else if header == nil || line.starts(with: tags[0].tag), uses(line) {
        output += withoutNumbers(line)
      }
      output.append(0x0A)
    }
    if isLast, strangers.rows > 0, device == nil {
      let list = strangers.tags.map(Self.text).sorted().listed(most: 8)
      remarks.append(
        "\(strangers.rows) rows of other devices, sensors or people (\(list)) were not used, the first in line"
          + " \(strangers.line); select others with \(option: .deviceOfRows)")
    }
  }

  /// The columns that lines state for each tag: `$COL,IMU,time,ax,ay,az` and `$UNIT,IMU,s,g,g,g` above rows such as
  /// `$IMU,59970.376,0.12,0.04,0.99`.
  private static func statedColumns(_ head: TextHead) -> [(tag: String, names: [String])] {
    var found: [(tag: String, names: [String])] = []
    for line in head.lines.prefix(while: { !$0.starts(with: "$DATA".utf8) }) where line.first == UInt8(ascii: "$") {
      let cells = String(decoding: line, as: UTF8.self).split(separator: ",").map(String.init)
      guard cells.count > 2 else { continue }
      let (tag, texts) = (cells[1], Array(cells[2...]))
      if cells[0] == "$COL" { found.append((tag, texts)) }
      guard cells[0] == "$UNIT", let place = found.firstIndex(where: { $0.tag == tag }) else { continue }
      found[place].names = zip(found[place].names, texts).map { "\($0) (\($1))" }
    }
    return found
  }

  func failure(path: String) -> RecordingError? {
    guard let device, !hasRow else { return nil }
    return .unknownDevice(path: path, name: device, names: (known.union(strangers.tags)).map(Self.text).sorted())
  }

  private static func text(_ tag: [UInt8]) -> String { String(decoding: tag, as: UTF8.self) }

  /// A row without the numbers of its tags, which are not values.
  private func withoutNumbers(_ line: [UInt8]) -> [UInt8] {
    guard !numericTags.isEmpty, TaggedTable.isRow(fields, line) else { return line }
    var line = line
    for column in numericTags where column < fields.ranges.count {
      line.replaceSubrange(fields.ranges[column], with: [UInt8(ascii: "-")])
    }
    return line
  }

  /// Whether a line is used: one with the tags, or one above the first row.
  private func uses(_ line: [UInt8]) -> Bool {
    guard fields.read(line.span, line.indices, limit: LayoutProbe.mostColumns) else { return true }
    for (column, tag) in tags {
      guard column < fields.ranges.count else { return true }
      let found = line[fields.ranges[column]]
      if found.elementsEqual(tag) || device != nil && isSame(found, tag) { continue }
      if number == 1, hasHeader { return true }
      if known.contains(Array(found)) { return false }
      guard !found.isEmpty, TaggedTable.isRow(fields, line) else { return true }
      if strangers.rows == 0 { strangers.line = number }
      strangers.rows += 1
      if strangers.tags.count < Self.mostStrangers { strangers.tags.insert(Array(found)) }
      return false
    }
    hasRow = hasRow || TaggedTable.isRow(fields, line)
    return true
  }

  private static let mostStrangers = 16

  /// Whether two tags are the same in upper and lower case. The first rows may not contain the user's device.
  private func isSame(_ found: ArraySlice<UInt8>, _ tag: [UInt8]) -> Bool {
    found.count == tag.count && Self.text(Array(found)).lowercased() == Self.text(tag).lowercased()
  }
}
