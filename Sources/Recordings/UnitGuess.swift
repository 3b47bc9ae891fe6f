import Accelerometry

/// Which unit makes gravity one g or, where gravity has been removed, the motion that of a walker.
struct UnitGuess: Equatable {
  var unit: AccelerationUnit
  /// Whether gravity seems to be missing.
  var gravityRemoved = false
  /// What is doubtful, in a sentence.
  var doubt: String?
  /// What later samples may answer otherwise, where these are only the beginning.
  var question: UnitWatch.Question?
  /// Whether no sensor has such a unit.
  var isAbsurd = false

  /// More counts to a g than this no converter of a pedometer's has; the finest are named by their maker.
  static let mostCounts = 65_536.0
  /// Where gravity is missing, this motion and more is in m/s² rather than in g.
  ///
  /// Of the walks and runs of thirteen public data sets without gravity, 94 of 100 stay below it in g and 99 exceed it
  /// in m/s².
  static let mostMotionInG = 1.8
  /// No second of anybody's motion is as hard as this, in g.
  static let impossibleMotionInG = 4.0
  /// Motion below this is none, in g or in m/s².
  static let stillness = 0.15
  /// No walker moves as hard as this, in m/s².
  private static let mostMotionInMetres = 30.0
  /// Nor as this, in mg.
  private static let mostMotionInMilliG = 3000.0
  /// Gravity is shorter in no unit.
  private static let leastGravity = 0.5

  /// Guesses from seconds in the unknown unit.
  init(_ evidence: UnitEvidence, isLinear: Bool) {
    let isShort = evidence.seconds.count <= Self.fewSeconds
    if !isLinear, evidence.gravity >= Self.leastGravity, evidence.steadiness >= Self.leastSteadiness {
      let good = isShort ? Self.clearSteadiness : Self.goodSteadiness
      let isWeak = evidence.steadiness < good
      self.init(gravity: evidence.gravity, isWeak: isWeak)
      if isWeak, isShort, unit == .g { question = .gravity }
    } else {
      self.init(motion: evidence.motion, gravity: isLinear ? nil : evidence.gravity)
      // Much that moved is an answer; the loudest seconds of a run are none.
      if unit == .g, isShort || evidence.motion < Self.stillness { question = .motion }
    }
  }

  /// ``UnitEvidence/steadiness`` below this is that of motion without gravity.
  private static let leastSteadiness = 0.25
  /// From this on there is no doubt that gravity is there, in a long recording …
  private static let goodSteadiness = 0.3
  /// … and in a few seconds.
  private static let clearSteadiness = 0.5
  private static let fewSeconds = 10
  /// From this on a single second shows that what is as large as one g is gravity and no motion in m/s².
  private static let steadinessOfOneG = 2.0

  /// With gravity.
  private init(gravity: Double, isWeak: Bool) {
    switch gravity {
    case ..<3.2: unit = .g
    case ..<22: unit = .metresPerSecondSquared
    case 700..<1450: unit = .milliG
    default: unit = .raw(countsPerG: Self.powerOfTwo(gravity))
    }
    if case .raw(let counts) = unit { isAbsurd = counts > Self.mostCounts }
    if isWeak || !Self.isPlain(gravity) {
      doubt =
        "the unit was guessed to be \(unit.name), because the mean acceleration of a second is \(Self.text(gravity));"
        + " state it with --units"
    }
  }

  private static func isPlain(_ gravity: Double) -> Bool {
    (0.7..<1.8).contains(gravity) || (7..<15.5).contains(gravity) || (700..<1450).contains(gravity)
  }

  /// Without gravity; `gravity` is the little there is of it, nothing when the columns' names say that it was removed.
  private init(motion: Double, gravity: Double?) {
    switch motion {
    case ..<Self.mostMotionInG: unit = .g
    case ..<Self.mostMotionInMetres: unit = .metresPerSecondSquared
    default:
      unit = .milliG
      isAbsurd = motion > Self.mostMotionInMilliG
    }
    gravityRemoved = true
    doubt = Self.doubt(unit: unit, isStill: motion < Self.stillness, gravity: gravity)
  }

  /// What to say of a unit that a ``UnitWatch`` found.
  static func lateDoubt(unit: AccelerationUnit) -> String {
    "gravity seems to be removed, and the unit was guessed to be \(unit.name) from the samples after the beginning;"
      + " state it with --units"
  }

  /// What to say of a unit that was guessed without gravity.
  private static func doubt(unit: AccelerationUnit, isStill: Bool, gravity: Double?) -> String {
    let removed = gravity.map {
      "gravity seems to be removed (the mean acceleration of a second is \(text($0))), "
    }
    let still =
      isStill
      ? "there is too little motion to detect the unit, which was assumed to be" : "the unit was guessed to be"
    return "\(removed ?? "")\(still) \(unit.name); state it with --units"
  }

  /// Whether a second is enough to know the unit: gravity in one of the units that programs write.
  static func isClear(_ evidence: UnitEvidence) -> Bool {
    isPlain(evidence.gravity)
      && evidence.steadiness >= (evidence.gravity < 3 ? steadinessOfOneG : clearSteadiness)
  }

  /// Whether gravity is missing where the unit is known.
  static func lacksGravity(_ evidence: UnitEvidence, unit: AccelerationUnit) -> Bool {
    !evidence.seconds.isEmpty
      && (evidence.gravity * unit.inG < leastGravity || evidence.steadiness < leastSteadiness)
  }

  /// The power of two next to a size, as converters have it.
  private static func powerOfTwo(_ size: Double) -> Double {
    var power = 1.0
    while power * 2.0.squareRoot() < size, power < 1e12 { power *= 2 }
    return power
  }

  /// What is wrong with a stated unit, if anything is.
  static func doubt(about unit: AccelerationUnit, _ evidence: UnitEvidence, isLinear: Bool) -> String? {
    guard !evidence.seconds.isEmpty, !isLinear else { return nil }
    let gravity = evidence.gravity * unit.inG
    if (0.4...2.5).contains(gravity) { return nil }
    return
      "with \(unit.name) as the unit the mean acceleration of a second is \(text(gravity)) g instead of 1 g;"
      + (gravity < 0.4 ? " unless gravity was removed, state another with --units" : " state another with --units")
  }

  /// Three significant digits at the least, and no exponent within reason.
  static func text(_ value: Double) -> String {
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
