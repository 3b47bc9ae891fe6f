import ArgumentParser
import LinuxSensors
import LiveSources
import Presentation
import SourceNames
import Terminals

/// `pedometer devices`: lists the sensors.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List motion sensors and whether they can be used",
    discussion: """
      Lists every accelerometer and step counter of this computer: the name to use in other commands, where it is plugged \
      in, its sampling frequency and range, and whether you can read it. If not, it says why and what to do. Boards on USB \
      serial ports are listed but not opened: 'pedometer live serial:NAME' shows whether one prints samples. Bluetooth \
      sensors are listed if BlueZ knows them; 'bluetoothctl scan on' finds others.

      --remote lists the accelerometers of another computer on which iiod runs, such as a Raspberry Pi, instead.

      EXAMPLES
        pedometer devices
        pedometer devices --format json
        pedometer devices --remote raspberrypi.local
        pedometer live "$(pedometer devices --format csv | sed -n 2p | cut -d, -f1)"

      EXIT CODES
        0  listed, even if there is no sensor or none can be read
        69 no iiod at --remote
        74 cannot list devices
        76 no iiod answers at --remote
      """)

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Option(
    help: "List the accelerometers of another computer that runs iiod: HOST or HOST:PORT (30431).",
    transform: RemoteComputer.init(parsing:))
  var remote: RemoteComputer?

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    do {
      let reports = try remote.map { try $0.reports() } ?? Self.reportsHere()
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
      if reports.isEmpty, let remote {
        StandardOutput.complain("pedometer: \(remote.absence)")
      } else if reports.isEmpty, let obstacle = SensorSurvey([]).obstacle {
        StandardOutput.complain("pedometer: \(obstacle)")
      }
    } catch is StandardOutput.Closed {
      return
    } catch {
      let failure = SourceFailure(error)
      StandardOutput.complain("pedometer: \(failure.message)")
      throw failure.status.exitCode
    }
  }

  private static func reportsHere() throws -> [DeviceReport] {
    let discovery = SensorDiscovery()
    var reports = try (discovery.sensors() + discovery.boards()).map { DeviceReport($0) }
    do {
      reports += try BluetoothDiscovery().sensors().map { DeviceReport($0) }
    } catch {
      StandardOutput.complain("pedometer: no Bluetooth sensors are listed: \(error)")
    }
    return reports
  }
}

/// Another computer whose sensors are listed.
struct RemoteComputer {
  private let address: RemoteIIOAddress

  /// - Throws: `ValidationError`.
  init(parsing text: String) throws {
    guard let address = try? RemoteIIOAddress(parsing: text), address.device == nil else {
      throw ValidationError(
        "'\(text)' is not a computer; give HOST or HOST:PORT, such as raspberrypi.local or [fe80::1%eth0]:30431")
    }
    self.address = address
  }

  func reports() throws -> [DeviceReport] { try RemoteIIODiscovery(address).sensors().map { DeviceReport($0) } }

  /// For a computer without accelerometers.
  var absence: String {
    "iiod on \(address.host) has no accelerometer; plug one in there and restart iiod, which looks for sensors when it starts"
  }
}
