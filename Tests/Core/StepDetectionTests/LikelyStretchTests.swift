import Accelerometry
import Pedometry
import Recordings
import Testing

@testable import StepDetection

@Suite("The likeliest stretch of a recording that proves no walk", .timeLimit(.minutes(30)))
struct LikelyStretchTests {
  /// The stretch after blocks of some log-odds.
  private func stretch(_ evidence: [Float], change: Float = 0) -> LikelyStretch {
    var stretch = LikelyStretch()
    for (i, evidence) in evidence.enumerated() {
      stretch.take(EvidenceBalance.mildShare(of: evidence), change: change, block: i)
    }
    return stretch
  }

  @Test("begins where the evidence turns to a walk, and ends where it turns away")
  func limits() {
    let blocks: [Float] = [-3, -1, 1, 1, -0.5, 2, 2, 1, -4, -4, 1, 1, 0]
    #expect(stretch(blocks).blocks == 2...7)
    // A later stretch counts only if it has more evidence.
    let rest: [Float] = [-8, -8, -8, -8]
    #expect(stretch(blocks + rest + [1.5, 1.5, 1.5, 1.5]).blocks == 2...7)
    #expect(stretch(blocks + rest + [1.5, 1.5, 1.5, 1.5, 1.5, 1.5]).blocks == 17...22)
  }

  @Test("needs more evidence the longer the movement lasts, and no less than four")
  func length() {
    let walk = stretch(Array(repeating: 1.5, count: 6))
    #expect(walk.isLikely(among: 44) && !walk.isLikely(among: 46))
    #expect(!stretch(Array(repeating: 1, count: 8)).isLikely(among: 8))
    #expect(stretch(Array(repeating: 1, count: 9)).isLikely(among: 9))
    #expect(!stretch(Array(repeating: -1, count: 50)).isLikely(among: 0))
  }

  @Test("adds less for a cadence that changes, except for the first block, which begins it")
  func changes() {
    #expect(stretch(Array(repeating: 1.5, count: 12)).isLikely(among: 12))
    #expect(!stretch(Array(repeating: 1.5, count: 12), change: 0.5).isLikely(among: 12))
    // 0.5 and eight times 0.45.
    #expect(stretch(Array(repeating: 1, count: 9), change: 0.05).isLikely(among: 9))
    #expect(!stretch(Array(repeating: 1, count: 9), change: 0.07).isLikely(among: 9))
  }

  private func clip(_ activity: SyntheticWalk.Activity, _ position: SensorPlacement, seed: UInt64) throws
    -> (samples: [AccelerationSample], steps: Int)
  {
    let walk = SyntheticWalk {
      $0.activity = activity
      $0.position = position
      $0.cadence = 70
      $0.duration = .seconds(4)
      $0.lead = .seconds(3)
      $0.seed = seed
    }
    return (try walk.samples(), try walk.steps.count)
  }

  private static let positions: [SensorPlacement] = [.wrist, .hand, .pocket, .lowerBack]

  @Test("two in five clips of four or five steps, too few to prove a walk, are counted to within one")
  func fewSteps() throws {
    var within = 0
    for position in Self.positions {
      for seed in 1...25 {
        let clip = try clip(.walking, position, seed: UInt64(seed))
        if abs(offlineCount(clip.samples) - clip.steps) <= 1 { within += 1 }
      }
    }
    // Without this rule, none is.
    #expect(within >= 35, "\(within) of 100")
  }

  @Test("other movements of the same few seconds are not counted")
  func otherMovements() throws {
    for activity in [SyntheticWalk.Activity.brushingTeeth, .typing, .driving, .standing] {
      for seed in 1...5 { #expect(offlineCount(try clip(activity, .wrist, seed: UInt64(seed)).samples) == 0) }
    }
  }

  @Test("is counted only at the end of all samples, and if they contain no other step")
  func onlyAtTheEnd() throws {
    let clip = try clip(.walking, .pocket, seed: 1)
    let few = steps(in: clip.samples, latency: StepDetector.longestRevision)
    try #require(few.count >= 4)
    let long = SyntheticWalk {
      $0.position = .wrist
      $0.duration = .seconds(30)
      $0.lead = .seconds(3)
      $0.tail = .seconds(60)
    }
    let before = try long.samples()
    let shift = try #require(before.last).nanoseconds + 10_000_000
    let after = clip.samples.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + shift, acceleration: $0.acceleration)
    }
    let end = try #require(before.last).nanoseconds - 50_000_000_000
    let both = steps(in: before + after, latency: StepDetector.longestRevision)
    #expect(both.count { $0.timestamp.wholeNanoseconds > end } == 0)
    // A gap ends the rhythm, and not the recording.
    let gap = clip.samples.map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 20_000_000_000, acceleration: .init(0, 0, 1))
    }
    #expect(offlineCount(clip.samples + gap) == 0)
  }
}
