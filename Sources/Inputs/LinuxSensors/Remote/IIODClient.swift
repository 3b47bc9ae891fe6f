import IIOScans
import Platform
import SourceNames

/// A connection to an iiod, which speaks a protocol of lines: a command, and an answer that is a length or a negative error
/// number, followed by so many bytes.
final class IIODClient {
  /// How long to wait for what.
  struct Timeouts: Sendable {
    /// For a connection, and for each answer.
    var answer = Duration.seconds(5)
    /// For the next scans.
    var scans = Duration.seconds(10)
  }

  /// The longest number in an answer, in bytes.
  private static let longestNumber = 20

  /// What iiod answers to a command.
  enum Answer: Equatable {
    /// So many bytes follow, or 0 for what is done.
    case count(Int)
    /// The system's error number.
    case refused(Int32)
  }

  /// The name for messages: `iio:ip:pi/adxl345`.
  let name: String
  let address: RemoteIIOAddress
  private let timeouts: Timeouts
  private let socket: RemoteSocket

  /// Connects.
  /// - Throws: `RemoteStop`, ``SensorError``: `.disconnected` with the reason.
  init(_ address: RemoteIIOAddress, timeouts: Timeouts, until stop: StopSignal) throws {
    (self.address, self.timeouts) = (address, timeouts)
    name = "\(SourceURI.remoteIIO(address))"
    do {
      socket = try RemoteSocket(to: address.host, port: address.port, atMost: timeouts.answer, until: stop)
    } catch let failure as RemoteSocket.Failure {
      let reason =
        switch failure {
        case .noHost: "no host is named '\(address.host)'"
        case .system(let code): systemText(code)
        case .silent: "no answer from \(address.host)"
        case .closed, .longLine: "the connection was closed"
        }
      throw SensorError.disconnected(name: name, reason: reason, remedy: Self.startingRemedy(address))
    }
  }

  private static func startingRemedy(_ address: RemoteIIOAddress) -> String {
    "check the address, start iiod on \(address.host) (Debian's package iiod), and open port \(address.port) in its firewall"
  }

  // MARK: Commands

  /// The description of the computer's devices: XML.
  func context() throws -> [UInt8] {
    try send("PRINT")
    switch try answer("a description", atMost: InputLimits.description) {
    case .refused(let code): throw unexpected("describes no context (-\(code))")
    case .count(0): throw unexpected("describes no context (0)")
    case .count(let length): return Array(try body(length))
    }
  }

  /// An attribute of a device, or of a channel, without surrounding white space and NUL bytes.
  /// - Returns: `nil` if there is none, or the driver refuses to tell it.
  func attribute(_ attribute: String, of channel: String? = nil, device: String) throws -> String? {
    try send("READ \(device)\(channel.map { " INPUT " + $0 } ?? "") \(attribute)")
    guard case .count(let length) = try answer("an attribute \(attribute)", atMost: InputLimits.attribute) else {
      return nil
    }
    return SysfsDirectory.trimmed(try body(length))
  }

  /// The present values of axes, asked for together, so that the network's delay counts once.
  /// - Returns: in g; `nil` if the sensor does not respond.
  func accelerations(of channels: IIOAccelerometerChannels, device: String) throws -> SIMD3<Float>? {
    let axes = channels.all
    try send(
      axes.map { "READ \(device) INPUT \($0.name.dropFirst(3)) \($0.valueAttribute ?? "raw")" }.joined(
        separator: "\r\n"))
    var accelerations = SIMD3<Float>()
    var refusal: Int32 = 0
    for (index, axis) in axes.enumerated() {
      let length: Int
      switch try answer("a value", atMost: InputLimits.attribute) {
      case .refused(let code):
        refusal = code
        continue
      case .count(let count): length = count
      }
      let text = SysfsDirectory.trimmed(try body(length))
      guard let value = finiteNumber(text) else {
        throw SensorError.nonsense(path: "\(name): \(axis.name) of \(device)", text: text, expected: "a number")
      }
      accelerations[index] = axis.acceleration(of: value)
    }
    switch refusal {
    case 0: return accelerations
    case EAGAIN, EIO, ETIMEDOUT, EREMOTEIO: return nil
    default: throw failure(refusal, operation: "read")
    }
  }

