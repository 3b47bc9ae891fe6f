import ArgumentParser
import LinuxSensors
import LiveSources
import Presentation
import Terminals

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List motion sensors and whether they can be used",
    discussion: """
      Lists every accelerometer and step counter of this computer: the name to use in other commands, where it is plugged \
      in, its sampling frequency and range, and whether you can read it; if not, why, and what to do. Boards on USB serial ports \
      are not opened. Bluetooth sensors are listed if BlueZ knows them; 'bluetoothctl scan on' finds others.

      EXAMPLES
        pedometer devices
        pedometer live "$(pedometer devices --format csv | sed -n 2p | cut -d, -f1)"
      """)

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  func run() throws {
    try Commands.reporting {
      let reports = try Self.reports()
      switch format {
      case .json: try StandardOutput.write(reports.map(\.json).joined())
      case .csv: try StandardOutput.write(DeviceReport.heading + reports.map(\.csv).joined())
      case .text:
        if let report = TerminalReport.present {
          try StandardOutput.write(report.text(reports))
        } else {
          try StandardOutput.write(lines: reports.map(\.text).joined(separator: "\n"))
        }
      }
      if reports.isEmpty, let obstacle = SensorSurvey([]).obstacle { complain("\(obstacle)" + LiveRun.trial) }
    }
  }

  private static func reports() throws -> [DeviceReport] {
    let discovery = SensorDiscovery()
    var reports = try (discovery.sensors() + discovery.boards()).map { DeviceReport($0) }
    do {
      reports += try BluetoothDiscovery().sensors().map { DeviceReport($0) }
    } catch { complain("no Bluetooth sensors are listed: \(error)") }
    return reports
  }
}
