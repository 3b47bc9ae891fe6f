import Accelerometry
import Platform

/// This computer as a running speed and cadence sensor, which watches, treadmill programs and phones can read.
///
/// BlueZ operates the radio: it is given a service (0x1814) and an advertisement as objects on the system bus, asks for
/// their properties, and passes notifications on. Used by one thread.
package final class FootPod {
  /// The name that others see.
  package static let name = "Pedometer"

  private static let root = "/org/pedometer/FootPod"
  static let advertisement = root + "/advertisement"
  private static let service = root + "/service"
  static let measurement = service + "/measurement"
  private static let controlPoint = service + "/control"
  /// Generic running and walking sensor, in Bluetooth's list of appearances.
  private static let appearance: UInt16 = 0x0440
  /// Stride length and total distance are supported; walking is not told from running.
  private static let feature: [UInt8] = [0x03, 0x00]
  /// The sensor's location: other.
  private static let location: [UInt8] = [0x00]

  private let adapter: String?
  private let machine: SensorEnvironment
  /// Added to the total distance, since a receiver may set it.
  private var distanceOffset = 0.0
  /// What the next total distance has to be.
  private var wantedDistance: Double?
  /// Whether a receiver has subscribed.
  private var isNotifying = false
  /// Whether BlueZ has ended the advertisement.
  private var isReleased = false
  /// The answer of the control point that is not sent yet.
  private var indication: [UInt8]?

  /// - Parameter adapter: a name such as `hci0`, or an address; `nil`: the first adapter that is on and can advertise.
  package init(adapter: String?, in machine: SensorEnvironment = .machine) {
    (self.adapter, self.machine) = (adapter, machine)
  }

  /// Offers the sensor until the flag is raised, and withdraws it then.
  /// - Parameters:
  ///   - interval: the time between two measurements.
  ///   - ready: gets the name of the adapter when the sensor is advertised.
  ///   - measure: the measurement of this moment. Called only while there is a subscriber.
  /// - Throws: why it is not offered, or no longer.
  package func serve(
    every interval: Duration = .seconds(1), until stop: StopSignal, ready: (String) -> Void,
    measure: () -> RunningSpeedCadence
  ) throws(SensorError) {
    (isNotifying, isReleased, indication) = (false, false, nil)
    let link = try BluezLink(in: machine)
    guard try link.begin(until: stop) else { return }
    let adapter = try chosen(in: link)
    try link.listen(to: adapter.path)
    // It may have been turned off before this connection heard of its changes.
    guard try link.look(until: stop) else { return }
    try check(adapter.path, in: link)
    try offer(to: link)
    link.respond = { [unowned self] in respond(to: $0) }
    let application = (BluezObjects.applicationInterface, "Application", Self.root)
    let advertisement = (BluezObjects.advertisingInterface, "Advertisement", Self.advertisement)
    // BlueZ may have registered what this thread has not heard of yet.
    defer {
      link.tell(adapter.path, advertisement.0, "UnregisterAdvertisement", object: Self.advertisement)
      link.tell(adapter.path, application.0, "UnregisterApplication", object: Self.root)
    }
    for (interface, what, object) in [application, advertisement] {
      let call = try link.start(adapter.path, interface, "Register" + what, object: object)
      guard let answer = try link.answer(to: call, until: stop) else { return }
      if case .failure(let failure) = answer { throw FootPodObstacle.refused(what, failure) }
    }
    ready(adapter.name)
    try notify(through: link, adapter.path, every: interval, until: stop, measure)
  }

  /// Sends measurements until the flag is raised.
  private func notify(
    through link: BluezLink, _ adapter: String, every interval: Duration, until stop: StopSignal,
    _ measure: () -> RunningSpeedCadence
  ) throws(SensorError) {
    let hour = Duration.seconds(3600)
    var due: Int64?
    while true {
      if isNotifying, due == nil { due = SensorClock.boottime.now }
      if !isNotifying { due = nil }
      let left = due.map { Duration.nanoseconds(max(0, $0 - SensorClock.boottime.now)) } ?? hour
      let wasNotifying = isNotifying
      let outcome = try link.wait(atMost: left, until: stop) {
        isReleased || indication != nil || isNotifying != wasNotifying || link.isOrphaned
          || !link.objects.adapters.contains { $0.path == adapter && $0.isPowered }
      }
      if outcome == .stopped { return }
      if outcome == .met {
        try check(adapter, in: link)
        if let indication { try send(indication, Self.controlPoint, through: link) }
        indication = nil
      } else if let moment = due {
        var value = measure()
        if let distance = value.totalDistance {
          if let wantedDistance { distanceOffset = wantedDistance - distance }
          wantedDistance = nil
          value.totalDistance = distance + distanceOffset
        }
        try send(value.bytes, Self.measurement, through: link)
        // Late ones are not made up for.
        due = max(moment + interval.wholeNanoseconds, SensorClock.boottime.now)
      }
    }
  }

  /// Sends a value to those who have subscribed.
  private func send(_ bytes: [UInt8], _ path: String, through link: BluezLink) throws(SensorError) {
    try link.offer(path, BluezObjects.characteristicInterface, "Value", .bytes(bytes))
    try link.announce(path, BluezObjects.characteristicInterface, "Value")
  }

  /// The adapter to use.
  private func chosen(in link: BluezLink) throws(SensorError) -> BluezObjects.Adapter {
    let all = link.objects.adapters
    if let adapter {
      guard let named = all.first(where: { $0.name == adapter || $0.address == adapter.uppercased() }) else {
        throw all.isEmpty ? BluetoothObstacle.noAdapter : FootPodObstacle.noAdapter(adapter)
      }
      try check(named.path, in: link)
      return named
    }
    if let usable = all.first(where: { $0.isPowered && $0.canAdvertise }) { return usable }
    if let obstacle = link.obstacle { throw obstacle }
    throw FootPodObstacle.cannotAdvertise(all.first(where: \.isPowered)?.name ?? "")
  }

  /// Whether an adapter can still be used, and BlueZ runs.
  private func check(_ path: String, in link: BluezLink) throws(SensorError) {
    if link.isOrphaned { throw BluetoothObstacle.noService }
    guard let adapter = link.objects.adapters.first(where: { $0.path == path }) else {
      throw .removed(path: "Bluetooth adapter \(path.split(separator: "/").last ?? "")")
    }
    if !adapter.isPowered { throw BluetoothObstacle.off(adapter.name, in: machine) }
    if !adapter.canAdvertise { throw FootPodObstacle.cannotAdvertise(adapter.name) }
    if isReleased { throw FootPodObstacle.released }
  }

  // MARK: the objects

  private func offer(to link: BluezLink) throws(SensorError) {
    let (service, advertisement) = (BluezObjects.serviceInterface, BluezObjects.advertisementInterface)
    let uuid = BluetoothMeasurement.runningSpeedAndCadence.service
    try link.offer(Self.service, service, "UUID", .text(uuid))
    try link.offer(Self.service, service, "Primary", .flag(true))
    let still = RunningSpeedCadence(speed: 0, cadence: 0, strideLength: 0, totalDistance: 0)
    let characteristics: [(path: String, number: String, flags: [String], value: [UInt8])] = [
      (Self.measurement, "2a53", ["notify"], still.bytes), (Self.service + "/feature", "2a54", ["read"], Self.feature),
      (Self.service + "/location", "2a5d", ["read"], Self.location),
      (Self.controlPoint, "2a55", ["write", "indicate"], []),
    ]
    for one in characteristics {
      let interface = BluezObjects.characteristicInterface
      try link.offer(one.path, interface, "UUID", .text("0000\(one.number)-0000-1000-8000-00805f9b34fb"))
      try link.offer(one.path, interface, "Service", .path(Self.service))
      try link.offer(one.path, interface, "Flags", .texts(one.flags))
      try link.offer(one.path, interface, "Value", .bytes(one.value))
    }
    try link.offer(Self.advertisement, advertisement, "Type", .text("peripheral"))
    try link.offer(Self.advertisement, advertisement, "LocalName", .text(Self.name))
    try link.offer(Self.advertisement, advertisement, "ServiceUUIDs", .texts([uuid]))
    try link.offer(Self.advertisement, advertisement, "Appearance", .number(Self.appearance))
    try link.offer(Self.advertisement, advertisement, "Discoverable", .flag(true))
  }

  private func respond(to call: SystemBus.Call) -> SystemBus.Answer {
    switch (call.interface, call.member, call.path) {
    case (BluezObjects.advertisementInterface, "Release", _):
      isReleased = true
      return .nothing
    case (BluezObjects.characteristicInterface, "StartNotify", let path):
      if path == Self.measurement { isNotifying = true }
      return .nothing
    case (BluezObjects.characteristicInterface, "StopNotify", let path):
      if path == Self.measurement { isNotifying = false }
      return .nothing
    case (BluezObjects.characteristicInterface, "ReadValue", let path):
      if path.hasSuffix("/feature") { return .bytes(Self.feature) }
      if path.hasSuffix("/location") { return .bytes(Self.location) }
    case (BluezObjects.characteristicInterface, "WriteValue", Self.controlPoint):
      indication = control(call.bytes ?? [])
      return .nothing
    // The receiver has confirmed the indication.
    case (BluezObjects.characteristicInterface, "Confirm", _): return .nothing
    default: break
    }
    return .refusal(.noMethod)
  }

  /// Carries out a request to the control point: only the total distance can be set.
  /// - Returns: the answer: 0x10, the request's code, and 1 (done), 2 (not supported) or 3 (invalid).
  private func control(_ request: [UInt8]) -> [UInt8] {
    guard let code = request.first else { return [0x10, 0, 3] }
    guard code == 1 else { return [0x10, code, 2] }
    guard request.count == 5 else { return [0x10, code, 3] }
    wantedDistance = Double(RunningSpeedCadence.number(request[1...])) / 10
    return [0x10, code, 1]
  }
}

