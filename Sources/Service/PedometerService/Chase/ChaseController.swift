import ChaseEngine
import Pedometry
import Presentation
import ServiceCore
import ServiceHTTP

/// The single chase of the service: controlled by requests, driven by the service's steps; its lines are published.
///
/// It has no clock: it reads the service's time four times a second while Nessie swims.
actor ChaseController {
  /// The events since the last reading.
  private final class Log {
    var lines: [String] = []
    var lastAlert: Alert?
  }

  private let pedometer: ServicePedometer
  private let clock: ServiceClock
  private let publish: @Sendable (String) -> Void
  private var model: AppModel?
  private var reporter: ChaseReporter?
  private var log = Log()
  private var origin = Duration.zero
  private var course = ChaseCourse()
  private var latest = ChaseController.notStarted
  private var ticking: Task<Void, Never>?

  private static let tick = Duration.milliseconds(250)
  private static let notStarted = String(ChaseLine.json(.notStarted, at: .zero).dropLast())

  init(pedometer: ServicePedometer, clock: ServiceClock, publish: @escaping @Sendable (String) -> Void) {
    (self.pedometer, self.clock, self.publish) = (pedometer, clock, publish)
  }

  /// The latest `chase` line, for those who have not read the stream: with the state, and once it is over with its course.
  /// Without a chase, a `state` line.
  var line: String { latest }

  /// Performs a request.
  /// - Throws: ``ServiceRefusal`` if the chase's state does not allow it.
  func steer(_ action: ChaseAction) throws -> AppState {
    defer { settle() }
    switch action {
    case .start(let goal, let speed, let headStart): try begin(goal: goal, speed: speed, headStart: headStart)
    case .pause: try doing { try $0.pause() }
    case .resume: try resume()
    case .restart: try restart()
    case .stop: stop()
    }
    return model?.appState ?? .notStarted
  }

  private func begin(goal: Int, speed: Double?, headStart: Double?) throws {
    if let state = model?.appState, state == .inProgress || state == .paused {
      throw ServiceRefusal(409, "a chase is \(state == .paused ? "paused" : "on"); stop it first")
    }
    let settings: ChaseSettings
    do {
      settings = try ChaseSettings(
        velocity: speed ?? ChaseSettings.walking.velocity, headstart: headStart ?? ChaseSettings.walking.headstart)
    } catch { throw ServiceRefusal(400, "\(error)") }
    let model = AppModel(
      pedometer: pedometer, settings: settings, updateTiming: .arrival, wake: { Task { await self.settle() } })
    do { try model.dataModel.setGoal(goal) } catch { throw ServiceRefusal(400, "\(error)") }
    (self.model, origin, log, course) = (model, clock.elapsed(), Log(), ChaseCourse())
    reporter = ChaseReporter(model: model) { [log] event in
      log.lines.append(String(ChaseLine.json(event).dropLast()))
      if case .alert(_, let alert) = event { log.lastAlert = alert }
    }
    try start(model)
  }

  private func start(_ model: AppModel) throws {
    try doing { try $0.start() }
    if model.appState != .inProgress {
      let reason = log.lastAlert.map { $0.detail ?? $0.text } ?? "no source is counting"
      throw ServiceRefusal(503, "\(reason); see GET /api/checks")
    }
  }

  private func resume() throws {
    guard let model, model.appState == .paused else { throw ServiceRefusal(409, "no chase is paused; start one") }
    model.alertCenter.clearAlerts()
    try start(model)
  }

  private func restart() throws {
    guard let model, let goal = model.dataModel.goal else {
      throw ServiceRefusal(409, "no chase to restart; start one with a goal")
    }
    model.restart()
    course = ChaseCourse()
    try? model.dataModel.setGoal(goal)
    try start(model)
  }

  private func stop() {
    model?.restart()
    settle()
    (model, reporter) = (nil, nil)
    latest = Self.notStarted
  }

  private func doing(_ act: (AppModel) throws -> Void) throws {
    guard let model else { throw ServiceRefusal(409, "no chase is running; start one with a goal") }
    model.advance(to: clock.elapsed() - origin)
    do {
      try act(model)
    } catch { throw ServiceRefusal(409, "\(error)") }
  }

  /// Advances the time, publishes the events, and repeats this during the chase.
  func settle() {
    guard let model else { return }
    model.advance(to: clock.elapsed() - origin)
    for line in log.lines { publish(line) }
    log.lines.removeAll()
    let frame = ChaseFrame(of: model)
    course.add(frame)
    latest = String(
      (frame.state == .notStarted
        ? ChaseLine.json(frame.state, at: frame.time)
        : ChaseLine.json(frame, hasState: true, course: course.json)).dropLast())
    if model.appState == .inProgress {
      if ticking == nil { ticking = Task { await self.tickOn() } }
    } else {
      ticking?.cancel()
      ticking = nil
    }
  }

  private func tickOn() async {
    while !Task.isCancelled {
      try? await clock.sleep(Self.tick)
      if Task.isCancelled { return }
      settle()
    }
  }
}
