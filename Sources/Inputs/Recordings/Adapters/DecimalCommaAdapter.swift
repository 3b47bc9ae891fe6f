/// Tables with decimal commas whose columns are separated by commas as well, as a German locale writes them without quotes:
///
///     Time (s),X,Y,Z
///     0,02,1,17,-0,40,9,68
///
/// Each row has up to twice as many fields as names. The halves of numbers are joined with a decimal point.
final class DecimalCommaAdapter: LineAdapter {
  /// Whether each column is of two halves.
  private let isSplit: [Bool]
  private let header: Int
  var lines = TextLines()
  private var number = 0

  let keepsColumns = true
  let remarks = ["the columns are separated by commas, and so are the decimals; the halves of numbers were joined"]

  init?(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(TaggedRowsAdapter.linesOfHead)
      .map(Array.init)
    let comma = UInt8(ascii: ",")
    guard let first = lines.firstIndex(where: { Self.halves($0) != nil }), first > 0 else { return nil }
    let names = lines[first - 1].split(separator: comma).map { String(decoding: $0, as: UTF8.self) }
    let rows = lines[first...].dropLast().filter { !$0.isEmpty }.map { Self.halves($0) }
    guard names.count >= 3, names.allSatisfy({ $0.contains(where: \.isLetter) }), rows.count >= 8,
      let width = rows[0]?.count, width > names.count + 1, width <= 2 * names.count,
      rows.allSatisfy({ $0?.count == width })
    else { return nil }
    // Columns of integers: the time first.
    let whole = 2 * names.count - width
    let areTimes = names.map { ColumnName($0).role.isTime }
    let order = names.indices.sorted { areTimes[$0] && !areTimes[$1] }
    let integers = Set(order.prefix(whole))
    isSplit = names.indices.map { !integers.contains($0) }
    header = first
    for row in rows {
      guard let row, Self.joined(row, isSplit) != nil else { return nil }
    }
  }

  /// The fields of a row in which all are integers.
  private static func halves(_ line: [UInt8]) -> [ArraySlice<UInt8>]? {
    let line = line.last == 0x0D ? line.dropLast() : line[...]
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let areIntegers = fields.allSatisfy { field in
      let digits = field.first == UInt8(ascii: "-") ? field.dropFirst() : field
      return !digits.isEmpty && digits.allSatisfy { $0 &- 0x30 <= 9 }
    }
    return fields.count > 3 && areIntegers ? fields : nil
  }

  /// A row with points; `nil` if a second half has a sign.
  private static func joined(_ row: [ArraySlice<UInt8>], _ isSplit: [Bool]) -> [UInt8]? {
    var output: [UInt8] = []
    var next = row.startIndex
    for (column, isSplit) in isSplit.enumerated() {
      guard next + (isSplit ? 1 : 0) < row.endIndex else { return nil }
      if column > 0 { output.append(UInt8(ascii: ",")) }
      output += row[next]
      next += 1
      guard isSplit else { continue }
      guard row[next].first != UInt8(ascii: "-") else { return nil }
      output.append(UInt8(ascii: "."))
      output += row[next]
      next += 1
    }
    return next == row.endIndex ? output : nil
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    number += 1
    if number > header, let row = Self.halves(line) {
      output += Self.joined(row, isSplit) ?? Array("damaged".utf8)
    } else {
      output += line
    }
    output.append(0x0A)
  }
}
