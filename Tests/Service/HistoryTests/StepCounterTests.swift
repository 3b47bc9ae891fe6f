import Foundation
import GRDB
import Pedometry
import Platform
import TestSupport
import Testing

@testable import History

@Suite("Readings of a counter", .timeLimit(.minutes(30)))
struct StepCounterTests {
  private static let start: Int64 = 1_778_061_600_000_000

  private static func date(_ seconds: Double) -> Date { Date(microseconds: start + Int64(seconds * 1e6)) }

  private static func reading(
    _ seconds: Double, _ steps: Int, _ origin: (CounterReading.Origin, Date?) = (.boot, nil)
  ) -> CounterReading {
    CounterReading(time: date(seconds), steps: steps, origin: origin.0, since: origin.1)
  }

  /// What readings add, after the first one.
  private static func steps(_ readings: [CounterReading]) -> [Int] {
    var counter = StepCounter(readings[0])
    return readings.dropFirst().map { counter.take($0).steps(\.verdict) }
  }

  @Test("the steps since the reading before count, and those before the first reading do not")
  func rises() {
    #expect(Self.steps([Self.reading(0, 5000), Self.reading(600, 5400), Self.reading(900, 5400)]) == [400, 0])
  }

  @Test("the same reading, an earlier one and one of the same time add nothing")
  func repeats() {
    var counter = StepCounter(Self.reading(0, 100))
    #expect(counter.take(Self.reading(600, 700)).steps == 600)
    #expect(counter.take(Self.reading(600, 700)).verdict == .repeated)
    #expect(counter.take(Self.reading(300, 400)).verdict == .late)
    #expect(counter.take(Self.reading(600, 705)).verdict == .late)
    #expect(counter.take(Self.reading(900, 800)).steps == 100)
  }

  @Test("after a restart the new count is added, and a restart that the count does not show adds too little")
  func restarts() {
    #expect(Self.steps([Self.reading(0, 5000), Self.reading(600, 300), Self.reading(900, 500)]) == [300, 200])
    #expect(Self.steps([Self.reading(0, 100), Self.reading(600, 300)]) == [200])
    // With the time of the start it is exact.
    let readings = [
      Self.reading(0, 100, (.time, Self.date(-9000))), Self.reading(600, 300, (.time, Self.date(60))),
      Self.reading(900, 320, (.time, Self.date(61))),
    ]
    #expect(Self.steps(readings) == [300, 20])
  }

  @Test("a 0 of a program that does not know the count is no restart")
  func zero() {
    #expect(Self.steps([Self.reading(0, 5000), Self.reading(3600, 0), Self.reading(9000, 5010)]) == [0, 10])
    #expect(Self.steps([Self.reading(0, 5000), Self.reading(3600, 0), Self.reading(9000, 40)]) == [0, 40])
  }

  @Test("a count since the start of a device that falls by a few steps is corrected, and goes on from the highest one")
  func fewLess() {
    #expect(Self.steps([Self.reading(0, 900), Self.reading(600, 899), Self.reading(1200, 950)]) == [0, 50])
    #expect(Self.steps([Self.reading(0, 10_000), Self.reading(600, 9810), Self.reading(1200, 10_020)]) == [0, 20])
  }

  @Test("a count that falls by more, but not to a beginning, is said, and steps count from there")
  func unclear() {
    var counter = StepCounter(Self.reading(0, 900))
    #expect(counter.take(Self.reading(600, 700)).verdict == .fallen)
    #expect(counter.take(Self.reading(1200, 720)).steps == 20)
  }

  @Test("a sum that is corrected downwards is no restart, and counts again when it exceeds the highest one")
  func corrections() {
    let midnight = (CounterReading.Origin.midnight, Self.date(-36_000) as Date?)
    var counter = StepCounter(Self.reading(0, 5000, midnight))
    #expect(counter.take(Self.reading(3600, 4990, midnight)).verdict == .lowered)
    let growth = counter.take(Self.reading(7200, 5060, midnight))
    #expect(growth.steps == 60 && growth.start == Self.start + 3_600_000_000)
  }

