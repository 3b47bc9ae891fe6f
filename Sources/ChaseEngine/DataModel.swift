/// What is known about one run: the walker's goal, steps and distance, and Nessie.
///
/// It knows nothing of the chase's state. What its figures amount to, it reports to its owner through
/// ``outcomeReached``.
public final class DataModel {
  /// Posted with the model as object whenever its figures have changed, once for each change and when all of them
  /// fit together.
  public static let updateNotification = NotificationHub.Name("DataModelUpdated")

  /// How a run ended.
  public enum Outcome: Sendable, Hashable {
    case completed, caught
  }

  /// Milestones of the walker, as fractions of the goal, in the order in which they are announced.
  public static let milestones: [(fraction: Double, alert: Alert)] = [
    (0.25, .milestone25Percent), (0.50, .milestone50Percent), (0.75, .milestone75Percent), (1.00, .goalComplete),
  ]
  /// Warnings of Nessie, as fractions of her way to the walker, in the order in which they are announced.
  public static let warnings: [(fraction: Double, alert: Alert)] = [
    (0.5, .nessie50Percent), (0.9, .nessie90Percent), (1.0, .caughtByNessie),
  ]

  /// Steps to reach; `nil` until ``setGoal(_:)``.
  public private(set) var goal: Int?
  /// Metres walked. Setting it checks nothing; ``steps`` does.
  public var distance = 0.0
  /// Metres the walker was ahead before the first step.
  public let headstart: Double
  /// The pursuer.
  public let nessie: Nessie
  /// Milestones and warnings that were posted in this run. The alert centre cannot know, for alerts are cleared there.
  public private(set) var sentAlerts: [Alert] = []
  /// What the walker did in the last seconds.
  public private(set) var recentWalk = RecentWalk()
  /// Called when the figures say that the run is over, each time they are checked. An ``AppModel`` sets it for its own.
  public var outcomeReached: ((Outcome) -> Void)?

  private let alertCenter: AlertCenter
  private var stepTotal = 0

  /// Makes a run that has not begun.
  /// - Parameters:
  ///   - settings: the pursuer and the head start.
  ///   - alertCenter: where milestones and warnings go; updates are posted on its hub.
  public init(settings: ChaseSettings = .walking, alertCenter: AlertCenter = AlertCenter()) {
    headstart = settings.headstart
    nessie = Nessie(pursuer: settings.pursuer)
    self.alertCenter = alertCenter
  }

  /// Steps walked. Setting it checks milestones, warnings and the outcome and posts one update, so set ``distance``
  /// first, or both by ``walk(steps:distance:)``. A number below zero counts as zero.
  public var steps: Int {
    get { stepTotal }
    set {
      stepTotal = max(0, newValue)
      settle()
    }
  }

  /// Sets a goal in steps. Another goal than before makes the milestones count anew; they are checked with the next
  /// step or stroke.
  /// - Throws: ``AppError/goalNotPositive(_:)``; the goal stays what it was.
  public func setGoal(_ newGoal: Int) throws(AppError) {
    guard newGoal > 0 else { throw .goalNotPositive(newGoal) }
    guard newGoal != goal else { return }
    goal = newGoal
    let milestones = Self.milestones.map(\.alert)
    sentAlerts.removeAll { milestones.contains($0) }
    postUpdate()
  }

  /// Walks on: both figures grow at once, then everything is checked and one update is posted.
  public func walk(steps: Int, distance: Double) {
    add(steps: steps, distance: distance)
    settle()
  }

  /// Adds without checking. What is below zero or no number counts as zero; what is too large for an `Int` stays at
  /// its end.
  func add(steps: Int, distance: Double) {
    let (sum, overflow) = stepTotal.addingReportingOverflow(max(0, steps))
    stepTotal = overflow ? .max : sum
    if distance.isFinite, distance > 0 { self.distance += distance }
  }

  /// Lets one second of the chase pass: notes where the walker is, then Nessie makes a stroke. Checks nothing.
  func tick() {
    recentWalk.record(steps: stepTotal, distance: distance)
    nessie.swim(after: recentWalk)
  }

  /// Clears everything, the goal too, and posts one update.
  public func restart() {
    clear()
    postUpdate()
  }

  func clear() {
    goal = nil
    stepTotal = 0
    distance = 0
    nessie.reset()
    sentAlerts = []
    recentWalk = RecentWalk()
  }

  func postUpdate() {
    alertCenter.notificationCenter.post(name: Self.updateNotification, object: self)
  }
}

extension DataModel {
  /// Metres from Nessie to the walker; 0 or less once she is there.
  public var gap: Double { distance + headstart - nessie.distance }

  /// Whether Nessie is where the walker is. Without a head start both begin at one place, and that is not a catch.
  public var caught: Bool { nessie.distance > 0 && gap <= 0 }

  /// Whether the steps suffice, and Nessie did not come first. At one and the same instant Nessie wins.
  public var goalReached: Bool {
    guard let goal else { return false }
    return stepTotal >= goal && !caught
  }

  /// How much of the goal is walked, 0 to 1; of 10 000 steps while there is no goal.
  public var runnerFraction: Double { min(Double(stepTotal) / Double(goal ?? 10_000), 1) }

  /// How much of the way to the walker Nessie has swum: 0 to 1, and 1 exactly when the walker is caught.
  public var nessieFraction: Double {
    if caught { return 1 }
    guard nessie.distance > 0 else { return 0 }
    return min(nessie.distance / (distance + headstart), 1.0.nextDown)
  }
}

extension DataModel {
  /// Announces the milestones that are reached and were not announced in this run. None without a goal, none once
  /// caught.
  public func updateForSteps() {
    for (fraction, alert) in Self.milestones {
      // Read anew each time: a listener may have restarted the run.
      guard let goal, !caught else { return }
      if Double(stepTotal) >= fraction * Double(goal) { postOnce(alert) }
    }
  }

  /// Puts Nessie where she is now and announces the warnings that are due and were not announced in this run. What is
  /// no finite number leaves her where she was.
  public func updateNessie(distance newDistance: Double) {
    if newDistance.isFinite { nessie.distance = newDistance }
    for (fraction, alert) in Self.warnings {
      guard nessie.distance > 0 else { return }
      let isDue = fraction == 1 ? caught : nessie.distance >= fraction * (distance + headstart)
      if isDue { postOnce(alert) }
    }
  }

  /// Reports the outcome, if there is one, to the owner. None without a goal.
  public func checkCompletion() {
    guard goal != nil else { return }
    if caught {
      outcomeReached?(.caught)
    } else if goalReached {
      outcomeReached?(.completed)
    }
  }

  /// Everything that follows from one change of the figures, in the founding order: milestones, warnings, update,
  /// outcome. A walker at the goal is not warned any more.
  func settle() {
    updateForSteps()
    if !goalReached { updateNessie(distance: nessie.distance) }
    postUpdate()
    checkCompletion()
  }

  private func postOnce(_ alert: Alert) {
    guard !sentAlerts.contains(alert) else { return }
    sentAlerts.append(alert)
    alertCenter.postAlert(alert: alert)
  }
}
