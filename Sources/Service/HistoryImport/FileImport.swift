import Foundation
import History
import Pedometry
import Platform

/// Adds files of other programs to the history that this process writes.
package struct FileImport: Sendable {
  /// Adds minutes, and raises those that have fewer steps; returns the number of both.
  package typealias Raise = @Sendable ([HistoryMinute]) async throws -> Int

  /// What files add.
  package struct Found: Sendable {
    package var results: [ImportPlan.Result]
    /// What was left out, one sentence each.
    package var notices: [String]
  }

  package let folder: HistoryFolder
  package let now: @Sendable () -> Date
  package let raise: Raise
  private let stepLength: @Sendable () -> StepLengthModel
  private let timeZone: @Sendable () -> TimeZone

  /// Minutes that are added at a time, so that other writes come in between.
  private static let parcel = 10_000

  /// Removes what an import left behind when it was killed.
  /// - Parameters:
  ///   - folder: of the history.
  ///   - stepLength: for files without distances.
  ///   - timeZone: of dates and times without an offset.
  package init(
    folder: HistoryFolder, stepLength: @escaping @Sendable @autoclosure () -> StepLengthModel,
    timeZone: @escaping @Sendable () -> TimeZone, now: @escaping @Sendable () -> Date, raise: @escaping Raise
  ) {
    (self.folder, self.stepLength, self.timeZone, self.now, self.raise) = (folder, stepLength, timeZone, now, raise)
    UnpackingFolder.removeAbandoned()
  }

  /// Reads files that belong together, and compares them with the history; changes nothing. Blocks: a gigabyte takes half a minute.
  /// - Parameter stop: ends it within a moment.
  /// - Throws: ``ImportFailure`` with the names of files instead of their paths, `HistoryError`, `CancellationError`.
  package func plan(_ paths: [String], stop: ImportCost.Stop? = nil) throws -> Found {
    let shorten = { (text: String) in
      paths.reduce(text) { $0.replacing($1, with: $1.split(separator: "/").last.map(String.init) ?? $1) }
    }
    do {
      // The days of other programs begin at midnight.
      let calendar = DayCalendar(timeZone: timeZone())
      let cost = ImportCost(stop: stop, memory: InputLimits.importMemory)
      let contents = try ImportFile.read(paths, now: now(), calendar: calendar, cost: cost)
      let results = try ImportPlan.results(
        of: contents, in: folder, stepLength: stepLength(), calendar: calendar, cost: cost)
      let notices = contents.flatMap { $0.notices + [$0.refusal].compactMap { $0 } } + results.flatMap(\.notices)
      return Found(results: results, notices: notices.map(shorten))
    } catch let failure as ImportFailure {
      throw ImportFailure(failure.code, shorten(failure.description))
    }
  }

  /// Adds what was found of one source.
  /// - Returns: the number of minutes that are new or have more steps.
  package func add(_ result: ImportPlan.Result) async throws -> Int {
    var added = 0
    for start in stride(from: 0, to: result.minutes.count, by: Self.parcel) {
      added += try await raise(Array(result.minutes[start..<min(start + Self.parcel, result.minutes.count)]))
    }
    return added
  }
}
