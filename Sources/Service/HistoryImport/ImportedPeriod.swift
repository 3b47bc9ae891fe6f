import Foundation
import History
import Pedometry
import Platform

/// Steps of a period, as another program recorded them.
package struct ImportedPeriod: Hashable {
  package var start: Date
  /// Not before the start.
  package var end: Date
  package var steps: Int
  /// Metres, if it recorded them.
  package var distance: Double?
  package var source: HistorySource
  /// Overlapping periods of one kind have the same steps; those of different kinds, such as walking and running, do not.
  package var kind = 0

  package init(start: Date, end: Date, steps: Int, distance: Double? = nil, source: HistorySource, kind: Int = 0) {
    (self.start, self.end, self.steps, self.distance, self.source) = (start, end, steps, distance, source)
    self.kind = kind
  }
}

/// The content of a file of another program.
package struct ImportedFile {
  /// In any order.
  package var periods: [ImportedPeriod] = []
  /// Minutes of our own export, which keep their sources.
  package var minutes: [HistoryMinute] = []
  /// Steps that are no periods yet, and what tells their times.
  var clock = WallClock()
  /// Totals of watches that are no periods yet, since those of one file go on in the next.
  var monitoring: [GarminMonitoring.Part] = []
  /// The number of entries with impossible figures, such as steps without time or in the future.
  package var refused = 0
  package var refusedSteps = 0
  /// The first of them, and the reason.
  package var firstRefusal: String?
  /// What the user should know about the file, one sentence each.
  package var notices: [String] = []
  /// Those of the periods and minutes.
  private var sources: Set<HistorySource> = []
  /// The first entry that could not be read.
  private var unreadable: ImportFailure?

  package init() {}

  /// Adds what another file of the archive at a path has.
  /// - Throws: ``ImportFailure``.
  mutating func add(_ other: ImportedFile, of path: String) throws {
    let sources = sources.union(other.sources)
    guard sources.count <= InputLimits.sources else { throw ImportFailure(at: path, Self.tooManySources) }
    self.sources = sources
    periods += other.periods
    minutes += other.minutes
    clock += other.clock
    monitoring += other.monitoring
    refused += other.refused
    refusedSteps += other.refusedSteps
    firstRefusal = firstRefusal ?? other.firstRefusal
    notices += other.notices
  }

  /// What was left out, in a sentence; `nil` if nothing was.
  package var refusal: String? {
    guard refused > 0 else { return nil }
    let first = firstRefusal ?? ""
    if refused == 1 { return "1 entry with impossible figures was left out: \(first)" }
    return
      "\(refused) entries with impossible figures were left out, with \(refusedSteps) steps in all; the first is \(first)"
  }

  static let tooManySources = "more than \(InputLimits.sources) devices and programs"

  /// A source with names of usual length; `nil` if there are too many others.
  mutating func source(_ source: HistorySource) -> HistorySource? {
    let cut = { (text: String) in
      text.utf8.count <= InputLimits.name
        ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(InputLimits.name)))
    }
    let source = HistorySource(identity: cut(source.identity), name: cut(source.name))
    if sources.count < InputLimits.sources { return sources.insert(source).memberAfterInsert }
    return sources.firstIndex(of: source).map { sources[$0] }
  }

  package mutating func add(_ period: ImportedPeriod, at place: String? = nil, now: Date) {
    let seconds = period.end.timeIntervalSince(period.start)
    if period.steps == 0 { return }
    let reason: String? =
      if period.steps < 0 {
        "fewer than 0 steps"
      } else if seconds < 0 {
        "it ends before it begins"
      } else if seconds > EvenSteps.longestPeriod {
        "a period of more than a day"
      } else if period.start.timeIntervalSince1970 < 0 {
        "before 1970"
      } else if period.end > now + 60 {
        "in the future"
      } else if Double(period.steps) > max(60, seconds) * WalkedStep.highestCadence {
        "more than \(Int(WalkedStep.highestCadence * 60)) steps a minute"
      } else {
        nil
      }
    guard reason == nil, let source = source(period.source) else {
      return refuse(period.steps, at: place, time: period.start, reason ?? Self.tooManySources)
    }
    var period = period
    period.source = source
    periods.append(period)
  }

  /// Counts an entry that cannot be read.
  /// - Parameters:
  ///   - entry: its place in the file.
  ///   - place: the same with the file, in case that nothing else is in it.
  mutating func skip(_ steps: Int? = nil, at entry: String, of place: String, time: Date? = nil, _ reason: String) {
    unreadable = unreadable ?? ImportFailure(at: place, reason)
    refuse(steps, at: entry, time: time, reason)
  }

  /// Refuses a file in which entries cannot be read, and which has no others.
  /// - Throws: ``ImportFailure``.
  func requireEntries() throws { if let unreadable, periods.isEmpty, minutes.isEmpty { throw unreadable } }

  mutating func refuse(_ steps: Int?, at place: String?, time: Date? = nil, _ reason: String) {
    refused += 1
    refusedSteps += max(0, min(steps ?? 0, 1_000_000_000))
    guard firstRefusal == nil else { return }
    let figures = [place, time.map { $0.formatted(.iso8601) }, steps.map { "\($0) steps" }].compactMap { $0 }
    firstRefusal = figures.joined(separator: ", ") + ": " + reason
  }
}

extension HistorySource {
  /// A device or a program whose steps another program exported.
  /// - Parameters:
  ///   - program: the exporting one, in identities and for people.
  ///   - identity: what does not change with the next export.
  ///   - name: for people.
  static func imported(_ program: (id: String, name: String), _ identity: [String?], _ name: [String?]) -> Self {
    HistorySource(
      identity: (["import", program.id] + identity.compactMap(\.self)).joined(separator: ":"),
      name: "\(name.compactMap(\.self).joined(separator: ", ")) (\(program.name))")
  }
}