  @Test("the next day's sum counts from its midnight")
  func days() {
    var counter = StepCounter(Self.reading(0, 9000, (.midnight, Self.date(-79_200))))
    let growth = counter.take(Self.reading(36_000, 800, (.midnight, Self.date(7200))))
    #expect(growth.verdict == .restarted && growth.steps == 800 && growth.start == Self.start + 7_200_000_000)
    // Three days later, too: it says which day.
    let later = counter.take(Self.reading(36_000 + 3 * 86_400, 700, (.midnight, Self.date(7200 + 3 * 86_400))))
    #expect(later.verdict == .restarted && later.steps == 700)
  }

  @Test("in another time zone the day begins at a time that counts already, so nothing is added until the next reading")
  func zones() {
    var counter = StepCounter(Self.reading(0, 9000, (.midnight, Self.date(-72_000))))
    // Six hours to the east it is the next day.
    let moved = Self.date(-72_000 + 86_400 - 6 * 3600)
    #expect(counter.take(Self.reading(3600, 2500, (.midnight, moved))).verdict == .moved)
    #expect(counter.take(Self.reading(7200, 2600, (.midnight, moved))).steps == 100)
    // To the west it is the former day again, with a sum that counts already.
    #expect(counter.take(Self.reading(9000, 9100, (.midnight, Self.date(-72_000)))).verdict == .moved)
  }

  @Test("steps of more than a day have no day, so they do not count")
  func longPeriods() {
    var counter = StepCounter(Self.reading(0, 100))
    #expect(counter.take(Self.reading(90_001, 9000)).verdict == .tooLong)
    #expect(counter.take(Self.reading(90_601, 9100)).steps == 100)
    #expect(counter.take(Self.reading(20 * 86_400, 250_000)).verdict == .tooLong)
  }

  @Test("an impossible jump is refused; if the count goes on from there, the jump alone is lost")
  func jumps() {
    var counter = StepCounter(Self.reading(0, 100))
    #expect(counter.take(Self.reading(60, 200_100)).verdict == .impossible(steps: 200_000, seconds: 60))
    #expect(counter.take(Self.reading(60, 200_100)).verdict == .impossible(steps: 200_000, seconds: 60))
    #expect(counter.take(Self.reading(120, 200_150)).steps == 50)
    // Also if so much time has passed that somebody could have walked it.
    var patient = StepCounter(Self.reading(0, 100))
    _ = patient.take(Self.reading(60, 50_100))
    #expect(patient.take(Self.reading(80_000, 50_200)).steps == 100)
  }

  @Test("a single wrong reading, high or low, costs nothing and adds nothing")
  func faults() {
    for wrong in [999_999, 3] {
      var counter = StepCounter(Self.reading(0, 5000, (.time, Self.date(-9000))))
      _ = counter.take(Self.reading(60, wrong, (.time, Self.date(-9000))))
      #expect(counter.take(Self.reading(120, 5100, (.time, Self.date(-9000)))).steps == 100)
    }
  }

  @Test("steps of a batch that a device delivers at once are possible")
  func batches() {
    #expect(Self.steps([Self.reading(0, 100), Self.reading(2, 160)]) == [60])
  }

  // MARK: any order

  /// A simulated walker with a counter: readings, and the steps that were walked until each.
  private struct Walker {
    enum Kind: CaseIterable { case boot, time, midnight }

    var readings: [CounterReading] = []
    /// Steps between the first and the last reading.
    var walked = 0

    /// - Parameter isComplete: whether the counter is read before and after each restart.
    init(_ kind: Kind, seed: UInt64, isComplete: Bool) {
      var random = SplitMix64(seed: seed)
      var (time, total, count, zero) = (0.0, 0, Int.random(in: 1...9000, using: &random), -30_000.0)
      var first: Int?
      func note() {
        let origin: (CounterReading.Origin, Date?) =
          switch kind {
          case .boot: (.boot, nil)
          case .time: (.time, date(zero))
          case .midnight: (.midnight, date(zero))
          }
        readings.append(reading(time, count, origin))
        first = first ?? total
        walked = total - (first ?? 0)
      }
      note()
      for _ in 0..<Int.random(in: 2...30, using: &random) {
        let seconds = Double(Int.random(in: 1...4000, using: &random))
        let steps = Int(Double.random(in: 0...2.5, using: &random) * seconds)
        (time, total, count) = (time + seconds, total + steps, count + steps)
        // Restarts are rarer than readings.
        if Int.random(in: 0..<6, using: &random) == 0 {
          if isComplete { note() }
          (time, zero, count) = (time + 30, time + 30, 0)
          if isComplete, kind == .boot {
            // A restart is seen only as a fall.
            (time, total, count) = (time + 5, total + 1, 1)
            note()
          }
        } else if isComplete || Bool.random(using: &random) {
          note()
        }
      }
    }
  }

