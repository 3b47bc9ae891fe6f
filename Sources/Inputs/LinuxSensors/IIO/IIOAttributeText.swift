/// The values that an attribute accepts, from `sampling_frequency_available` and similar attributes.
package enum AvailableValues: Sendable, Hashable {
  /// Only these, in the driver's order.
  case list([Double])
  /// `[min step max]`.
  case range(minimum: Double, step: Double, maximum: Double)

  /// Parses the kernel's format; `nil` if it is neither a list of numbers nor a range.
  package init?(parsing text: some StringProtocol) {
    var body = Substring(text)
    let isRange = body.hasPrefix("[") && body.hasSuffix("]")
    if isRange { body = body.dropFirst().dropLast() }
    let words = body.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\0" }
    let numbers = words.compactMap { finiteNumber($0) }
    guard !numbers.isEmpty, numbers.count == words.count else { return nil }
    if isRange {
      guard numbers.count == 3, numbers[0] <= numbers[2], numbers[1] >= 0 else { return nil }
      self = .range(minimum: numbers[0], step: numbers[1], maximum: numbers[2])
    } else {
      self = .list(numbers)
    }
  }

  /// The smallest allowed value that is at least `wish`, otherwise the largest.
  package func value(notBelow wish: Double) -> Double? {
    switch self {
    case .list(let values): return values.filter { $0 >= wish }.min() ?? values.max()
    case .range(let minimum, let step, let maximum):
      if wish <= minimum { return minimum }
      if wish >= maximum { return maximum }
      return step > 0 ? min(maximum, minimum + ((wish - minimum) / step).rounded(.up) * step) : wish
    }
  }
}

/// A finite decimal number in the kernel's format.
func finiteNumber(_ text: some StringProtocol) -> Double? {
  guard let first = text.utf8.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") || first < 0x3A,
    !text.contains("x"), let number = Double(text), number.isFinite
  else { return nil }
  return number
}

extension SysfsDirectory {
  /// The attribute's number.
  /// - Throws: `.nonsense` if it is not a number.
  func number(_ name: String) throws(SensorError) -> Double {
    let text = try text(name)
    guard let number = finiteNumber(text) else {
      throw .nonsense(path: path(of: name), text: text, expected: "a number")
    }
    return number
  }

  /// The first existing attribute of several names, and its number.
  func firstNumber(_ names: [String]) throws(SensorError) -> (name: String, value: Double)? {
    for name in names where has(name) { return (name, try number(name)) }
    return nil
  }

  /// The first existing attribute of several names, as a frequency; `nil` also for 0 (not selected yet).
  func firstFrequency(_ names: [String]) throws(SensorError) -> (name: String, hertz: Double)? {
    guard let (name, value) = try firstNumber(names) else { return nil }
    guard (0...1_000_000).contains(value) else {
      throw .nonsense(path: path(of: name), text: "\(value)", expected: "a frequency in Hz")
    }
    return (name, value)
  }

  /// The values that another attribute accepts, if the driver reports them.
  func available(for name: String) throws(SensorError) -> AvailableValues? {
    guard let text = try textIfPresent(name + "_available"), !text.isEmpty else { return nil }
    guard let values = AvailableValues(parsing: text) else {
      throw .nonsense(
        path: path(of: name + "_available"), text: text, expected: "a list of numbers or '[min step max]'")
    }
    return values
  }
}
