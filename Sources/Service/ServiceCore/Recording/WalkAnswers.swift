import Foundation
import History
import JSONLines
import Pedometry
import Platform
import StepDetection
import Synchronization

/// Movement that was not counted and may have been a walk, or a walk that was counted and may have been none; and what the walker
/// says about it.
package struct DoubtfulWalk: Sendable, Hashable, Codable {
  /// Whole seconds.
  package var start: Date
  package var end: Date
  /// Steps that it has at its cadence, if it was a walk.
  package var steps: Int
  /// Metres of those.
  package var distance: Double
  /// Why it was not counted: an `Objection`; `nil` if it was counted.
  package var reason: String?
  /// The name of what felt it.
  package var source: String?
  /// One of ``kinds``, or what it was instead; `nil`: not answered yet.
  package var answer: String?
  /// What its walker calls it.
  package var name: String?

  /// The answer that it was a walk.
  package static let walk = "walk"
  /// The answers of which the steps count.
  private static let kinds: Set = [walk, "run", "hike"]

  /// Whether its steps count: those that were counted, unless an answer leaves them out.
  package var isWalk: Bool { answer.map(Self.kinds.contains) ?? (reason == nil) }
  /// Whether its steps were counted, and an answer leaves them out.
  package var isLeftOut: Bool { reason == nil && !isWalk }
  /// Whether the answer differs from what was counted.
  var changesHistory: Bool { isWalk == (reason != nil) }

  /// For `GET /api/walks`.
  package func json(_ calendar: DayCalendar) -> JSONLine {
    var line = JSONLine(["start": calendar.civil(start).iso8601, "end": calendar.civil(end).iso8601])
    if let reason {
      line.add([
        "steps": steps, "cadence": (Double(steps) / end.timeIntervalSince(start)).decimals(3), "reason": reason,
        "message": Objection(rawValue: reason)?.message, "source": source,
      ])
    }
    line.add("answer", answer)
    if let name { line.add("name", name) }
    return line
  }
}

