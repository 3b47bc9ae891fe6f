import Foundation
import GRDB
import TestSupport
import Testing

@testable import History

@Suite("The pages of a database and of its log, without SQLite", .timeLimit(.minutes(30))) struct DatabaseImageTests {
  private let directory: TemporaryDirectory
  private let queue: DatabaseQueue
  private var path: String { directory.path + "/live.sqlite" }
  private var copy: String { directory.path + "/copy.sqlite" }

  init() throws {
    directory = try TemporaryDirectory()
    // One page of cache, so that long transactions write pages before they are committed.
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = 1; PRAGMA wal_autocheckpoint = 0")
    }
    queue = try DatabaseQueue(path: directory.path + "/live.sqlite", configuration: configuration)
    try queue.writeWithoutTransaction { db in
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "CREATE TABLE t (a); PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  private func insert(_ values: Range<Int>, _ db: Database) throws {
    for value in values { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value]) }
  }

  /// Copies the files as they are now.
  private func snapshot() throws {
    for ending in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: copy + ending)
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
  }

  private func log() throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))) }

  private func setLog(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: copy + "-wal")) }

  /// The values of the copy, by their rows.
  private func values(withLog: Bool = true) throws -> [Int64] {
    let image = try DatabaseImage(path: copy, log: withLog ? copy + "-wal" : nil)
    defer { image.close() }
    var rows: [Int64: Int64] = [:]
    image.forEachPage { page, number in
      PageRecords.forEach(in: page, number: number) { kind, row, values in
        if number > 0, kind == .table { rows[row] = values[0].integer }
      }
    }
    return rows.sorted { $0.key < $1.key }.map(\.value)
  }

  private let frame = 24 + DatabaseImage.pageSize

  @Test(
    "a log that cannot be read is an error: its transactions would be lost without a word; without a log there is none")
  func unreadableLog() throws {
    try queue.writeWithoutTransaction { db in try insert(0..<3, db) }
    try snapshot()
    try FileManager.default.removeItem(atPath: copy + "-wal")
    #expect(try values().isEmpty)
    try FileManager.default.createDirectory(atPath: copy + "-wal", withIntermediateDirectories: false)
    #expect(throws: HistoryError.self) { try values() }
    try FileManager.default.removeItem(atPath: copy + "-wal")
  }

  @Test("the log replaces pages of the file, also those that the file does not have yet")
  func committed() throws {
    try queue.write { try insert(0..<2000, $0) }
    try snapshot()
    #expect(try values() == Array(0..<2000))
    #expect(try values(withLog: false).isEmpty)
  }

  @Test("pages of a transaction that is not committed are left out, those of the ones before are not")
  func uncommitted() throws {
    try queue.write { try insert(0..<100, $0) }
    try snapshot()
    let length = try log().count
    try queue.write { db in
      try insert(100..<3000, db)
      try snapshot()
    }
    #expect(try log().count > length + 2 * frame)
    #expect(try values() == Array(0..<100))
  }

  @Test("a damaged page of the log costs that page only, and a log that was cut off its last page")
  func damaged() throws {
    for round in 0..<3 { try queue.write { try insert(round * 10..<round * 10 + 10, $0) } }
    try snapshot()
    let bytes = try log()
    #expect(bytes.count == 32 + 3 * frame)
    #expect(try values() == Array(0..<30))
    for (number, expected) in [(0, 30), (1, 30), (2, 20)] {
      // The header of a frame, and the last byte of its page.
      for place in [0, frame - 1] {
        var changed = bytes
        changed[32 + number * frame + place] ^= 1
        try setLog(changed)
        #expect(try values() == Array(0..<Int64(expected)), "byte \(place) of page \(number)")
      }
    }
    try setLog(bytes.dropLast())
    #expect(try values() == Array(0..<20))
    for length in [0, 31, 32, 32 + frame - 1] {
      try setLog(Array(bytes.prefix(length)))
      #expect(try values().isEmpty)
    }
  }

  @Test("a page that is in neither the file nor the log is skipped")
  func missing() throws {
    try queue.write { try insert(0..<2000, $0) }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.write { try insert(2000..<2001, $0) }
    try snapshot()
    let bytes = try log()
    let pages = stride(from: 32, to: bytes.count, by: frame).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let image = try DatabaseImage(path: copy, log: copy + "-wal")
    defer { image.close() }
    // Another program shortens the file while it is read.
    try Data().write(to: URL(fileURLWithPath: copy))
    var numbers: [Int] = []
    image.forEachPage { _, number in numbers.append(number + 1) }
    #expect(numbers == Set(pages).sorted() && numbers.first ?? 0 > 1)
  }

  @Test("a log that SQLite began again does not give older pages behind the new ones, nor does another kind of file")
  func restarted() throws {
    for value in 0..<5 { try queue.write { try insert(value..<value + 1, $0) } }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
    try queue.write { try insert(5..<6, $0) }
    try snapshot()
    var bytes = try log()
    #expect(bytes.count == 32 + 5 * frame)
    #expect(try values() == Array(0..<6))
    for place in [0, 3, 10] {
      bytes[place] ^= 0x40
      try setLog(bytes)
      #expect(try values() == Array(0..<5))
      bytes[place] ^= 0x40
    }
  }
}
