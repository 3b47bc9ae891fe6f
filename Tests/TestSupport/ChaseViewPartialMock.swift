import ChaseEngine

/// A partial mock: the real chase view, which also notes what it was told.
public final class ChaseViewPartialMock: ChaseView {
  public private(set) var updateStateCalled = false
  public private(set) var lastRunner: Double?
  public private(set) var lastNessie: Double?

  public override func updateState(runner: Double, nessie: Double) {
    updateStateCalled = true
    lastRunner = runner
    lastNessie = nessie
    super.updateState(runner: runner, nessie: nessie)
  }
}
