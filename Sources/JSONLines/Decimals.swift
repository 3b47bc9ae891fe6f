/// Decimal numbers as text.
package enum Decimals {
  /// The number rounded to so many decimals, trailing zeros left out; `nil` when it is not finite.
  package static func text(_ value: Double, _ decimals: Int) -> String? {
    guard value.isFinite else { return nil }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    guard let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return "\(value)" }
    let magnitude = scaled.magnitude
    let whole = magnitude / UInt64(scale)
    var fraction = String(magnitude % UInt64(scale))
    fraction = String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return (scaled < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// A time as people say it: "4.5 s", "48 s", "2 min 38 s", "3 h 05 min".
  package static func duration(_ value: Duration) -> String {
    if value < .milliseconds(9950), let seconds = text(value / .seconds(1), 1) { return "\(seconds) s" }
    let seconds = Int((value / .seconds(1)).rounded())
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(padded(seconds % 60)) s" }
    return "\(seconds / 3600) h \(padded(seconds / 60 % 60)) min"
  }

  /// A length as people say it: "212 m", "3.42 km".
  package static func distance(_ metres: Double) -> String {
    metres < 1000 ? "\(text(metres, 0) ?? "?") m" : "\(text(metres / 1000, 2) ?? "?") km"
  }

  /// A place in a recording: "0:01:30", "26:05:00", and with what is left of the second "0:00:02.5".
  package static func position(_ value: Duration) -> String {
    let (seconds, attoseconds) = value.components
    guard seconds >= 0, attoseconds >= 0 else { return "-" + position(.zero - value) }
    let fraction = text(Double(attoseconds) * 1e-18, 3)?.dropFirst() ?? ""
    return "\(seconds / 3600):\(padded(Int(seconds / 60 % 60))):\(padded(Int(seconds % 60)))\(fraction)"
  }

  private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension String {
  /// With blanks behind it up to so many characters; in front of it when the number is negative.
  package func padded(to width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? blanks + self : self + blanks
  }
}
