/// What the lines after a row show of it.
extension RowStructure {
  /// The number of lines after a row that are examined.
  static let rowsThatAgree = 8
  /// The same if some of these are not like it.
  private static let linesInDoubt = 64

  static func holdsLines(_ count: Int, behind place: Int, _ buffer: borrowing LineBuffer) -> Bool {
    var place = place
    for _ in 0..<count {
      guard let line = buffer.line(at: place) else { return false }
      place = line.next
    }
    return true
  }

  struct Agreement {
    /// Rows of the same structure, those of them that are wider, rows of another one, and all lines.
    var (same, wider, other, lines) = (0, 0, 0, 0)

    /// Whether the row is a part of one: all lines after it have more columns.
    var isOfWiderRows: Bool { wider == rowsThatAgree }

    mutating func add(_ likeness: RowStructure.Likeness?) {
      lines += 1
      switch likeness {
      case .same?: same += 1
      case .wider?: (same, wider) = (same + 1, wider + 1)
      case .other?: other += 1
      case nil: break
      }
    }
  }

  /// Whether the lines after a row confirm it; `nil` if more are needed.
  func isConfirmed(behind next: Int, _ buffer: borrowing LineBuffer) -> Bool? {
    let isAll = buffer.isEnded || buffer.isFull
    guard isAll || Self.holdsLines(Self.rowsThatAgree, behind: next, buffer) else { return nil }
    let near = agreement(behind: next, of: 0..<Self.rowsThatAgree, buffer)
    // Numbers followed only by other lines belong to a banner; at the end of a text they are its only row.
    if near.same == 0 { return near.other == 0 && near.lines < Self.rowsThatAgree }
    // A logger that is plugged in writes the end of a row first.
    if near.isOfWiderRows { return false }
    if near.same == near.lines { return true }
    guard isAll || Self.holdsLines(Self.linesInDoubt, behind: next, buffer) else { return nil }
    // Rows of another structure follow to the end, as below a header of numbers.
    let far = agreement(behind: next, of: Self.linesInDoubt / 2..<Self.linesInDoubt, buffer)
    return far.same > 0 || far.other * 2 <= far.lines
  }

  func agreement(behind next: Int, of lines: Range<Int>, _ buffer: borrowing LineBuffer) -> Agreement {
    var (place, number) = (next, 0)
    var found = Agreement()
    while number < lines.upperBound, let line = buffer.line(at: place) {
      place = line.next
      number += 1
      guard number > lines.lowerBound else { continue }
      found.add(buffer.withPlainText(line.content) { likeness($0, $1) })
    }
    return found
  }
}
