import ArgumentParser
import LinuxSensors
import LiveSources
import Presentation

/// `pedometer doctor`: why does it not count?
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look for what keeps sensors from counting, and say what to do",
    discussion: """
      Looks at the kernel's subsystems, udev and its rule, the group, the triggers and every sensor: whether this user \
      can read it and how, and if not, why, down to the program that holds it. Then whether reports are sent, what would \
      be in one, where to, and how many wait.

      EXAMPLES
        pedometer doctor
        pedometer doctor --format json

      EXIT CODES
        0  something can count
        69 there is no sensor       75 each is in use
        76 it speaks nonsense       77 this user may not read it
      """)

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    do {
      let sensors = try SensorDiscovery().sensors()
      let devices = sensors.map { DeviceReport($0) }
      var checks = MachineChecks(sensors: sensors).all + devices.map(\.check)
      if devices.isEmpty { checks.append(Self.nothing) }
      if let machine = AnalyticsMachine.current {
        checks.insert(AnalyticsReport(machine).check, at: checks.count - max(devices.count, 1))
      }
      switch format {
      case .json: try StandardOutput.write(checks.map(\.json).joined())
      case .csv: try StandardOutput.write(HealthCheck.heading + checks.map(\.csv).joined())
      case .text: try StandardOutput.write(lines: checks.map(\.text).joined())
      }
      if devices.contains(where: { $0.sensor.isUsable && !$0.isBusy }) { return }
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
      "sensors", "there is no motion sensor here",
      remedy: "plug in a game pad with motion sensors or an accelerometer, or load its driver", status: .noSensor)
  }
}
