import Accelerometry
import Platform

/// Talks to BlueZ: keeps what it shows, calls, and waits for what it says. Used by one thread, which sleeps in `poll`.
final class BluezLink {
  /// What a wait came to.
  enum Outcome { case met, timedOut, stopped }

  /// How long BlueZ may take to answer a question that needs no radio.
  static let patience = Duration.seconds(10)
  private static let service = "org.bluez"

  private let bus: SystemBus
  private let machine: SensorEnvironment
  /// What BlueZ shows.
  private(set) var objects = BluezObjects()
  /// What characteristics sent, the oldest first, each with its path and the time since boot.
  private var values: [(path: String, bytes: [UInt8], time: Int64)] = []
  /// Whether values are what was notified just now, not what BlueZ remembers.
  var takesValues = false
  private var answers: [Int64: Result<[UInt8], SystemBus.CallFailure>] = [:]
  private var waitedFor: Set<Int64> = []
  /// Whether bluetoothd has ended since.
  private(set) var isOrphaned = false

  /// Connects to the bus; nothing is waited for.
  init(in machine: SensorEnvironment) throws(SensorError) {
    self.machine = machine
    do throws(SystemBus.Failure) { bus = try SystemBus(address: machine.systemBus) } catch {
      throw Self.error(of: error)
    }
  }

  /// Asks what there is, and hears of objects that come and go.
  /// - Returns: whether it was not stopped.
  func begin(atMost patience: Duration = patience, until stop: StopSignal) throws(SensorError) -> Bool {
    // Without a match first, what comes between would be missed.
    for rule in [
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
    ] { try listen(rule) }
    return try look(atMost: patience, until: stop)
  }

