import Platform
import Synchronization

package enum Decimals {
  /// The number rounded to this many decimals, without trailing zeros; `nil` if it is not finite.
  package static func text(_ value: Double, _ decimals: Int) -> String? {
    guard value.isFinite else { return nil }
    guard let text = fixed(value, decimals) else { return "\(value)" }
    guard let point = text.firstIndex(of: ".") else { return text }
    let end = text[point...].lastIndex { $0 != "0" } ?? point
    return String(end == point ? text[..<point] : text[...end])
  }

  /// The number with exactly this many decimals; `nil` if it is not finite, or has more digits than an `Int64`.
  package static func fixed(_ value: Double, _ decimals: Int) -> String? {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    guard let scaled = Int64(exactly: (value * scale).rounded()) else { return nil }
    let padded = scaled.magnitude.padded(decimals + 1)
    let sign = scaled < 0 ? "-" : ""
    return decimals > 0 ? "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))" : sign + padded
  }

  /// A duration for people: "4.5 s", "48 s", "2 min 38 s", "3 h 05 min".
  package static func duration(_ value: Duration) -> String {
    if value < .milliseconds(9950), let seconds = text(value / .seconds(1), 1) { return "\(seconds) s" }
    let seconds = Int(bounded: value / .seconds(1))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \((seconds % 60).padded()) s" }
    return "\(seconds / 3600) h \((seconds / 60 % 60).padded()) min"
  }

  /// Whether people read distances in miles. A program sets it when it starts.
  package static var readsMiles: Bool {
    get { miles.load(ordering: .relaxed) }
    set { miles.store(newValue, ordering: .relaxed) }
  }
  private static let miles = Atomic(false)
  /// In metres.
  package static let mile = 1609.344

  /// A distance for people: "212 m", "3.42 km", "1,234 km", or in miles "696 ft", "2.13 mi".
  package static func distance(_ metres: Double, inMiles: Bool = readsMiles) -> String {
    let (short, long) = inMiles ? (metres / 0.3048, metres / mile) : (metres, metres / 1000)
    if long < (inMiles ? 0.1 : 1) { return "\(text(short, 0) ?? "?") \(inMiles ? "ft" : "m")" }
    let figure = long < 1000 ? text(long, 2) : Int(exactly: long.rounded()).map { grouped($0) }
    return "\(figure ?? "?") \(inMiles ? "mi" : "km")"
  }

  /// A whole number with a separator before each three digits: "12,345".
  package static func grouped(_ value: Int, by separator: Character = ",") -> String {
    var text = ""
    for (index, digit) in String(value.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(separator) }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + String(text.reversed())
  }

  /// A position in a recording: "0:01:30", "26:05:00", and with a fraction of a second "0:00:02.5".
  package static func position(_ value: Duration) -> String {
    let (seconds, attoseconds) = value.components
    guard seconds >= 0, attoseconds >= 0 else { return "-" + position(.zero - value) }
    let fraction = text(Double(attoseconds) * 1e-18, 3)?.dropFirst() ?? ""
    return "\(seconds / 3600):\((seconds / 60 % 60).padded()):\((seconds % 60).padded())\(fraction)"
  }
}

extension String {
  /// Padded with blanks after it to this many characters, or before it if the number is negative.
  package func padded(to width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? blanks + self : self + blanks
  }
}
