import Accelerometry
import Counting
import LinuxSensors
import Pedometers
import Pedometry

/// How a live command opens a sensor.
package struct SensorOpening: Sendable {
  /// A sensor that was found.
  package struct Sensor: Sendable {
    /// The name under which it can be chosen again.
    package var uri: SourceURI
    /// What counts with it.
    package var pedometer: any Pedometer
    /// The exit code for what the pedometer last reported, if it was an error.
    package var failureStatus: @Sendable () -> ExitStatus? = { nil }

    package init(
      uri: SourceURI, pedometer: any Pedometer,
      failureStatus: @escaping @Sendable () -> ExitStatus? = { nil }
    ) {
      self.uri = uri
      self.pedometer = pedometer
      self.failureStatus = failureStatus
    }
  }

  /// The sensor of this name, or the best one without a name; `nil` if no name was given and no sensor was found. A
  /// sensor that may not be read is handed out, too: its pedometer says that permission is declined.
  package var open: @Sendable (_ uri: SourceURI?, _ stepLength: StepLengthModel) throws(SourceFailure) -> Sensor?

  /// Returns once the sensor of this name, or any sensor without a name, is usable.
  package var wait: @Sendable (_ uri: SourceURI?) async throws -> Void

  package init(
    open: @escaping @Sendable (_ uri: SourceURI?, _ stepLength: StepLengthModel) throws(SourceFailure) -> Sensor?,
    wait: @escaping @Sendable (_ uri: SourceURI?) async throws -> Void
  ) {
    self.open = open
    self.wait = wait
  }
}

extension SensorError {
  /// The exit code for this kind of trouble.
  package var exitStatus: ExitStatus {
    switch kind {
    case .unavailable: .noSensor
    case .inputOutput: .io
    case .busy: .busy
    case .protocolViolation: .protocol
    case .permission: .permission
    }
  }
}

extension SensorOpening {
  /// The sensors of this computer.
  /// - Parameter service: who is asked for the steps of a sensor whose buffer is in use.
  package static func machine(service: ServiceAccess?) -> SensorOpening {
    SensorOpening(
      open: { uri, stepLength throws(SourceFailure) in
        if let uri, let wireless = wireless(uri, stepLength) { return wireless }
        do throws(SensorError) {
          if case .serial? = uri {
            let opener = LiveOpener(finder: SensorFinder(use: .lively, waits: false))
            return uri.map { Sensor(uri: $0, pedometer: LivePedometer($0, opener, stepLength)) }
          }
          let sensors = try SensorDiscovery().sensors()
          guard let uri else {
            // A free sensor is preferred, but not to one that the service counts with.
            for held in sensors where held.isBufferInUse {
              if let counted = counted(held, stepLength, by: service) { return counted }
            }
            return choose(among: sensors).map { handedOut($0, stepLength) }
          }
          if let found = sensors.first(where: { SensorFinder.isSame($0.uri, uri) }) {
            return counted(found, stepLength, by: service) ?? handedOut(found, stepLength)
          }
          // Not in the list: opening it says why, or that it can be read nevertheless.
          _ = try MotionSensor.source(uri, SensorOptions())
          return unlisted(uri, stepLength)
        } catch {
          // An unlisted node that may not even be looked at.
          if let uri, error.kind == .permission { return unlisted(uri, stepLength) }
          throw SourceFailure(error)
        }
      },
      wait: { uri in
        // It is waited for where it is read.
        if case .bluetooth? = uri { return }
        if case .serial? = uri {
          let opener = LiveOpener(finder: SensorFinder(use: .lively, waits: true))
          _ = try await SerialBoard().open(uri, for: opener)
          return
        }
        _ = try await SensorDiscovery().waitForSensor(for: .lively) { found in
          uri.map { SensorFinder.isSame(found.uri, $0) } ?? true
        }
      })
  }

  /// The best one; where none can be read, one that a permission would open.
  package static func choose(among sensors: [DiscoveredSensor]) -> DiscoveredSensor? {
    DiscoveredSensor.best(among: sensors, for: .lively)
      ?? sensors.first {
        if case .unusable(let error) = $0.usability { error.kind == .permission } else { false }
      }
  }

  /// A Bluetooth sensor; `nil` for any other name.
  static func wireless(
    _ uri: SourceURI, _ stepLength: StepLengthModel, in machine: SensorEnvironment = .machine
  ) -> Sensor? {
    guard case .bluetooth(let address) = uri else { return nil }
    let walk = LiveFeed(BluetoothSensor(address, in: machine)).walk
    return Sensor(uri: uri, pedometer: walk.pedometer(stepLength: stepLength) { PedometerError(live: $0) })
  }

  /// A sensor that the service counts with; `nil` where it does not.
  private static func counted(
    _ found: DiscoveredSensor, _ stepLength: StepLengthModel, by service: ServiceAccess?
  ) -> Sensor? {
    guard let service, let counter = counter(of: service, for: found) else { return nil }
    let pedometer = WalkPedometer(ReadingsWalk { counter }, stepLength: stepLength) {
      PedometerError.sensorLost(reason: "\($0)")
    }
    return Sensor(uri: found.uri, pedometer: pedometer)
  }

  private static func handedOut(_ found: DiscoveredSensor, _ stepLength: StepLengthModel) -> Sensor {
    handedOut(found.uri, stepLength) { SensorPresence(of: found) }
  }

  /// Waits for the answer, six seconds at most: a chase opens its sensor on the main thread, before it begins.
  private static func counter(of service: ServiceAccess, for sensor: DiscoveredSensor) -> ServiceCounter? {
    guard sensor.isBufferInUse else { return nil }
    return Waiting.atMost(.seconds(6)) { await MotionSensor.counter(of: service, for: sensor) } ?? nil
  }

  private static func unlisted(_ uri: SourceURI, _ stepLength: StepLengthModel) -> Sensor {
    handedOut(uri, stepLength) {
      do throws(SensorError) {
        _ = try SensorSource.open(uri)
        return .there(uri)
      } catch {
        return SensorPresence(refusedBy: error)
      }
    }
  }

  private static func handedOut(
    _ uri: SourceURI, _ stepLength: StepLengthModel, locate: @escaping @Sendable () -> SensorPresence
  ) -> Sensor {
    let pedometer = SensorPedometer(locate: locate) { uri throws(SensorError) in
      switch try SensorSource.open(uri) {
      case .accelerometer(let source): DetectingPedometer(source, stepLength: stepLength)
      case .stepCounter(let counter):
        try IIOStepCounter(counter.device, options: counter.options, stepLength: stepLength)
      }
    }
    return Sensor(uri: uri, pedometer: pedometer) { pedometer.lastError?.exitStatus }
  }
}

extension SensorPresence {
  /// Looks for a sensor that was found before, by what stays the same about it: it may have another number by now.
  package init(of sensor: DiscoveredSensor) {
    do throws(SensorError) {
      let candidates = try SensorDiscovery().sensors().filter {
        $0.kind == sensor.kind && $0.identity.isSame(as: sensor.identity)
      }
      switch (candidates.first(where: \.isUsable) ?? candidates.first)?.usability {
      case nil: self = .missing
      case .unusable(let error): self = SensorPresence(refusedBy: error)
      case .usable, .pollingOnly: self = .there((candidates.first(where: \.isUsable) ?? sensor).uri)
      }
    } catch {
      self = .refused(error)
    }
  }

  /// What an error of opening means.
  package init(refusedBy error: SensorError) {
    self = error.kind == .unavailable ? .missing : .refused(error)
  }
}
