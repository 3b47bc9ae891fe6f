import Foundation
import GRDB

/// An error of writing or reading the history: compare ``code``, and show ``message``.
public struct HistoryError: Error, Sendable, Hashable {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// Nothing has been recorded yet.
    public static let nothingYet = Code(name: "nothingYet")
    /// Another process is writing.
    public static let held = Code(name: "held")
    /// This user lacks permission.
    public static let notPermitted = Code(name: "notPermitted")
    /// The folder or the file cannot be created.
    public static let cannotCreate = Code(name: "cannotCreate")
    /// No space left.
    public static let full = Code(name: "full")
    /// A newer program wrote it.
    public static let newer = Code(name: "newer")
    /// An older program wrote it, and reading alone does not bring it up to date.
    public static let older = Code(name: "older")
    /// The file is damaged.
    public static let damaged = Code(name: "damaged")
    /// The file is the database of another program.
    public static let foreign = Code(name: "foreign")
    /// Another process has held the lock for too long.
    public static let busy = Code(name: "busy")
    /// Another system error.
    public static let failed = Code(name: "failed")
    /// The end of the period is before its start.
    public static let badPeriod = Code(name: "badPeriod")
    /// More than ``HistoryReader/mostBuckets``.
    public static let tooManyBuckets = Code(name: "tooManyBuckets")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String
  /// Of a damaged file: the periods that are known to be affected, as far as the query concerns them.
  public let losses: [HistoryLoss]

  private init(_ code: Code, _ message: String, losses: [HistoryLoss] = []) {
    (self.code, self.message, self.losses) = (code, message, losses)
  }

  package static func nothingYet(path: String) -> Self {
    Self(.nothingYet, "no history in \(path) yet; start pedometerd and walk, or give another folder")
  }

  package static func held(by application: String, pid: Int32) -> Self {
    Self(.held, "the history is being written by \(application) (process \(pid)); stop it first, or use another folder")
  }

  package static func notPermitted(path: String, reason: String) -> Self {
    Self(.notPermitted, "\(path) cannot be accessed (\(reason)); fix its permissions, or give another folder")
  }

  package static func cannotCreate(path: String, reason: String) -> Self {
    Self(.cannotCreate, "cannot create \(path) (\(reason)); give another folder")
  }

  package static func full(path: String) -> Self {
    Self(.full, "no space left for \(path); free some. Everything already recorded is safe")
  }

  package static func newer(path: String) -> Self {
    Self(.newer, "\(path) was written by a newer version of this program; update this one")
  }

  package static func older(path: String) -> Self {
    Self(.older, "\(path) was written by an older version of this program; start pedometerd once to update it")
  }

  package static func damaged(path: String, reason: String, losses: [HistoryLoss] = []) -> Self {
    Self(
      .damaged, "\(path) is damaged (\(reason)); start pedometerd, which saves what is readable and keeps this file",
      losses: losses)
  }

  package static func foreign(path: String) -> Self {
    Self(.foreign, "\(path) is the database of another program; move it away, or give another folder")
  }

  package static func busy(path: String) -> Self {
    Self(.busy, "\(path) is locked by another program; try again later")
  }

  package static func failed(path: String, reason: String) -> Self {
    Self(.failed, "\(path) cannot be used: \(reason); fix this, and try again")
  }

  package static func removed(path: String) -> Self {
    Self(
      .failed,
      "\(path) was removed or replaced while it was open; put it back, or stop the program that writes it and start it "
        + "again")
  }

  package static func badPeriod(from: Date, to: Date) -> Self { Self(.badPeriod, "\(to) is before \(from); swap them") }

  package static var tooManyBuckets: Self {
    Self(
      .tooManyBuckets,
      "more than \(HistoryReader.mostBuckets) intervals; choose longer intervals or a shorter period")
  }
}

extension HistoryError: CustomStringConvertible {
  public var description: String { message }
}

extension HistoryError {
  init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "\(error.resultCode)"
    // SQLite's index of the log has no other reason not to grow.
    let hasNoSpace = error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    self =
      switch error.resultCode {
      case .SQLITE_IOERR where hasNoSpace: .full(path: path)
      case .SQLITE_FULL: .full(path: path)
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path: path, reason: reason)
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .notPermitted(path: path, reason: reason)
      case .SQLITE_CANTOPEN: .notPermitted(path: path, reason: reason)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
      default: .failed(path: path, reason: reason)
      }
  }

  /// Whether replacing the file would help.
  var isDamage: Bool { code == .damaged }
}

/// Runs code that uses SQLite, and converts its errors.
func speakingOf<Result>(_ path: String, _ body: () throws -> Result) throws(HistoryError) -> Result {
  do { return try body() } catch let error as HistoryError { throw error } catch let error as DatabaseError {
    throw HistoryError(error, path: path)
  } catch let error as RowDecodingError {
    // A value that the schema rules out, such as a migration without a name.
    throw .damaged(path: path, reason: "\(error)")
  } catch { throw .failed(path: path, reason: "\(error)") }
}
