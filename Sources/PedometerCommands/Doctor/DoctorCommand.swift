import ArgumentParser
import LinuxSensors
import LiveSources
import Presentation

/// `pedometer doctor`: diagnoses why counting fails.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find out why a sensor cannot be used, and how to fix it",
    discussion: """
      Checks the kernel's subsystems, udev and its rule, the group, the triggers, Bluetooth and every sensor: whether and \
      how you can read it, and if not, why, down to the program that is using it. Of boards on USB serial ports it says who \
      may read them and which programs take them. Then shows whether reports are sent, what they \
      contain, where they go, and how many are queued.

      A chip that is wired to an I2C bus needs a driver, and nothing says that it is there. --probe-i2c looks: it reads \
      the identity registers of known chips (MPU6050, LSM6DS3, ADXL345, BMA400, LIS3DH, KXCJ9, MMA8452 and relatives), one \
      byte each, leaves alone the addresses that a driver holds, and prints the command that binds the driver. \
      Without it nothing is sent on a bus.

      EXAMPLES
        pedometer doctor
        sudo pedometer doctor --probe-i2c
        pedometer doctor --format json

      EXIT CODES
        0  at least one sensor can be used
        69 no sensor                    75 every sensor is in use
        76 invalid data from a sensor   77 permission denied
      """)

  @Option(help: "text, json (JSON Lines) or csv.")
  var format = OutputFormat.text

  @Flag(
    name: .customLong("probe-i2c"),
    help: "Look for sensor chips without a driver on the I2C buses, by reading their identity registers.")
  var probeI2C = false

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    do {
      let discovery = SensorDiscovery()
      let (sensors, boards) = (try discovery.sensors(), try discovery.boards())
      let devices = (sensors + boards).map { DeviceReport($0) }
      let machine = MachineChecks(
        sensors: sensors, boards: boards, boardsWithoutPort: try discovery.boardsWithoutPort())
      let bluetooth = BluetoothChecks()
      var checks = machine.all + I2CChecks(probes: probeI2C).all + [bluetooth.check] + devices.map(\.check)
      if sensors.isEmpty { checks.append(Self.nothing) }
      if let machine = AnalyticsMachine.current {
        checks.insert(AnalyticsReport(machine).check, at: checks.count - devices.count - (sensors.isEmpty ? 1 : 0))
      }
      switch format {
      case .json: try StandardOutput.write(checks.map(\.json).joined())
      case .csv: try StandardOutput.write(HealthCheck.heading + checks.map(\.csv).joined())
      case .text: try StandardOutput.write(lines: checks.map(\.text).joined())
      }
      // What a board prints nobody knows before it is opened.
      let canCount = devices.contains { $0.sensor.kind != .board && $0.sensor.isUsable && !$0.isBusy }
      if canCount || bluetooth.canCount { return }
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
