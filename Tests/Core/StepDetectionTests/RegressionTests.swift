import Accelerometry
import Foundation
import Pedometry
import Testing

@testable import StepDetection

/// A reference walk, recorded by a sensor with a fault, or walked otherwise.
struct Variation: Sendable, CustomTestStringConvertible {
  let walk: String
  let testDescription: String
  let change: @Sendable (inout [AccelerationSample]) -> Void

  private init(_ walk: String, _ name: String, _ change: @escaping @Sendable (inout [AccelerationSample]) -> Void) {
    (self.walk, self.change) = (walk, change)
    testDescription = walk + ", " + name
  }

  /// Samples after this many seconds.
  private static func from(_ seconds: Double, in samples: [AccelerationSample]) -> Int {
    let start = samples[0].nanoseconds + Int64(seconds * 1e9)
    return samples.firstIndex { $0.nanoseconds >= start } ?? samples.count
  }

  private static func stretched(_ samples: inout [AccelerationSample], by factor: Double) {
    for i in samples.indices { samples[i].nanoseconds = Int64(Double(samples[i].nanoseconds) * factor) }
  }

  static let all =
    Reference.walks.map { Variation($0, "as it is") { _ in } } + [
      Variation("wrist-50hz", "at half the speed") { stretched(&$0, by: 2) },
      Variation("pocket-100hz-jitter", "at 0.6 of the speed") { stretched(&$0, by: 1 / 0.6) },
      Variation("foot-100hz", "at 1.5 times the speed") { stretched(&$0, by: 1 / 1.5) },
      Variation("hand-25hz", "at 12.5 Hz") { samples in
        samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      },
      Variation("wrist-50hz", "at 8 Hz") { samples in
        samples = samples.enumerated().filter { $0.offset % 6 == 0 }.map(\.element)
      },
      Variation("wrist-50hz", "a third of the movement") { samples in
        for i in samples.indices { samples[i].acceleration = 0.7 * SIMD3(0, 0, 1) + 0.3 * samples[i].acceleration }
      },
      Variation("pocket-100hz-jitter", "invalid values and spikes") { samples in
        for i in stride(from: 40, to: samples.count, by: 173) { samples[i].acceleration.y = .nan }
        for i in stride(from: 90, to: samples.count, by: 211) { samples[i].acceleration.x += 9 }
        for i in stride(from: 500, to: samples.count, by: 907) {
          for j in i..<min(i + 2, samples.count) { samples[j].acceleration.z -= 6 }
        }
      },
      Variation("foot-100hz", "clipped at 1.5 g") { samples in
        for i in samples.indices {
          samples[i].acceleration.clamp(lowerBound: .init(repeating: -1.5), upperBound: .init(repeating: 1.5))
        }
      },
      Variation("foot-100hz", "with overflows of a range of 2 g") { samples in
        for i in samples.indices {
          let a = samples[i].acceleration + 2
          samples[i].acceleration = a - 4 * (a / 4).rounded(.down) - 2
        }
      },
      Variation("wrist-50hz", "frozen for three seconds, twice") { samples in
        for seconds in [20.0, 40] {
          let begin = from(seconds, in: samples)
          for i in begin..<from(seconds + 3, in: samples) { samples[i].acceleration = samples[begin].acceleration }
        }
      },
      Variation("lower-back-lost-samples", "with gaps of 0.9, 1.4 and 20 s") { samples in
        for (seconds, length) in [(15.0, 0.9), (25, 1.4), (35, 20)] {
          samples.removeSubrange(from(seconds, in: samples)..<from(seconds + min(length, 1.4), in: samples))
          for i in from(seconds, in: samples)..<samples.count {
            samples[i].nanoseconds += Int64(max(0, length - 1.4) * 1e9)
          }
        }
      },
      Variation("wrist-50hz", "interrupted by a shaking hand") { samples in
        for i in from(25, in: samples)..<from(32, in: samples) {
          samples[i].acceleration.x += 0.4 * Float(sin(Double(i) * 0.6))
        }
      },
      Variation("lower-back-lost-samples", "a bicycle of one turn a second") { samples in
        for i in samples.indices {
          let turn = 2 * Double.pi * Double(samples[i].nanoseconds - samples[0].nanoseconds) * 1e-9
          samples[i].acceleration = SIMD3(
            Float(0.5 * sin(turn)), 0.02 * samples[i].acceleration.y, 1 + Float(0.3 * cos(turn)))
        }
      },
    ]
}