  /// Sets an attribute.
  /// - Returns: whether the driver accepts the value.
  func set(_ attribute: String, of channel: String? = nil, device: String, to value: String) throws -> Bool {
    let length = value.utf8.count
    try send("WRITE \(device)\(channel.map { " INPUT " + $0 } ?? "") \(attribute) \(length)", then: value)
    // The answer repeats the length.
    if case .count = try answer("a value", atMost: length) { return true }
    return false
  }

  /// How long iiod itself waits for a sensor, for all of its clients.
  func setTimeout(_ timeout: Duration) throws {
    try send("TIMEOUT \(timeout.wholeNanoseconds / 1_000_000)")
    _ = try answer()
  }

  /// How many buffers of scans the kernel keeps.
  func setBufferCount(_ count: Int, device: String) throws {
    try send("SET \(device) BUFFERS_COUNT \(count)")
    _ = try answer()
  }

  /// The trigger of a device; empty if none is chosen, `nil` if iiod does not know.
  func trigger(of device: String) throws -> String? {
    try send("GETTRIG \(device)")
    // By the version of libiio, a device without one is nothing or an error.
    switch try answer("a trigger's name", atMost: InputLimits.attribute) {
    case .count(0), .refused(ENODEV): return ""
    case .refused: return nil
    case .count(let length): return SysfsDirectory.trimmed(try body(length))
    }
  }

  /// Enables the buffer of a device.
  /// - Returns: 0, or the error number.
  func open(_ device: String, scans: Int, mask: ChannelMask) throws -> Int32 {
    try send("OPEN \(device) \(scans) \(mask)")
    if case .refused(let code) = try answer() { return code }
    return 0
  }

  /// Requests scans. One request may be for very many: they are sent as they are measured, each buffer with its
  /// length, so that the network's delay is not added to each.
  func requestScans(_ device: String, bytes: Int) throws { try send("READBUF \(device) \(bytes)") }

  /// The number of bytes of the next buffer; 0 at the end of a request.
  func scanBytes() throws -> Answer {
    try answer("scans", atMost: InputLimits.scans, within: timeouts.scans)
  }

  /// The channels of the scans of a request; precedes its first buffer.
  func mask(words: Int) throws -> ChannelMask {
    let line = try line(longest: 8 * words, atMost: timeouts.answer)
    guard let mask = ChannelMask(parsing: line), mask.words.count == words else { throw unexpected(answer: line) }
    return mask
  }

  /// The bytes of scans that have arrived, at most so many.
  func scans(atMost count: Int) throws -> ArraySlice<UInt8> {
    try checked(timeouts.scans) { try socket.someBytes(atMost: count, within: timeouts.scans) }
  }

  // MARK: Answers

  /// `\r\n` is what libiio's clients send.
  private func send(_ command: String, then data: String = "") throws {
    try checked(timeouts.answer) { try socket.send(command + "\r\n" + data) }
  }

  /// The number of bytes that follow, or an error number.
  /// - Parameters:
  ///   - what: may follow.
  ///   - most: the largest number of bytes of it; none if nothing follows.
  private func answer(_ what: String = "", atMost most: Int = 0, within limit: Duration? = nil) throws -> Answer {
    let line = try line(longest: Self.longestNumber, atMost: limit ?? timeouts.answer)
    guard let answer = Answer(parsing: line) else { throw unexpected(answer: line) }
    if case .count(let count) = answer, count > most {
      if most == 0 { throw unexpected(answer: line) }
      throw unexpected("announces \(what) of \(count) bytes, where at most \(most) are read")
    }
    return answer
  }

  /// So many bytes, and the end of the line behind them.
  private func body(_ length: Int) throws -> ArraySlice<UInt8> {
    let body = try checked(timeouts.answer) { try socket.bytes(length + 1, atMost: timeouts.answer) }
    guard body.last == 0x0A else { throw unexpected(answer: body.suffix(80)) }
    return body.dropLast()
  }

  private func line(longest: Int, atMost limit: Duration) throws -> ArraySlice<UInt8> {
    try checked(limit) { try socket.line(longest: longest, atMost: limit) }
  }

