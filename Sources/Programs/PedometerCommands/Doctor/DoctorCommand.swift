import ArgumentParser
import LinuxSensors
import LiveSources
import Presentation
import Terminals

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out why a sensor cannot be used, and how to fix it",
    discussion: """
      Checks the kernel's subsystems, udev and its rule, the group, the triggers, Bluetooth and every sensor: whether and \
      how you can read it, and if not, why, down to the program that is using it. Phones (phyphox:, udp:, ws:) are not searched \
      for. Then it shows whether reports are sent, and with --verbose (in a pipe always) what they contain.

      EXAMPLES
        pedometer doctor
      """)

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Flag(help: "Show an example of a report as well.")
  var verbose = false

  func run() throws {
    try Commands.reporting {
      let discovery = SensorDiscovery()
      let (sensors, boards) = (try discovery.sensors(), try discovery.boards())
      let devices = (sensors + boards).map { DeviceReport($0) }
      let machine = MachineChecks(
        sensors: sensors, boards: boards, boardsWithoutPort: try discovery.boardsWithoutPort())
      let bluetooth = BluetoothChecks()
      let showsExample = verbose || format != .text || !StandardOutput.isTerminal
      var checks = machine.all + [bluetooth.check]
      if let reports = AnalyticsMachine.current { checks.append(reports.check(showsExample: showsExample)) }
      checks += devices.map(\.check) + (sensors.isEmpty ? [.noSensor] : [])
      // Whether a board prints samples is unknown before it is opened.
      let canCount = devices.contains { $0.sensor.kind != .board && $0.sensor.isUsable && !$0.isBusy }
      switch format {
      case .json: try StandardOutput.write(checks.map(\.json).joined())
      case .csv: try StandardOutput.write(HealthCheck.heading + checks.map(\.csv).joined())
      case .text:
        if let report = TerminalReport.present {
          try StandardOutput.write(report.text(checks, canCount: canCount || bluetooth.canCount))
        } else {
          try StandardOutput.write(lines: checks.map(\.text).joined())
        }
      }
      if canCount || bluetooth.canCount { return }
      throw (ExitStatus.worst(of: checks.compactMap(\.status)) ?? .noSensor).exitCode
    }
  }
}
