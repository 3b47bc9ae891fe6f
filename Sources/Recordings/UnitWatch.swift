import Accelerometry

/// Goes on looking for the unit of a recording of which only the beginning could be seen, when that left a doubt.
struct UnitWatch {
  /// What the beginning left open, in a recording that was taken to be in g.
  enum Question {
    /// Gravity is missing, and so little moved that the unit may be m/s².
    ///
    /// The last three seconds are held back, and when motion begins, they decide. What was quiet before them holds no
    /// walk in either unit.
    case motion
    /// What seems to be gravity is small beside the motion: in a few seconds more it may turn out to be no gravity.
    case gravity
  }

  private var question: Question?
  private var meter = SecondMeter()
  private var seen = UnitEvidence()
  private var held: [AccelerationSample] = []
  /// The seconds that are held back: where each ends, and its motion.
  private var seconds: [(end: Int, motion: Double)] = []

  /// So many seconds of motion decide.
  private static let secondsOfMotion = 3
  /// After so many there is no doubt about gravity any more; the first were looked at before.
  private static let secondsOfGravity = 6...20
  /// Nobody waits for more samples than this.
  private static let mostHeld = 16_384

  init(_ question: Question) { self.question = question }

  /// Takes the samples read last, and leaves those that may be handed out.
  /// - Returns: the unit that the recording turns out to have; what comes is to be in it, and what is left is as far as
  ///   it was not handed out before.
  mutating func pass(_ samples: inout [AccelerationSample]) -> AccelerationUnit? {
    guard let question else { return nil }
    switch question {
    case .motion: return passMotion(&samples)
    case .gravity: return passGravity(&samples)
    }
  }

  /// Hands out what is held back.
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

  /// Whether the seconds held back hold motion that nobody's is in g.
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

  private static func convert(_ samples: inout [AccelerationSample], from place: Int) {
    let factor = Float(AccelerationUnit.metresPerSecondSquared.inG)
    for index in place..<samples.count {
      samples[index] = AccelerationSample(
        nanoseconds: samples[index].nanoseconds, acceleration: samples[index].acceleration * factor)
    }
  }
}
