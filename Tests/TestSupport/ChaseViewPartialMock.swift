import ChaseEngine

/// A partial mock: the real chase view, which also records its calls.
public final class ChaseViewPartialMock: ChaseView {
  /// The received fractions of the distance, runner and Nessie, in order.
  public private(set) var updates: [SIMD2<Double>] = []

  public override func updateState(runner: Double, nessie: Double) {
    updates.append([runner, nessie])
    super.updateState(runner: runner, nessie: nessie)
  }
}
