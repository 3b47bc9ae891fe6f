@testable import Accelerometry
@testable import Pedometry
@testable import StepDetection

/// A bout with its true class.
struct JudgedBout: Hashable {
  /// The mean of its blocks' log-odds.
  var evidence: Double
  var isReal: Bool
  /// The number of its steps, and the evidence of each, in order.
  var stepEvidence: [Double]
  /// The person, whose bouts must not be split in cross-validation.
  var group: String
}

extension JudgedBout {
  /// The numbers of a quarter of a second by which the beginning of a recording is put off: weak bouts depend on chance.
  private static let offsets: Range<Int64> = 0..<4

  /// The bouts that a gate finds in a recording, from four beginnings.
  ///
  /// Bouts in recordings with 0 true steps are false; bouts in walks are real, or, where true strikes are known, those
  /// with a strike in them.
  /// - Parameter strikes: the true foot strikes, in seconds since the first sample.
  static func all(
    in samples: [AccelerationSample], of entry: RecordingIndex.Entry, strikes: [Double]?, models: GateModels
  ) -> [JudgedBout] {
    guard let first = samples.first?.nanoseconds else { return [] }
    return offsets.flatMap { offset in
      let begin = samples.firstIndex { $0.nanoseconds - first >= offset * 240_000_000 } ?? samples.count
      return bouts(in: samples[begin...], models: models).map { bout, steps in
        let seconds = { (time: Duration) in Double(time.wholeNanoseconds - first) * 1e-9 }
        let hasStrike = strikes.map { $0.contains { $0 >= seconds(bout.start) - 0.5 && $0 <= seconds(bout.end) + 0.5 } }
        return JudgedBout(
          evidence: bout.confidence, isReal: entry.isWalk && hasStrike ?? true,
          stepEvidence: steps, group: entry.group ?? entry.path)
      }
    }
  }

  /// Bouts whose confidence is their evidence, and the evidence of their steps.
  private static func bouts(
    in samples: ArraySlice<AccelerationSample>, models: GateModels
  ) -> [(WalkBout, [Double])] {
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    counter.explain(with: .evidence, models: models)
    var steps = counter.process(Array(samples).span)
    steps += counter.finish()
    var rest = steps[...]
    return counter.takeFindings().compactMap { finding in
      guard case .bout(let bout) = finding else { return nil }
      defer { rest = rest.dropFirst(bout.steps) }
      return (bout, rest.prefix(bout.steps).compactMap(\.confidence))
    }
  }
}
