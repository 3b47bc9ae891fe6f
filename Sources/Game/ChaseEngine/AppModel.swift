import Pedometry

/// The chase: a state, the walker's figures, Nessie, a pedometer, and the rules between them.
///
/// It belongs to one owner and is not `Sendable`: the compiler keeps it on the thread, task or actor that created it.
/// Pedometers call back on their own threads; their data is queued in a mailbox until the owner calls ``advance(to:)``,
/// the only place where time passes. It has no clock.
///
/// The sensor and Nessie are active if and only if ``appState`` is ``AppState/inProgress``.
///
///     let model = AppModel(pedometer: pedometer)
///     try model.dataModel.setGoal(1000)
///     try model.start()
public final class AppModel {
  /// Posted with the model as object whenever ``stateChangedCallback`` is called, for all other listeners.
  public static let stateNotification = NotificationHub.Name("AppModelStateChanged")

  /// A shared instance, as in the founding game. The engine does not use it.
  @MainActor public static let instance = AppModel(alertCenter: AlertCenter.instance)

  /// Counts the steps. Replacing it during a chase stops the old one and begins a session of the new one.
  public var pedometer: any Pedometer {
    didSet {
      guard session != nil else { return }
      oldValue.pause()
      startPedometer()
    }
  }
  /// The figures.
  public let dataModel: DataModel
  /// Receives alerts; its hub carries all the messages of this chase.
  public let alertCenter: AlertCenter
  /// The state of the chase.
  public private(set) var appState = AppState.notStarted
  /// Called at once whenever ``appState`` was set, after the sensor and Nessie have been started or stopped. One
  /// listener only; others use ``stateNotification``.
  public var stateChangedCallback: ((AppModel) -> Void)?
  /// The current time, from zero when the model was created. It passes in every state.
  public private(set) var now = Duration.zero

  /// How long this run has been in progress, without pauses.
  public var elapsed: Duration { elapsedBefore + (runningSince.map { now - $0 } ?? .zero) }

  private let mailbox: PedometerMailbox
  private let updateTiming: UpdateTiming
  private var session: PedometerSession?
  private var sessionCount = 0
  /// The data of the pedometer that is not due yet, in order of delivery and of time.
  private var pending: [(time: Duration, content: PedometerMailbox.Content)] = []
  private var horizon = Duration.zero
  private var elapsedBefore = Duration.zero
  private var runningSince: Duration?
  private var isAdvancing = false

  /// Creates a chase that has not started.
  /// - Parameters:
  ///   - pedometer: counts the steps. The engine does not depend on sensors, so by default there is none.
  ///   - settings: Nessie's speed and the head start.
  ///   - updateTiming: when an update counts.
  ///   - alertCenter: receives alerts.
  ///   - wake: called on a pedometer's thread when data is queued for ``advance(to:)``, so that the owner need not
  ///     poll.
  public init(
    pedometer: any Pedometer = NoPedometer(), settings: ChaseSettings = .walking,
    updateTiming: UpdateTiming = .sensorClock, alertCenter: AlertCenter = AlertCenter(),
    wake: (@Sendable () -> Void)? = nil
  ) {
    (self.pedometer, self.updateTiming, self.alertCenter) = (pedometer, updateTiming, alertCenter)
    dataModel = DataModel(settings: settings, alertCenter: alertCenter)
    mailbox = PedometerMailbox(wake: wake)
    dataModel.outcomeReached = { [weak self] in self?.end(in: $0) }
  }

  deinit {
    if session != nil { pedometer.pause() }
  }
}

// MARK: - Actions of the user

extension AppModel {
  /// Starts the chase, or resumes it after a pause. Without a usable or permitted sensor an alert is posted and the
  /// state does not change. During a chase it has no effect.
  /// - Throws: ``AppError/goalNotSet``, or ``AppError/invalidState(_:)`` after the end of a chase.
  public func start() throws(AppError) {
    receiveUpToNow()
    guard try moves(on: .start) else { return }
    guard dataModel.goal != nil else { throw .goalNotSet }
    guard pedometer.pedometerAvailable else { return alertCenter.postAlert(alert: explained(.noPedometer)) }
    guard !pedometer.permissionDeclined else { return alertCenter.postAlert(alert: explained(.notAuthorized)) }
    enter(.inProgress)
  }

