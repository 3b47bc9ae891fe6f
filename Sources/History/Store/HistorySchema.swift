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
    return migrator
  }

  private static let minutes = """
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      newest INTEGER,                                  -- its latest step, by the wall clock as it stands now
      minuteSteps INTEGER NOT NULL DEFAULT 0,          -- how many it took in that step's minute
      boutStart INTEGER,                               -- the bout that the next step may go on with
      repeated INTEGER NOT NULL DEFAULT 0,             -- refused: told twice
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
    -- The sums of a quarter of an hour; in each minute, of the source with the most steps.
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
    -- One row: how far the wall clock was ahead of the time since boot, and in which boot that was.
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot TEXT NOT NULL,
      ahead INTEGER NOT NULL
    );
    """

  private static let recentSteps = """
    -- The steps of the last days one by one, for periods that do not begin or end with a minute.
    CREATE TABLE step (
      time INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES source(id),
      distance INTEGER NOT NULL CHECK (distance >= 0),
      active INTEGER NOT NULL CHECK (active >= 0),
      PRIMARY KEY (time, source)
    ) WITHOUT ROWID;
    """

  private static let reports = """
    -- What programs reported, by rising number as it came in; the oldest beyond a limit are deleted. Not about steps, but
    -- in the same file, so that one copy of it is a copy of everything.
    CREATE TABLE report (
      number INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL,                        -- a UUID, the reporter's own
      user TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      eventDate INTEGER NOT NULL,                      -- when it came in: milliseconds since 1970
      recordedDate INTEGER NOT NULL,                   -- when it happened, by the reporter's clock: likewise
      duration REAL,                                   -- seconds
      device TEXT,
      os TEXT,
      appVersion TEXT,
      UNIQUE (user, identifier)
    );
    """
}
