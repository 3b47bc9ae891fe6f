import Foundation
import Pedometry
import Platform
import TestSupport

@testable import History

/// A history with its truth, as a clean shutdown and as a crash leave it, and with a log of an earlier time.
final class DamageFixture {
  let minutes: [HistoryMinute]
  let bouts: [HistoryBout]
  let totals: WalkTotals
  /// The names of files with their bytes.
  let closed: [String: [UInt8]]
  let crashed: [String: [UInt8]]
  let oldLog: [UInt8]
  let now: Date

  /// Months of minutes of three sources, one with a barometer, and an hour of steps.
  init(minutes count: Int) throws {
    let history = try TestHistory()
    let writer = try history.writer()
    var random = SplitMix64(seed: 7)
    let sources = [
      TestHistory.wrist, TestHistory.pocket, HistorySource(identity: "pad:1", name: "a pad, with, commas"),
    ]
    var all: [HistoryMinute] = []
    var time = TestHistory.morning - Double(count) * 600
    while all.count < count {
      time += 60 * Double(Int.random(in: 1...3, using: &random))
      if Int.random(in: 0..<40, using: &random) == 0 { time += 3600 * Double(Int.random(in: 1...5, using: &random)) }
      for (index, source) in sources.enumerated() where Int.random(in: 0...index, using: &random) == 0 {
        let steps = Int.random(in: 1...140, using: &random)
        let floors = index == 1 ? Int.random(in: 0...2, using: &random) : nil
        all.append(
          HistoryMinute(
            start: time, source: source,
            totals: WalkTotals(
              steps: steps, distanceTravelled: Double(steps * Int.random(in: 400...900, using: &random)) / 1000,
              activeTime: .milliseconds(steps * 400), floorsAscended: floors.map { min($0, steps) },
              floorsDescended: floors.map { _ in 0 })))
      }
    }
    try writer.add(Array(all[..<(count / 2)]))
    try history.walkAtOnce(600, with: writer)
    history.clock.pass(100)
    oldLog = try TemporaryDirectory.bytes(of: history.folder.database + "-wal")
    try history.checkpoint()
    try writer.add(Array(all[(count / 2)...]))
    try history.checkpoint()
    try history.walkAtOnce(600, with: writer, source: TestHistory.pocket)
    for _ in 0..<20 {
      history.clock.pass(30)
      try history.walkAtOnce(10, with: writer)
    }
    let names = ["history.sqlite", "history.sqlite-wal", "history.lock"]
    let read = { (names: [String]) in
      try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try TemporaryDirectory.bytes(of: history.path + "/" + $0)) })
    }
    crashed = try read(names)
    writer.close()
    closed = try read([names[0], names[2]])
    now = history.clock.now
    let reader = try history.reader()
    minutes = try reader.everything()
    bouts = try reader.bouts(from: .distantPast, to: .distantFuture)
    totals = try history.all()
  }
}

extension HistoryReader {
  /// Every minute of every source.
  func everything() throws -> [HistoryMinute] {
    var all: [HistoryMinute] = []
    try minutes(from: .distantPast, to: .distantFuture) { all.append($0) }
    return all
  }
}

/// One random damage, what was read and what was saved.
struct DamageTrial {
  enum Kind: String, CaseIterable {
    case flippedBits, zeroedPages, garbage, truncation, swappedPages, oldLog, flippedLog, missingLog
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  let kind: Kind
  /// The number of damaged pages.
  private(set) var pages = 0
  /// The numbers of minutes of sources that differ from the truth after the salvage.
  private(set) var lost = 0
  /// Whether a reader noticed before a writer came.
  private(set) var isNoticed = false
  /// Whether a writer replaced the file.
  private(set) var isReplaced = false

  private static let page = 4096

  init(_ fixture: DamageFixture, number: UInt64) throws {
    var random = SplitMix64(seed: 18, stream: number)
    kind = Kind.allCases[Int(number) % Kind.allCases.count]
    var files =
      kind == .flippedLog || kind == .missingLog || Bool.random(using: &random) ? fixture.crashed : fixture.closed
    damage(&files, fixture, &random)
    let directory = try TemporaryDirectory()
    for (name, bytes) in files { try directory.write(bytes, to: name) }
    let folder = HistoryFolder(path: directory.path)
    try readBefore(folder, fixture)
    try salvage(folder, fixture)
  }

