import Foundation
import GRDB

/// Why the history cannot be written or read.
public enum HistoryError: Error, Sendable, Hashable {
  /// Nothing has been recorded yet.
  case nothingYet(path: String)
  /// Another process is writing.
  case held(by: String, pid: Int32)
  /// This user lacks permission.
  case notPermitted(path: String, reason: String)
  /// The folder or the file cannot be created.
  case cannotCreate(path: String, reason: String)
  /// No space left.
  case full(path: String)
  /// A newer program wrote it.
  case newer(path: String)
  /// An older program wrote it, and reading alone does not upgrade it.
  case older(path: String)
  /// The file is not a history, or a damaged one.
  case damaged(path: String, reason: String)
  /// Another process holds the lock for too long.
  case busy(path: String)
  /// Another system error.
  case failed(path: String, reason: String)
  /// The end is before the beginning.
  case badPeriod(from: Date, to: Date)
  /// More than ``HistoryReader/mostBuckets``.
  case tooManyBuckets
}

extension HistoryError: CustomStringConvertible {
  /// One sentence that says what to do next.
  public var description: String {
    switch self {
    case .nothingYet(let path):
      "no history in \(path) yet; start pedometerd and walk, or give another folder"
    case .held(let application, let pid):
      "the history is being written by \(application) (process \(pid)); stop it first, or use another folder"
    case .notPermitted(let path, let reason):
      "\(path) cannot be accessed (\(reason)); fix its permissions, or give another folder"
    case .cannotCreate(let path, let reason): "cannot create \(path) (\(reason)); give another folder"
    case .full(let path):
      "no space left for \(path); free some. Everything already recorded is safe"
    case .newer(let path): "\(path) was written by a newer version of this program; update this one"
    case .older(let path):
      "\(path) was written by an older version of this program; start pedometerd once to update it"
    case .damaged(let path, let reason):
      "\(path) is damaged (\(reason)); start pedometerd, which moves it aside and creates a new one"
    case .busy(let path): "\(path) is locked by another program; try again later"
    case .failed(let path, let reason): "\(path) cannot be used: \(reason); fix this, and try again"
    case .badPeriod(let from, let to): "\(to) is before \(from); swap them"
    case .tooManyBuckets:
      "more than \(HistoryReader.mostBuckets) intervals; choose longer intervals or a shorter period"
    }
  }
}

extension HistoryError {
  /// Converts an error of SQLite.
  init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "\(error.resultCode)"
    self =
      switch error.resultCode {
      case .SQLITE_FULL: .full(path: path)
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path: path, reason: reason)
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .notPermitted(path: path, reason: reason)
      case .SQLITE_CANTOPEN: .notPermitted(path: path, reason: reason)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
      default: .failed(path: path, reason: reason)
      }
  }

  /// Whether replacing the file would help.
  var isDamage: Bool { if case .damaged = self { true } else { false } }
}

/// Runs code that uses SQLite, and converts its errors.
func speakingOf<Result>(_ path: String, _ body: () throws -> Result) throws(HistoryError) -> Result {
  do { return try body() } catch let error as HistoryError { throw error } catch let error as DatabaseError {
    throw HistoryError(error, path: path)
  } catch { throw .failed(path: path, reason: "\(error)") }
}
