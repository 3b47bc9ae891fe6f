/// A gate with other constants than the shipped ones.
///
/// A class, so that a detector that has none carries one empty reference and nothing else.
package final class TrialGate: Sendable {
  /// One term: a feature's name in ``BlockFeatures``, and its piecewise-linear weight.
  package struct Term: Sendable, Hashable {
    package var name: String
    package var low: Double
    package var knot: Double
    package var high: Double
    /// Log-odds per unit below the knot and above it.
    package var below: Double
    package var above: Double

    package init(name: String, low: Double, knot: Double, high: Double, below: Double, above: Double) {
      self.name = name
      self.low = low
      self.knot = knot
      self.high = high
      self.below = below
      self.above = above
    }

    fileprivate init(_ name: String, _ shape: PiecewiseLinear) {
      self.init(
        name: name, low: Self.decimal(shape.low), knot: Self.decimal(shape.knot), high: Self.decimal(shape.high),
        below: Self.decimal(shape.below), above: Self.decimal(shape.above))
    }

    /// The decimal number that was written down, not its neighbour in binary.
    private static func decimal(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

    fileprivate var shape: PiecewiseLinear {
      PiecewiseLinear(low: Float(low), knot: Float(knot), high: Float(high), below: Float(below), above: Float(above))
    }
  }

  /// The log-odds at zero of all terms.
  package let bias: Double
  /// In the order of ``BlockFeatures/terms``.
  package let terms: [Term]
  private let shapes: [PiecewiseLinear]

  /// Makes a gate.
  /// - Parameter terms: one for each of ``BlockFeatures/termNames``, in that order.
  package init(bias: Double, terms: [Term]) {
    precondition(terms.map(\.name) == BlockFeatures.termNames, "a gate has one term for each feature, in their order")
    self.bias = bias
    self.terms = terms
    shapes = terms.map(\.shape)
  }

  /// The log-odds that the window is walking.
  package func evidence(of features: BlockFeatures) -> Float {
    if features.amplitude < Tuning.quietAmplitude { return Tuning.quietEvidence }
    return zip(shapes, features.terms).reduce(Float(bias)) { $0 + $1.0(Float($1.1)) }
  }

  /// The constants of ``Tuning``.
  package static var shipped: TrialGate {
    TrialGate(
      bias: Double("\(Tuning.gateBias)") ?? Double(Tuning.gateBias),
      terms: zip(
        BlockFeatures.termNames,
        [Tuning.strideTerm, Tuning.halfStrideTerm, Tuning.amplitudeTerm, Tuning.shareTerm, Tuning.shakingTerm]
      ).map { Term($0, $1) })
  }
}

extension BlockFeatures {
  /// The names of the gate's features, as the properties are called.
  package static let termNames = ["strideScore", "halfStride", "logAmplitude", "logShare", "shaking"]

  /// Their values, in that order.
  package var terms: [Double] {
    [strideScore, halfStride, logAmplitude, logShare, shaking].map(Double.init)
  }
}
