/// What evidence is worth: a probability for each mean of log-odds.
///
/// Blocks overlap and their errors go together, so the log-odds of a bout's blocks may not be added up. Their mean ranks
/// bouts; how often a bout of that rank is real is looked up here. The table is made by isotonic regression over labelled
/// recordings (Zadrozny B., Elkan C. "Transforming classifier scores into accurate multiclass probability estimates".
/// KDD 2002), and `detector-lab calibrate` makes it anew: after each new fit of the gate it must.
package struct ConfidenceTable: Sendable, Hashable {
  /// Mean evidence and probability, both rising; straight lines between the knots, flat beyond the ends.
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

  /// The evidence itself, as far as evidence goes: for making a table.
  package static let evidence = ConfidenceTable(knots: [
    Knot(BoutEvidence.range.lowerBound, BoutEvidence.range.lowerBound),
    Knot(BoutEvidence.range.upperBound, BoutEvidence.range.upperBound),
  ])

  /// Made by `detector-lab calibrate`.
  package static let shipped = ConfidenceTable(knots: [
    Knot(-0.75, 0.24), Knot(0.67, 0.79), Knot(1.23, 0.87), Knot(1.55, 0.91), Knot(2.23, 0.98), Knot(4.77, 0.99),
  ])
}

/// The evidence of the blocks inside a bout, added up.
package struct BoutEvidence: Sendable, Hashable {
  /// One block alone may not outvote the others: the log-odds are cut here. A block of rest has −8, the surest of gait 8.
  package static let range: ClosedRange<Double> = -4...6

  private var sum = 0.0
  package private(set) var blocks = 0

  package init() {}

  package mutating func add(_ evidence: Float) {
    sum += min(max(Double(evidence), Self.range.lowerBound), Self.range.upperBound)
    blocks += 1
  }

  /// The mean; that of no block is zero, which says nothing.
  package var mean: Double { blocks > 0 ? sum / Double(blocks) : 0 }
}
