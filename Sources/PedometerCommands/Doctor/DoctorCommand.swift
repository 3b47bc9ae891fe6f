import ArgumentParser
import LinuxSensors
import LiveSources
import Presentation

/// `pedometer doctor`: why does it not count?
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out why a sensor cannot be used, and how to fix it",
    discussion: """
      Checks the kernel's subsystems, udev and its rule, the group, the triggers, Bluetooth and every sensor: whether and how you \
      can read it, and if not, why, down to the program that is using it. Then shows whether reports are sent, what they \
      contain, where they go, and how many are queued.

      EXAMPLES
        pedometer doctor
        pedometer doctor --format json

      EXIT CODES
        0  at least one sensor can be used
        69 no sensor                    75 every sensor is in use
        76 invalid data from a sensor   77 permission denied
      """)

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    do {
      let sensors = try SensorDiscovery().sensors()
      let devices = sensors.map { DeviceReport($0) }
      let bluetooth = BluetoothChecks()
      var checks = MachineChecks(sensors: sensors).all + [bluetooth.check] + devices.map(\.check)
      if devices.isEmpty { checks.append(Self.nothing) }
      if let machine = AnalyticsMachine.current {
        checks.insert(AnalyticsReport(machine).check, at: checks.count - max(devices.count, 1))
      }
      switch format {
      case .json: try StandardOutput.write(checks.map(\.json).joined())
      case .csv: try StandardOutput.write(HealthCheck.heading + checks.map(\.csv).joined())
      case .text: try StandardOutput.write(lines: checks.map(\.text).joined())
      }
      if bluetooth.canCount || devices.contains(where: { $0.sensor.isUsable && !$0.isBusy }) { return }
      throw (ExitStatus.worst(of: checks.compactMap(\.status)) ?? .noSensor).exitCode
    } catch is StandardOutput.Closed {
      return
    } catch let code as ExitCode {
      throw code
    } catch {
      let failure = SourceFailure(error)
      StandardOutput.complain("pedometer: \(failure.message)")
      throw failure.status.exitCode
    }
  }

  private static var nothing: HealthCheck {
    .failed(
      "sensors", "no motion sensor found",
      remedy: "plug in an accelerometer or a game pad with motion sensors, or load its driver", status: .noSensor)
  }
}