/// What the detector finds in the reference walks and their variations, with all intermediate figures: the detector whose
/// score on real recordings was measured. After a change on purpose, measure it again, and write the files anew with
/// PEDOMETER_WRITE_VALIDATED=1.
@Suite("As it was validated", .timeLimit(.minutes(30)))
struct RegressionTests {
  private static let isWritten = ProcessInfo.processInfo.environment["PEDOMETER_WRITE_VALIDATED"] == "1"

  /// Lines of a name and whole numbers.
  private static func figures(of samples: [AccelerationSample]) -> [(String, [Int])] {
    var detector = StepDetector(latency: StepDetector.longestRevision)
    detector.observations = []
    detector.announcer = StepAnnouncer()
    var steps: [Step] = []
    var news: [StepNews] = []
    for begin in stride(from: 0, to: samples.count, by: 64) {
      detector.process(Array(samples[begin..<min(begin + 64, samples.count)]).span, into: &steps)
      news += detector.announcer?.takeNews() ?? []
    }
    detector.finish(into: &steps)
    news += detector.announcer?.takeNews() ?? []
    let blocks = detector.observations ?? []
    func sum(_ features: BlockFeatures) -> Float {
      let values = features.values
      return values.indices.reduce(0) { $0 + (1 + Float($1 % 4)) * values[$1] }
    }
    func milliseconds(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded()) }
    func whole(_ numbers: some Sequence<Float>, _ scale: Float) -> [Int] { numbers.map { Int(($0 * scale).rounded()) } }
    var counter = WalkCounter(latency: StepDetector.longestDelay)
    counter.explain(with: .shipped)
    _ = counter.process(samples.span)
    _ = counter.finish()
    let damage = counter.damage
    let findings = counter.takeFindings()
    return [
      ("steps", steps.map { milliseconds($0.timestamp) }),
      ("prompt", [counter.walk.steps, Int(counter.walk.distanceTravelled * 10)]),
      ("cadence", whole(blocks.map(\.cadence), 1000)),
      ("features", whole(blocks.map { sum($0.features) }, 1000)),
      ("slow", whole(blocks.compactMap { $0.slowFeatures.map(sum) }, 1000)),
      ("evidence", whole(blocks.map(\.evidence), 500)),
      ("balance", whole(blocks.map(\.balance), 100)),
      ("walking", blocks.map { $0.isWalking ? 1 : 0 }),
      ("phases", whole(blocks.flatMap(\.readings).map { $0.phase + Float($0.turns) + $0.rest }, 200)),
      (
        "announced",
        news.map { news in
          switch news {
          case .announced(let time): milliseconds(time)
          case .confirmed(let step, let time): milliseconds(step.timestamp) * (time == nil ? 3 : 2)
          case .retracted(let time): -milliseconds(time)
          }
        }
      ),
      (
        "damage",
        [
          damage.absurd.count, damage.spikes.count, damage.overflows.count, damage.saturated.count,
          Int((damage.range ?? 0) * 100), damage.frozen.count, milliseconds(damage.frozenDuration),
          milliseconds(damage.frozen.first ?? .zero), Int((damage.insufficientFrequency ?? 0) * 10),
        ]
      ),
      (
        "findings",
        findings.flatMap { finding in
          let kind =
            switch finding {
            case .bout(let bout): [bout.steps, Int((bout.confidence * 500).rounded())]
            case .stretch(let stretch): [Objection.allCases.firstIndex(of: stretch.objection) ?? -1]
            }
          return kind + [milliseconds(finding.start) / 10, milliseconds(finding.end) / 10]
        }
      ),
    ]
  }

  @Test("steps, evidence, damage and findings of each walk", arguments: Variation.all)
  func same(variation: Variation) throws {
    var samples = try Reference.samples(of: variation.walk)
    variation.change(&samples)
    let figures = Self.figures(of: samples)
    let name = variation.testDescription.replacing(", ", with: "-").replacing(" ", with: "-")
    let path = Reference.folder + "validated/\(name).txt"
    if Self.isWritten {
      let lines = figures.map { name, numbers in ([name] + numbers.map { "\($0)" }).joined(separator: " ") + "\n" }
      try Data(lines.joined().utf8).write(to: URL(filePath: path))
    }
    let expected = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true)
    }
    try #require(expected.map { String($0[0]) } == figures.map(\.0))
    for (words, (name, found)) in zip(expected, figures) {
      let numbers = words.dropFirst().compactMap { Int($0) }
      // Other processors may round otherwise.
      let isSame = found.count == numbers.count && zip(found, numbers).allSatisfy { abs($0 - $1) <= 1 }
      #expect(isSame, "\(name): \(found)")
    }
  }
}
