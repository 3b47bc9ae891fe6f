/// The values an attribute may take: `sampling_frequency_available` and its like.
public enum AvailableValues: Sendable, Hashable {
  /// These and no others, as the driver orders them.
  case list([Double])
  /// `[min step max]`.
  case range(minimum: Double, step: Double, maximum: Double)

  /// Reads the kernel's spelling; nothing when it is neither a list of numbers nor a range.
  public init?(parsing text: some StringProtocol) {
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

  /// The least allowed value that is not below `wish`, else the greatest of all.
  public func value(notBelow wish: Double) -> Double? {
    switch self {
    case .list(let values): return values.filter { $0 >= wish }.min() ?? values.max()
    case .range(let minimum, let step, let maximum):
      if wish <= minimum { return minimum }
      if wish >= maximum { return maximum }
      return step > 0 ? min(maximum, minimum + ((wish - minimum) / step).rounded(.up) * step) : wish
    }
  }
}

/// A finite decimal number, as the kernel writes it.
func finiteNumber(_ text: some StringProtocol) -> Double? {
  guard let first = text.utf8.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") || first < 0x3A,
    !text.contains("x"), let number = Double(text), number.isFinite
  else { return nil }
  return number
}

extension SysfsDirectory {
  /// The attribute's number.
  /// - Throws: `.nonsense` where it is none.
  func number(_ name: String) throws(SensorError) -> Double {
    let text = try text(name)
    guard let number = finiteNumber(text) else {
      throw .nonsense(path: path(of: name), text: text, expected: "a number")
    }
    return number
  }

  /// The first of several spellings that is there, and its number.
  func firstNumber(_ names: [String]) throws(SensorError) -> (name: String, value: Double)? {
    for name in names where has(name) { return (name, try number(name)) }
    return nil
  }

  /// The first of several spellings that is there, as a frequency; `nil` also where it says 0 (not chosen yet).
  func firstFrequency(_ names: [String]) throws(SensorError) -> (name: String, hertz: Double)? {
    guard let (name, value) = try firstNumber(names) else { return nil }
    guard (0...1_000_000).contains(value) else {
      throw .nonsense(path: path(of: name), text: "\(value)", expected: "a frequency in Hz")
    }
    return (name, value)
  }

  /// The values that another attribute may take, if the driver says so.
  func available(for name: String) throws(SensorError) -> AvailableValues? {
    guard let text = try textIfPresent(name + "_available"), !text.isEmpty else { return nil }
    guard let values = AvailableValues(parsing: text) else {
      throw .nonsense(
        path: path(of: name + "_available"), text: text, expected: "a list of numbers or '[min step max]'")
    }
    return values
  }
}
