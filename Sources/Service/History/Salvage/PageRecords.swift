/// The records of one page, found without the pages above it: so a damaged page costs its own rows only.
struct PageRecords {
  enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    /// `nil` unless it is a number or NULL.
    var optionalInteger: Int64?? { self == .null ? .some(nil) : integer.map { .some($0) } }
    var real: Double? { if case .real(let value) = self { value } else { integer.map(Double.init) } }
  }

  enum Kind {
    /// Rows with numbers.
    case table
    /// Rows without, and entries of indexes.
    case index
  }

  /// The most columns of a table of a history.
  private static let mostColumns = 12

  /// Calls a body with each record of a page.
  /// - Parameters:
  ///   - number: of the page, from 0; the first begins with the header of the file.
  ///   - body: gets the number of the row, 0 without one.
  static func forEach(
    in page: [UInt8], number: Int, _ body: (_ kind: Kind, _ row: Int64, _ values: [Value]) throws -> Void
  ) rethrows {
    let start = number == 0 ? 100 : 0
    let kind: Kind
    let (isInterior, type) = (page[start] == 0x02, page[start])
    switch type {
    case 0x0A, 0x02: kind = .index
    case 0x0D: kind = .table
    default: return
    }
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    let pointers = start + (isInterior ? 12 : 8)
    for cell in 0..<min(count, (page.count - pointers) / 2) {
      var cursor = Cursor(page: page, index: Int(page[pointers + 2 * cell]) << 8 | Int(page[pointers + 2 * cell + 1]))
      if isInterior { cursor.index += 4 }
      guard let size = cursor.variable(), size > 0 else { continue }
      var row: Int64 = 0
      if kind == .table {
        guard let id = cursor.variable() else { continue }
        row = id
      }
      // Longer records continue on other pages.
      guard size <= Int64(kind == .table ? page.count - 35 : (page.count - 12) * 64 / 255 - 23),
        let values = cursor.record(size: Int(size))
      else { continue }
      try body(kind, row, values)
    }
  }

  private struct Cursor {
    let page: [UInt8]
    var index: Int

    /// An integer of one to nine bytes.
    mutating func variable() -> Int64? {
      var value: UInt64 = 0
      for position in 0..<9 {
        guard index >= 0, index < page.count else { return nil }
        let byte = page[index]
        index += 1
        if position == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
        value = value << 7 | UInt64(byte & 0x7F)
        if byte & 0x80 == 0 { return Int64(bitPattern: value) }
      }
      return nil
    }

    mutating func record(size: Int) -> [Value]? {
      let start = index
      guard start + size <= page.count, let header = variable(), header <= Int64(size), header >= 1 else { return nil }
      let end = start + Int(header)
      var types: [Int64] = []
      while index < end {
        guard let type = variable(), types.count < mostColumns else { return nil }
        types.append(type)
      }
      guard index == end else { return nil }
      var values: [Value] = []
      values.reserveCapacity(types.count)
      for type in types {
        guard let value = value(type, before: start + size) else { return nil }
        values.append(value)
      }
      return index == start + size ? values : nil
    }

    private mutating func value(_ type: Int64, before end: Int) -> Value? {
      switch type {
      case 0: return .null
      case 8, 9: return .integer(type - 8)
      case 1...7:
        let size = [1, 2, 3, 4, 6, 8, 8][Int(type) - 1]
        guard index + size <= end else { return nil }
        var bits: Int64 = page[index] & 0x80 == 0 ? 0 : -1
        for byte in page[index..<index + size] { bits = bits << 8 | Int64(byte) }
        index += size
        return type == 7 ? .real(Double(bitPattern: UInt64(bitPattern: bits))) : .integer(bits)
      case 12...:
        let size = (type - (type % 2 == 0 ? 12 : 13)) / 2
        guard size <= Int64(end - index) else { return nil }
        defer { index += Int(size) }
        if type % 2 == 0 { return .blob }
        return .text(String(decoding: page[index..<index + Int(size)], as: UTF8.self))
      default: return nil
      }
    }
  }
}
