import Accelerometry

/// Which unit makes a sensor at rest feel one g.
struct UnitGuess: Equatable {
  var unit: AccelerationUnit
  /// Whether gravity seems to be missing.
  var gravityRemoved = false
  /// What is doubtful, in a sentence.
  var doubt: String?

  /// Guesses from magnitudes of about a second, in the unknown unit.
  ///
  /// Bounds lie where two explanations are equally far-fetched: a walker's median is 0.9-1.2 g, a runner's up to 1.7.
  init(magnitudes: [Double], isLinear: Bool) {
    let sorted = magnitudes.filter { $0.isFinite }.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let peak = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    if isLinear {
      self.init(unit: peak >= 1.5 ? .metresPerSecondSquared : .g, gravityRemoved: true)
      doubt = "the unit was guessed to be \(unit.name); state it with --units"
    } else if median < 0.5 {
      self.init(unit: peak >= 1.5 ? .metresPerSecondSquared : .g, gravityRemoved: true)
      doubt =
        "gravity seems to be removed (the median magnitude is \(Self.text(median))), the unit was guessed to be"
        + " \(unit.name); state it with --units"
    } else {
      self.init(median: median)
    }
  }

  private init(unit: AccelerationUnit, gravityRemoved: Bool) {
    self.unit = unit
    self.gravityRemoved = gravityRemoved
  }

  private init(median: Double) {
    switch median {
    case 0.7..<1.8: unit = .g
    case 7..<15.5: unit = .metresPerSecondSquared
    case 700..<1450: unit = .milliG
    case ..<2.2: unit = .g
    case ..<7:
      unit = .metresPerSecondSquared
      gravityRemoved = true
    case ..<22: unit = .metresPerSecondSquared
    default: unit = .raw(countsPerG: Self.powerOfTwo(median))
    }
    let isPlain = (0.7..<1.8).contains(median) || (7..<15.5).contains(median) || (700..<1450).contains(median)
    if !isPlain {
      doubt =
        "the unit was guessed to be \(unit.name), because the median magnitude is \(Self.text(median)); state it with"
        + " --units"
    }
  }

  /// The power of two next to a magnitude, as converters have it.
  private static func powerOfTwo(_ median: Double) -> Double {
    var power = 1.0
    while power * 2.0.squareRoot() < median, power < 1e12 { power *= 2 }
    return power
  }

  /// What is wrong with a stated unit, if anything is.
  static func doubt(about unit: AccelerationUnit, magnitudes: [Double], isLinear: Bool) -> String? {
    let sorted = magnitudes.filter { $0.isFinite }.sorted()
    guard !sorted.isEmpty, !isLinear else { return nil }
    let median = sorted[sorted.count / 2] * unit.inG
    if (0.4...2.5).contains(median) { return nil }
    return
      "with \(unit.name) as the unit the median magnitude is \(text(median)) g instead of 1 g;"
      + (median < 0.4 ? " unless gravity was removed, state another with --units" : " state another with --units")
  }

  /// Three significant digits at the least, and no exponent within reason.
  private static func text(_ value: Double) -> String {
    let scale = value < 1 ? 1000.0 : value < 100 ? 100 : 1
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int64(rounded))" : "\(rounded)"
  }
}

extension AccelerationUnit {
  /// The unit in words.
  var name: String {
    switch self {
    case .g: "g"
    case .milliG: "mg"
    case .metresPerSecondSquared: "m/s²"
    case .raw(let counts): counts == counts.rounded() && abs(counts) < 1e15 ? "1/\(Int64(counts)) g" : "1/\(counts) g"
    }
  }
}
