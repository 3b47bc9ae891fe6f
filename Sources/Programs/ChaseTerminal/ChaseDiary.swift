import ChaseEngine

/// When each alert of this run was posted, also those that were dismissed. The engine forgets it.
final class ChaseDiary {
  /// Oldest first.
  private(set) var entries: [(alert: Alert, elapsed: Duration)] = []

  private var reporter: ChaseReporter?

  init(of model: AppModel) {
    reporter = ChaseReporter(model: model) { [weak self, unowned model] event in
      switch event {
      case .state(_, .notStarted): self?.entries = []
      case .alert(_, let alert): self?.entries.append((alert, model.elapsed))
      case .state, .chase: break
      }
    }
  }
}