  private mutating func damage(
    _ files: inout [String: [UInt8]], _ fixture: DamageFixture, _ random: inout SplitMix64
  ) {
    let name = kind == .flippedLog ? "history.sqlite-wal" : "history.sqlite"
    guard var bytes = files[name] else { return }
    let count = bytes.count / Self.page
    let some = Int.random(in: 1...3, using: &random)
    pages = some
    switch kind {
    case .flippedBits, .flippedLog:
      for _ in 0..<some {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
    case .zeroedPages, .garbage:
      for _ in 0..<some {
        let start = Int.random(in: 0..<count, using: &random) * Self.page
        for index in start..<start + Self.page {
          bytes[index] = kind == .zeroedPages ? 0 : UInt8.random(in: 0...255, using: &random)
        }
      }
    case .truncation:
      let length = Int.random(in: bytes.count / 2..<bytes.count, using: &random)
      pages = (bytes.count - length) / Self.page + 1
      bytes = Array(bytes[..<length])
    case .swappedPages:
      for _ in 0..<some {
        let (a, b) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
        for index in 0..<Self.page { bytes.swapAt(a * Self.page + index, b * Self.page + index) }
      }
      // Pages of the log stand before those of the file: what came into their places is covered.
      pages = 2 * some
    case .oldLog:
      files["history.sqlite-wal"] = fixture.oldLog
      // The log of the crash is gone, and may have been the only place of some pages.
      pages = fixture.oldLog.count / Self.page + (fixture.crashed["history.sqlite-wal"]?.count ?? 0) / Self.page
    case .missingLog:
      pages = (files["history.sqlite-wal"]?.count ?? 0) / Self.page
      files["history.sqlite-wal"] = nil
    }
    files[name] = bytes
    if kind == .missingLog { files["history.sqlite-wal"] = nil }
  }

  /// A reader without a writer either reads the truth, or says that it cannot.
  private mutating func readBefore(_ folder: HistoryFolder, _ fixture: DamageFixture) throws {
    let copy = try TemporaryDirectory()
    for name in TemporaryDirectory.names(in: folder.path) {
      try copy.write(try TemporaryDirectory.bytes(of: folder.path + "/" + name), to: name)
    }
    do {
      let reader = try HistoryReader(folder: HistoryFolder(path: copy.path))
      let all = try reader.everything()
      if all != fixture.minutes { throw Failure(description: "\(kind): a reader read other minutes without an error") }
      if try reader.totals(from: .distantPast, to: .distantFuture) != fixture.totals {
        throw Failure(description: "\(kind): a reader read other totals without an error")
      }
      if try reader.bouts(from: .distantPast, to: .distantFuture) != fixture.bouts {
        throw Failure(description: "\(kind): a reader read other bouts without an error")
      }
    } catch is HistoryError { isNoticed = true }
  }

  /// A minute without its source.
  private struct Figures: Hashable {
    var start: Date
    var totals: WalkTotals

    init(_ minute: HistoryMinute) { (start, totals) = (minute.start, minute.totals) }
  }

  /// A writer saves what is readable, and names what is not.
  private mutating func salvage(_ folder: HistoryFolder, _ fixture: DamageFixture) throws {
    let clock = TestClock(fixture.now + 60)
    let writer = try HistoryWriter(folder: folder, application: "tests", clock: clock.history)
    try writer.check()
    isReplaced = !writer.damages.isEmpty
    if isNoticed && !isReplaced { throw Failure(description: "\(kind): a reader found damage, the writer did not") }
    let reader = try HistoryReader(folder: folder)
    let losses = try reader.losses()
    let minutes = try reader.everything()
    let (found, true_) = (Set(minutes), Set(fixture.minutes))
    let differing = found.symmetricDifference(true_)
    let excused = losses.filter { $0.kind != .bouts }
    for minute in differing where !excused.contains(where: { $0.start <= minute.start && minute.start < $0.end }) {
      throw Failure(description: "\(kind): \(minute) is lost or changed without a word; reported: \(losses)")
    }
    // Minutes of a source whose name was lost are not lost.
    let figures = Set(minutes.map { Figures($0) }).symmetricDifference(fixture.minutes.map { Figures($0) })
    lost = Set(figures.map(\.start)).count
    if try reader.bouts(from: .distantPast, to: .distantFuture) != fixture.bouts, losses.isEmpty {
      throw Failure(description: "\(kind): bouts are lost without a word")
    }
    var standing: [Date: HistoryMinute] = [:]
    for minute in minutes where minute.totals.steps > standing[minute.start]?.totals.steps ?? -1 {
      standing[minute.start] = minute
    }
    let steps = standing.values.reduce(0) { $0 + $1.totals.steps }
    if try reader.totals(from: .distantPast, to: .distantFuture).steps != steps {
      throw Failure(description: "\(kind): the totals are not the sum of the minutes")
    }
    writer.close()
  }
}