  private func checked<Value>(_ limit: Duration, _ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let failure as RemoteSocket.Failure {
      switch failure {
      case .silent:
        throw SensorError.silent(
          path: name, after: limit,
          remedy: "check the network, and whether iiod on \(address.host) and its sensor still work")
      case .closed:
        throw SensorError.disconnected(
          name: name, reason: "\(address.host) closed the connection", remedy: "start iiod there again")
      case .system(let code):
        throw SensorError.disconnected(
          name: name, reason: systemText(code), remedy: Self.startingRemedy(address))
      case .longLine(let start): throw unexpected(answer: start[...])
      case .noHost: throw unexpected("has no address")
      }
    }
  }

  private func unexpected(answer: ArraySlice<UInt8>) -> SensorError {
    let text = PrintableText.line(String(decoding: answer, as: UTF8.self), longest: 60)
    return unexpected("answers '\(text)', which iiod would not")
  }

  func unexpected(_ reason: String) -> SensorError {
    .unexpected(
      path: name, reason: reason,
      remedy: "check host and port: iiod listens on port \(RemoteIIOAddress.usualPort) unless it is told otherwise")
  }

  /// The error for an error number of iiod.
  /// - Parameter operation: for "cannot … it".
  func failure(_ code: Int32, operation: String) -> SensorError {
    let host = address.host
    switch code {
    case EBUSY:
      return .busy(
        path: name, user: "another program on \(host)", remedy: "stop that program; it may be pedometerd or iio_readdev"
      )
    case EPERM, EACCES:
      return .permissionDenied(
        path: name, errno: code,
        remedy: "run iiod on \(host) as root, or give its user the right to the sensor (udev-rules/72-pedometer.rules)")
    case ENODEV, ENXIO, ENOENT, EBADF:
      return .disconnected(
        name: name, reason: "the sensor is not there any more (\(systemText(code)))",
        remedy: "plug it in on \(host) and restart iiod, which looks for sensors when it starts")
    case ETIMEDOUT:
      return .silent(
        path: name, after: timeouts.scans,
        remedy: "check the sensor on \(host), and its trigger ('pedometer doctor' there)")
    default:
      return .system(
        operation: operation, path: name, errno: code,
        remedy: "run 'pedometer doctor' on \(host), and look at the log of iiod there")
    }
  }
}

extension IIODClient.Answer {
  /// Reads a line: digits, or an error number of Linux with a minus sign. Whatever else it is, it is no answer of iiod.
  init?(parsing line: ArraySlice<UInt8>) {
    let digits = line.last == 0x0D ? line.dropLast() : line
    let isRefusal = digits.first == 0x2D
    guard digits.dropFirst(isRefusal ? 1 : 0).allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    switch number {
    case -4095...(-1): self = .refused(Int32(number.magnitude))
    case 0...: self = .count(number)
    default: return nil
    }
  }
}

/// Which channels of a device are in its scans, by their position in the description; 32 in each word, the first ones in the
/// first word.
struct ChannelMask: Equatable, CustomStringConvertible {
  private(set) var words: [UInt32]

  init(channels: Int) { words = [UInt32](repeating: 0, count: max(1, (channels + 31) / 32)) }

  /// Reads hexadecimal words, of which the last one comes first.
  init?(parsing text: ArraySlice<UInt8>) {
    let digits = text.last == 0x0D ? text.dropLast() : text
    guard !digits.isEmpty, digits.count % 8 == 0 else { return nil }
    var words: [UInt32] = []
    var rest = digits
    while !rest.isEmpty {
      // A sign would be taken for a number.
      guard rest.prefix(8).allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
        let word = UInt32(String(decoding: rest.prefix(8), as: UTF8.self), radix: 16)
      else { return nil }
      words.insert(word, at: 0)
      rest = rest.dropFirst(8)
    }
    self.words = words
  }

  subscript(channel: Int) -> Bool {
    get { channel / 32 < words.count && words[channel / 32] >> UInt32(channel % 32) & 1 == 1 }
    set {
      guard channel / 32 < words.count else { return }
      let bit = UInt32(1) << UInt32(channel % 32)
      words[channel / 32] = newValue ? words[channel / 32] | bit : words[channel / 32] & ~bit
    }
  }

  var description: String {
    words.reversed().map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}