  /// Hears of the properties of an object and of those below it.
  func listen(to path: String) throws(SensorError) {
    try listen(
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',path_namespace='\(path)'")
  }

  private func listen(_ rule: String) throws(SensorError) {
    do throws(SystemBus.Failure) {
      let bus = "org.freedesktop.DBus"
      _ = try self.bus.call(bus, "/org/freedesktop/DBus", bus, "AddMatch", "s", rule)
    } catch { throw Self.error(of: error) }
  }

  /// Asks what there is.
  func look(atMost patience: Duration = patience, until stop: StopSignal) throws(SensorError) -> Bool {
    let call = try start("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    switch try answer(to: call, atMost: patience, until: stop) {
    case .success?: return true
    case .failure(let failure)?: throw Self.error(of: failure)
    case nil: return false
    }
  }

  /// Calls a method of BlueZ without arguments; the call's number.
  func start(_ path: String, _ interface: String, _ member: String) throws(SensorError) -> Int64 {
    do throws(SystemBus.Failure) {
      let call = try bus.call(Self.service, path, interface, member)
      waitedFor.insert(call)
      return call
    } catch { throw Self.error(of: error) }
  }

  /// Calls a method of BlueZ with options; the call's number.
  func start(
    _ path: String, _ interface: String, _ member: String, option: (key: String, value: String)?
  ) throws(SensorError) -> Int64 {
    do throws(SystemBus.Failure) {
      let call = try bus.call(Self.service, path, interface, member, option: option)
      waitedFor.insert(call)
      return call
    } catch { throw Self.error(of: error) }
  }

  /// Calls a method whose answer nobody waits for.
  func tell(_ path: String, _ interface: String, _ member: String) {
    _ = try? bus.call(Self.service, path, interface, member)
  }

  /// Waits for the answer to a call; `nil` when it was stopped.
  /// - Throws: `.disconnected` when it takes too long.
  func answer(
    to call: Int64, atMost patience: Duration = patience, until stop: StopSignal
  ) throws(SensorError) -> Result<[UInt8], SystemBus.CallFailure>? {
    defer { waitedFor.remove(call) }
    switch try wait(atMost: patience, until: stop, for: { self.answers[call] != nil }) {
    case .met: return answers.removeValue(forKey: call)
    case .stopped: return nil
    case .timedOut:
      return .failure(SystemBus.CallFailure(name: "org.freedesktop.DBus.Error.NoReply", words: "BlueZ does not answer"))
    }
  }

  /// The oldest value that a characteristic sent and nobody has taken yet, with the time since boot at which it came.
  func takeValue(of path: String) -> (bytes: [UInt8], time: Int64)? {
    while !values.isEmpty {
      let value = values.removeFirst()
      if value.path == path { return (value.bytes, value.time) }
    }
    return nil
  }

  /// Whether characteristics have sent something that nobody has taken yet.
  var hasValues: Bool { !values.isEmpty }

  /// Waits until a condition is met, which is asked after each message.
  func wait(
    atMost patience: Duration, until stop: StopSignal, for condition: () -> Bool
  ) throws(SensorError) -> Outcome {
    let deadline = SensorClock.boottime.now &+ patience.wholeNanoseconds
    while true {
      try takeMessages()
      if condition() { return .met }
      let left = deadline &- SensorClock.boottime.now
      if left <= 0 { return .timedOut }
      // The bus reads slower than it is told: rare, and over soon.
      let longest = bus.wantsToWrite ? min(left, 10_000_000) : left
      if stop.wait(for: bus.descriptor, atMost: .nanoseconds(longest)) == .raised { return .stopped }
    }
  }

  private func takeMessages() throws(SensorError) {
    do throws(SystemBus.Failure) {
      while let records = try bus.receive() { for record in records { take(record) } }
    } catch { throw Self.error(of: error) }
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

  // MARK: what keeps it from working

  /// Why no controller can be used; `nil` where one is on.
  var obstacle: SensorError? {
    let adapters = objects.adapters
    if adapters.contains(where: \.isPowered) { return nil }
    guard let adapter = adapters.first else { return BluetoothObstacle.noAdapter }
    return BluetoothObstacle.off(adapter.name, in: machine)
  }

  static func error(of failure: SystemBus.Failure) -> SensorError {
    switch -failure.code {
    case ENOSYS: BluetoothObstacle.noLibrary
    case ENOENT, ECONNREFUSED: BluetoothObstacle.noBus
    case EACCES, EPERM: BluetoothObstacle.denied(errno: -failure.code)
    case ECONNRESET, EPIPE, ENOTCONN, ESTALE:
      .disconnected(
        name: BluetoothObstacle.name, reason: "the system bus closed the connection",
        remedy: BluetoothObstacle.serviceRemedy)
    case let code: .system(operation: "use", path: "the system bus", errno: code)
    }
  }

  /// What an error of asking BlueZ what there is means.
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

/// What keeps Bluetooth from being used, in the words of every command.
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

  static func denied(errno code: Int32) -> SensorError {
    .permissionDenied(
      path: "BlueZ on the system bus", errno: code,
      remedy: "join the group bluetooth (usermod -a -G bluetooth USER, as root) and log in again")
  }

  /// A controller is switched off: by the user, or by a switch that the kernel knows.
  static func off(_ adapter: String, in machine: SensorEnvironment) -> SensorError {
    let switches = SysfsDirectory(path: machine.sys + "/class/rfkill")
    let own = switches.names.map { switches[$0] }.filter { (try? $0.textIfPresent("type")) == "bluetooth" }
    let isSet = { (name: String) in own.contains { (try? $0.textIfPresent(name)) == "1" } }
    let (reason, remedy) =
      if isSet("hard") {
        (
          "a switch of the computer has turned Bluetooth off",
          "turn it on there: a switch, a key or the firmware's setup"
        )
      } else if isSet("soft") {
        ("it is blocked (rfkill)", "unblock it: rfkill unblock bluetooth")
      } else { ("the adapter is off", "turn it on: bluetoothctl power on") }
    return .unusable(path: "\(name) adapter \(adapter)", reason: reason, remedy: remedy)
  }
}
