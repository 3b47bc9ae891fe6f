import Accelerometry

/// A measurement that a Bluetooth sensor can send.
struct BluetoothMeasurement: Equatable {
  /// The name for messages, with its article.
  let name: String
  /// The UUIDs of the service and of its characteristic.
  let service: String
  let characteristic: String

  /// Speed and cadence; some sensors add stride length and distance.
  static let runningSpeedAndCadence = Self(
    name: "a running speed and cadence service (0x1814)", service: "00001814-0000-1000-8000-00805f9b34fb",
    characteristic: "00002a53-0000-1000-8000-00805f9b34fb")
  /// The step count of a watch.
  static let steps = Self(
    name: "a watch's step count (InfiniTime)", service: "00030000-78fc-48fe-8e23-433b3a1942d0",
    characteristic: "00030001-78fc-48fe-8e23-433b3a1942d0")
}

/// One connection to a sensor: searches for it, connects, subscribes, and receives its values until it is lost.
///
/// BlueZ operates the radio; this type calls it and sleeps until it sends a message.
final class BluetoothSubscription {
  /// How long to search for a sensor that BlueZ does not know.
  static let searchTime = Duration.seconds(30)
  /// How long BlueZ may query the services of the sensor: longer than its time-out for one answer, 30 s.
  static let resolutionTime = Duration.seconds(45)
  /// How long BlueZ may try to connect; it gives up sooner by itself.
  static let connectionTime = Duration.seconds(60)
  /// How long BlueZ may take to disconnect: it waits for two seconds before it does.
  static let disconnectionTime = Duration.seconds(10)

  enum Received {
    /// A value, and its arrival in nanoseconds since boot.
    case value([UInt8], time: Int64)
    case timedOut, stopped
  }

  private let address: String
  private let wanted: [BluetoothMeasurement]
  private let machine: SensorEnvironment
  private var link: BluezLink?
  private var device: BluezObjects.Device?
  private var characteristic: String?
  /// Whether this object connected the sensor, and so disconnects it at the end.
  private var hasConnected = false
  private var isConnecting = false
  private var isSubscribed = false

  /// What the sensor sends; valid once subscribed.
  private(set) var measurement = BluetoothMeasurement.runningSpeedAndCadence
  /// The value read at the beginning, if the characteristic can be read.
  private(set) var firstValue: [UInt8]?

  /// - Parameter wanted: the measurements to subscribe to, in order of preference.
  init(address: String, wanted: [BluetoothMeasurement], in machine: SensorEnvironment) {
    (self.address, self.wanted, self.machine) = (address, wanted, machine)
  }

  private var name: String {
    guard let name = device?.name, name != address else { return "the Bluetooth sensor \(address)" }
    return "\(name) (\(address))"
  }

  private var awayRemedy: String {
    "bring it near and wake it up; if it is still not found, see 'bluetoothctl info \(address)'"
  }

  private var pairingRemedy: String { "pair it: bluetoothctl pair \(address), then bluetoothctl trust \(address)" }

  /// Connects and subscribes.
  /// - Returns: false if stopped.
  func begin(until stop: StopSignal) throws(SensorError) -> Bool {
    let link = try BluezLink(in: machine)
    self.link = link
    guard try link.begin(until: stop) else { return false }
    if link.objects.device(address)?.isConnected != true, let obstacle = link.obstacle { throw obstacle }
    guard let device = try find(link, until: stop) else { return false }
    self.device = device
    try link.listen(to: device.path)
    // Properties may have changed before the match was added.
    guard try link.look(until: stop) else { return false }
    guard try connect(link, until: stop) else { return false }
    if let isSubscribed = try subscribe(link, device, isLast: false, until: stop) { return isSubscribed }
    // BlueZ is about to disconnect it, for a program that has just ended. It connects again only afterwards.
    guard try link.wait(atMost: Self.disconnectionTime, until: stop, for: { isGone(link) }) != .stopped else {
      return false
    }
    guard try connect(link, until: stop) else { return false }
    return try subscribe(link, device, isLast: true, until: stop) ?? false
  }

  /// Returns the device, after a search if BlueZ does not know it; `nil` if stopped.
  private func find(_ link: BluezLink, until stop: StopSignal) throws(SensorError) -> BluezObjects.Device? {
    if let device = link.objects.device(address) { return device }
    // Any of several controllers may be in range.
    let adapters = link.objects.adapters.filter(\.isPowered)
    var searching: [String] = []
    for adapter in adapters {
      let filter = try link.start(
        adapter.path, BluezObjects.adapterInterface, "SetDiscoveryFilter", option: ("Transport", "le"))
      guard try link.answer(to: filter, until: stop) != nil else { return nil }
      let search = try link.start(adapter.path, BluezObjects.adapterInterface, "StartDiscovery")
      switch try link.answer(to: search, until: stop) {
      case nil: return nil
      case .failure(let failure)? where !failure.name.hasSuffix(".InProgress"):
        if adapters.count == 1 { throw refusal(failure, "look for it") }
      default: searching.append(adapter.path)
      }
    }
    let outcome = try link.wait(atMost: Self.searchTime, until: stop) { link.objects.device(address) != nil }
    for path in searching { link.tell(path, BluezObjects.adapterInterface, "StopDiscovery") }
    switch outcome {
    case .met: return link.objects.device(address)
    case .stopped: return nil
    case .timedOut:
      throw .notFound(
        name: "\(name)", remedy: "wake it up and bring it near; 'bluetoothctl --timeout 20 scan on' must show it")
    }
  }

