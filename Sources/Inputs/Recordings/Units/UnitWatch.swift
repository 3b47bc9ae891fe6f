import Accelerometry

/// Continues to detect the unit of a recording of which only the beginning was examined, if that was ambiguous.
struct UnitWatch {
  struct Finding {
    var unit: AccelerationUnit
    var gravityRemoved: Bool
    /// What the samples so far have to be multiplied by.
    var factor: Float
  }

  /// The ambiguity of the beginning.
  enum Question {
    /// Gravity is missing in a recording that was assumed to be in g, and there is so little motion that the unit may be m/s².
    ///
    /// The last three seconds are held back, and decide when motion begins. The quiet samples before them contain no
    /// walk in either unit.
    case motion
    /// Apparent gravity is small compared with the motion: a few more seconds may show that it is not gravity.
    case gravity
    /// Gravity is missing in movement that is too strong for g: a rest may show gravity, and its unit.
    case rest
  }

  private var question: Question?
  /// The unit that the samples were converted from.
  private let assumed: AccelerationUnit
  private var meter = SecondMeter()
  private var seen = UnitEvidence()
  private var held: [AccelerationSample] = []
  /// The seconds that are held back: the end and the motion of each.
  private var seconds: [(end: Int, motion: Double)] = []

  private static let secondsOfMotion = 3
  /// After this many seconds gravity is certain; the first were examined before.
  private static let secondsOfGravity = 6...20
  /// A second below this, in g, is a rest, and gravity is missing.
  private static let restWithoutGravity = 0.05
  private static let mostHeld = 16_384

  init(_ question: Question, assumed: AccelerationUnit?) { (self.question, self.assumed) = (question, assumed ?? .g) }

  /// Takes the latest samples, and leaves those that may be delivered.
  /// - Returns: the detected unit; later samples have to be converted to it, and the remaining ones are, as far as they
  ///   were not delivered before.
  mutating func pass(_ samples: inout [AccelerationSample]) -> Finding? {
    switch question {
    case .motion: passMotion(&samples)
    case .gravity: passGravity(&samples)
    case .rest: passRest(&samples)
    case nil: nil
    }
  }

  private func finding(_ unit: AccelerationUnit, gravityRemoved: Bool) -> Finding {
    Finding(unit: unit, gravityRemoved: gravityRemoved, factor: Float(unit.inG / assumed.inG))
  }

  /// Delivers the samples that are held back.
  mutating func finish(into samples: inout [AccelerationSample]) {
    samples += held
    held.removeAll()
    question = nil
  }

  private mutating func passMotion(_ samples: inout [AccelerationSample]) -> Finding? {
    var place = held.count
    var released = 0
    held += samples
    samples.removeAll(keepingCapacity: true)
    while place < held.count {
      let sample = held[place]
      if let second = meter.add(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration) {
        // The sample begins the next second.
        seconds.append((place, second.motion))
        if isInMetres {
          let found = finding(.metresPerSecondSquared, gravityRemoved: true)
          found.convert(&held, from: released)
          finish(into: &samples)
          return found
        }
        if seconds.count == Self.secondsOfMotion { released = seconds.removeFirst().end }
      }
      place += 1
    }
    if held.count - released > Self.mostHeld {
      released = held.count
      seconds.removeAll()
    }
    samples += held[..<released]
    held.removeFirst(released)
    for index in seconds.indices { seconds[index].end -= released }
    return nil
  }

  /// Whether the seconds that are held back contain motion that is impossible in g.
  private var isInMetres: Bool {
    guard let last = seconds.last else { return false }
    if last.motion >= UnitGuess.impossibleMotionInG { return true }
    guard seconds.count == Self.secondsOfMotion else { return false }
    return seconds.map(\.motion).sorted()[Self.secondsOfMotion / 2] >= UnitGuess.mostMotionInG
  }

  private mutating func passGravity(_ samples: inout [AccelerationSample]) -> Finding? {
    for (place, sample) in samples.enumerated() {
      let before = seen.seconds.count
      seen.add(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration)
      let count = seen.seconds.count
      guard count > before, count >= Self.secondsOfGravity.lowerBound else { continue }
      if count > Self.secondsOfGravity.upperBound {
        question = nil
        return nil
      }
      let guess = UnitGuess(seen, isLinear: false)
      if guess.unit == .metresPerSecondSquared {
        let found = finding(guess.unit, gravityRemoved: guess.gravityRemoved)
        found.convert(&samples, from: place)
        question = nil
        return found
      }
    }
    return nil
  }

  private mutating func passRest(_ samples: inout [AccelerationSample]) -> Finding? {
    for (place, sample) in samples.enumerated() {
      guard let second = meter.add(nanoseconds: sample.nanoseconds, acceleration: sample.acceleration) else { continue }
      if let rest = second.rest, let unit = UnitGuess.usualUnit(ofGravity: rest / assumed.inG) {
        question = nil
        let found = finding(unit, gravityRemoved: false)
        found.convert(&samples, from: place)
        return found
      }
      if max(second.motion, second.mean) < Self.restWithoutGravity {
        question = nil
        return nil
      }
    }
    return nil
  }
}

extension UnitWatch.Finding {
  /// Converts samples that were read in the assumed unit. The same for those that follow, so that no sample depends on
  /// when it arrived.
  func convert(_ samples: inout [AccelerationSample], from place: Int) {
    for index in place..<samples.count { samples[index].acceleration *= factor }
  }
}
