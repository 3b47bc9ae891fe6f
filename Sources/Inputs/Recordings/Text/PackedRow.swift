/// A line of numbers that are not those of one sample, so that no columns can be chosen from them.
enum PackedRow {
  /// Bytes in hexadecimal, as tools for Bluetooth print values: `value: 6e 00 01 01 f8 03`.
  case bytes(example: String)
  /// Cells that have a value for each of several samples: `"107.5|122.3|113.7"`.
  case cells(count: Int, example: String)
  /// Columns of each of several samples or sensors: `x0,y0,z0,x1,y1,z1`.
  case columns(count: Int, example: String)

  /// Names that are those of the axes with the number of a sample, of three samples or more.
  init?(names: [String]) {
    let numbered = names.compactMap { $0.lowercased().wholeMatch(of: /(.*[xyz])[ _.\[]?([0-9]+)\]?/)?.output }
    let axes = Dictionary(grouping: numbered) { String($0.1) }.mapValues { Set($0.map { $0.2 }).count }
    let sensors = Set(axes.keys.map { $0.dropLast() })
    let counts = sensors.compactMap { sensor in
      let counts = Set(["x", "y", "z"].map { axes[sensor + $0] ?? 0 })
      return counts.count == 1 ? counts.first : nil
    }
    guard let count = counts.max(), count >= 3 else { return nil }
    self = .columns(count: count, example: numbered.prefix(4).map { String($0.0) }.joined(separator: ","))
  }

  /// `nil` for any other line.
  init?(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    if let example = Self.hexadecimal(bytes, line) {
      self = .bytes(example: example)
      return
    }
    guard let (count, example) = Self.batch(bytes, line) else { return nil }
    self = .cells(count: count, example: example)
  }

  private static let longest = 24
  private static let fewestBytes = 6

  /// Words of two hexadecimal digits to the end of the line, some of them with a letter.
  private static func hexadecimal(_ bytes: Span<UInt8>, _ line: Range<Int>) -> String? {
    var fields: [Range<Int>] = []
    CSVDialect(delimiter: 0x20).split(bytes, line, limit: LayoutProbe.mostColumns, into: &fields)
    let words = fields.reversed().prefix { field in
      field.count == 2 && field.allSatisfy { bytes[$0] &- 0x30 <= 9 || isLetter(bytes[$0]) }
    }
    guard words.count >= fewestBytes, words.contains(where: { word in word.contains { isLetter(bytes[$0]) } }),
      let first = words.last
    else { return nil }
    return text(bytes, first.lowerBound..<(words.first?.upperBound ?? first.upperBound))
  }

  /// Whether a byte is a hexadecimal digit other than 0 to 9.
  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 &- 0x61 < 6 }

  /// Three cells or more with as many numbers each, joined by bars.
  private static func batch(_ bytes: Span<UInt8>, _ line: Range<Int>) -> (count: Int, example: String)? {
    let bar = UInt8(ascii: "|")
    guard line.contains(where: { bytes[$0] == bar }) else { return nil }
    for delimiter in [",", ";", "\t"].compactMap(\.utf8.first) {
      var fields: [Range<Int>] = []
      CSVDialect(delimiter: delimiter).split(bytes, line, limit: LayoutProbe.mostColumns, into: &fields)
      let batches = fields.filter { field in
        field.contains { bytes[$0] == bar }
          && field.allSatisfy { bytes[$0] &- 0x30 <= 9 || "|.-+eE".utf8.contains(bytes[$0]) }
      }
      let counts = batches.map { field in field.count { bytes[$0] == bar } + 1 }
      guard let count = counts.first, count >= 2, counts.count(where: { $0 == count }) >= 3 else { continue }
      return (count, text(bytes, batches[0]))
    }
    return nil
  }

  private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    let part = String(decoding: range.prefix(longest).map { bytes[$0] }, as: UTF8.self)
    return range.count > longest ? part + "…" : part
  }
}
