/// Numbers as pictures and tables have them.
extension Double {
  /// With so many decimals, always all of them; "nan" and "inf" as they are.
  package func fixed(_ decimals: Int) -> String {
    guard isFinite, magnitude < 1e12 else { return "\(self)" }
    let power = (0..<decimals).reduce(1.0) { value, _ in value * 10 }
    let scaled = Int64((magnitude * power).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let digits = "\(scaled)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// Without the zeros that end a decimal fraction.
  package func short(_ decimals: Int) -> String {
    let text = fixed(decimals)
    guard isFinite, text.contains(".") else { return text }
    let trimmed = text[...(text.lastIndex { $0 != "0" } ?? text.startIndex)]
    return String(trimmed.last == "." ? trimmed.dropLast() : trimmed)
  }
}
