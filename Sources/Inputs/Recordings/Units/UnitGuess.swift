import Accelerometry
import JSONLines

/// The unit in which gravity is one g or, without gravity, the motion is that of a walker.
struct UnitGuess: Equatable {
  var unit: AccelerationUnit
  var gravityRemoved = false
  /// The ambiguity, in a sentence.
  var doubt: String?
  /// The question that later samples may answer, if only the beginning was examined.
  var question: UnitWatch.Question?
  /// Whether no sensor has such a unit.
  var isAbsurd = false
  /// Whether this doubt makes a count of no steps meaningless.
  var isGrave = false
  /// The reading of an axis without acceleration, in the unit.
  var zero = 0.0
  /// Whether these are activity counts or magnitudes, and no acceleration.
  var isSizes = false

  /// The maximum counts per g of a converter; finer ones are named by their format.
  static let mostCounts = 65_536.0
  /// Without gravity, motion from this value on is in m/s² rather than in g.
  ///
  /// Of the walks and runs of thirteen public data sets without gravity, 94 of 100 stay below it in g and 99 exceed it in m/s².
  static let mostMotionInG = 1.8
  /// Human motion does not reach this value in any second, in g.
  static let impossibleMotionInG = 4.0
  /// Below this value, in g or in m/s², there is no motion.
  static let stillness = 0.15
  /// The maximum motion of a walker, in m/s².
  private static let mostMotionInMetres = 30.0
  /// The same, in mg.
  private static let mostMotionInMilliG = 3000.0
  /// Gravity is at least this large in every unit.
  private static let leastGravity = 0.5

  init(_ evidence: UnitEvidence, isLinear: Bool) {
    let isShort = evidence.seconds.count <= Self.fewSeconds
    if !isLinear, evidence.gravity >= Self.leastGravity, evidence.steadiness >= Self.leastSteadiness {
      let good = isShort ? Self.clearSteadiness : Self.goodSteadiness
      let isWeak = evidence.steadiness < good
      self.init(gravity: evidence.gravity, isWeak: isWeak)
      if evidence.isOffset { takeConverter(evidence) }
      if isWeak, isShort, unit == .g { question = .gravity }
    } else if !isLinear, let rest = evidence.rest, Self.unit(atRest: evidence) != nil {
      self.init(gravity: rest, isWeak: false)
    } else {
      self.init(motion: evidence.motion, sign: isLinear ? nil : Self.sign(evidence))
      // A recording with much motion is decided; only the loudest seconds of a run are not.
      if unit == .g, isShort || evidence.motion < Self.stillness { question = .motion }
      if unit != .g, isShort, !isLinear { question = .rest }
    }
    isSizes = evidence.isSizes
  }

  /// The unit in which a rest shows one g; `nil` if there is no rest, or too much motion for it to be gravity.
  static func unit(atRest evidence: UnitEvidence) -> AccelerationUnit? {
    guard let rest = evidence.rest, evidence.motion <= 2 * impossibleMotionInG * rest else { return nil }
    let counts = powerOfTwo(rest)
    return usualUnit(ofGravity: rest)
      ?? ((64...mostCounts).contains(counts) && abs(rest / counts - 1) < 0.05 ? .raw(countsPerG: counts) : nil)
  }

  /// The unit other than counts in which this is one g, within a tenth.
  static func usualUnit(ofGravity size: Double) -> AccelerationUnit? {
    [.g, .metresPerSecondSquared, .milliG].first { abs(size * $0.inG - 1) < 0.1 }
  }

  /// Whether there is movement without gravity that is too strong for g, as the rotation of a gyroscope is, too.
  var isMovementInAnotherUnit: Bool { gravityRemoved && unit != .g }

  private mutating func takeConverter(_ evidence: UnitEvidence) {
    // Gravity in g or m/s² may have such a direction, too.
    if evidence.gravity < 22, Self.isPlain(evidence.gravity) { return }
    if let converter = evidence.converter {
      let counts = Self.rounded(converter.countsPerG)
      zero = Self.rounded(converter.zero)
      unit = .raw(countsPerG: counts)
      isAbsurd = false
      doubt =
        "all axes stay near \(Self.text(zero)), so they were read as an analogue-digital converter with"
        + " \(Self.text(counts)) counts per g and \(Self.text(zero)) at 0 g; state both with \(option: .converter)"
    } else {
      doubt =
        "all axes are nearly equal, as those of an analogue-digital converter whose zero is not 0; state its counts"
        + " per g and its reading at 0 g with \(option: .converter)"
    }
    isGrave = true
  }

  /// Three significant digits.
  private static func rounded(_ value: Double) -> Double {
    var scale = 1.0
    while value * scale < 100 { scale *= 10 }
    return (value * scale).rounded() / scale
  }

  /// With ``UnitEvidence/steadiness`` below this, gravity is missing.
  static let leastSteadiness = 0.25
  /// From this value on, gravity is certainly present in a long recording …
  private static let goodSteadiness = 0.3
  /// … and in a few seconds.
  private static let clearSteadiness = 0.5
  private static let fewSeconds = 10
  /// From this value on, a single second shows that a mean of one g is gravity and not motion in m/s².
  private static let steadinessOfOneG = 2.0

