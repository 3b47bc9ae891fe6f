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
  /// The columns of tags, and the tag of the rows that are used.
  private let tags: [(column: Int, tag: [UInt8])]
  private let hasHeader: Bool
  private(set) var remarks: [String]
  private var lines = TextLines()
  private var fields: RowFields
  private var number = 0
  /// Tags that the first lines did not contain.
  private var strangers: (rows: Int, line: Int) = (0, 0)
  private let known: Set<[UInt8]>

  /// A second of several sensors.
  static let linesOfHead = 100

  init?(_ head: [UInt8]) {
    guard var table = TaggedTable(head) else { return nil }
    var (tags, remarks): ([(column: Int, tag: [UInt8])], [String]) = ([], [])
    var known: Set<[UInt8]> = []
    // The sensor, and the device that it is in.
    while tags.count < 2, let found = table.tags() {
      tags.append((found.column, found.tag))
      if let remark = found.remark { remarks.append(remark) }
      known.formUnion(found.all)
      table.keep(found.tag, in: found.column)
    }
    guard !tags.isEmpty else { return nil }
    (self.tags, self.remarks, self.known) = (tags, remarks, known)
    (kind, hasHeader) = (table.kind, table.firstRow > 0)
    fields = RowFields(kind: table.kind)
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    lines.add(input, isLast: isLast, into: &output) { line, output in
      number += 1
      let line = Array(line)
      if uses(line) { output += Self.withoutChecksum(line) }
      output.append(0x0A)
    }
    if isLast, strangers.rows > 0 {
      remarks.append(
        "\(strangers.rows) rows with other tags were not used, the first in line \(strangers.line); the tags of the first"
          + " \(Self.linesOfHead) lines decided")
    }
  }

  /// A sentence as of NMEA without the checksum at its end.
  private static func withoutChecksum(_ line: [UInt8]) -> ArraySlice<UInt8> {
    guard line.first == UInt8(ascii: "$"), line.count > 4, line[line.count - 3] == UInt8(ascii: "*") else {
      return line[...]
    }
    return line[..<(line.count - 3)]
  }

  /// Whether a line is used: one with the tags, or one above the first row.
  private func uses(_ line: [UInt8]) -> Bool {
    guard fields.read(line.span, line.indices, limit: LayoutProbe.mostColumns) else { return true }
    for (column, tag) in tags {
      guard column < fields.ranges.count else { return true }
      let found = line[fields.ranges[column]]
      if found.elementsEqual(tag) { continue }
      if number == 1, hasHeader { return true }
      if known.contains(Array(found)) { return false }
      guard !found.isEmpty, TaggedTable.isRow(fields, line) else { return true }
      strangers = (strangers.rows + 1, strangers.rows == 0 ? number : strangers.line)
      return false
    }
    return true
  }
}
