import Accelerometry
import Synchronization

/// An iiod that speaks its protocol of text, with devices and scans of a test. It sends scans as fast as they are read, and goes
/// on where it was when a client comes back.
public final class FakeIIOD: Sendable {
  /// A device of the computer.
  public struct Device: Sendable {
    public var id = "iio:device0"
    public var name: String? = "accel_3d"
    public var label: String?
    /// The format of the three axes.
    public var format = "le:s16/32>>0"
    public var hasTimestamps = true
    /// Whether there is a buffer.
    public var hasScans = true
    /// By `CHANNEL NAME`, or by `NAME` for the device's own.
    public var attributes: [String: String] = [:]
    /// Attributes that are described but cannot be read, in the same form.
    public var unreadable: Set<String> = []
    /// `nil`: it has no such attribute; empty: none is chosen.
    public var trigger: String? = "accel_3d-dev0"
    /// The answers to OPEN, in their order; the last one stays.
    public var openAnswers = [0]
    public var scans: [UInt8] = []
    /// The bytes of a scan.
    public var scanSize = 24
    /// The scan from which on another client reads a temperature, too, and all scans with it, of 32 bytes each.
    public var warm: (from: Int, scans: [UInt8])?

    /// A HID sensor hub: 1 mg per count, 50 Hz.
    public init(id: String = "iio:device0", name: String? = "accel_3d", scans: [UInt8] = []) {
      (self.id, self.name, self.scans) = (id, name, scans)
      for axis in ["x", "y", "z"] {
        attributes["accel_\(axis) scale"] = "0.009806650"
        attributes["accel_\(axis) offset"] = "0"
        attributes["accel_\(axis) sampling_frequency"] = "50.000000"
      }
    }

    /// The same device without a buffer, with present values in counts.
    public func polled(at counts: SIMD3<Int>) -> Device {
      var device = self
      device.hasScans = false
      for (axis, count) in zip(["x", "y", "z"], (0..<3).map { counts[$0] }) {
        device.attributes["accel_\(axis) raw"] = "\(count)"
      }
      return device
    }

    var channels: [(id: String, format: String)] {
      ["x", "y", "z"].map { ("accel_\($0)", format) } + (hasTimestamps ? [("timestamp", "le:S64/64>>0")] : [])
        + (warm == nil ? [] : [("temp", "le:S16/16>>0")])
    }

    var xml: String {
      var text = "<device id=\"\(id)\" " + (name.map { "name=\"\($0)\" " } ?? "")
      text += (label.map { "label=\"\($0)\" " } ?? "") + ">"
      for (index, channel) in channels.enumerated() {
        text += "<channel id=\"\(channel.id)\" type=\"input\" >"
        let format = channel.format.replacing(">", with: "&gt;")
        if hasScans { text += "<scan-element index=\"\(index)\" format=\"\(format)\" />" }
        for name in unreadable.union(attributes.keys).sorted() where name.hasPrefix(channel.id + " ") {
          text += "<attribute name=\"\(name.dropFirst(channel.id.count + 1))\" filename=\"in_\(channel.id)\" />"
        }
        text += "</channel>"
      }
      for name in attributes.keys.sorted() where !name.contains(" ") { text += "<attribute name=\"\(name)\" />" }
      return text + "</device>"
    }
  }

  /// Scans of a walk, 1 mg per count, with its times plus a second: a time of 0 is none.
  public static func scans(of walk: [AccelerationSample]) -> [UInt8] {
    walk.flatMap { sample in
      let counts = (0..<3).map { Int16((sample.acceleration[$0] * 1000).rounded()) }
      return scan(counts[0], counts[1], counts[2], sample.nanoseconds + 1_000_000_000)
    }
  }

  /// What happens on the way, for each connection that reads scans, in their order; the last one stays.
  public struct Route: Sendable {
    /// The number of bytes of scans after which the connection is closed; it is also closed at the end of all scans.
    public var closesAfter: Int?
    /// The number of bytes of scans after which nothing more comes.
    public var endsAfter: Int?

    public init(closesAfter: Int? = nil, endsAfter: Int? = nil) {
      (self.closesAfter, self.endsAfter) = (closesAfter, endsAfter)
    }
  }

  private struct State {
    var devices: [Device]
    var positions: [String: Int] = [:]
    var routes: [Route]
    var commands: [String] = []
  }

  private final class Shared: Sendable {
    let state: Mutex<State>
    let buffer: Int
    let beforeBuffer: @Sendable (_ scan: Int) -> Void
    let header: String

    init(_ state: State, _ buffer: Int, _ header: String, _ beforeBuffer: @escaping @Sendable (Int) -> Void) {
      self.state = Mutex(state)
      (self.buffer, self.header, self.beforeBuffer) = (buffer, header, beforeBuffer)
    }
  }

  private let shared: Shared
  private let server: LoopbackServer

  /// The port it listens on.
  public var port: Int { server.port }
  /// The commands so far, without data.
  public var commands: [String] { shared.state.withLock { $0.commands } }

  /// - Parameters:
  ///   - buffer: the number of scans that are sent at once.
  ///   - header: XML before the context.
  ///   - beforeBuffer: called before each buffer with the number of its first scan.
  public init(
    _ devices: [Device], routes: [Route] = [Route()], buffer: Int = 5,
    header: String = "<!DOCTYPE context [<!ELEMENT x>]>",
    beforeBuffer: @escaping @Sendable (_ scan: Int) -> Void = { _ in }
  ) throws {
    let shared = Shared(State(devices: devices, routes: routes), buffer, header, beforeBuffer)
    self.shared = shared
    server = try LoopbackServer { Session($0, shared).run() }
  }

