import Foundation
import Pedometry
import Synchronization
import TestSupport

@testable import History

/// A wall clock that a test sets, and a time since boot that only advances.
final class TestClock: Sendable {
  private struct State {
    var wall: Date
    var uptime: Duration
    var boots = 1
  }
  private let state: Mutex<State>

  init(_ wall: Date) { state = Mutex(State(wall: wall, uptime: .seconds(1000))) }

  var now: Date { state.withLock { $0.wall } }

  /// Advances both clocks.
  func pass(_ seconds: Double) {
    state.withLock { state in
      state.wall += seconds
      state.uptime += .seconds(seconds)
    }
  }

  /// Sets the wall clock.
  func set(by seconds: Double) { state.withLock { $0.wall += seconds } }

  /// Restarts the machine; the boot takes this many seconds.
  func reboot(after seconds: Double) {
    state.withLock { state in
      state.wall += seconds
      state.uptime = .seconds(20)
      state.boots += 1
    }
  }

  /// The clock of a program that starts now.
  var history: HistoryClock {
    let boot = state.withLock { $0.boots }
    return HistoryClock(
      now: { [self] in state.withLock { $0.wall } }, uptime: { [self] in state.withLock { $0.uptime } },
      bootID: "boot \(boot)")
  }
}

/// A folder with a history, a clock and a walker.
final class TestHistory {
  private let directory: TemporaryDirectory
  let folder: HistoryFolder
  let clock: TestClock

  static let wrist = HistorySource(identity: "usb:1209:7e58:serial=A1:accelerometer", name: "wrist")
  static let pocket = HistorySource(identity: "i2c:at=1-0018:accelerometer", name: "pocket")

  /// 2026-05-06T10:00:00Z, a full minute, hour and quarter.
  static let morning = Date(timeIntervalSince1970: 1_778_061_600)

  init(_ start: Date = morning) throws {
    directory = try TemporaryDirectory()
    folder = HistoryFolder(path: directory.path)
    clock = TestClock(start)
  }

  var path: String { directory.path }
  var files: [String] { directory.contents }

  func writer(_ application: String = "tests") throws -> HistoryWriter {
    try HistoryWriter(folder: folder, application: application, clock: clock.history)
  }

  func reader() throws -> HistoryReader { try HistoryReader(folder: folder) }

  /// All recorded totals.
  func all() throws -> WalkTotals { try reader().totals(from: .distantPast, to: .distantFuture) }

  /// Walks from now on at two steps per second, the first after half a second; each step is recorded as it is taken.
  @discardableResult
  func walk(
    _ steps: Int, with writer: HistoryWriter, source: HistorySource = wrist, every interval: Double = 0.5
  ) throws -> HistoryReceipt {
    var all = HistoryReceipt()
    for _ in 0..<steps {
      clock.pass(interval)
      let receipt = try writer.record([Self.step(clock.now)], source: source)
      all.recorded += receipt.recorded
      all.repeated += receipt.repeated
      all.impossible += receipt.impossible
    }
    return all
  }

  /// Walks like ``walk(_:with:source:every:)``, and records everything at the end.
  @discardableResult
  func walkAtOnce(
    _ steps: Int, with writer: HistoryWriter, source: HistorySource = wrist, every interval: Double = 0.5
  ) throws -> HistoryReceipt {
    let start = clock.now
    clock.pass(Double(steps) * interval)
    return try writer.record(
      (1...steps).map { Self.step(start + Double($0) * interval) }, source: source)
  }

  static func step(_ time: Date) -> WalkedStep {
    WalkedStep(time: time, distance: 0.75, activeTime: .milliseconds(500))
  }
}
