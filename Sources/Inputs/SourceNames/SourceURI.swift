/// The name of a source of samples or steps, the same in every command, file and API.
///
/// `iio:device0`, `evdev:/dev/input/event5`, `counter:device0`, `file:walk.csv` or a bare path, `-` for standard
/// input, `synthetic:cadence=110,duration=60`, `serial:/dev/ttyACM0,baud=115200`, `ble:C0:FF:EE:00:11:22`, `udp:5555`,
/// `phyphox:http://192.168.1.7:8080`, `ws://192.168.1.7:8080/sensor/connect?type=android.sensor.accelerometer`,
/// `wss://phone.example/walk`, `exec:ssccli -s accelerometer`.
///
///     switch try SourceURI(parsing: "evdev:/dev/input/event5") {
///     case .evdev(let path): print(path)
///     default: break
///     }
public enum SourceURI: Sendable, Hashable, CustomStringConvertible {
  /// An IIO accelerometer, by its name under `/sys/bus/iio/devices` without the `iio:`.
  case iio(String)
  /// An input device node.
  case evdev(path: String)
  /// A hardware step counter, by its IIO name.
  case counter(String)
  /// A board that prints samples on a serial port.
  case serial(SerialAddress)
  /// A Bluetooth sensor.
  case bluetooth(BluetoothAddress)
  /// Samples as text in the datagrams that arrive on a UDP port.
  case udp(UDPAddress)
  /// The accelerometer of a phone on which the app phyphox runs.
  case phyphox(PhyphoxAddress)
  /// Samples as text in the messages of a WebSocket server, such as the app SensorServer.
  case webSocket(WebSocketAddress)
  /// A program that prints samples.
  case program(ProgramCommand)
  /// A client that sends samples or steps to `pedometerd`, by its name. Only the service reads it.
  case client(String)
  /// A recording.
  case file(path: String)
  /// A recording that arrives on standard input.
  case standardInput
  /// A synthetic walk; keys and values in the given order.
  case synthetic([Setting])

  /// One `key=value` of a synthetic source.
  public struct Setting: Sendable, Hashable {
    public var key: String
    public var value: String

    public init(key: String, value: String) { (self.key, self.value) = (key, value) }
  }

  /// The reason why a name is not a source.
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name is empty.
    case empty
    /// A scheme without a name after it.
    case missingName(scheme: String)
    /// A key of a synthetic walk without a value.
    case settingWithoutValue(String)
    /// What follows a scheme is not what has to follow it.
    case invalid(String, as: String)

    /// One sentence with the remedy.
    public var description: String {
      switch self {
      case .empty: "an empty source name; give a file, a device such as iio:device0, or - for standard input"
      case .missingName(let scheme):
        "'\(scheme):' has no name; write \(scheme): followed by a name, such as "
          + (Self.examples[scheme] ?? "\(scheme):device0")
      case .settingWithoutValue(let text):
        "'\(text)' has no value; write key=value, such as synthetic:cadence=110,duration=60"
      case .invalid(let text, let scheme): "'\(text)' is not \(Self.meanings[scheme] ?? "the name of a source")"
      }
    }

    private static let examples = ["evdev": "evdev:/dev/input/event5", "file": "file:walk.csv", "client": "client:ann"]
    private static let webSocket =
      "the address of an app; write ws://192.168.1.7:8080/ followed by the path that the app shows, or with TLS "
      + "wss://HOST/PATH, if needed followed by ,ca=FILE with its certificate"
    private static let topic =
      "a source; receive the topic with a program, as \"exec:mosquitto_sub -R -h HOST -t TOPIC\" (package mosquitto-clients), "
      + "or in pedometerd's configuration with the key mqtt.subscribe"