  /// Stops accepting connections.
  public func close() { server.close() }

  /// One connection.
  private final class Session {
    private let connection: LoopbackServer.Connection
    private let shared: Shared
    private var received: [Character] = []
    private var opened: Set<String> = []

    init(_ connection: LoopbackServer.Connection, _ shared: Shared) {
      (self.connection, self.shared) = (connection, shared)
    }

    func run() {
      while let line = line() {
        shared.state.withLock { $0.commands.append(line) }
        guard answer(line.split(separator: " ").map(String.init)) else { return }
      }
    }

    /// - Returns: `nil` at the end of the connection.
    private func line() -> String? {
      // "\r\n" is one character.
      while true {
        if let end = received.firstIndex(where: \.isNewline) {
          defer { received.removeFirst(end + 1) }
          return String(received[..<end])
        }
        let more = connection.receive(upTo: "\n")
        if more.isEmpty { return nil }
        received += Array(more)
      }
    }

    private func number(_ value: Int) { connection.send("\(value)\n") }

    private func text(_ value: String?) {
      guard let value else { return number(-2) }
      connection.send("\(value.utf8.count + 1)\n\(value)\0\n")
    }

    /// - Returns: whether the connection stays.
    private func answer(_ words: [String]) -> Bool {
      let devices = shared.state.withLock { $0.devices }
      switch (words.first ?? "", words.count) {
      case ("PRINT", 1):
        let xml =
          "<?xml version=\"1.0\" encoding=\"utf-8\"?>\(shared.header)<context name=\"local\" description=\"a test\" >"
          + devices.map(\.xml).joined() + "</context>"
        connection.send("\(xml.utf8.count)\n\(xml)\n")
      case ("TIMEOUT", 2), ("SET", 4): number(0)
      case ("READ", 3...), ("WRITE", 4...), ("GETTRIG", 2), ("OPEN", 4), ("READBUF", 3):
        guard let device = devices.first(where: { $0.id == words[1] }) else {
          number(-19)
          return true
        }
        return answer(words, device)
      default: number(-22)
      }
      return true
    }

    private func answer(_ words: [String], _ device: Device) -> Bool {
      switch words[0] {
      case "READ": text(device.attributes[words.dropFirst(words[2] == "INPUT" ? 3 : 2).joined(separator: " ")])
      case "WRITE":
        let value = take(Int(words[words.count - 1]) ?? 0)
        let name = words.dropFirst(words[2] == "INPUT" ? 3 : 2).dropLast().joined(separator: " ")
        shared.state.withLock { state in
          for index in state.devices.indices where state.devices[index].id == device.id {
            state.devices[index].attributes[name] = value
          }
        }
        number(value.utf8.count)
      case "GETTRIG":
        switch device.trigger {
        case nil: number(-6)
        case ""?: number(0)
        case let name?: connection.send("\(name.utf8.count)\n\(name)\n")
        }
      case "OPEN":
        let code = shared.state.withLock { state in
          for index in state.devices.indices where state.devices[index].id == device.id {
            if device.openAnswers.count > 1 { state.devices[index].openAnswers.removeFirst() }
          }
          return device.openAnswers[0]
        }
        if code == 0 { opened.insert(device.id) }
        number(code)
      default:
        guard opened.contains(device.id) else {
          number(-9)
          return true
        }
        return stream(device)
      }
      return true
    }

    /// The data after a command.
    private func take(_ count: Int) -> String {
      while received.count < count { received += Array(connection.receive(upTo: "")) }
      defer { received.removeFirst(count) }
      return String(received[..<count])
    }

    /// Sends all scans that are left, or those until another client comes.
    /// - Returns: whether the connection stays.
    private func stream(_ device: Device) -> Bool {
      let route = shared.state.withLock { $0.routes.count > 1 ? $0.routes.removeFirst() : $0.routes[0] }
      let end = device.scans.count / device.scanSize
      // Another client that comes later ends this request.
      let isWarm =
        device.warm.map { warm in
          shared.state.withLock { $0.positions[device.id] ?? 0 } >= warm.from
        } ?? false
      var isFirst = true
      var sent = 0
      while true {
        let scan = shared.state.withLock { $0.positions[device.id] ?? 0 }
        let last = min(scan + shared.buffer, isWarm ? end : device.warm?.from ?? end)
        if scan == last {
          if scan == end { break }
          number(0)
          return true
        }
        shared.beforeBuffer(scan)
        // The scans that a lost connection had in it are lost.
        shared.state.withLock { $0.positions[device.id] = last }
        let scans = isWarm ? device.warm?.scans ?? [] : device.scans
        let size = isWarm ? 32 : device.scanSize
        let bytes = Array(scans[scan * size..<last * size])
        let channels = device.channels.count - (device.warm == nil || isWarm ? 0 : 1)
        let mask = String((1 << channels) - 1, radix: 16)
        let head = "\(bytes.count)\n" + (isFirst ? String(repeating: "0", count: 8 - mask.count) + mask + "\n" : "")
        let most = (route.closesAfter ?? route.endsAfter ?? .max) - sent
        connection.send(Array(head.utf8) + bytes.prefix(max(0, most)))
        sent += bytes.count
        isFirst = false
        if most < bytes.count { break }
      }
      if route.closesAfter == nil { connection.waitForEnd() }
      return false
    }
  }
}
