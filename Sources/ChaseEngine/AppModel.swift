import Pedometry
import Synchronization

/// The chase: a state, a walker's figures, Nessie, a pedometer, and the rules between them.
///
/// It belongs to one owner and is not `Sendable`: the compiler keeps it on the thread, task or actor that made it.
/// Pedometers call back from threads of their own; what they say waits in a mailbox until the owner calls
/// ``advance(to:)``, the only place where time passes. It has no clock.
///
/// The sensor and Nessie run if and only if ``appState`` is ``AppState/inProgress``.
///
///     let model = AppModel(pedometer: pedometer)
///     try model.dataModel.setGoal(1000)
///     try model.start()
public final class AppModel {
  /// Posted with the model as object whenever ``stateChangedCallback`` is called, for everybody but that one listener.
  public static let stateNotification = NotificationHub.Name("AppModelStateChanged")

  /// A shared instance, as in the founding game. Nothing in the engine needs it.
  @MainActor public static let instance = AppModel(alertCenter: AlertCenter.instance)

  private static let factory = Mutex<@Sendable () -> any Pedometer>({ NoPedometer() })

  /// Makes the pedometer of a model that is given none.
  ///
  /// The engine knows no sensors, so by default it makes a ``NoPedometer``. A program that knows some installs them
  /// before it makes a model: the best real sensor, else a synthetic one.
  public static var pedometerFactory: @Sendable () -> any Pedometer {
    get { factory.withLock { $0 } }
    set { factory.withLock { $0 = newValue } }
  }

  /// Counts the steps. Exchanging it during a chase stops the old one and begins a session of the new one.
  public var pedometer: any Pedometer {
    didSet {
      guard session != nil else { return }
      oldValue.pause()
      startPedometer()
    }
  }
  /// The figures.
  public let dataModel: DataModel
  /// Where alerts go; its hub carries all the messages of this chase.
  public let alertCenter: AlertCenter
  /// Where the chase stands.
  public private(set) var appState = AppState.notStarted
  /// Called at once whenever ``appState`` was set, when the sensor and Nessie are running or stopped accordingly.
  /// One listener only; others use ``stateNotification``.
  public var stateChangedCallback: ((AppModel) -> Void)?
  /// How far time has come, from zero when the model was made. It goes on in every state.
  public private(set) var now = Duration.zero

  /// How long this run has been in progress, without pauses.
  public var elapsed: Duration { elapsedBefore + (runningSince.map { now - $0 } ?? .zero) }

  private let mailbox: PedometerMailbox
  private let sampleTiming: SampleTiming
  private var session: PedometerSession?
  private var sessionCount = 0
  private var pending = PendingInputs()
  private var horizon = Duration.zero
  private var elapsedBefore = Duration.zero
  private var runningSince: Duration?
  private var isAdvancing = false

  /// Makes a chase that has not started.
  /// - Parameters:
  ///   - pedometer: counts the steps.
  ///   - settings: the pursuer and the head start.
  ///   - sampleTiming: when a sample counts.
  ///   - alertCenter: where alerts go.
  ///   - wake: called on a pedometer's thread when something waits for ``advance(to:)``, so the owner need not poll.
  public init(
    pedometer: any Pedometer = AppModel.pedometerFactory(), settings: ChaseSettings = .walking,
    sampleTiming: SampleTiming = .sensorClock, alertCenter: AlertCenter = AlertCenter(),
    wake: (@Sendable () -> Void)? = nil
  ) {
    self.pedometer = pedometer
    self.sampleTiming = sampleTiming
    self.alertCenter = alertCenter
    dataModel = DataModel(settings: settings, alertCenter: alertCenter)
    mailbox = PedometerMailbox(wake: wake)
    dataModel.outcomeReached = { [weak self] in self?.end(in: $0) }
  }

  deinit {
    if session != nil { pedometer.pause() }
  }
}

// MARK: - what a user does

