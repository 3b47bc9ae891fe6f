import JSONLines
import StepDetection

extension SampleDamage {
  /// The damage in the samples, one sentence for each kind, with its count and the first time.
  /// - Parameter start: the first sample's time on the sensor's clock, which times are relative to.
  package func sentences(since start: Duration?) -> [String] { found(since: start).map(\.sentence) }

  /// The kinds of damage, each reported once.
  fileprivate enum Kind: CaseIterable {
    case absurd, spikes, overflows, saturated, frozen, frequency, uncertain
  }

  fileprivate func found(since start: Duration?) -> [(kind: Kind, sentence: String)] {
    Kind.allCases.compactMap { kind in sentence(kind, start ?? .zero).map { (kind, $0) } }
  }

  private func sentence(_ kind: Kind, _ start: Duration) -> String? {
    let told = { (finding: Finding, one: String, many: String) -> String? in
      guard let first = finding.first else { return nil }
      let seconds = Decimals.text((first - start) / .seconds(1), 2) ?? "?"
      return (finding.count == 1 ? "1 sample \(one), at " : "\(finding.count) samples \(many), the first at ")
        + "\(seconds) s"
    }
    switch kind {
    case .absurd:
      return told(absurd, "is not a valid acceleration", "are not valid accelerations").map { "\($0); ignored" }
    case .spikes:
      return told(spikes, "is a spike", "are spikes").map { "\($0); ignored (check the sensor's connection)" }
    case .overflows:
      return told(overflows, "overflowed the sensor's range", "overflowed the sensor's range").map {
        "\($0); corrected (record with a wider range)"
      }
    case .saturated:
      let end = "at the end of the sensor's range of \(Decimals.text(Double(range ?? 0), 2) ?? "?") g"
      return told(saturated, "is \(end)", "are \(end)").map {
        "\($0); their true values were estimated (record with a wider range)"
      }
    case .frozen:
      guard let first = frozen.first else { return nil }
      let seconds = Decimals.text((first - start) / .seconds(1), 2) ?? "?"
      let times = frozen.count == 1 ? "once, at" : "\(frozen.count) times, first at"
      return "the sensor froze \(times) \(seconds) s, for \(Decimals.duration(frozenDuration)) in all;"
        + " steps made in that time are missing"
    case .frequency:
      guard let insufficientFrequency else { return nil }
      return "sampled at \(Decimals.text(insufficientFrequency, 1) ?? "?") Hz, too slowly for impacts this short;"
        + " steps of a run or measured at a foot may be missed; record with 50 Hz or more"
    case .uncertain:
      guard uncertain > .zero else { return nil }
      return "gravity was removed from the samples, and \(Decimals.duration(uncertain)) of movement that repeats was"
        + " not counted, which may be walking; record the acceleration with gravity"
    }
  }
}

/// Reports each kind of damage once, however often it occurs.
package struct DamageNews: Sendable {
  private var told: Set<SampleDamage.Kind> = []

  package init() {}

  /// The sentences about kinds of damage that have not been reported yet.
  package mutating func take(_ damage: SampleDamage, since start: Duration?) -> [String] {
    if damage.isEmpty { return [] }
    return damage.found(since: start).compactMap { told.insert($0.kind).inserted ? $0.sentence : nil }
  }
}
