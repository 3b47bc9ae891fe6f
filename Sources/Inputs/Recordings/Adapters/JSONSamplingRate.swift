import Accelerometry

/// The sampling frequency that a JSON document states beside its samples, such as `{"rate":50,"x":[…],…}`.
enum JSONSamplingRate {
  private static let keys: Set<String> = [
    "rate", "hz", "fs", "odr", "frequency", "samplerate", "samplingrate", "samplefrequency", "samplingfrequency",
    "ratehz", "frequencyhz", "sampleratehz", "samplingratehz", "samplefrequencyhz", "samplingfrequencyhz",
  ]

  /// Keys of the time between two samples, and how many of them are a second.
  private static let intervals: [String: Double] = [
    "intervalms": 1000, "periodms": 1000, "samplingintervalms": 1000, "sampleintervalms": 1000,
    "samplingperiodms": 1000,
    "sampleperiodms": 1000, "intervals": 1, "intervalus": 1e6, "samplingperiodus": 1e6,
  ]

  /// The first one in a document's text, as a line of a header that the reader understands.
  static func line(in text: [UInt8]) -> [UInt8] {
    var rest = text[...]
    while let quote = rest.firstIndex(of: 0x22) {
      rest = rest[(quote + 1)...]
      guard let end = rest.firstIndex(of: 0x22) else { break }
      let key = rest[..<end]
      rest = rest[(end + 1)...]
      guard key.count < 32, let scale = scale(String(decoding: key, as: UTF8.self)) else { continue }
      let value = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") || $0 == 0x22 }
      let number = value.prefix { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
      if let line = line(String(decoding: number, as: UTF8.self), scale) { return line }
    }
    return []
  }

  /// The first one in a value.
  static func line(in value: JSONValue, depth: Int = 0) -> [UInt8] {
    guard case .object(let members) = value, depth < 4 else { return [] }
    for member in members {
      if let scale = scale(member.key), let line = member.value.text.flatMap({ line($0, scale) }) { return line }
    }
    for member in members {
      let line = line(in: member.value, depth: depth + 1)
      if !line.isEmpty { return line }
    }
    return []
  }

  /// How many of a key's unit are a second where it names an interval, 0 where it names a rate; `nil` for other keys.
  private static func scale(_ key: String) -> Double? {
    let plain = String(key.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " })
    return keys.contains(plain) ? 0 : intervals[plain]
  }

  private static func line(_ text: String, _ scale: Double) -> [UInt8]? {
    guard let number = Double(text), number > 0 else { return nil }
    let rate = scale > 0 ? scale / number : number
    guard SamplingFrequency(hertz: rate) != nil else { return nil }
    return Array("# sampling rate \(rate) Hz\n".utf8)
  }
}