    private static let meanings = [
      "serial": "a setting of a serial port; write serial:/dev/ttyACM0 followed by any of ,baud=N"
        + " (\(SerialAddress.rates.lowerBound) to \(SerialAddress.rates.upperBound)), ,dtr=on, ,dtr=off, ,rts=on"
        + " and ,rts=off",
      "ble": "the address of a Bluetooth sensor; write ble:C0:FF:EE:00:11:22, if needed followed by ,strides",
      "exec":
        "a command; write exec: followed by a program and its arguments, such as \"exec:ssh pi 'python3 -u read.py'\"; "
        + "each quote must be closed",
      "udp": "a UDP port; write udp:5555, or udp:127.0.0.1:5555 to receive at one address only",
      "phyphox": "the address of a phone; write phyphox:http://192.168.1.7:8080, the address that phyphox shows",
      "ws": webSocket, "mqtt": topic,
    ]
  }

  /// Parses a name. A name without a known scheme is a path, so `C:dump.csv` and `10:30.csv` can be opened; the name of a
  /// serial port, such as `/dev/ttyUSB0` or `ttyUSB0`, is one.
  public init(parsing text: String) throws(ParsingError) {
    if text.isEmpty { throw .empty }
    if text == "-" {
      self = .standardInput
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, Self.schemes.contains(parts[0]) else {
      self = Self.isSerialPort(text) ? .serial(try SerialAddress(parsing: Self.node(text))) : .file(path: text)
      return
    }
    let (scheme, name) = (parts[0], parts[1])
    switch scheme {
    case "synthetic": self = .synthetic(try Self.settings(name))
    case "serial": self = .serial(try SerialAddress(parsing: name))
    case "ble": self = .bluetooth(try BluetoothAddress(parsing: name))
    case "udp": self = .udp(try UDPAddress(parsing: name))
    case "phyphox": self = .phyphox(try PhyphoxAddress(parsing: name))
    case "ws", "wss": self = .webSocket(try WebSocketAddress(parsing: name, isEncrypted: scheme == "wss"))
    case "mqtt", "mqtts": throw .invalid(text, as: "mqtt")
    case "exec": self = .program(try ProgramCommand(parsing: name))
    case _ where name.isEmpty: throw .missingName(scheme: scheme)
    case "iio": self = .iio(Self.withoutBusPrefix(name))
    case "evdev": self = .evdev(path: name)
    case "counter": self = .counter(Self.withoutBusPrefix(name))
    case "client": self = .client(name)
    default: self = .file(path: name)
    }
  }

  /// Whether a name without a scheme is a serial port: `ttyUSB0`, `/dev/ttyACM0,baud=9600` or a link below `/dev/serial`.
  private static func isSerialPort(_ text: String) -> Bool {
    if text.hasPrefix("/dev/serial/") { return true }
    let name = text.hasPrefix("/dev/") ? text.dropFirst(5) : text[...]
    let number = name.drop { $0.isLetter }.prefix { $0 != "," }
    return ["ttyUSB", "ttyACM", "ttyS", "ttyAMA", "rfcomm"].contains(String(name.prefix { $0.isLetter }))
      && !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func node(_ text: String) -> String { text.hasPrefix("/dev/") ? text : "/dev/" + text }

  private static let schemes = [
    "iio", "evdev", "counter", "serial", "ble", "udp", "phyphox", "ws", "wss", "mqtt", "mqtts", "exec",
    "client", "file", "synthetic",
  ]
  /// The schemes of the sources other than files that a command can open.
  package static let openable = schemes.filter { !["file", "client", "mqtt", "mqtts"].contains($0) }

  /// The remedy for a missing file whose name looks like a source, such as `serial` or `foo:bar`; `nil` for other names.
  package static func remedy(forAbsent text: String) -> String? {
    if openable.contains(text) { return "did you mean '\(text):', with a colon?" }
    let scheme = text.prefix { $0.isASCII && $0.isLetter }
    // A single letter may be a drive.
    let isOther = scheme.count > 1 && text.dropFirst(scheme.count).first == ":" && !schemes.contains(String(scheme))
    guard isOther else { return nil }
    let known = openable.map { $0 + ":" }.joined(separator: ", ")
    return "check the name: sources other than files begin with one of \(known)"
  }

  private static func settings(_ text: String) throws(ParsingError) -> [Setting] {
    var settings: [Setting] = []
    for item in text.split(separator: ",") {
      let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { throw .settingWithoutValue(String(item)) }
      settings.append(Setting(key: pair[0], value: pair[1]))
    }
    return settings
  }

  /// Accepts `iio:iio:device0` as well, which is the name of the folder in sysfs.
  private static func withoutBusPrefix(_ name: String) -> String {
    name.hasPrefix("iio:") ? String(name.dropFirst(4)) : name
  }

  /// Whether it names a device or a program, and not a recording or a synthetic walk.
  package var isSensor: Bool {
    switch self {
    case .file, .standardInput, .synthetic: false
    default: true
    }
  }

  /// Whether it names a sensor of this computer, excluding those that are only used by name, such as a board, a
  /// Bluetooth sensor or a phone.
  package var isLocalSensor: Bool {
    switch self {
    case .iio, .evdev, .counter: true
    default: false
    }
  }

  /// The name that parses as this source. A path has no scheme unless its beginning looks like one.
  public var description: String {
    switch self {
    case .iio(let name): "iio:\(name)"
    case .evdev(let path): "evdev:\(path)"
    case .counter(let name): "counter:\(name)"
    case .serial(let address): "serial:\(address)"
    case .bluetooth(let address): "ble:\(address)"
    case .udp(let address): "udp:\(address)"
    case .phyphox(let address): "phyphox:\(address)"
    case .webSocket(let address): "\(address)"
    case .program(let command): "exec:\(command)"
    case .client(let name): "client:\(name)"
    case .file(let path):
      if case .file(path: path)? = try? SourceURI(parsing: path) { path } else { "file:\(path)" }
    case .standardInput: "-"
    case .synthetic(let settings): "synthetic:" + settings.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
  }
}
