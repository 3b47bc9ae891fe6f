import Accelerometry
import Platform

/// A connection to BlueZ: tracks its objects, calls methods and waits for messages. Used by one thread, which sleeps in `poll`.
final class BluezLink {
  enum Outcome { case met, timedOut, stopped }

  /// The timeout for calls that need no radio.
  static let timeout = Duration.seconds(10)
  private static let service = "org.bluez"

  private let bus: SystemBus
  private let machine: SensorEnvironment
  private(set) var objects = BluezObjects()
  /// Values of characteristics in the order of arrival, each with the object path and the time since boot.
  private var values: [(path: String, bytes: [UInt8], time: Int64)] = []
  /// Whether to collect values. Before it is set, changes of a value come from BlueZ's cache.
  var takesValues = false
  private var answers: [Int64: Result<[UInt8], SystemBus.CallFailure>] = [:]
  private var waitedFor: Set<Int64> = []
  /// Whether bluetoothd has ended since.
  private(set) var isOrphaned = false

  /// Connects to the bus without waiting.
  init(in machine: SensorEnvironment) throws(SensorError) {
    self.machine = machine
    bus = try SystemBus(address: machine.systemBus)
  }

  /// Reads the objects, and subscribes to objects that are added and removed.
  /// - Returns: false if stopped.
  func begin(atMost timeout: Duration = timeout, until stop: StopSignal) throws(SensorError) -> Bool {
    // The matches come first, so that no change is missed.
    for rule in [
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
    ] { try listen(rule) }
    return try look(atMost: timeout, until: stop)
  }

  /// Subscribes to the properties of an object and of its children.
  func listen(to path: String) throws(SensorError) {
    try listen("type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',path_namespace='\(path)'")
  }

  private func listen(_ rule: String) throws(SensorError) {
    let bus = "org.freedesktop.DBus"
    _ = try self.bus.call(bus, "/org/freedesktop/DBus", bus, "AddMatch", "s", rule)
  }

  /// Reads the objects.
  func look(atMost timeout: Duration = timeout, until stop: StopSignal) throws(SensorError) -> Bool {
    let call = try start("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    switch try answer(to: call, atMost: timeout, until: stop) {
    case .success?: return true
    case .failure(let failure)?: throw Self.error(of: failure)
    case nil: return false
    }
  }

  /// Calls a method of BlueZ without arguments; returns the call's number.
  func start(_ path: String, _ interface: String, _ member: String) throws(SensorError) -> Int64 {
    awaited(try bus.call(Self.service, path, interface, member))
  }

  /// Calls a method of BlueZ with options; returns the call's number.
  func start(
    _ path: String, _ interface: String, _ member: String, option: (key: String, value: String)?
  ) throws(SensorError) -> Int64 {
    awaited(try bus.call(Self.service, path, interface, member, option: option))
  }

  private func awaited(_ call: Int64) -> Int64 {
    waitedFor.insert(call)
    return call
  }

  /// Calls a method and ignores its answer.
  func tell(_ path: String, _ interface: String, _ member: String) {
    _ = try? bus.call(Self.service, path, interface, member)
  }

  /// Waits for the answer to a call; `nil` if stopped.
  /// - Throws: `.disconnected` after the timeout.
  func answer(
    to call: Int64, atMost timeout: Duration = timeout, until stop: StopSignal
  ) throws(SensorError) -> Result<[UInt8], SystemBus.CallFailure>? {
    defer { waitedFor.remove(call) }
    switch try wait(atMost: timeout, until: stop, for: { self.answers[call] != nil }) {
    case .met: return answers.removeValue(forKey: call)
    case .stopped: return nil
    case .timedOut:
      return .failure(SystemBus.CallFailure(name: "org.freedesktop.DBus.Error.NoReply", words: "BlueZ does not answer"))
    }
  }

  /// Removes and returns the oldest value of a characteristic, with its arrival time since boot.
  func takeValue(of path: String) -> (bytes: [UInt8], time: Int64)? {
    while !values.isEmpty {
      let value = values.removeFirst()
      if value.path == path { return (value.bytes, value.time) }
    }
    return nil
  }

  var hasValues: Bool { !values.isEmpty }

