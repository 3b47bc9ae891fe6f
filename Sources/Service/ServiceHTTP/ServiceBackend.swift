import ChaseEngine
import Foundation
import JSONLines
import ServiceCore

/// The data and actions of the routes; each is set by the service, and empty before.
package struct ServiceBackend: Sendable {
  package var sources: @Sendable () async -> [SourceState] = { [] }
  /// What each source measured in the last seconds, for a picture.
  package var signals: @Sendable () async -> [SourceSignal] = { [] }
  /// The day so far, in the user's time zone.
  package var today: @Sendable () async throws -> TodayFigures = { throw ServiceBackend.nothing }
  /// The totals of a period, in buckets. Throws a ``ServiceRefusal`` for an invalid period. Clients that request long periods take turns.
  package var history: @Sendable (_ query: HistoryQuery, _ client: String) throws -> HistoryPages = { _, _ in
    throw ServiceBackend.nothing
  }
  /// The walk with the longest walking time, as an object like those of the history; `nil` before any.
  package var longestWalk: @Sendable () async throws -> JSONLine? = { nil }
  /// The doubtful walks of a period, with their answers.
  package var walks: @Sendable (_ query: HistoryQuery) async throws -> [JSONLine] = { _ in [] }
  /// Answers what a walk was, and its name. Throws a ``ServiceRefusal`` if nothing can be answered there.
  package var answer: @Sendable (_ from: Date, _ to: Date, _ answer: String?, _ name: String?) async throws -> Void = {
    _, _, _, _ in throw ServiceBackend.nothing
  }
  /// The goals of days from now on; `nil` without one.
  package var goals: @Sendable () -> GoalPlan? = { nil }
  /// Sets them, across restarts.
  package var setGoal: @Sendable (_ plan: GoalPlan) async throws -> Void = { _ in throw ServiceBackend.nothing }
  /// What distances and days are computed with.
  package var settings: @Sendable () -> WalkSettings = { WalkSettings() }
  /// Sets it, across restarts. Throws a ``ServiceRefusal`` for values that cannot be.
  package var set: @Sendable (_ settings: WalkSettings) async throws -> Void = { _ in throw ServiceBackend.nothing }
  /// The lines of `pedometer devices --format json`.
  package var devices: @Sendable () async throws -> [String] = { [] }
  /// The lines of `pedometer doctor --format json`.
  package var checks: @Sendable () async throws -> [String] = { [] }
  /// The latest `chase` line, or a `state` line without a chase.
  package var chase: @Sendable () async throws -> String = { throw ServiceBackend.nothing }
  /// Controls the chase. Throws a ``ServiceRefusal`` if its state does not allow it.
  package var steer: @Sendable (_ action: ChaseAction) async throws -> AppState = { _ in throw ServiceBackend.nothing }
  /// Why the service does not do all that it should; empty if it does.
  package var troubles: @Sendable () async -> [String] = { [] }
  /// What became of the latest files of the watched folder, newest first.
  package var imports: @Sendable () async -> [JSONLine] = { [] }
  /// The periods whose data were lost by damage, as text.
  package var losses: @Sendable () async -> [String] = { [] }

  package init() {}

  private static let nothing = ServiceRefusal(503, "this service has no such part")
}

package enum ChaseAction: Sendable, Hashable {
  case start(goal: Int, nessieSpeed: Double?, headStart: Double?)
  case pause
  case resume
  case restart
  case stop
}
