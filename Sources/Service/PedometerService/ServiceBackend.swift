import ChaseEngine
import Foundation
import Pedometry

/// The data and actions of the routes, implemented by sources, history and the chase.
protocol ServiceBackend: Sendable {
  /// The state of each source.
  func sources() async -> [SourceState]
  /// What each source measured in the last seconds, for a picture.
  func signals() async -> [SourceSignal]
  /// The day so far, in the user's time zone.
  func today() async throws -> TodayFigures
  /// The totals of a period, in buckets. Throws a ``ServiceRefusal`` for an invalid period.
  /// - Parameter client: the client; clients that request long periods take turns.
  func history(_ query: HistoryQuery, client: String) throws -> HistoryPages
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
  /// The periods whose data were lost by damage, as text.
  func losses() async -> [String]
}

/// The state of a source.
struct SourceState: Sendable, Hashable {
  enum State: String, Sendable {
    case counting, waiting, lost, denied
  }
  /// The name of the source.
  var uri: String
  /// The name of the sensor; `nil` before it was found.
  var name: String?
  var state: State
  /// Why it does not count, and the remedy; `nil` while it counts.
  var reason: String?
  var remedy: String?
  /// Steps since the service started.
  var steps: Int
  /// The sampling frequency in Hz; `nil` for a hardware step counter and while unknown.
  var samplingFrequency: Double?
  /// The totals of the walk; `nil` before the first figures.
  var walk: WalkSample?
}

/// What a source measured in the last seconds.
struct SourceSignal: Sendable, Hashable {
  /// The name of the source.
  var source: String
  /// The time of the latest value, on a clock that only passes; `nil` without values.
  var end: Duration?
  /// The mean time between two values.
  var interval: Duration
  /// Magnitudes in g, oldest first; empty for a source without samples.
  var values: [Float]
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
  /// Steps; `nil` without a goal.
  var goal: Int?
  /// `nil` without a barometer.
  var floorsAscended: Int?
  var floorsDescended: Int?
}

/// The lengths of history buckets.
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
  /// Steps per second over the walking time; `nil` without steps.
  var cadence: Double?
  /// Seconds spent walking.
  var activeTime: Double
  /// `nil` without a barometer.
  var floorsAscended: Int?
  var floorsDescended: Int?
}

/// An answer from the history, page by page, so that years of minutes are never in memory at once. Each page is a
/// consistent snapshot.
struct HistoryPages: Sendable {
  /// The next page: at least one JSON object, separated by commas; `nil` after the last page. Called by one task at a
  /// time.
  let next: @Sendable () async throws -> String?
}

/// The actions of a client on the chase.
enum ChaseAction: Sendable, Hashable {
  case start(goal: Int, nessieSpeed: Double?, headStart: Double?)
  case pause
  case resume
  case restart
  case stop
}

/// The refusal of a valid request: one sentence and the status.
struct ServiceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400, 404, 409, 503 …
  var status: Int
  /// The reason, and the remedy.
  var reason: String

  var description: String { reason }
}