  @Test("all readings in order give exactly the walked steps from the first one on", arguments: 1...200)
  func exact(seed: Int) {
    for kind in Walker.Kind.allCases {
      let walker = Walker(kind, seed: UInt64(seed), isComplete: true)
      #expect(Self.steps(walker.readings).reduce(0, +) == walker.walked, "\(kind)")
    }
  }

  @Test("no order, repetition or loss of readings gives more steps than were walked", arguments: 1...200)
  func never(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed), stream: 1)
    for kind in Walker.Kind.allCases {
      let walker = Walker(kind, seed: UInt64(seed), isComplete: Bool.random(using: &random))
      var readings = (walker.readings + walker.readings).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      switch seed % 3 {
      case 0: readings.shuffle(using: &random)
      case 1: readings.sort { $0.time < $1.time }
      // Late by a few.
      default:
        for index in readings.indices.dropLast(3) where Bool.random(using: &random) {
          readings.swapAt(index, index + Int.random(in: 1...3, using: &random))
        }
      }
      guard !readings.isEmpty else { continue }
      #expect(Self.steps(readings).reduce(0, +) <= walker.walked, "\(kind)")
    }
  }
}

extension StepCounter.Growth {
  /// The steps that count.
  fileprivate func steps(_ verdict: KeyPath<Self, CounterReceipt.Verdict>) -> Int {
    [.counted, .restarted].contains(self[keyPath: verdict]) ? steps : 0
  }
}

@Suite("Counters in the history", .timeLimit(.minutes(30)))
struct CounterTableTests {
  private static let phone = HistorySource(identity: "import:counter:ann-phone", name: "ann-phone (counter)")

  private func read(
    _ history: TestHistory, _ writer: HistoryWriter, _ seconds: Double, _ steps: Int,
    _ origin: (CounterReading.Origin, Date?) = (.boot, nil)
  ) throws -> CounterReceipt {
    try writer.record(
      CounterReading(time: TestHistory.morning + seconds, steps: steps, origin: origin.0, since: origin.1),
      source: Self.phone,
      stepLength: .fixed(0.7))
  }

  /// Changes the database without its writer.
  private func change(_ history: TestHistory, _ sql: String) throws {
    let queue = try DatabaseQueue(path: history.folder.database)
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
  }