  private init(gravity: Double, isWeak: Bool) {
    switch gravity {
    case ..<3.2: unit = .g
    case ..<22: unit = .metresPerSecondSquared
    case 700..<1450: unit = .milliG
    default: unit = .raw(countsPerG: Self.powerOfTwo(gravity))
    }
    if case .raw(let counts) = unit { isAbsurd = counts > Self.mostCounts }
    if isWeak || !Self.isPlain(gravity) {
      // Of 2,404 recordings in g, four without a step lie in this range: a count of 0 with a warning is right for them.
      isGrave = unit != .g && (isWeak || !isPowerOfTwo(gravity))
      doubt =
        "the unit was guessed to be \(unit.name), because the mean acceleration of a second is \(Self.text(gravity));"
        + " state it with \(option: .unit)"
    }
  }

  /// Whether gravity is within a fifth of a power of two, as the counts of converters are.
  private func isPowerOfTwo(_ gravity: Double) -> Bool {
    guard case .raw(let counts) = unit else { return false }
    return (0.8...1.25).contains(gravity / counts)
  }

  /// Whether it is about one g in g, m/s² or mg.
  static func isPlain(_ gravity: Double) -> Bool {
    (0.7..<1.8).contains(gravity) || (7..<15.5).contains(gravity) || (700..<1450).contains(gravity)
  }

  /// Without gravity; `sign` tells that, or is `nil` if the column names state that it was removed.
  private init(motion: Double, sign: String?) {
    switch motion {
    case ..<Self.mostMotionInG: unit = .g
    case ..<Self.mostMotionInMetres: unit = .metresPerSecondSquared
    default:
      unit = .milliG
      isAbsurd = motion > Self.mostMotionInMilliG
    }
    gravityRemoved = true
    doubt = Self.doubt(unit: unit, isStill: motion < Self.stillness, sign: sign)
  }

  /// What tells that gravity was removed: its small remainder, or that many seconds lack what others have.
  private static func sign(_ evidence: UnitEvidence) -> String {
    let (mean, least) = (evidence.gravity, evidence.leastMean)
    guard isPlain(mean), least < mean / 10 else {
      return "gravity seems to be removed (the mean acceleration of a second is \(text(mean)))"
    }
    return
      "gravity seems to be removed in a part of the recording (the mean acceleration of a second is \(text(mean)) or more in"
      + " half of it, and \(text(least)) or less in a fifth)"
  }

  /// The warning about a unit detected by ``UnitWatch``.
  static func lateDoubt(unit: AccelerationUnit, gravityRemoved: Bool) -> String {
    (gravityRemoved ? "gravity seems to be removed, and the unit was" : "the unit was")
      + " guessed to be \(unit.name) from the samples after the beginning; state it with \(option: .unit)"
  }

  /// The warning about a unit that was guessed without gravity.
  private static func doubt(unit: AccelerationUnit, isStill: Bool, sign: String?) -> String {
    let still =
      isStill ? "there is too little motion to detect the unit, which was assumed to be" : "the unit was guessed to be"
    return "\(sign.map { $0 + ", " } ?? "")\(still) \(unit.name); state it with \(option: .unit)"
  }

  /// Whether one second is enough to determine the unit: gravity in one of the usual units.
  static func isClear(_ evidence: UnitEvidence) -> Bool {
    isPlain(evidence.gravity) && evidence.steadiness >= (evidence.gravity < 3 ? steadinessOfOneG : clearSteadiness)
  }

  static func lacksGravity(_ evidence: UnitEvidence, unit: AccelerationUnit) -> Bool {
    !evidence.seconds.isEmpty && self.unit(atRest: evidence) != unit
      && (evidence.gravity * unit.inG < leastGravity || evidence.steadiness < leastSteadiness)
  }

  /// The nearest power of two, as is usual for converters.
  private static func powerOfTwo(_ size: Double) -> Double {
    var power = 1.0
    while power * 2.0.squareRoot() < size, power < 1e12 { power *= 2 }
    return power
  }

  /// The unit of the values where it is certain and differs from the one in the names of the columns.
  static func correction(of named: AccelerationUnit, _ evidence: UnitEvidence, isLinear: Bool) -> AccelerationUnit? {
    guard !isLinear, isClear(evidence), !(0.4...2.5).contains(evidence.gravity * named.inG) else { return nil }
    let guess = UnitGuess(evidence, isLinear: false)
    return guess.doubt == nil && guess.unit != named ? guess.unit : nil
  }

  static func doubt(about unit: AccelerationUnit, _ evidence: UnitEvidence, isLinear: Bool) -> String? {
    guard !evidence.seconds.isEmpty, !isLinear else { return nil }
    let gravity = evidence.gravity * unit.inG
    if (0.4...2.5).contains(gravity) { return nil }
    return "with \(unit.name) as the unit the mean acceleration of a second is \(text(gravity)) g instead of 1 g;"
      + (gravity < 0.4
        ? " unless gravity was removed, state another with \(option: .unit)"
        : " state another"
          + " with \(option: .unit)")
  }

  /// At least three significant digits, usually without an exponent.
  static func text(_ value: Double) -> String {
    Decimals.text(value, value < 1 ? 3 : value < 100 ? 2 : 0) ?? "\(value)"
  }
}

extension AccelerationUnit {
  var name: String {
    switch self {
    case .g: "g"
    case .milliG: "mg"
    case .metresPerSecondSquared: "m/s²"
    case .raw(let counts): counts == counts.rounded() && abs(counts) < 1e15 ? "1/\(Int64(counts)) g" : "1/\(counts) g"
    }
  }
}
