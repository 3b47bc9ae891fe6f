import Foundation
import Pedometry
import Platform

/// Minutes of one source, as `pedometer import` sends them to the service that writes the history.
package struct MinuteParcel: Codable, Sendable, Hashable {
  package struct Minute: Codable, Sendable, Hashable {
    /// Seconds since 1970.
    package var start: Int64
    package var steps: Int
    /// Metres.
    package var distance: Double
    /// Seconds.
    package var active: Double
    /// Floors; `nil` without a barometer.
    package var ascended: Int?
    package var descended: Int?
  }

  /// The file that the sender means, as ``HistoryFolder/databaseNumber`` names it: the service may write another one.
  package var database: String
  package var identity: String
  package var name: String
  package var minutes: [Minute]

  /// The maximum number of minutes in a parcel.
  package static let most = 2000

  /// - Parameter minutes: of the source.
  package init(_ minutes: some Collection<HistoryMinute>, of source: HistorySource, database: String) {
    (self.database, identity, name) = (database, source.identity, source.name)
    self.minutes = minutes.map { minute in
      Minute(
        start: Int64(bounded: minute.start.timeIntervalSince1970.rounded(.down)), steps: minute.totals.steps,
        distance: minute.totals.distanceTravelled, active: minute.totals.activeTime / .seconds(1),
        ascended: minute.totals.floorsAscended, descended: minute.totals.floorsDescended)
    }
  }

  /// The minutes.
  /// - Parameter now: later minutes are impossible.
  /// - Returns: `nil` if any value is impossible.
  package func history(now: Date) -> [HistoryMinute]? {
    let texts = 1...256
    guard texts.contains(identity.utf8.count), texts.contains(name.utf8.count), minutes.count <= Self.most else {
      return nil
    }
    let (latest, source) = (now.timeIntervalSince1970, HistorySource(identity: identity, name: name))
    let isPossible = minutes.allSatisfy { minute in
      minute.start >= 0 && minute.start % 60 == 0 && Double(minute.start) <= latest && (0...300).contains(minute.steps)
        && (0...3000).contains(minute.distance) && (0...60).contains(minute.active)
        && (0...60).contains(minute.ascended ?? 0) && (0...60).contains(minute.descended ?? 0)
    }
    guard isPossible else { return nil }
    return minutes.map { minute in
      HistoryMinute(
        start: Date(timeIntervalSince1970: Double(minute.start)), source: source,
        totals: WalkTotals(
          steps: minute.steps, distanceTravelled: minute.distance, activeTime: .seconds(minute.active),
          floorsAscended: minute.ascended, floorsDescended: minute.descended))
    }
  }
}

extension HistoryFolder {
  /// Distinguishes the database's file from others of this machine; `nil` without one.
  package var databaseNumber: String? { FileNumber(of: database).map(\.text) }
}