/// The doubtful walks of a history, with the answers, in a file of its own: the history keeps what sensors counted.
package final class WalkAnswers: Sendable {
  private let file: StateFile<[DoubtfulWalk]>
  private let known: Mutex<[DoubtfulWalk]>

  /// Shorter stretches are not asked about.
  static let shortest = 60.0
  /// Cadences of people, in steps a second: a vehicle trembles faster, an exercise is slower.
  static let cadences = 0.8...3.4
  /// How long questions wait, in seconds, and how many: of more, nobody remembers the walks.
  private static let waitingTime = 30 * 86_400.0
  private static let most = 500
  /// The longest walk that can be answered, in seconds, and the longest answer or name in characters.
  private static let longest = 86_400.0
  private static let longestText = 40

  /// - Parameter folder: the folder of the history.
  /// - Throws: if the file cannot be read: it would be replaced.
  package init(folder: String) throws(StateFileError) {
    file = StateFile(path: folder + "/answers.json")
    known = Mutex(try file.read() ?? [])
  }

  /// Takes movement that was not counted, if it may have been a walk.
  /// - Throws: if it cannot be stored.
  func add(_ stretch: UncountedStretch, from start: Date, to end: Date, source: String, _ length: StepLengthModel)
    throws
  {
    let (start, end) = (Self.whole(start), Self.whole(end))
    let seconds = end.timeIntervalSince(start)
    guard seconds >= Self.shortest, stretch.objection.isRepetition, Self.cadences.contains(stretch.cadence) else {
      return
    }
    let steps = Int(bounded: (seconds * stretch.cadence).rounded())
    let walk = DoubtfulWalk(
      start: start, end: end, steps: steps, distance: Double(steps) * length.length(atCadence: stretch.cadence),
      reason: stretch.objection.rawValue, source: source)
    try change { all in
      // Two sensors feel the same movement.
      guard !all.contains(where: { $0.start < end && start < $0.end }) else { return }
      all.removeAll { $0.answer == nil && end.timeIntervalSince($0.end) > Self.waitingTime }
      let open = all.filter { $0.answer == nil }
      if open.count >= Self.most { all.removeAll { $0 == open[0] } }
      all.append(walk)
    }
  }

  /// Answers what a walk was, and how it is called; without both, what was said is taken back.
  /// - Throws: ``ServiceRefusal``, or if it cannot be stored.
  package func answer(from start: Date, to end: Date, _ answer: String?, name: String? = nil) throws {
    let (start, end) = (Self.whole(start), Self.whole(end))
    let (given, name) = (try Self.text(answer, "answer"), try Self.text(name, "name"))
    // What has a name is a walk, unless something else is said of it.
    let answer = given ?? name.map { _ in DoubtfulWalk.walk }
    let saysNothing = answer == nil || (answer == DoubtfulWalk.walk && name == nil)
    try change { all in
      if let index = all.firstIndex(where: { $0.start == start && $0.end == end }) {
        (all[index].answer, all[index].name) = (answer, name)
        if saysNothing, all[index].reason == nil { all.remove(at: index) }
        return
      }
      guard let answer, !saysNothing else {
        throw ServiceRefusal(404, "there is no question about that time; see GET /api/walks")
      }
      guard start < end, end.timeIntervalSince(start) <= Self.longest else {
        throw ServiceRefusal(400, "a walk ends after its start, and within a day")
      }
      let walk = DoubtfulWalk(start: start, end: end, steps: 0, distance: 0, answer: answer, name: name)
      // A walk that grew since keeps no former name, but steps that were left out do not come back.
      all.removeAll {
        $0.reason == nil && start <= $0.start && $0.end <= end && ($0.isWalk || walk.isLeftOut)
      }
      guard !all.contains(where: { $0.reason == nil && $0.start < end && start < $0.end }) else {
        throw ServiceRefusal(409, "a part of that walk has an answer already; take that back first")
      }
      all.append(walk)
    }
  }

  private static func text(_ given: String?, _ key: String) throws(ServiceRefusal) -> String? {
    guard let text = given?.trimmingCharacters(in: .whitespacesAndNewlines) else { return nil }
    guard 1...longestText ~= text.count, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw ServiceRefusal(400, "'\(key)' has 1 to \(longestText) characters, or is null")
    }
    return text
  }

  /// Those of a period, by rising time.
  package func all(from: Date, to: Date) -> [DoubtfulWalk] {
    known.withLock { $0.filter { $0.start < to && from < $0.end } }.sorted { $0.start < $1.start }
  }

  /// The totals of a bucket with the answers; `nil` if they change nothing.
  /// - Parameter counted: the totals between two moments, as they were counted.
  package func corrected(
    _ bucket: HistoryBucket, counted: (_ from: Date, _ to: Date) throws -> WalkTotals
  ) rethrows -> WalkTotals? {
    let answers = all(from: bucket.start, to: bucket.end).filter(\.changesHistory)
    if answers.isEmpty { return nil }
    var totals = bucket.totals
    for answer in answers {
      let (from, to) = (max(answer.start, bucket.start), min(answer.end, bucket.end))
      let there = try counted(from, to)
      guard answer.reason != nil else {
        totals.steps = max(0, totals.steps - there.steps)
        totals.distanceTravelled = max(0, totals.distanceTravelled - there.distanceTravelled)
        totals.activeTime = max(.zero, totals.activeTime - there.activeTime)
        continue
      }
      let seconds = answer.end.timeIntervalSince(answer.start)
      // Of a walk that was counted by an answer, and was none after all, nothing is counted.
      let middle = answer.start + seconds / 2
      if all(from: middle, to: middle + 1).contains(where: \.isLeftOut) { continue }
      let by = { (date: Date) in
        Int(bounded: (Double(answer.steps) * date.timeIntervalSince(answer.start) / seconds).rounded())
      }
      // What another sensor counted meanwhile is not counted twice.
      let more = by(to) - by(from) - there.steps
      guard more > 0 else { continue }
      totals.steps += more
      totals.distanceTravelled += answer.distance * Double(more) / Double(answer.steps)
      totals.activeTime += .seconds(seconds * Double(more) / Double(answer.steps))
    }
    return totals
  }

  private func change(_ body: (inout [DoubtfulWalk]) throws -> Void) throws {
    try known.withLock { known in
      var all = known
      try body(&all)
      guard all != known else { return }
      try file.write(all)
      known = all
    }
  }

  private static func whole(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded()) }
}
