import GRDB

/// The tables and their migrations.
///
/// Times are microseconds since 1970 in UTC, minutes and quarters of an hour likewise; lengths are micrometres, active
/// times microseconds: sums of integers are exact in any order. Constraints exclude negative values.
enum HistorySchema {
  /// "Pedo", so that other databases are recognised.
  static let applicationID = 0x5065_646F

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("minutes") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: minutes)
    }
    migrator.registerMigration("recent steps") { db in try db.execute(sql: recentSteps) }
    migrator.registerMigration("reports") { db in try db.execute(sql: reports) }
    migrator.registerMigration("floors") { db in try db.execute(sql: floors) }
    migrator.registerMigration("checksums") { db in
      try db.execute(sql: checksums)
      try Seals.fill(db)
    }
    migrator.registerMigration("counters") { db in try db.execute(sql: counters) }
    return migrator
  }

  /// Whether the file has no table of a history or of another program. The list of migrations may exist: each migration
  /// is a transaction, so a disk that is full during the first start leaves the list alone.
  static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") == 0
  }

  /// Whether the file has the tables of version 0.1, without which it cannot be read. A first start that was
  /// interrupted leaves fewer.
  static func isReadable(_ db: Database) throws -> Bool {
    try migrator.appliedIdentifiers(db).isSuperset(of: ["minutes", "recent steps", "reports", "floors", "checksums"])
  }

  private static let minutes = """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      newest INTEGER,                                  -- its latest step, on the wall clock as it is set now
      minuteSteps INTEGER NOT NULL DEFAULT 0,          -- its steps in the minute of that step
      boutStart INTEGER,                               -- the bout that the next step may continue
      repeated INTEGER NOT NULL DEFAULT 0,             -- refused: submitted twice
      impossible INTEGER NOT NULL DEFAULT 0            -- refused: faster than a human, or in the future
    );
    CREATE TABLE minute (
      minute INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source(id),
      steps INTEGER NOT NULL CHECK (steps >= 0),
      distance INTEGER NOT NULL CHECK (distance >= 0),
      active INTEGER NOT NULL CHECK (active >= 0),
      PRIMARY KEY (minute, source)
    ) WITHOUT ROWID;
    -- The sums of quarters of an hour, using the source with the most steps in each minute.
    CREATE TABLE quarter (
      quarter INTEGER PRIMARY KEY NOT NULL,
      steps INTEGER NOT NULL CHECK (steps >= 0),
      distance INTEGER NOT NULL CHECK (distance >= 0),
      active INTEGER NOT NULL CHECK (active >= 0)
    ) WITHOUT ROWID;
    CREATE TABLE bout (
      start INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source(id),
      finish INTEGER NOT NULL CHECK (finish >= start),
      steps INTEGER NOT NULL CHECK (steps >= 0),
      distance INTEGER NOT NULL CHECK (distance >= 0),
      active INTEGER NOT NULL CHECK (active >= 0),
      PRIMARY KEY (start, source)
    ) WITHOUT ROWID;
    CREATE TABLE event (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      kind TEXT NOT NULL,
      source INTEGER REFERENCES source(id),
      message TEXT
    );
    CREATE INDEX eventByTime ON event (time);
    -- One row: the wall clock minus the time since boot, and the ID of that boot.
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot TEXT NOT NULL,
      ahead INTEGER NOT NULL
    );
    """

  private static let recentSteps = """
    -- The single steps of the last days, for periods that start or end within a minute.
    CREATE TABLE step (
      time INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source(id),
      distance INTEGER NOT NULL CHECK (distance >= 0),
      active INTEGER NOT NULL CHECK (active >= 0),
      PRIMARY KEY (time, source)
    ) WITHOUT ROWID;
    """

  private static let reports = """
    -- Reports of programs in order of arrival; the oldest beyond a limit are deleted. In the same file as the steps,
    -- so that one copy of it is a complete backup.
    CREATE TABLE report (
      number INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL,                        -- a UUID, assigned by the reporter
      user TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      eventDate INTEGER NOT NULL,                      -- when it was received: milliseconds since 1970
      recordedDate INTEGER NOT NULL,                   -- when it happened, on the reporter's clock
      duration REAL,                                   -- seconds
      device TEXT,
      os TEXT,
      appVersion TEXT,
      UNIQUE (user, identifier)
    );
    """

  private static let floors = """
    -- NULL: no barometer was beside the source. In a quarter of an hour, of the source with the most steps of those that
    -- have one, minute by minute.
    ALTER TABLE minute ADD COLUMN ascended INTEGER CHECK (ascended >= 0);
    ALTER TABLE minute ADD COLUMN descended INTEGER CHECK (descended >= 0);
    ALTER TABLE quarter ADD COLUMN ascended INTEGER CHECK (ascended >= 0);
    ALTER TABLE quarter ADD COLUMN descended INTEGER CHECK (descended >= 0);
    """

  private static let checksums = """
    -- Checksums as RowDigest computes them: "chk" of the other columns of a row, "digest" the sum of those of minutes.
    ALTER TABLE quarter ADD COLUMN minutes INTEGER NOT NULL DEFAULT 0;    -- the number of rows of minutes in it
    ALTER TABLE quarter ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE quarter ADD COLUMN chk INTEGER;
    ALTER TABLE bout ADD COLUMN chk INTEGER;
    ALTER TABLE source ADD COLUMN chk INTEGER;
    -- The days of UTC.
    CREATE TABLE day (
      day INTEGER PRIMARY KEY,
      minutes INTEGER NOT NULL,
      digest INTEGER NOT NULL,
      bouts INTEGER NOT NULL,                          -- the sum of the checksums of its bouts
      chk INTEGER
    );
    -- One row.
    CREATE TABLE whole (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      generation INTEGER NOT NULL,                     -- the number of transactions
      minutes INTEGER NOT NULL,
      digest INTEGER NOT NULL,
      bouts INTEGER NOT NULL,
      checked INTEGER NOT NULL,                        -- when everything was checked last: microseconds since 1970
      chk INTEGER
    );
    -- What damage cost.
    CREATE TABLE loss (
      id INTEGER PRIMARY KEY,
      noticed INTEGER NOT NULL,
      start INTEGER NOT NULL,
      finish INTEGER NOT NULL,
      minutes INTEGER NOT NULL,
      steps INTEGER,
      kind TEXT NOT NULL
    );
    """

  private static let counters = """
    -- The latest reading of counters that only rise, in the transaction that adds their steps.
    CREATE TABLE counter (
      source INTEGER PRIMARY KEY REFERENCES source(id),
      origin TEXT NOT NULL,                            -- what it counts from: boot, midnight, time
      since INTEGER,                                   -- when it was 0: microseconds since 1970; NULL: unknown
      time INTEGER NOT NULL,
      steps INTEGER NOT NULL CHECK (steps >= 0),
      doubtTime INTEGER,                               -- a later reading that is impossible after this one
      doubtSteps INTEGER,
      chk INTEGER
    );
    """
}
