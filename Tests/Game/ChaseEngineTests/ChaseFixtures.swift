import ChaseEngine
import Pedometry
import TestSupport

/// A separate chase with a mock pedometer.
struct Chase {
  let pedometer = MockPedometer()
  let model: AppModel

  init(settings: ChaseSettings = .walking, timing: UpdateTiming = .sensorClock) {
    model = AppModel(pedometer: pedometer, settings: settings, updateTiming: timing)
  }

  /// A chase with a goal.
  static func withGoal(_ goal: Int = 1000, settings: ChaseSettings = .walking) throws -> Chase {
    let chase = Chase(settings: settings)
    try chase.model.dataModel.setGoal(goal)
    return chase
  }

  /// A chase with a goal that was started.
  static func inProgress(goal: Int = 1000, settings: ChaseSettings = .walking) throws -> Chase {
    let chase = try withGoal(goal, settings: settings)
    try chase.model.start()
    return chase
  }

  /// A chase that has reached a state by its own rules.
  static func inState(_ state: AppState) throws -> Chase {
    let chase = try state == .notStarted ? withGoal() : inProgress()
    switch state {
    case .notStarted, .inProgress: break
    case .paused: try chase.model.pause()
    case .completed: try chase.model.setToComplete()
    case .caught: try chase.model.setToCaught()
    }
    return chase
  }

  /// Sends an update of the sensor, which the owner collects.
  func send(steps: Int, distance: Double) {
    pedometer.sendData(MockData(steps: steps, distanceTravelled: distance))
    model.advance(to: model.now)
  }

  /// Advances the time by some seconds.
  func wait(seconds: Double) { model.advance(to: model.now + .seconds(seconds)) }

  /// Whether sensor and Nessie run, if they agree.
  var isRunning: Bool? {
    pedometer.isRunning == !model.dataModel.nessie.isSleeping ? pedometer.isRunning : nil
  }
}

extension DataModel {
  /// Sets the figures of a walker at the goal, like the helper in the founding documents.
  func setToComplete() throws {
    try setGoal(100)
    distance = 1
    steps = 100
  }

  /// Sets the figures of a caught walker.
  func setToCaught() throws {
    try setGoal(1000)
    distance = 1
    nessie.distance = distance + headstart
  }
}

extension AppModel {
  /// Ends the chase as won. If it is in progress, the figures already end it.
  func setToComplete() throws {
    try dataModel.setToComplete()
    try setCompleted()
  }

  /// Ends the chase as lost.
  func setToCaught() throws {
    try dataModel.setToCaught()
    try setCaught()
  }
}

/// Records the posts of an alert centre, in order.
final class AlertLog {
  private(set) var added: [Alert] = []
  private(set) var cleared: [Alert] = []
  private var token: ListenToken?

  init(_ center: AlertCenter) {
    token = center.notificationCenter.addObserver(for: AlertNotification.name, object: center) { [weak self] message in
      guard let alert = message.alert else { return }
      if message.alertChange == .added { self?.added.append(alert) } else { self?.cleared.append(alert) }
    }
  }
}

/// Records the events of a chase, in order.
final class EventLog {
  private(set) var events: [ChaseEvent] = []
  private var reporter: ChaseReporter?

  init(_ model: AppModel) {
    reporter = ChaseReporter(model: model) { [weak self] in self?.events.append($0) }
  }

  var states: [AppState] { events.compactMap { if case .state(_, let state) = $0 { state } else { nil } } }
  var alerts: [Alert] { events.compactMap { if case .alert(_, let alert) = $0 { alert } else { nil } } }
  var frames: [ChaseFrame] { events.compactMap { if case .chase(let frame) = $0 { frame } else { nil } } }
}

/// Walks to the end of a chase, with step lengths by the walk ratio at a height of 1.70 m; one cadence per second, the
/// last one for all later seconds.
func playChase(
  cadence: (_ second: Int) -> Int, goal: Int, settings: ChaseSettings
) throws -> AppModel {
  let mock = MockPedometer()
  let model = AppModel(pedometer: mock, settings: settings)
  try model.dataModel.setGoal(goal)
  try model.start()
  var steps = 0.0
  var distance = 0.0
  for second in 1...3600 where model.appState == .inProgress {
    let perMinute = Double(cadence(second))
    steps += perMinute / 60
    distance += perMinute / 60 * StepLengthModel.walkRatio().length(atCadence: perMinute / 60)
    mock.sendData(WalkTotals(steps: Int(steps), distanceTravelled: distance, elapsed: .seconds(second)))
    model.advance(to: .seconds(second))
  }
  return model
}
