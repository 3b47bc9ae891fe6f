import ChaseEngine
import Foundation
import History
import LinuxSensors
import Presentation
import Synchronization

/// Implements the routes' data and actions with the service's parts.
struct DaemonBackend: ServiceBackend {
  let registry: SourceRegistry
  let day: DaySummary
  let controller: ChaseController
  let reader: HistoryReader
  let access: SourceAccess
  let clock: ServiceClock
  let calendar: @Sendable () -> DayCalendar
  let lanes: WorkLanes
  let recorder: StepRecorder
  let care: HistoryCare

  /// The maximum number of buckets in an answer: eleven years of minutes.
  private static let mostBuckets = 6_000_000

  func sources() async -> [SourceState] { registry.states }

  func signals() async -> [SourceSignal] { registry.signals }

  func today() async throws -> TodayFigures { try await refusing { try await day.today() } }

  func setGoal(_ steps: Int) async throws { try await day.setGoal(steps) }

  func history(from: Date?, to: Date?, bucket: BucketLength, client: String) throws -> HistoryPages {
    let (reader, calendar, now, lanes) = (reader, calendar(), clock.now(), lanes)
    let end = to ?? now
    let start = from ?? Self.usualStart(of: bucket, before: end, calendar)
    guard start <= end else {
      throw ServiceRefusal(status: 400, reason: "'from' is after 'to'; swap them")
    }
    guard end.timeIntervalSince(start) / bucket.least <= Double(Self.mostBuckets) else {
      throw ServiceRefusal(status: 400, reason: "the period is too long for \(bucket) buckets; use longer ones")
    }
    let length = HistoryBucketLength(bucket)
    let reached = Mutex(start)
    return HistoryPages {
      let from = reached.withLock { $0 }
      guard from < end else { return nil }
      // First pages have a separate lane, so that answers start soon even while others continue.
      let lane = from == start ? lanes.answers : lanes.pages
      return try await refusing {
        try await lane.run(for: client) {
          let to = min(end, calendar.endOfPage(at: from, by: length))
          let page = try reader.buckets(from: from, to: to, by: length, calendar: calendar)
          reached.withLock { $0 = to }
          return page.map { HistoryFigures($0, calendar).json.object }.joined(separator: ",")
        }
      }
    }
  }

  /// The default start: today for minutes and hours, the last thirty days for days.
  private static func usualStart(of bucket: BucketLength, before end: Date, _ calendar: DayCalendar) -> Date {
    var start = calendar.day(containing: end).start
    if bucket == .day { for _ in 1..<30 { start = calendar.day(before: start).start } }
    return start
  }

  func devices() async throws -> [String] {
    let access = access
    return try await refusing {
      try await lanes.machine.run {
        // Bluetooth errors must not hide other sensors.
        try (access.sensors() + ((try? access.wirelessSensors()) ?? [])).map { DeviceReport($0).json }
      }
    }
  }

  func checks() async throws -> [String] {
    let (access, held) = (access, Set(registry.states.filter { $0.state == .counting }.map(\.uri)))
    return try await refusing {
      try await lanes.machine.run {
        let sensors = try access.sensors()
        return (MachineChecks(sensors: sensors).all + [BluetoothChecks().check] + sensors.map { check($0, held) })
          .map(\.json)
      }
    }
  }

  func chase() async -> String { await controller.line }

  func steer(_ action: ChaseAction) async throws -> AppState { try await controller.steer(action) }

  func troubles() async -> [String] { [recorder.failure, care.failure].compactMap { $0 } }

  func losses() async -> [String] { care.losses.map(\.text) }

  /// Errors of reading are temporary refusals.
  private func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let refusal as ServiceRefusal { throw refusal } catch {
      if (error as? HistoryError)?.code == .damaged { care.noticeDamage() }
      throw ServiceRefusal(status: 503, reason: "\(error)")
    }
  }
}

/// A sensor that this service reads is in use, which is not a problem.
private func check(_ sensor: DiscoveredSensor, _ held: Set<String>) -> HealthCheck {
  let report = DeviceReport(sensor)
  return report.holders.contains { $0.process == ProcessInfo.processInfo.processIdentifier }
    ? .ok("\(sensor.uri)", "\(sensor.name) is counted by this service") : report.check
}

extension BucketLength {
  /// The minimum duration of a bucket in seconds.
  fileprivate var least: TimeInterval {
    switch self {
    case .minute: 60
    case .hour: 3600
    case .day: 82_800
    }
  }
}

extension HistoryBucketLength {
  fileprivate init(_ length: BucketLength) {
    self =
      switch length {
      case .minute: .minute
      case .hour: .hour
      case .day: .day
      }
  }
}

extension HistoryFigures {
  fileprivate init(_ bucket: HistoryBucket, _ calendar: DayCalendar) {
    let text = { (date: Date) in CivilDate(date, offset: calendar.offset(at: date)).iso8601 }
    self.init(
      start: text(bucket.start), end: text(bucket.end), steps: bucket.steps,
      distanceTravelled: bucket.distanceTravelled, cadence: bucket.cadence,
      activeTime: bucket.activeTime.timeInterval, floorsAscended: bucket.totals.floorsAscended,
      floorsDescended: bucket.totals.floorsDescended)
  }
}
