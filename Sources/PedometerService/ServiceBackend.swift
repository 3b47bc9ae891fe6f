import ChaseEngine
import Foundation
import Pedometry

/// What the service knows and does, as the routes ask for it; behind it stand sources, history and the chase.
protocol ServiceBackend: Sendable {
  /// How each source is.
  func sources() async -> [SourceState]
  /// The day so far, in the user's time zone.
  func today() async throws -> TodayFigures
  /// What was walked from–to, in buckets. Throws a ``ServiceRefusal`` for a span that makes no sense.
  /// - Parameter client: who asks; clients that ask for long periods take turns.
  func history(from: Date?, to: Date?, bucket: BucketLength, client: String) throws -> HistoryPages
  /// Sets the day's goal, in steps; kept over a restart.
  func setGoal(_ steps: Int) async throws
  /// The lines of `pedometer devices --format json`.
  func devices() async throws -> [String]
  /// The lines of `pedometer doctor --format json`.
  func checks() async throws -> [String]
  /// The latest `chase` line, or a `state` line when none runs.
  func chase() async -> String
  /// Steers the chase. Throws a ``ServiceRefusal`` for what its state does not allow.
  func steer(_ action: ChaseAction) async throws -> AppState
}

/// How a source is at present.
struct SourceState: Sendable, Hashable {
  enum State: String, Sendable {
    case counting, waiting, lost, denied
  }
  /// The name under which it is counted.
  var uri: String
  /// What the sensor is called; `nil` before it was seen.
  var name: String?
  var state: State
  /// Why it does not count, and what to do about it; `nil` while it counts.
  var reason: String?
  var remedy: String?
  /// Steps since the service started.
  var steps: Int
  /// Samples a second; `nil` for a chip that counts and before it is known.
  var samplingFrequency: Double?
  /// How the walk stands; `nil` before the first figures.
  var walk: WalkSample?
}

/// A day's figures up to now.
struct TodayFigures: Sendable, Hashable, Codable {
  /// The day, as 2026-11-21.
  var date: String
  var steps: Int
  /// Metres.
  var distanceTravelled: Double
  /// Seconds spent walking.
  var activeTime: Double
  /// Steps; `nil` when no goal is set.
  var goal: Int?
}

/// How long a bucket of history is.
enum BucketLength: String, Sendable, CaseIterable, Codable {
  case minute, hour, day
}

/// One bucket of history.
struct HistoryFigures: Sendable, Hashable, Codable {
  /// ISO 8601 with offset.
  var start: String
  var end: String
  var steps: Int
  /// Metres.
  var distanceTravelled: Double
  /// Steps a second over the time spent walking; `nil` where nobody walked.
  var cadence: Double?
  /// Seconds spent walking.
  var activeTime: Double
}

/// An answer out of the history, page by page, so that years of minutes are never in memory at once. Each page is of one
/// moment.
struct HistoryPages: Sendable {
  /// The next page: at least one JSON object, with commas between them; `nil` behind the last page. Called by one task at a
  /// time.
  let next: @Sendable () async throws -> String?
}

/// What a client may want of the chase.
enum ChaseAction: Sendable, Hashable {
  case start(goal: Int, nessieSpeed: Double?, headStart: Double?)
  case pause
  case resume
  case restart
  case stop
}

/// A request that is understood and refused: one sentence and the status.
struct ServiceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400, 404, 409, 503 …
  var status: Int
  /// Why, and what to do.
  var reason: String

  var description: String { reason }
}
