import ChaseEngine
import Foundation
import History
import LinuxSensors
import LiveSources
import Presentation
import ServiceCore
import ServiceHTTP
import ServiceMessaging
import ServiceWalkers

/// Implements the routes' data and actions with the service's parts.
struct DaemonBackend: ServiceBackend {
  let registry: SourceRegistry
  let day: DaySummary
  let controller: ChaseController
  let answers: HistoryAnswers
  let access: Sources
  let lanes: WorkLanes
  let recorder: StepRecorder
  let maintenance: HistoryMaintenance
  let homes: WalkerHomes
  let watchedFolder: WatchedFolder?

  func sources() async -> [SourceState] { registry.states }

  func signals() async -> [SourceSignal] { registry.signals }

  func today() async throws -> TodayFigures { try await refusing { try await day.today() } }

  func setGoal(_ steps: Int) async throws { try await day.setGoal(steps) }

  func history(_ query: HistoryQuery, client: String) throws -> HistoryPages {
    try answers.pages(query, client: client)
  }

  func longestWalk() async throws -> String? { try await answers.longestWalk() }

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
        var checks = MachineChecks(sensors: sensors).all + [BluetoothChecks().check] + sensors.map { check($0, held) }
        // A phone that counts needs none.
        if sensors.isEmpty && held.isEmpty { checks.insert(.noSensor, at: 0) }
        return checks.map(\.json)
      }
    }
  }

  func chase() async -> String { await controller.line }

  func steer(_ action: ChaseAction) async throws -> AppState { try await controller.steer(action) }

  func troubles() async -> [String] { [recorder.failure, maintenance.failure, homes.failure].compactMap { $0 } }

  func imports() async -> [String] { watchedFolder?.outcomes ?? [] }

  func losses() async -> [String] { maintenance.losses.map(\.text) }

  private func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await answers.refusing(body)
  }
}

/// A sensor that this service reads is in use, which is not a problem.
private func check(_ sensor: DiscoveredSensor, _ held: Set<String>) -> HealthCheck {
  let report = DeviceReport(sensor)
  return report.holders.contains { $0.process == ProcessInfo.processInfo.processIdentifier }
    ? .ok("\(sensor.uri)", "\(sensor.name) is counted by this service") : report.check
}
