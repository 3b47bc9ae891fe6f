import Accelerometry
import IIOScans
import Platform

/// The JSON file beside raw scans that describes their layout.
extension ScanDescription {
  /// The name of the file that describes a recording.
  package static func file(of recording: String) -> String { recording + ".json" }

  private static let formatName = "iio-scans"
  /// The maximum size of a description in bytes.
  private static let longest = 1 << 16

  /// Reads the description beside a recording.
  /// - Returns: `nil` if there is no such file, or if it is not a description.
  /// - Throws: `unreadableScans` for an invalid description.
  init?(beside path: String) throws(RecordingError) {
    let file = Self.file(of: path)
    guard let text = try? Self.text(of: file), text.contains("\"\(Self.formatName)\"") else { return nil }
    try self.init(file: file)
  }

  /// Why a description that is beside a recording cannot be opened.
  static func obstacle(beside path: String) -> RecordingError? {
    let file = file(of: path)
    guard unsafe access(file, F_OK) == 0 else { return nil }
    do throws(RecordingError) { _ = try text(of: file) } catch { return error.code == .cannotOpen ? error : nil }
    return nil
  }

  /// Reads a description.
  /// - Throws: `cannotOpen`, or `unreadableScans` if the file is not a description.
  public init(file: String) throws(RecordingError) {
    var scanner = JSONScanner()
    scanner.feed(Array(try Self.text(of: file).utf8)[...])
    guard case .object(let members)? = scanner.next(isLast: true),
      members.first(where: { $0.key == "format" })?.value.text == Self.formatName
    else { throw .unreadableScans(path: file, reason: "does not describe raw scans; give iio:deviceN") }
    guard let description = Self(members) else {
      throw .unreadableScans(
        path: file,
        reason: "is a damaged description of raw scans; name the device that they came from with \(option: .scans)")
    }
    self = description
  }

  private static func text(of file: String) throws(RecordingError) -> String {
    let source = try ByteSource(path: file)
    let bytes = try source.peek { head, _ in head.count >= longest }
    return String(decoding: bytes.prefix(longest), as: UTF8.self)
  }

  private init?(_ members: [(key: String, value: JSONValue)]) {
    func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }
    func number(_ key: String) -> Double? { value(key)?.text.flatMap { Double($0) } }
    guard case .array(let listed)? = value("elements"), let scale = value("scale")?.column?.compactMap({ Double($0) }),
      let offset = value("offset")?.column?.compactMap({ Double($0) }), scale.count == 3, offset.count == 3,
      scale.allSatisfy({ $0.isFinite && $0 != 0 }), offset.allSatisfy(\.isFinite),
      let matrix = value("mountMatrix")?.text.flatMap({ MountMatrix(parsing: $0) })
    else { return nil }
    let elements = listed.compactMap { ScanElement($0) }
    guard elements.count == listed.count, Set(elements.map(\.index)).count == elements.count else { return nil }
    func channel(_ axis: Int) -> IIOChannel {
      IIOChannel(name: "in_accel_\(["x", "y", "z"][axis])", scale: scale[axis], offset: offset[axis])
    }
    self.init(
      name: value("sensor")?.text ?? "unknown sensor", elements: elements,
      channels: IIOAccelerometerChannels(x: channel(0), y: channel(1), z: channel(2)), mountMatrix: matrix,
      samplingFrequency: number("samplingFrequency").flatMap { SamplingFrequency(hertz: $0) },
      clockName: value("clock")?.text)
    unixTimeOffset = value("unixTimeOffset")?.text.flatMap { Int64($0) }
    count = value("scans")?.text.flatMap { Int($0) }
    guard decoder != nil, value("scanSize")?.text.flatMap({ Int($0) }) == layout.size else { return nil }
  }
}

extension ScanElement {
  fileprivate init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    func text(_ key: String) -> String? { members.first { $0.key == key }?.value.text }
    guard let name = text("name"), let index = text("index").flatMap({ Int($0) }),
      let format = text("type").flatMap({ ScanElementFormat(parsing: $0) })
    else { return nil }
    self.init(name: name, index: index, format: format, isEnabled: true)
  }
}
