import GRDB

extension Configuration {
  /// How the program opens a history: it waits five seconds for the lock of another program, and knows `text_digest`.
  static func history(isReadOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      RowDigest.addFunction(to: db)
      // A quarter of a megabyte instead of two for each connection: with the usual limit, the memory of the service would
      // grow for months, as the database does. The system caches the file anyway.
      try db.execute(sql: "PRAGMA cache_size = -256")
    }
    return configuration
  }
}