  @Test("steps are spread evenly over the minutes between two readings")
  func spread() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    #expect(try read(history, writer, 30, 1000) == CounterReceipt(.first))
    #expect(try read(history, writer, 330, 1500) == CounterReceipt(.counted, accepted: 500))
    var minutes: [Int] = []
    try history.reader().minutes(from: .distantPast, to: .distantFuture) { minutes.append($0.totals.steps) }
    #expect(minutes == [50, 100, 100, 100, 100, 50])
    let all = try history.all()
    #expect(abs(all.distanceTravelled - 350) < 0.01 && abs(all.activeTime / .seconds(1) - 300) < 1)
    #expect(try writer.check() == nil)
  }

  @Test("the latest reading survives SIGKILL, and so does everything that it added")
  func restart() throws {
    let history = try TestHistory()
    // Not closed: as after SIGKILL.
    let killed = try FolderCopy(history)
    #expect(try read(history, killed.writer, 0, 100).verdict == .first)
    #expect(try read(history, killed.writer, 600, 700).accepted == 600)
    let copy = try killed.copied()
    let writer = try HistoryWriter(folder: HistoryFolder(path: copy.path), application: "tests")
    #expect(try read(history, writer, 600, 700).verdict == .repeated)
    #expect(try read(history, writer, 1200, 800).accepted == 100)
    #expect(try HistoryReader(folder: writer.folder).totals(from: .distantPast, to: .distantFuture).steps == 700)
  }

  @Test("a board beside the phone: the phone adds only what the board has not counted")
  func board() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    _ = try read(history, writer, 0, 1000)
    // Ten minutes, of which the board counts five with 120 steps each.
    try history.walkAtOnce(600, with: writer)
    let receipt = try read(history, writer, 600, 1650)
    #expect(receipt.elsewhere == 600 && receipt.accepted == 50 && receipt.dropped == 0)
    #expect(try history.all().steps == 650)
    // Within a minute the source with the most steps counts.
    #expect(try read(history, writer, 630, 1680).accepted == 30)
    #expect(try history.all().steps == 680)
  }

  @Test("consecutive readings in one minute add up, and no minute gets more than 300 steps")
  func within() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    _ = try read(history, writer, 0, 0)
    #expect(try read(history, writer, 10, 200).accepted == 200)
    let receipt = try read(history, writer, 20, 400)
    #expect(receipt.accepted == 100 && receipt.dropped == 100)
    #expect(try history.all().steps == 300)
  }

  @Test("any order, repetition and loss: the history never has more than was walked", arguments: 1...8)
  func never(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let history = try TestHistory()
    var writer = try history.writer()
    var (time, count, walked) = (0.0, 50, 0)
    var readings: [(Double, Int)] = [(0, 50)]
    for _ in 0..<40 {
      let seconds = Double(Int.random(in: 5...900, using: &random))
      let steps = Int(Double.random(in: 0...2, using: &random) * seconds)
      if Int.random(in: 0..<8, using: &random) == 0 { count = 0 }
      (time, count, walked) = (time + seconds, count + steps, walked + steps)
      readings.append((time, count))
    }
    if seed > 2 { readings += readings.filter { _ in Bool.random(using: &random) } }
    if seed > 4 { readings.shuffle(using: &random) }
    for reading in readings {
      // Another process goes on.
      if Int.random(in: 0..<10, using: &random) == 0 {
        writer.close()
        writer = try history.writer()
      }
      _ = try read(history, writer, reading.0, reading.1)
    }
    #expect(try history.all().steps <= walked)
    #expect(try writer.check() == nil)
  }

  @Test("a damaged history keeps the counters whose rows are right, and never counts minutes twice")
  func salvaged() throws {
    let history = try TestHistory()
    let writer = try history.writer()
    _ = try read(history, writer, 0, 100)
    _ = try read(history, writer, 600, 700)
    // A wrong checksum elsewhere: everything is saved to a new file.
    try change(history, "UPDATE quarter SET steps = steps + 1")
    #expect(try writer.check() != nil)
    #expect(try read(history, writer, 600, 700).verdict == .repeated)
    #expect(try read(history, writer, 1200, 800).accepted == 100)
    // The row itself: what the minutes have does not count again.
    try change(history, "UPDATE counter SET steps = 1")
    #expect(try read(history, writer, 1199, 799).verdict == .late)
    #expect(try read(history, writer, 1800, 900).verdict == .first)
    #expect(try read(history, writer, 2400, 950).accepted == 50)
    #expect(try history.all().steps == 750)
  }

  @Test("a history from before counters gets their table from a writer, and is read without it")
  func migrated() throws {
    let history = try TestHistory()
    do {
      let writer = try history.writer()
      try history.walk(3, with: writer)
      try change(history, "DROP TABLE counter; DELETE FROM grdb_migrations WHERE identifier = 'counters'")
    }
    #expect(try history.all().steps == 3)
    let writer = try history.writer()
    #expect(try read(history, writer, 60, 1).verdict == .first)
  }
}

/// The files of a history as SIGKILL would leave them.
private final class FolderCopy {
  let history: TestHistory
  let writer: HistoryWriter

  init(_ history: TestHistory) throws { (self.history, writer) = (history, try history.writer()) }

  func copied() throws -> TemporaryDirectory {
    let copy = try TemporaryDirectory()
    for name in history.files where !name.hasSuffix("-shm") && name != "backups" {
      try copy.write(try TemporaryDirectory.bytes(of: history.path + "/" + name), to: name)
    }
    return copy
  }
}
