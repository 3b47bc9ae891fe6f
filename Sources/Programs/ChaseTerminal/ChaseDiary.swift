import ChaseEngine

/// What has happened in this run: alerts with their times, and the gap at each second. The engine forgets both.
final class ChaseDiary {
  /// All alerts of this run and when they were posted, oldest first; also those that were dismissed.
  private(set) var entries: [(alert: Alert, elapsed: Duration)] = []
  /// The gap in metres about once a second, from the start.
  private(set) var gaps: [Double] = []

  private var reporter: ChaseReporter?
  /// Seconds of the chase between two values of the course.
  private var interval = 1.0

  /// A longer course is thinned out.
  private static let longestCourse = 2000

  init(of model: AppModel) {
    reporter = ChaseReporter(model: model) { [weak self, unowned model] event in self?.note(event, of: model) }
  }

  private func note(_ event: ChaseEvent, of model: AppModel) {
    switch event {
    case .state(_, let state):
      if state == .notStarted { (entries, gaps, interval) = ([], [], 1) }
      if state.isOver { gaps.append(max(0, model.dataModel.gap)) }
    case .alert(_, let alert):
      entries.append((alert, model.elapsed))
    case .chase(let frame):
      guard frame.state == .inProgress, frame.elapsed / .seconds(1) >= Double(gaps.count) * interval else { return }
      gaps.append(max(0, frame.gap))
      guard gaps.count > Self.longestCourse else { return }
      gaps = gaps.indices.filter { $0.isMultiple(of: 2) }.map { gaps[$0] }
      interval *= 2
    }
  }
}