/// The errors that explain why this computer cannot be a foot pod.
enum FootPodObstacle {
  static func noAdapter(_ name: String) -> SensorError {
    .unusable(
      path: "Bluetooth adapter \(name)", reason: "no adapter has this name",
      remedy: "give an address that 'bluetoothctl list' shows, or 'on' for the first adapter")
  }

  static func cannotAdvertise(_ adapter: String) -> SensorError {
    .unusable(
      path: "Bluetooth adapter \(adapter)", reason: "BlueZ cannot advertise with it",
      remedy: "use an adapter with Bluetooth 4.0 or later, and BlueZ 5.50 or later")
  }

  static let released = SensorError.disconnected(
    name: FootPod.name, reason: "BlueZ has ended the advertisement", remedy: BluetoothObstacle.serviceRemedy)

  /// BlueZ has refused to register the application or the advertisement.
  static func refused(_ what: String, _ failure: SystemBus.CallFailure) -> SensorError {
    switch failure.name.split(separator: ".").last {
    case "AccessDenied", "ServiceUnknown", "NameHasNoOwner": return BluezLink.error(of: failure)
    default: break
    }
    let reason = failure.words.isEmpty ? failure.name : failure.words
    let remedy =
      what == "Advertisement"
      ? "end another program that advertises, or use another adapter; 'journalctl -u bluetooth' has details"
      : "'journalctl -u bluetooth' has details"
    return .disconnected(
      name: FootPod.name, reason: "BlueZ refuses the \(what.lowercased()): \(reason)", remedy: remedy)
  }
}
