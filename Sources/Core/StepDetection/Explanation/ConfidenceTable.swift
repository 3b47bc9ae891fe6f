/// Maps evidence to confidence: a probability for each mean of log-odds.
///
/// Blocks overlap and their errors correlate, so the log-odds of a bout's blocks must not be added up. Their mean ranks
/// bouts, and the table gives the share of bouts of that rank that are real. It is an isotonic regression over labelled
/// recordings, each counted by a gate that was fitted without its person (Zadrozny B., Elkan C. "Transforming classifier
/// scores into accurate multiclass probability estimates". KDD 2002). `detector-lab fit --confidence` computes it, and has
/// to be run after each new fit of the gate.
package struct ConfidenceTable: Sendable, Hashable {
  /// Mean evidence and probability, both rising; interpolated linearly between the knots, constant beyond the ends.
  package let knots: [Knot]

  package struct Knot: Sendable, Hashable {
    package var evidence: Double
    package var confidence: Double

    package init(_ evidence: Double, _ confidence: Double) {
      self.evidence = evidence
      self.confidence = confidence
    }
  }

  /// - Parameter knots: at least one; evidence rises, confidence does not fall.
  package init(knots: [Knot]) {
    precondition(!knots.isEmpty, "a table has a line")
    precondition(
      zip(knots, knots.dropFirst()).allSatisfy { $0.evidence < $1.evidence && $0.confidence <= $1.confidence },
      "more evidence is never worth less")
    self.knots = knots
  }

  /// The probability that a bout of this mean evidence is walking.
  package func callAsFunction(_ evidence: Double) -> Double {
    guard let after = knots.firstIndex(where: { $0.evidence > evidence }) else {
      return knots[knots.count - 1].confidence
    }
    if after == 0 { return knots[0].confidence }
    let (a, b) = (knots[after - 1], knots[after])
    return a.confidence + (evidence - a.evidence) / (b.evidence - a.evidence) * (b.confidence - a.confidence)
  }

  /// The identity over the range of evidence, used to compute a table.
  package static let evidence = ConfidenceTable(knots: [
    Knot(BoutEvidence.range.lowerBound, BoutEvidence.range.lowerBound),
    Knot(BoutEvidence.range.upperBound, BoutEvidence.range.upperBound),
  ])

  /// For a recording that is known to be a walk.
  static let certain = ConfidenceTable(knots: [Knot(0, 1)])

  /// Computed by `detector-lab fit --leave-out person --confidence`, with three seeds.
  package static let shipped = ConfidenceTable(knots: [
    Knot(-3.21, 0.09), Knot(0.16, 0.69), Knot(1.06, 0.77), Knot(1.33, 0.78), Knot(1.45, 0.78), Knot(1.51, 0.84),
    Knot(1.56, 0.84), Knot(1.62, 0.9), Knot(1.68, 0.9), Knot(1.72, 0.91), Knot(1.85, 0.94), Knot(2, 0.94),
    Knot(2.13, 0.96), Knot(2.21, 0.96), Knot(2.29, 0.98), Knot(2.39, 0.98), Knot(2.52, 0.99),
  ])
}

/// The sum of the evidence of the blocks of a bout.
package struct BoutEvidence: Sendable, Hashable {
  /// The log-odds are clipped here, so that one block cannot outvote the others. A block of rest has −8, the clearest gait 8.
  package static let range: ClosedRange<Double> = -4...6

  private var sum = 0.0
  package private(set) var blocks = 0

  package init() {}

  package mutating func add(_ evidence: Float) {
    sum += min(max(Double(evidence), Self.range.lowerBound), Self.range.upperBound)
    blocks += 1
  }

  /// The mean; without blocks zero, which is neutral.
  package var mean: Double { blocks > 0 ? sum / Double(blocks) : 0 }
}
