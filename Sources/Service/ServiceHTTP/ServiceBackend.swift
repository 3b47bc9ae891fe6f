import ChaseEngine
import Foundation
import Pedometry
import ServiceCore

/// The data and actions of the routes, implemented by sources, history and the chase.
package protocol ServiceBackend: Sendable {
  /// The state of each source.
  func sources() async -> [SourceState]
  /// What each source measured in the last seconds, for a picture.
  func signals() async -> [SourceSignal]
  /// The day so far, in the user's time zone.
  func today() async throws -> TodayFigures
  /// The totals of a period, in buckets. Throws a ``ServiceRefusal`` for an invalid period.
  /// - Parameter client: the client; clients that request long periods take turns.
  func history(_ query: HistoryQuery, client: String) throws -> HistoryPages
  /// The walk with the longest walking time, as an object like those of the history; `nil` before any.
  func longestWalk() async throws -> String?
  /// Sets the day's goal, in steps, which is kept across restarts.
  func setGoal(_ steps: Int) async throws
  /// The lines of `pedometer devices --format json`.
  func devices() async throws -> [String]
  /// The lines of `pedometer doctor --format json`.
  func checks() async throws -> [String]
  /// The latest `chase` line, or a `state` line without a chase.
  func chase() async -> String
  /// Controls the chase. Throws a ``ServiceRefusal`` if its state does not allow it.
  func steer(_ action: ChaseAction) async throws -> AppState
  /// Why the service does not do all that it should; empty if it does.
  func troubles() async -> [String]
  /// What became of the latest files of the watched folder, newest first, as JSON objects.
  func imports() async -> [String]
  /// The periods whose data were lost by damage, as text.
  func losses() async -> [String]
}

/// The actions of a client on the chase.
package enum ChaseAction: Sendable, Hashable {
  case start(goal: Int, nessieSpeed: Double?, headStart: Double?)
  case pause
  case resume
  case restart
  case stop
}