extension AppModel {
  /// Sets out, or goes on after a pause. Without a usable or permitted sensor an alert is posted and the state stays.
  /// In a chase that is under way already nothing happens.
  /// - Throws: ``AppError/goalNotSet``, or ``AppError/invalidState(_:)`` after the end of a chase.
  public func start() throws(AppError) {
    receiveUpToNow()
    guard try moves(on: .start) else { return }
    guard dataModel.goal != nil else { throw .goalNotSet }
    guard pedometer.pedometerAvailable else { return alertCenter.postAlert(alert: explained(.noPedometer)) }
    guard !pedometer.permissionDeclined else { return alertCenter.postAlert(alert: explained(.notAuthorized)) }
    enter(.inProgress)
  }

  /// The alert with the pedometer's own reason, if it has one.
  private func explained(_ alert: Alert) -> Alert {
    (pedometer as? any ExplainedPedometer)?.obstacle.map { alert.with(detail: $0) } ?? alert
  }

  /// Stops the sensor and Nessie where they are. In a paused chase nothing happens.
  /// - Throws: ``AppError/invalidState(_:)`` before the start and after the end.
  public func pause() throws(AppError) {
    receiveUpToNow()
    guard try moves(on: .pause) else { return }
    enter(.paused)
  }

  /// Back to the beginning from anywhere: without goal, figures, or alerts of the run before.
  public func restart() {
    let runAlerts = DataModel.milestones.map(\.alert) + DataModel.warnings.map(\.alert)
    stopRunning()
    appState = .notStarted
    elapsedBefore = .zero
    dataModel.clear()
    alertCenter.clearAlerts { runAlerts.contains($0) }
    announceState()
    dataModel.postUpdate()
  }

  /// Ends the chase as won.
  /// - Throws: ``AppError/invalidState(_:)`` unless ``DataModel/goalReached``.
  public func setCompleted() throws(AppError) {
    guard try moves(on: .goalReached) else { return }
    guard dataModel.goalReached else { throw .invalidState(appState) }
    enter(.completed)
  }

  /// Ends the chase as lost.
  /// - Throws: ``AppError/invalidState(_:)`` unless ``DataModel/caught``.
  public func setCaught() throws(AppError) {
    guard try moves(on: .caught) else { return }
    guard dataModel.caught else { throw .invalidState(appState) }
    enter(.caught)
  }
}

// MARK: - states

extension AppModel {
  /// Whether the table lets a trigger change the state.
  private func moves(on trigger: AppState.Trigger) throws(AppError) -> Bool {
    switch appState.reply(to: trigger) {
    case .moves: true
    case .stays: false
    case .refuses: throw .invalidState(appState)
    }
  }

  /// The only way from one state to another, but for ``restart()``. Observers of the new state find the sensor
  /// and Nessie as it demands.
  private func enter(_ state: AppState) {
    stopRunning()
    appState = state
    if state == .inProgress {
      startPedometer()
      runningSince = now
      dataModel.nessie.startSwimming(at: now)
    }
    announceState()
  }

  private func stopRunning() {
    guard session != nil else { return }
    session = nil
    elapsedBefore = elapsed
    runningSince = nil
    pending.removeAll()
    pedometer.pause()
    dataModel.nessie.stopSwimming(at: now)
  }

  private func announceState() {
    stateChangedCallback?(self)
    alertCenter.notificationCenter.post(name: Self.stateNotification, object: self)
  }

  /// What the figures amount to counts only while the chase is on.
  private func end(in outcome: DataModel.Outcome) {
    guard appState == .inProgress else { return }
    enter(outcome == .caught ? .caught : .completed)
  }
}

// MARK: - the pedometer

extension AppModel {
  /// Begins a session of the pedometer, which counts from zero.
  private func startPedometer() {
    sessionCount += 1
    let number = sessionCount
    session = PedometerSession(number: number, beginning: now)
    pending.removeAll()
    pedometer.start(
      dataUpdates: { [mailbox] data, error in
        if let data {
          mailbox.deliver(.data(data), session: number)
        } else if let error {
          mailbox.deliver(.dataError(error), session: number)
        }
      },
      eventUpdates: { [mailbox] error in
        if let error { mailbox.deliver(.eventError(error), session: number) }
      })
  }

