/// The content of `info.txt` in an ActiGraph GT3X archive.
struct GT3XInfo {
  var device = RecordingDevice(maker: "ActiGraph")
  var rate: Double?
  /// Counts per g, if stated.
  var scale: Double?
  /// The configured start on the device's clock, in nanoseconds since 1970-01-01T00:00.
  var start: Int64?
  var utcOffset: Int?

  /// .NET counts in 100 ns since the year 1.
  private static let ticksOf1970: Int64 = 621_355_968_000_000_000
  /// 1970 to 2260.
  private static let ticks = ticksOf1970 + 1...ticksOf1970 + 91_500_000_000_000_000

  init() {}

  /// Parses `key: value` lines, in any order.
  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].drop { $0 == "\u{FEFF}" || $0 == " " }
      let value = String(line[line.index(after: colon)...].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      note(String(key), value)
    }
  }

  private mutating func note(_ key: String, _ value: String) {
    switch key {
    case "Serial Number": device.serial = value
    case "Device Type": device.model = value
    case "Firmware": device.firmware = value
    case "Sample Rate": rate = Double(value).flatMap { (1...1000).contains($0) ? $0 : nil }
    case "Acceleration Scale": scale = Double(value).flatMap { $0 >= 1 && $0 <= 65_536 ? $0 : nil }
    case "Acceleration Max": device.range = Double(value).flatMap { (1...1000).contains($0) ? $0 : nil }
    case "TimeZone":
      var parts = value.drop { $0 == "-" || $0 == "+" }.split(separator: ":").compactMap { Int($0) }
      parts += [0, 0]
      if value.contains(":"), (0..<24).contains(parts[0]), (0..<60).contains(parts[1]) {
        utcOffset = (parts[0] * 3600 + parts[1] * 60) * (value.hasPrefix("-") ? -1 : 1)
      }
    case "Start Date": start = Int64(value).flatMap { Self.ticks.contains($0) ? ($0 - Self.ticksOf1970) * 100 : nil }
    default: break
    }
  }

  func describe(_ sink: inout DumpSink) {
    sink.assembler.summary.device = device
    sink.assembler.summary.utcOffset = utcOffset
    sink.nominalRate = rate
  }

  /// Counts per g according to the serial number: the older devices have 341.
  var usualScale: Double { ["NEO", "CLE", "MRA"].contains { device.serial?.hasPrefix($0) == true } ? 341 : 256 }
}