  /// The alert with the pedometer's reason, if it has one.
  private func explained(_ alert: Alert) -> Alert {
    (pedometer as? any ExplainedPedometer)?.obstacle.map { alert.with(detail: $0) } ?? alert
  }

  /// Pauses the sensor and Nessie. In a paused chase it has no effect.
  /// - Throws: ``AppError/invalidState(_:)`` before the start and after the end.
  public func pause() throws(AppError) {
    receiveUpToNow()
    guard try moves(on: .pause) else { return }
    enter(.paused)
  }

  /// Returns to the beginning from any state: without goal, figures, or alerts of the previous run.
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

// MARK: - States

extension AppModel {
  /// Whether the transition table allows a trigger to change the state.
  private func moves(on trigger: AppState.Trigger) throws(AppError) -> Bool {
    switch appState.reply(to: trigger) {
    case .moves: true
    case .stays: false
    case .refuses: throw .invalidState(appState)
    }
  }

  /// The only way from one state to another, except ``restart()``. Observers of the new state find the sensor and
  /// Nessie in that state.
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

  /// Outcomes only count during the chase.
  private func end(in outcome: DataModel.Outcome) {
    guard appState == .inProgress else { return }
    enter(outcome == .caught ? .caught : .completed)
  }
}

// MARK: - Pedometer

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

  /// Takes data of a pedometer or an error; data is processed first. Ignored unless the chase is in progress.
  ///
  /// Called for all data of the pedometer; an owner with updates may call it too.
  public func handleData(data: (any PedometerData)?, error: (any Error)?) {
    guard appState == .inProgress else { return }
    if let data {
      add(data)
      dataModel.settle()
    } else if let error {
      stopCounting(for: error, otherwise: .dataAlert)
    }
  }

  /// Takes the start of the sensor (`nil`) or its error. An error pauses the chase, since Nessie must not swim while no
  /// steps are counted. Ignored unless the chase is running.
  public func handleEvents(error: (any Error)?) {
    guard appState == .inProgress, let error else { return }
    let text = "\(error)"
    stopCounting(for: error, otherwise: Alert(kind: Alert.Kind(rawValue: "sensorError"), text: text))
  }

  private func add(_ data: any PedometerData) {
    guard let growth = session?.growth(to: data) else { return }
    dataModel.add(steps: growth.steps, distance: growth.distance)
    if let totals = data as? WalkTotals { dataModel.report(totals) }
  }

  private func stopCounting(for error: any Error, otherwise unknown: Alert) {
    let alert: Alert =
      switch error as? PedometerError {
      case .notAuthorized(let remedy)?: .notAuthorized.with(detail: remedy)
      case .notAvailable(let reason)?: .noPedometer.with(detail: reason)
      case .sensorLost(let reason)?: .dataAlert.with(detail: reason)
      case nil: unknown.with(detail: "\(error)")
      }
    alertCenter.postAlert(alert: alert)
    if appState == .inProgress { enter(.paused) }
  }
}

// MARK: - Time

extension AppModel {
  /// Advances the time, and with it all due events: strokes of Nessie at whole seconds of the chase, updates at their
  /// time. Events at one instant count together, and are checked and announced once.
  ///
  /// The chase does not depend on how often this is called, as long as all measurements up to a time are delivered
  /// before the time advances to it. Later deliveries count from then on.
  /// - Parameter time: the time since the model was created. An earlier or equal time only processes queued data. So
  ///   does a call from a listener, whose time is then reached before the outer call returns.
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

  private var nextInstant: Duration? { [pending.first?.time, dataModel.nessie.nextStroke].compactMap { $0 }.min() }

  private func receiveUpToNow() { advance(to: now) }

  private func live(through instant: Duration) {
    var hasChanged = false
    // Read each time, since an error or a listener may end the session.
    while let next = pending.first, next.time <= instant {
      let content = pending.removeFirst().content
      if case .data(let data) = content {
        add(data)
        hasChanged = true
        continue
      }
      // An error ends the session: earlier measurements count first.
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

  /// Schedules the queued data of pedometers. Data of other sessions is dropped.
  private func collectMail() {
    for letter in mailbox.collect() {
      guard let session, letter.session == session.number else { continue }
      var time: Duration?
      if updateTiming == .sensorClock, case .data(let data) = letter.content { time = session.time(of: data) }
      // Handlers are called in order, so it is not due before an earlier delivery.
      pending.append((max(time ?? now, now, pending.last?.time ?? now), letter.content))
    }
  }
}
