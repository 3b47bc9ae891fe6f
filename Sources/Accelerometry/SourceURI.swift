/// The name of a source of samples or steps, the same in every command, file and API.
///
/// `iio:device0`, `evdev:/dev/input/event5`, `counter:device0`, `file:walk.csv` or a bare path, `-` for standard
/// input, `synthetic:cadence=110,duration=60`, `ble:C0:FF:EE:00:11:22`.
///
///     switch try SourceURI(parsing: "evdev:/dev/input/event5") {
///     case .evdev(let path): print(path)
///     default: break
///     }
public enum SourceURI: Sendable, Hashable {
  /// An IIO accelerometer, by its name under `/sys/bus/iio/devices` without the `iio:`.
  case iio(String)
  /// An input device node.
  case evdev(path: String)
  /// A chip that counts steps itself, by its IIO name.
  case counter(String)
  /// A Bluetooth sensor.
  case bluetooth(BluetoothAddress)
  /// A recording.
  case file(path: String)
  /// A recording that arrives on standard input.
  case standardInput
  /// A made-up walk; keys and values in the order given.
  case synthetic([Setting])

  /// One `key=value` of a synthetic source.
  public struct Setting: Sendable, Hashable {
    public var key: String
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Why a name is not a source.
  public enum ParsingError: Error, Hashable, Sendable {
    case empty
    case missingName(scheme: String)
    case settingWithoutValue(String)
    case invalidBluetoothAddress(String)
  }

  /// Reads a name. Whatever has no scheme of ours is a path, so `C:dump.csv` and `10:30.csv` still open.
  public init(parsing text: String) throws(ParsingError) {
    if text.isEmpty { throw .empty }
    if text == "-" {
      self = .standardInput
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, ["iio", "evdev", "counter", "ble", "file", "synthetic"].contains(parts[0]) else {
      self = .file(path: text)
      return
    }
    let name = parts[1]
    if parts[0] == "synthetic" {
      self = .synthetic(try Self.settings(name))
      return
    }
    if parts[0] == "ble" {
      self = .bluetooth(try BluetoothAddress(parsing: name))
      return
    }
    if name.isEmpty { throw .missingName(scheme: parts[0]) }
    self =
      switch parts[0] {
      case "iio": .iio(Self.withoutBusPrefix(name))
      case "evdev": .evdev(path: name)
      case "counter": .counter(Self.withoutBusPrefix(name))
      default: .file(path: name)
      }
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

  /// `iio:iio:device0` is accepted as well: it is the name of the folder in sysfs.
  private static func withoutBusPrefix(_ name: String) -> String {
    name.hasPrefix("iio:") ? String(name.dropFirst(4)) : name
  }
}

extension SourceURI: CustomStringConvertible {
  /// The name that reads back as this source. A path stays bare unless its beginning looks like a scheme.
  public var description: String {
    switch self {
    case .iio(let name): "iio:\(name)"
    case .evdev(let path): "evdev:\(path)"
    case .counter(let name): "counter:\(name)"
    case .bluetooth(let address): "ble:\(address)"
    case .file(let path):
      if case .file(path: path)? = try? SourceURI(parsing: path) { path } else { "file:\(path)" }
    case .standardInput: "-"
    case .synthetic(let settings): "synthetic:" + settings.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }
  }
}

extension SourceURI.ParsingError: CustomStringConvertible {
  /// One sentence that says what to write instead.
  public var description: String {
    switch self {
    case .empty: "an empty source name; give a file, a device such as iio:device0, or - for standard input"
    case .missingName(let scheme):
      "'\(scheme):' has no name; write \(scheme): followed by a name, such as \(example(scheme))"
    case .settingWithoutValue(let text):
      "'\(text)' has no value; write key=value, such as synthetic:cadence=110,duration=60"
    case .invalidBluetoothAddress(let text):
      "'\(text)' is not the address of a Bluetooth sensor; write ble:C0:FF:EE:00:11:22, and ,motion or ,strides behind it"
    }
  }

  private func example(_ scheme: String) -> String {
    switch scheme {
    case "evdev": "evdev:/dev/input/event5"
    case "file": "file:walk.csv"
    default: "\(scheme):device0"
    }
  }
}
