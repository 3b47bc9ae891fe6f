/// One sentence of NMEA 0183, as satellite receivers send them: `$GPRMC,…*6A`.
struct NMEASentence: Sendable, Hashable {
  /// Its kind: `RMC`, `GGA` …, for any satellite system.
  let kind: String
  /// The fields after the kind.
  let fields: [String]

  /// Parses a line.
  /// - Returns: `nil` if the text is not a sentence, or its checksum is missing or wrong.
  init?(_ line: [UInt8]) {
    // After plugging in a receiver, the first line may be incomplete.
    guard let start = line.lastIndex(of: UInt8(ascii: "$")), let star = line.lastIndex(of: UInt8(ascii: "*")),
      start + 6 < star, star + 3 == line.count
    else { return nil }
    let content = line[(start + 1)..<star]
    let digits = String(decoding: line[(star + 1)...], as: UTF8.self)
    guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      UInt8(digits, radix: 16) == content.reduce(0, ^)
    else { return nil }
    var parts = String(decoding: content, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
    let address = parts.removeFirst()
    guard address.utf8.count == 5 else { return nil }
    kind = String(address.suffix(3))
    fields = parts.map(String.init)
  }

  /// The location in the sentence; `nil` if it has none, or no valid fix.
  var location: Location? {
    switch kind {
    // Recommended minimum data: time, status (A: valid), latitude, longitude, speed …
    case "RMC": fields.count > 5 && fields[1] == "A" ? place(from: 2) : nil
    // Fix data: time, latitude, longitude, quality (0: none), satellites …
    case "GGA": fields.count > 5 && (Int(fields[5]) ?? 0) > 0 ? place(from: 1) : nil
    default: nil
    }
  }

  private func place(from index: Int) -> Location? {
    guard
      let latitude = Self.degrees(fields[index], digits: 2, sign: fields[index + 1], "N", "S"),
      let longitude = Self.degrees(fields[index + 2], digits: 3, sign: fields[index + 3], "E", "W")
    else { return nil }
    let location = Location(latitude: latitude, longitude: longitude)
    return location.isOnEarth ? location : nil
  }

  /// `5719.374`, degrees and minutes combined.
  private static func degrees(
    _ text: String, digits: Int, sign: String, _ positive: String, _ negative: String
  ) -> Double? {
    guard sign == positive || sign == negative, text.utf8.count > digits + 1,
      text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let whole = Int(text.prefix(digits)), let minutes = Double(text.dropFirst(digits)), minutes < 60
    else { return nil }
    let degrees = Double(whole) + minutes / 60
    return sign == positive ? degrees : -degrees
  }
}
