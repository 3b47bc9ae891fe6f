import CSystemBus
import Platform

/// A D-Bus connection through libsystemd, if it is installed; used by one thread.
@safe final class SystemBus {
  /// One item of a message.
  enum Record: Equatable {
    /// The answer to a call: an error, or its data.
    case answer(Int64, failure: CallFailure?, bytes: [UInt8]?)
    case interface(path: String, String)
    case property(path: String, interface: String, name: String, Value)
    /// An array of strings has one more.
    case element(path: String, interface: String, name: String, String)
    case interfaceGone(path: String, String)
    /// A name has a new owner, or none.
    case owner(of: String, String)
  }

  struct CallFailure: Error, Equatable {
    /// For example `org.bluez.Error.Failed`.
    var name: String
    /// A text for people, of varying quality.
    var words: String
  }

  enum Value: Equatable {
    case text(String)
    case number(Int64)
    case bytes([UInt8])
    case texts([String])
  }

  private let bus: OpaquePointer

  let descriptor: Int32

  /// Connects to an address, or to the system bus, without waiting for an answer.
  init(address: String?) throws(SensorError) {
    var opened: OpaquePointer?
    let code = unsafe system_bus_open(address, &opened)
    guard code >= 0, let bus = unsafe opened else { throw BluetoothObstacle.error(errno: -code) }
    unsafe self.bus = bus
    descriptor = unsafe system_bus_descriptor(bus)
  }

  deinit { unsafe system_bus_close(bus) }

  /// Whether output is queued, so that waiting for input is not enough.
  var wantsToWrite: Bool { unsafe system_bus_wants_to_write(bus) != 0 }

  /// Calls a method with a string or object path, as in its signature, or without arguments.
  /// - Returns: the call's number, which the answer repeats.
  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ signature: String = "",
    _ first: String = ""
  ) throws(SensorError) -> Int64 {
    try unsafe Self.checked(system_bus_call(bus, destination, path, interface, member, signature, first))
  }

  /// Calls a method with a dictionary of options: empty, or with one string.
  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, option: (key: String, value: String)?
  ) throws(SensorError) -> Int64 {
    try unsafe Self.checked(
      system_bus_call_with_option(bus, destination, path, interface, member, option?.key, option?.value))
  }

  /// A call's number, or the negative errno of a connection that was lost.
  private static func checked(_ number: Int64) throws(SensorError) -> Int64 {
    if number < 0 { throw BluetoothObstacle.error(errno: Int32(clamping: number.magnitude)) }
    return number
  }

  /// Returns the records of the next message; `nil` if none is queued.
  func receive() throws(SensorError) -> [Record]? {
    if try unsafe Self.checked(Int64(system_bus_process(bus))) == 0 { return nil }
    var records: [Record] = []
    for index in 0..<(unsafe system_bus_records(bus)) {
      if let record = unsafe Self.record(system_bus_record(bus, index)) { records.append(record) }
    }
    return records
  }

  private static func record(_ found: system_bus_record) -> Record? {
    let path = unsafe text(found.path)
    let interface = unsafe text(found.interface)
    let (name, value) = unsafe (text(found.name), text(found.text))
    switch unsafe found.kind {
    case SYSTEM_BUS_ANSWER:
      let failure = unsafe found.text == nil ? nil : CallFailure(name: value, words: text(found.detail))
      return unsafe .answer(found.number, failure: failure, bytes: found.type == yType ? bytes(found) : nil)
    case SYSTEM_BUS_INTERFACE: return .interface(path: path, interface)
    case SYSTEM_BUS_INTERFACE_GONE: return .interfaceGone(path: path, interface)
    case SYSTEM_BUS_ELEMENT: return .element(path: path, interface: interface, name: name, value)
    case SYSTEM_BUS_OWNER: return unsafe .owner(of: value, text(found.detail))
    default:
      let content: Value
      switch unsafe UInt8(bitPattern: found.type) {
      case UInt8(ascii: "s"): content = .text(value)
      case UInt8(ascii: "n"): content = unsafe .number(found.number)
      case UInt8(ascii: "y"): content = unsafe .bytes(bytes(found))
      case UInt8(ascii: "a"): content = .texts([])
      default: return nil
      }
      return .property(path: path, interface: interface, name: name, content)
    }
  }

  private static let yType = CChar(bitPattern: UInt8(ascii: "y"))

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }

  private static func bytes(_ record: system_bus_record) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: record.bytes, count: record.bytes == nil ? 0 : record.count))
  }
}
