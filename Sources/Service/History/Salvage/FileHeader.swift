import Foundation
import Platform

/// What the first bytes of a file say, without SQLite: opening a file with it may already change it.
struct FileHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let table = Array("CREATE TABLE minute (".utf8)
  /// The list of migrations, which exists before the first table of a history.
  private static let migrations = Array("CREATE TABLE grdb_migrations (".utf8)
  /// The size of what is searched for the tables of a history.
  private static let searched = 1 << 18

  private let bytes: [UInt8]

  init(path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    var some: [UInt8] = []
    // A bad block behind the first bytes does not matter.
    if descriptor >= 0 {
      _ = readWhole(descriptor, into: &some, upTo: Self.searched)
      close(descriptor)
    }
    bytes = some
  }

  var isDatabase: Bool { bytes.starts(with: Self.magic) && bytes.count >= 108 }

  /// Whether it is the database of another program: it has tables, and neither the number nor a table of a history.
  /// A history whose creation was interrupted, as by a full disk, has only a list of migrations.
  var isForeign: Bool {
    guard isDatabase else { return false }
    let id = bytes[68..<72].reduce(0) { $0 << 8 | Int($1) }
    let schemaEntries = Int(bytes[103]) << 8 | Int(bytes[104])
    if id == HistorySchema.applicationID || schemaEntries == 0 || contains(Self.table) { return false }
    // The list, and the index of its key.
    return schemaEntries > 2 || !contains(Self.migrations)
  }

  private func contains(_ text: [UInt8]) -> Bool { Data(bytes).range(of: Data(text)) != nil }
}
