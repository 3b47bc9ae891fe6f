import Accelerometry
import Pedometry
import Synchronization

/// A chip that counts steps itself (`counter:device0`): mma9553, bma400, bmi323 and others with `in_steps_input`.
///
/// Costs next to nothing: the chip counts while the processor sleeps, and steps taken before the start, or while
/// nobody read, are in its register.
public final class IIOStepCounter: Pedometer {
  /// The device as its attributes describe it.
  public let device: IIODevice
  /// How it is to be read.
  public let options: SensorOptions
  /// How long a step is, for a chip that does not measure the distance.
  public let stepLength: StepLengthModel
  private let machine: SensorEnvironment
  private let walk = Mutex<Task<Void, Never>?>(nil)

  /// Makes a pedometer; the chip is not touched yet.
  /// - Throws: `.unusable` where the device counts no steps.
  public init(
    _ device: IIODevice, options: SensorOptions = SensorOptions(), stepLength: StepLengthModel = .walkRatio(),
    in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    guard device.countsSteps else {
      throw .unusable(
        path: device.folder.path, reason: "it does not count steps",
        remedy: "name it iio:\(device.identifier) if it is an accelerometer")
    }
    self.device = device
    self.options = options
    self.stepLength = stepLength
    self.machine = machine
  }

  deinit { pause() }

  /// The chip's readings: the first at once as the zero point, then one for each change, and one now and then while
  /// nothing changes. The counter is switched on at the first `next()` and put back at the end.
  public func readings() -> SensorReadings<StepCounterReading> {
    let (device, options, machine) = (device, options, machine)
    return SensorReadings { IIOStepCounterReader(device: device, options: options, machine: machine) }
  }

  /// Whether the chip is there and counts, or may be told to.
  public var pedometerAvailable: Bool { access == .open }

  /// Whether the chip is there, but this user may not read its register or not switch it on.
  public var permissionDeclined: Bool { access == .closed }

  private enum Access { case open, closed, gone }

  private var access: Access {
    guard device.folder.has("in_steps_input") else { return .gone }
    guard device.folder.mayRead("in_steps_input") else { return .closed }
    guard let enabled = try? device.folder.textIfPresent("in_steps_en"), enabled != "1" else { return .open }
    return device.folder.mayWrite("in_steps_en") ? .open : .closed
  }

  /// Begins at zero. Errors arrive as ``SensorError``. A delivery that was under way when ``pause()`` was called ends.
  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let readings = readings()
    let stepLength = stepLength
    let task = Task {
      var walk = StepCounterWalk(stepLength: stepLength)
      var isRunning = false
      do {
        for try await reading in readings {
          if Task.isCancelled { return }
          if !isRunning { eventUpdates(nil) }
          isRunning = true
          dataUpdates(walk.take(reading), nil)
        }
      } catch {
        if Task.isCancelled { return }
        if isRunning { dataUpdates(nil, error) }
        eventUpdates(error)
      }
    }
    walk.withLock { running in
      running?.cancel()
      running = task
    }
  }

  /// Ends reading; the chip is put back as it was found.
  public func pause() {
    walk.withLock { running in
      running?.cancel()
      running = nil
    }
  }
}
