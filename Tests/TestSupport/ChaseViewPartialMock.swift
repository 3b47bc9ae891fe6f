import ChaseEngine

/// A partial mock: the real chase view, which also notes what it was told.
public final class ChaseViewPartialMock: ChaseView {
  /// The shares of the way that it was told, runner and Nessie, in their order.
  public private(set) var updates: [SIMD2<Double>] = []

  public override func updateState(runner: Double, nessie: Double) {
    updates.append([runner, nessie])
    super.updateState(runner: runner, nessie: nessie)
  }
}