  /// Waits until a condition is met. It is evaluated after each message.
  func wait(
    atMost timeout: Duration, until stop: StopSignal, for condition: () -> Bool
  ) throws(SensorError) -> Outcome {
    let deadline = SensorClock.boottime.now &+ timeout.wholeNanoseconds
    while true {
      try takeMessages()
      if condition() { return .met }
      let left = deadline &- SensorClock.boottime.now
      if left <= 0 { return .timedOut }
      // The send queue is full: rare and short.
      let longest = bus.wantsToWrite ? min(left, 10_000_000) : left
      if stop.wait(for: bus.descriptor, atMost: .nanoseconds(longest)) == .raised { return .stopped }
    }
  }

  private func takeMessages() throws(SensorError) {
    while let records = try bus.receive() {
      for record in records { take(record) }
    }
  }

  private func take(_ record: SystemBus.Record) {
    switch record {
    case .answer(let call, let failure, let bytes):
      if waitedFor.contains(call) { answers[call] = failure.map { .failure($0) } ?? .success(bytes ?? []) }
    case .property(let path, BluezObjects.characteristicInterface, "Value", .bytes(let bytes)) where takesValues:
      values.append((path, bytes, SensorClock.boottime.now))
    case .owner(of: Self.service, let owner): isOrphaned = isOrphaned || owner.isEmpty
    default: objects.take(record)
    }
  }

  // MARK: obstacles

  /// The reason why no controller can be used; `nil` if one is powered.
  var obstacle: SensorError? {
    let adapters = objects.adapters
    if adapters.contains(where: \.isPowered) { return nil }
    guard let adapter = adapters.first else { return BluetoothObstacle.noAdapter }
    return BluetoothObstacle.off(adapter.name, in: machine)
  }

  static func error(of failure: SystemBus.CallFailure) -> SensorError {
    switch failure.name.split(separator: ".").last {
    case "ServiceUnknown", "NameHasNoOwner": BluetoothObstacle.noService
    case "AccessDenied": BluetoothObstacle.denied(errno: EACCES)
    default:
      .disconnected(
        name: BluetoothObstacle.name, reason: failure.words.isEmpty ? failure.name : failure.words,
        remedy: BluetoothObstacle.serviceRemedy)
    }
  }
}

enum BluetoothObstacle {
  static let name = "Bluetooth"
  static let serviceRemedy = "start BlueZ's service: systemctl start bluetooth"

  static let noLibrary = SensorError.unusable(
    path: name, reason: "there is no libsystemd.so.0", remedy: "install it: apt install libsystemd0")
  static let noBus = SensorError.unusable(
    path: name, reason: "there is no system bus", remedy: "run on the host, not in a container; or apt install dbus")
  static let noService = SensorError.unusable(
    path: name, reason: "bluetoothd is not running",
    remedy: "install BlueZ and start its service: apt install bluez, systemctl start bluetooth")
  static let noAdapter = SensorError.unusable(
    path: name, reason: "this computer has no Bluetooth adapter",
    remedy: "plug in a USB Bluetooth adapter; 'bluetoothctl list' must show it")

  /// The error for a connection to the system bus that failed or was lost.
  static func error(errno code: Int32) -> SensorError {
    switch code {
    case ENOSYS: noLibrary
    case ENOENT, ECONNREFUSED: noBus
    case EACCES, EPERM: denied(errno: code)
    case ECONNRESET, EPIPE, ENOTCONN, ESTALE:
      .disconnected(name: name, reason: "the system bus closed the connection", remedy: serviceRemedy)
    default: .system(operation: "use", path: "the system bus", errno: code)
    }
  }

  static func denied(errno code: Int32) -> SensorError {
    .permissionDenied(
      path: "BlueZ on the system bus", errno: code,
      remedy: "join the group bluetooth (usermod -a -G bluetooth USER, as root) and log in again")
  }

  /// The error for a controller that is switched off by the user, or by a switch that the kernel knows.
  static func off(_ adapter: String, in machine: SensorEnvironment) -> SensorError {
    let switches = SysfsDirectory(path: machine.sys + "/class/rfkill")
    let own = switches.names.map { switches[$0] }.filter { (try? $0.textIfPresent("type")) == "bluetooth" }
    let isSet = { (name: String) in own.contains { (try? $0.textIfPresent(name)) == "1" } }
    let (reason, remedy) =
      if isSet("hard") {
        (
          "a switch on the computer has turned Bluetooth off",
          "turn it on with the switch, the key or the firmware setup"
        )
      } else if isSet("soft") {
        ("it is blocked (rfkill)", "unblock it: rfkill unblock bluetooth")
      } else { ("the adapter is off", "turn it on: bluetoothctl power on") }
    return .unusable(path: "\(name) adapter \(adapter)", reason: reason, remedy: remedy)
  }
}
