"""Opens a history for tests that write minutes into it by SQL, without checksums."""

import os
import sqlite3

SOURCE = 77


def unsealed(database):
    """A connection to the history of a stopped service, with the source SOURCE.

    The file becomes one from before checksums, for which the service computes them when it starts.
    """
    history = sqlite3.connect(database)
    columns = [("quarter", "minutes"), ("quarter", "digest"), ("quarter", "chk"), ("bout", "chk"), ("source", "chk")]
    history.executescript("".join(f"ALTER TABLE {table} DROP COLUMN {column};" for table, column in columns)
                          + "".join(f"DROP TABLE {table};" for table in ("day", "whole", "loss"))
                          + "DELETE FROM grdb_migrations WHERE identifier = 'checksums';")
    os.remove(database.removesuffix(".sqlite") + ".lock")
    history.execute("INSERT INTO source (id, identity, name) VALUES (?, 'made up', 'made up')", (SOURCE,))
    return history
