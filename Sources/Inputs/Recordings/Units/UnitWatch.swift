import Accelerometry

/// Continues to detect the unit of a recording of which only the beginning was examined, if that was ambiguous.
struct UnitWatch {
  /// The ambiguity of the beginning, in a recording that was assumed to be in g.
  enum Question {
    /// Gravity is missing, and there is so little motion that the unit may be m/s².
    ///
    /// The last three seconds are held back, and decide when motion begins. The quiet samples before them contain no
    /// walk in either unit.
    case motion
    /// Apparent gravity is small compared with the motion: a few more seconds may show that it is not gravity.
    case gravity
  }

  private var question: Question?
  private var meter = SecondMeter()
  private var seen = UnitEvidence()
  private var held: [AccelerationSample] = []
  /// The seconds that are held back: the end and the motion of each.
  private var seconds: [(end: Int, motion: Double)] = []

  /// The number of seconds of motion that decide.
  private static let secondsOfMotion = 3
  /// After this many seconds gravity is certain; the first were examined before.
  private static let secondsOfGravity = 6...20
  /// The maximum number of samples that are held back.
  private static let mostHeld = 16_384

  init(_ question: Question) { self.question = question }

  /// Takes the latest samples, and leaves those that may be delivered.
  /// - Returns: the detected unit; later samples have to be converted to it, and the remaining ones are, as far as they
  ///   were not delivered before.
  mutating func pass(_ samples: inout [AccelerationSample]) -> AccelerationUnit? {
    guard let question else { return nil }
    switch question {
    case .motion: return passMotion(&samples)
    case .gravity: return passGravity(&samples)
    }
  }

  /// Delivers the samples that are held back.
  mutating func finish(into samples: inout [AccelerationSample]) {
    samples += held
    held.removeAll()
    question = nil
  }

  private mutating func passMotion(_ samples: inout [AccelerationSample]) -> AccelerationUnit? {
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
          Self.convert(&held, from: released)
          finish(into: &samples)
          return .metresPerSecondSquared
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

  private mutating func passGravity(_ samples: inout [AccelerationSample]) -> AccelerationUnit? {
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
        Self.convert(&samples, from: place)
        question = nil
        return guess.unit
      }
    }
    return nil
  }

  /// Converts samples that were read as if in g. The same for those that follow, so that no sample depends on when it
  /// arrived.
  static func convert(_ samples: inout [AccelerationSample], from place: Int) {
    let factor = Float(AccelerationUnit.metresPerSecondSquared.inG)
    for index in place..<samples.count {
      samples[index] = AccelerationSample(
        nanoseconds: samples[index].nanoseconds, acceleration: samples[index].acceleration * factor)
    }
  }
}
