import Foundation
import History
import Synchronization

/// The steps of walkers, each from a separate history.
package protocol StepHistories: Sendable {
  /// The steps between consecutive moments.
  func steps(of walker: String, between edges: [Date]) throws -> [Int]
  /// Closes the histories of walkers who are not in a list.
  func keep(only ids: Set<String>)
}

/// Reads the histories below a state folder. Another process may be writing them.
package final class FolderHistories: StepHistories {
  private let walkers: WalkerBook
  private let readers = Mutex<[String: HistoryReader]>([:])

  package init(_ walkers: WalkerBook) { self.walkers = walkers }

  package func steps(of walker: String, between edges: [Date]) throws -> [Int] {
    guard let reader = try reader(walker) else { return Array(repeating: 0, count: max(0, edges.count - 1)) }
    return try zip(edges, edges.dropFirst()).map { try reader.totals(from: $0, to: $1).steps }
  }

  /// The reader of a walker; `nil` if nothing has been recorded yet.
  private func reader(_ walker: String) throws -> HistoryReader? {
    if let reader = readers.withLock({ $0[walker] }) { return reader }
    do throws(HistoryError) {
      let reader = try HistoryReader(folder: HistoryFolder(path: walkers.folder(of: walker)))
      readers.withLock { $0[walker] = reader }
      return reader
    } catch {
      if error.code == .nothingYet { return nil }
      throw error
    }
  }

  package func keep(only ids: Set<String>) { readers.withLock { $0 = $0.filter { ids.contains($0.key) } } }
}
