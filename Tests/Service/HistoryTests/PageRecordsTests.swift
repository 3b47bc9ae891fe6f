import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

@Suite("The records of a page, without SQLite", .timeLimit(.minutes(30))) struct PageRecordsTests {
  private struct Record: Hashable {
    var row: Int64
    var values: [PageRecords.Value]
  }

  /// The records of the pages of a database that statements fill; the first page, which has the definitions, apart.
  private func records(
    _ statement: String, _ rows: [[(any DatabaseValueConvertible)?]], into insertion: String
  ) throws -> (first: [Record], tables: [Record], indexes: [Record]) {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/records.sqlite"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: statement)
      for row in rows { try db.execute(sql: insertion, arguments: StatementArguments(row)) }
    }
    try queue.close()
    let image = try DatabaseImage(path: path, log: nil)
    defer { image.close() }
    var found: (first: [Record], tables: [Record], indexes: [Record]) = ([], [], [])
    image.forEachPage { page, number in
      PageRecords.forEach(in: page, number: number) { kind, row, values in
        let record = Record(row: row, values: values)
        if number == 0 {
          found.first.append(record)
        } else if kind == .table {
          found.tables.append(record)
        } else {
          found.indexes.append(record)
        }
      }
    }
    return found
  }

  @Test("values of every kind and size are those that were written, and so are the numbers of the rows")
  func values() throws {
    var integers: [Int64] = [0, 1, 2, -1, 127, .min, .max]
    for bits in [7, 15, 23, 31, 47] {
      let edge = Int64(1) << Int64(bits)
      integers += [edge - 1, edge, -edge, -edge - 1]
    }
    let numbers: [Int64] = [-1, 1, 127, 128, 16_383, 16_384, 1 << 40, .max, .min] + Array(1000..<1300)
    var rows: [[(any DatabaseValueConvertible)?]] = []
    var expected: Set<Record> = []
    for (index, number) in numbers.enumerated() {
      let integer = integers[index % integers.count]
      let text = String(repeating: "ä", count: index % 70)
      rows.append([number, integer, index % 3 == 0 ? nil : Double(index) + 0.5, text, Data(count: index % 5)])
      expected.insert(
        Record(
          row: number,
          values: [
            .null, .integer(integer), index % 3 == 0 ? .null : .real(Double(index) + 0.5), .text(text), .blob,
          ]))
    }
    let found = try records(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d)", rows, into: "INSERT INTO t VALUES (?,?,?,?,?)")
    #expect(found.tables.count == rows.count && Set(found.tables) == expected)
    #expect(found.first.map { Array($0.values.prefix(3)) } == [[.text("table"), .text("t"), .text("t")]])
  }

  @Test("rows of a table without numbers are found once each, also those between the pages of others")
  func withoutNumbers() throws {
    let rows = (0..<3000).map { [Int64($0) * 1000, Int64($0)] }
    let found = try records(
      "CREATE TABLE t (a, b, PRIMARY KEY (a)) WITHOUT ROWID", rows, into: "INSERT INTO t VALUES (?, ?)")
    #expect(found.tables.isEmpty && found.indexes.count == rows.count)
    #expect(Set(found.indexes) == Set(rows.map { Record(row: 0, values: $0.map { .integer($0) }) }))
  }

  @Test("records that continue on another page, and those with too many columns, are left out")
  func limits() throws {
    let text = { String(repeating: "x", count: $0) }
    let found = { (statement: String, lengths: [Int]) in
      let found = try records(statement, lengths.map { [text($0)] }, into: "INSERT INTO t VALUES (?)")
      return (found.tables + found.indexes).compactMap { $0.values.first?.text?.count }.sorted()
    }
    // The most that a leaf keeps: 4061 bytes of a table, 1002 of an index, each with 3 bytes of header.
    #expect(try found("CREATE TABLE t (a)", [4057, 4058, 4059]) == [4057, 4058])
    #expect(try found("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID", [998, 999, 1000]) == [998, 999])
    for (columns, expected) in [(12, [Record(row: 1, values: Array(repeating: .integer(7), count: 12))]), (13, [])] {
      let names = (0..<columns).map { "c\($0)" }.joined(separator: ", ")
      let marks = Array(repeating: "7", count: columns).joined(separator: ", ")
      #expect(
        try records("CREATE TABLE t (\(names))", [[]], into: "INSERT INTO t VALUES (\(marks))").tables == expected)
    }
  }

  /// A leaf with cells at the end of the page, in order.
  private func leaf(_ cells: [[UInt8]], type: UInt8 = 0x0D, count: Int? = nil) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 512)
    page[0] = type
    let number = count ?? cells.count
    (page[3], page[4]) = (UInt8(number >> 8), UInt8(number & 0xFF))
    var start = page.count - cells.reduce(0) { $0 + $1.count }
    for (index, cell) in cells.enumerated() {
      (page[8 + 2 * index], page[9 + 2 * index]) = (UInt8(start >> 8), UInt8(start & 0xFF))
      page.replaceSubrange(start..<start + cell.count, with: cell)
      start += cell.count
    }
    return page
  }

  private func rows(_ page: [UInt8]) -> [Int64] {
    var rows: [Int64] = []
    PageRecords.forEach(in: page, number: 1) { _, row, _ in rows.append(row) }
    return rows
  }

  @Test(
    "a malformed record is left out, and those beside it are found",
    arguments: [
      [0, 5, 1, 9] as [UInt8],  // No bytes.
      [2, 5, 3, 9],  // A header longer than the record.
      [2, 5, 0, 9],  // No header.
      [2, 5, 2, 10], [2, 5, 2, 11],  // Kinds that SQLite reserves.
      [3, 5, 2, 2, 1],  // An integer of two bytes that has one.
      [3, 5, 2, 17, 1],  // A text that is longer than the record.
      [4, 5, 2, 1, 1, 1],  // A byte after the last value.
      [4, 5, 2, 0x81, 1, 1],  // A header that ends within a kind.
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 5, 2, 9],  // A negative size.
      [0x83, 0x7F, 5, 2, 9],  // Beyond the end of the page.
      [11, 5, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],  // A negative kind.
    ])
  func malformed(cell: [UInt8]) {
    // Rows 1 and 3 have the integer 1, and row 3 ends with the page.
    #expect(rows(leaf([[2, 1, 2, 9], cell, [2, 3, 2, 9]])) == [1, 3])
  }

  @Test("a cell that the page cuts off, or that lies outside it, is left out")
  func cutOff() {
    for end in [[0x82], [2], [2, 0x83], [2, 3], [2, 3, 2]] as [[UInt8]] {
      #expect(rows(leaf([[2, 1, 2, 9], end])) == [1])
    }
    var page = leaf([[2, 1, 2, 9], [2, 3, 2, 9]])
    (page[10], page[11]) = (0xFF, 0xFF)
    #expect(rows(page) == [1])
  }

  @Test("pages of other kinds have no records, and a number of cells that the page cannot have is harmless")
  func otherPages() {
    let cell: [UInt8] = [2, 1, 2, 9]
    for type in [0x00, 0x05, 0x0C, 0xFF] as [UInt8] { #expect(rows(leaf([cell], type: type)).isEmpty) }
    // The cell numbers that are zero point to the beginning of the page, which is no record.
    #expect(rows(leaf([cell], count: 60_000)).first == 1)
  }
}