  /// Takes in what a pedometer has measured or why it cannot; data go before an error. Ignored unless the chase is on.
  ///
  /// Called for everything that came through the pedometer; an owner who has samples in hand may call it too.
  public func handleData(data: (any PedometerData)?, error: (any Error)?) {
    guard appState == .inProgress else { return }
    if let data {
      add(data)
      dataModel.settle()
    } else if let error {
      stopCounting(for: error, otherwise: .dataAlert)
    }
  }

  /// Takes in that the sensor runs (`nil`) or why it does not. An error pauses the chase, for Nessie must not swim
  /// while no steps are counted. Ignored unless the chase is running.
  public func handleEvents(error: (any Error)?) {
    guard appState == .inProgress, let error else { return }
    let text = "\(error)"
    stopCounting(for: error, otherwise: Alert(kind: Alert.Kind(rawValue: "sensorError"), text: text))
  }

  private func add(_ data: any PedometerData) {
    guard let growth = session?.growth(to: data) else { return }
    dataModel.add(steps: growth.steps, distance: growth.distance)
  }

  private func stopCounting(for error: any Error, otherwise unknown: Alert) {
    let alert: Alert =
      switch (error as? PedometerError).map({ ($0.code, $0.detail) }) {
      case (.notAuthorized, let detail)?: .notAuthorized.with(detail: detail)
      case (.notAvailable, let detail)?: .noPedometer.with(detail: detail)
      case (.sensorLost, let detail)?: .dataAlert.with(detail: detail)
      default: unknown.with(detail: "\(error)")
      }
    alertCenter.postAlert(alert: alert)
    if appState == .inProgress { enter(.paused) }
  }
}

// MARK: - time

extension AppModel {
  /// Lets time pass, and with it everything that was due: strokes of Nessie at whole seconds of the chase, samples at
  /// their time. What is due at one instant counts together, and is checked and announced once.
  ///
  /// However often this is called, the chase is the same, as long as everything measured up to a time is delivered
  /// before time gets there. What comes later counts from now on.
  /// - Parameter time: since the model was made. A time that was reached already only takes in what waits; so does a
  ///   call from a listener, whose time is then reached before the call that is under way returns.
  public func advance(to time: Duration) {
    collectMail()
    horizon = max(horizon, time)
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while let instant = nextInstant, instant <= horizon {
      now = max(now, instant)
      live(through: instant)
    }
    now = horizon
  }

  private var nextInstant: Duration? {
    guard let stroke = dataModel.nessie.nextStroke else { return pending.nextTime }
    return pending.nextTime.map { min($0, stroke) } ?? stroke
  }

  private func receiveUpToNow() { advance(to: now) }

  private func live(through instant: Duration) {
    var hasChanged = false
    while let content = pending.next(until: instant) {
      if case .data(let data) = content {
        add(data)
        hasChanged = true
        continue
      }
      // An error ends the session: what was measured before it counts first.
      if hasChanged { dataModel.settle() }
      hasChanged = false
      handle(content)
    }
    if let stroke = dataModel.nessie.nextStroke, stroke <= instant {
      dataModel.tick()
      hasChanged = true
    }
    if hasChanged { dataModel.settle() }
  }

  private func handle(_ content: PedometerMailbox.Content) {
    switch content {
    case .data(let data): handleData(data: data, error: nil)
    case .dataError(let error): handleData(data: nil, error: error)
    case .eventError(let error): handleEvents(error: error)
    }
  }

  /// Puts what pedometers have said where its time will come. What is of another session is dropped.
  private func collectMail() {
    for letter in mailbox.collect() {
      guard let session, letter.session == session.number else { continue }
      var time: Duration?
      if sampleTiming == .sensorClock, case .data(let data) = letter.content { time = session.time(of: data) }
      pending.append(letter.content, at: max(time ?? now, now))
    }
  }
}