  private func connect(_ link: BluezLink, until stop: StopSignal) throws(SensorError) -> Bool {
    guard let path = device?.path else { return false }
    if link.objects.device(address)?.isConnected != true {
      hasConnected = true
      let call = try link.start(path, BluezObjects.deviceInterface, "Connect")
      isConnecting = true
      switch try link.answer(to: call, atMost: Self.connectionTime, until: stop) {
      case nil: return false
      case .failure(let failure)? where !failure.name.hasSuffix(".AlreadyConnected"):
        // After a timeout, BlueZ may still be trying.
        isConnecting = failure.name.hasSuffix(".NoReply")
        throw refusal(failure, "connect")
      default: isConnecting = false
      }
    }
    switch try link.wait(
      atMost: Self.resolutionTime, until: stop,
      for: { self.isGone(link) || link.objects.device(address)?.isResolved == true })
    {
    case .stopped: return false
    case .timedOut: throw .disconnected(name: name, reason: "it does not report its services", remedy: awayRemedy)
    case .met: break
    }
    if isGone(link) { throw loss }
    return true
  }

  /// - Parameter isLast: whether a device that is being disconnected is an error.
  /// - Returns: false if stopped; `nil` if the device is being disconnected.
  private func subscribe(
    _ link: BluezLink, _ device: BluezObjects.Device, isLast: Bool, until stop: StopSignal
  ) throws(SensorError) -> Bool? {
    let found = wanted.lazy.compactMap { measurement in
      link.objects.characteristic(measurement.characteristic, of: device.path).map { (measurement, $0) }
    }.first
    guard let (measurement, characteristic) = found else {
      throw .unusable(
        path: name, reason: "it does not have " + wanted.map(\.name).joined(separator: " or "),
        remedy: "choose a sensor that 'pedometer devices' lists")
    }
    (self.measurement, self.characteristic) = (measurement, characteristic)
    if measurement == .steps {
      let call = try link.start(characteristic, BluezObjects.characteristicInterface, "ReadValue", option: nil)
      switch try link.answer(to: call, until: stop) {
      case nil: return false
      case .success(let bytes)?: firstValue = bytes
      // It may notify values that cannot be read.
      case .failure?: break
      }
    }
    link.takesValues = true
    let call = try link.start(characteristic, BluezObjects.characteristicInterface, "StartNotify")
    switch try link.answer(to: call, until: stop) {
    case nil: return false
    case .failure(let failure)? where !isLast && failure.name.hasSuffix(".NotConnected"): return nil
    case .failure(let failure)?: throw refusal(failure, "subscribe")
    case .success?:
      isSubscribed = true
      return true
    }
  }

  /// Waits for the next value, or for the timeout.
  /// - Throws: `.disconnected` if the sensor or BlueZ is lost.
  func next(atMost timeout: Duration, until stop: StopSignal) throws(SensorError) -> Received {
    guard let link, let characteristic else { return .stopped }
    let outcome = try link.wait(atMost: timeout, until: stop) { link.hasValues || isGone(link) }
    if let value = link.takeValue(of: characteristic) { return .value(value.bytes, time: value.time) }
    if isGone(link) { throw loss }
    return outcome == .stopped ? .stopped : .timedOut
  }

  private func isGone(_ link: BluezLink) -> Bool {
    link.isOrphaned || link.objects.device(address)?.isConnected != true
  }

  private var loss: SensorError {
    link?.isOrphaned == true
      ? BluetoothObstacle.noService
      : .disconnected(name: name, reason: "it went out of range, to sleep, or off", remedy: awayRemedy)
  }

  private func refusal(_ failure: SystemBus.CallFailure, _ deed: String) -> SensorError {
    let kind = failure.name.split(separator: ".").last.map(String.init) ?? failure.name
    let isUnpaired =
      ["AuthenticationFailed", "AuthenticationCanceled", "AuthenticationRejected", "NotAuthorized", "NotPermitted"]
      .contains(kind) || failure.words.lowercased().contains("not paired")
    let words = failure.words.isEmpty ? kind : failure.words
    return .disconnected(
      name: name, reason: "BlueZ cannot \(deed): \(words)", remedy: isUnpaired ? pairingRemedy : awayRemedy)
  }

  /// Disconnects the sensor if it was connected here, to save its battery, and cancels a pending connection.
  func close() {
    if let link, !link.isOrphaned, let device {
      let isConnected = link.objects.device(address)?.isConnected == true
      if isConnected, isSubscribed, let characteristic {
        link.tell(characteristic, BluezObjects.characteristicInterface, "StopNotify")
      }
      // Otherwise BlueZ would connect later, and the sensor would stay connected.
      if isConnecting || (isConnected && hasConnected) {
        link.tell(device.path, BluezObjects.deviceInterface, "Disconnect")
      }
    }
    link = nil
  }
}
