import Counting
import LinuxSensors
import Pedometers
import Pedometry
import ServiceTransport
import SourceNames
import Synchronization

/// How a live command opens a sensor.
package struct SensorOpening: Sendable {
  /// A sensor that was found.
  package struct Sensor: Sendable {
    /// The name that selects the sensor again.
    package var uri: SourceURI
    /// The pedometer that counts with it.
    package var pedometer: any Pedometer
    /// The exit code for what the pedometer last reported, if it was an error.
    package var failureStatus: @Sendable () -> ExitStatus? = { nil }
    /// What people should know about the choice.
    package var remark: String?

    package init(
      uri: SourceURI, pedometer: any Pedometer,
      failureStatus: @escaping @Sendable () -> ExitStatus? = { nil }
    ) {
      self.uri = uri
      self.pedometer = pedometer
      self.failureStatus = failureStatus
    }
  }

  /// The sensor with this name, or the best one without a name; `nil` if no name was given and no sensor was found. A
  /// sensor without read permission is returned as well: its pedometer reports that permission is declined.
  package var open: @Sendable (_ uri: SourceURI?, _ stepLength: StepLengthModel) throws(SourceFailure) -> Sensor?

  /// Returns when the sensor with this name, or any sensor if there is no name, is usable.
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
  /// The exit code for this error.
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
  /// - Parameters:
  ///   - service: where to request the steps of a sensor whose buffer is in use.
  ///   - messages: receives the messages of WebSocket servers.
  package static func machine(
    service: ServiceAccess?, messages: (any MessageClient)? = nil
  ) -> SensorOpening {
    SensorOpening(
      open: { uri, stepLength throws(SourceFailure) in
        if let uri, let wireless = wireless(uri, stepLength) { return wireless }
        do throws(SensorError) {
          if let uri, !uri.isLocalSensor {
            let opener = LiveOpener(finder: SensorFinder(use: .lively, waits: false), messages: messages)
            return Sensor(uri: uri, pedometer: LivePedometer(uri, opener, stepLength))
          }
          let sensors = try SensorDiscovery().sensors()
          guard let uri else {
            // A free sensor is preferred, unless the service counts with one.
            for held in sensors where held.isBufferInUse {
              if let counted = counted(held, stepLength, by: service) { return counted }
            }
            if let best = choose(among: sensors) { return handedOut(best, stepLength) }
            guard let service else { return nil }
            return Waiting.atMost(.seconds(6)) { await elsewhere(stepLength, by: service) } ?? nil
          }
          if let found = sensors.first(where: { SensorFinder.isSame($0.uri, uri) }) {
            return counted(found, stepLength, by: service) ?? handedOut(found, stepLength)
          }
          // It is not in the list: opening it gives the reason, or succeeds.
          _ = try MotionSensor.source(uri, SensorOptions())
          return unlisted(uri, stepLength)
        } catch {
          // An unlisted node that cannot be examined.
          if let uri, error.kind == .permission { return unlisted(uri, stepLength) }
          throw SourceFailure(error)
        }
      },
      wait: { uri in
        // Its reader waits for it.
        if case .serial? = uri {
          let opener = LiveOpener(finder: SensorFinder(use: .lively, waits: true))
          _ = try await SerialBoard().open(uri, for: opener)
          return
        }
        if uri?.isLocalSensor == false { return }
        _ = try await SensorDiscovery().waitForSensor(for: .lively) { found in
          uri.map { SensorFinder.isSame(found.uri, $0) } ?? true
        }
      })
  }

  /// The best sensor; if none can be read, one that only needs a permission.
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

  /// A sensor that the service counts with; otherwise `nil`.
  private static func counted(
    _ found: DiscoveredSensor, _ stepLength: StepLengthModel, by service: ServiceAccess?
  ) -> Sensor? {
    guard let service, let counter = counter(of: service, for: found) else { return nil }
    return Sensor(uri: found.uri, pedometer: pedometer(counter, stepLength))
  }

  private static func pedometer(_ counter: ServiceCounter, _ stepLength: StepLengthModel) -> any Pedometer {
    WalkPedometer(ReadingsWalk { counter }, stepLength: stepLength) { PedometerError.sensorLost(reason: "\($0)") }
  }

  /// What the service counts with; `nil` if it counts nothing, or needs a token.
  static func elsewhere(_ stepLength: StepLengthModel, by service: ServiceAccess) async -> Sensor? {
    let remark = Mutex<String?>(nil)
    guard let counted = await CountedElsewhere(by: service, remark: { said in remark.withLock { $0 = said } }) else {
      return nil
    }
    var sensor = Sensor(uri: counted.uri, pedometer: pedometer(counted.counter, stepLength))
    sensor.remark = remark.withLock { $0 }
    return sensor
  }

  private static func handedOut(_ found: DiscoveredSensor, _ stepLength: StepLengthModel) -> Sensor {
    handedOut(found.uri, stepLength) { SensorPresence(of: found) }
  }

  /// Waits up to six seconds for the answer: a chase opens its sensor on the main thread before it begins.
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
  /// Searches for a sensor by its stable properties; its device number may have changed.
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

  /// Converts an error of opening.
  package init(refusedBy error: SensorError) {
    self = error.kind == .unavailable ? .missing : .refused(error)
  }
}
