import Pedometry

/// The data of one run: the walker's goal, steps and distance, and Nessie.
///
/// It does not depend on the state of the chase. It reports the outcome to its owner through ``outcomeReached``.
public final class DataModel {
  /// Posted with the model as object whenever its figures have changed, once for each change and when all of them are
  /// consistent.
  public static let updateNotification = NotificationHub.Name("DataModelUpdated")

  /// The outcome of a run.
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
  /// Metres walked. Setting it does not check anything; setting ``steps`` does.
  public var distance = 0.0
  /// The walker's lead in metres before the first step.
  public let headstart: Double
  /// The pursuer.
  public let nessie: Nessie
  /// The milestones and warnings posted in this run. The alert centre does not know them, since its alerts are cleared.
  public private(set) var sentAlerts: [Alert] = []
  /// The walk of the last seconds.
  public private(set) var recentWalk = RecentWalk()
  /// The pedometer's latest cadence, in steps a second, and speed, in metres a second; `nil` if it reports none. A mean
  /// since the start would be too low for the first seconds, since a detector reports the first steps late.
  private(set) var reported: (cadence: Double, velocity: Double?)?
  /// Called each time that a check of the figures finds the end of the run. Set by an ``AppModel``.
  public var outcomeReached: ((Outcome) -> Void)?

  private let alertCenter: AlertCenter
  private var stepTotal = 0

  /// Creates a run that has not begun.
  /// - Parameters:
  ///   - settings: Nessie's speed and the head start.
  ///   - alertCenter: receives milestones and warnings; updates are posted on its hub.
  public init(settings: ChaseSettings = .walking, alertCenter: AlertCenter = AlertCenter()) {
    headstart = settings.headstart
    nessie = Nessie(velocity: settings.velocity)
    self.alertCenter = alertCenter
  }

  /// Steps walked. Setting it checks milestones, warnings and the outcome and posts one update, so set ``distance``
  /// first, or both with ``walk(steps:distance:)``. A negative number counts as zero.
  public var steps: Int {
    get { stepTotal }
    set {
      stepTotal = max(0, newValue)
      settle()
    }
  }

  /// Sets a goal in steps. A different goal resets the milestones; they are checked with the next step or stroke.
  /// - Throws: ``AppError/goalNotPositive(_:)``; the goal does not change.
  public func setGoal(_ newGoal: Int) throws(AppError) {
    guard newGoal > 0 else { throw .goalNotPositive(newGoal) }
    guard newGoal != goal else { return }
    goal = newGoal
    let milestones = Self.milestones.map(\.alert)
    sentAlerts.removeAll { milestones.contains($0) }
    postUpdate()
  }

  /// Adds to both figures at once, then checks everything and posts one update.
  public func walk(steps: Int, distance: Double) {
    add(steps: steps, distance: distance)
    settle()
  }

  /// Adds without checking. Negative values and NaN count as zero; a sum that exceeds `Int` is clamped.
  func add(steps: Int, distance: Double) {
    let (sum, overflow) = stepTotal.addingReportingOverflow(max(0, steps))
    stepTotal = overflow ? .max : sum
    if distance.isFinite, distance > 0 { self.distance += distance }
  }

  /// Takes the cadence and the pace that a pedometer reports.
  func report(_ totals: WalkTotals) {
    reported = totals.currentCadence.map { cadence in
      (cadence, totals.currentPace.flatMap { $0 > 0 ? 1 / $0 : nil })
    }
  }

  /// The present cadence in steps a second: as the pedometer reports it while there are steps, and otherwise the mean of
  /// the last seconds.
  var cadence: Double {
    let mean = recentWalk.cadence()
    return mean > 0 || !recentWalk.hasSeconds ? reported?.cadence ?? mean : 0
  }

  /// The present speed in metres a second, in the same way.
  var velocity: Double {
    let mean = recentWalk.velocity()
    return mean > 0 || !recentWalk.hasSeconds ? reported?.velocity ?? mean : 0
  }

  /// Advances the chase by one second: records the walker's position, then Nessie makes a stroke. Checks nothing.
  func tick() {
    recentWalk.record(steps: stepTotal, distance: distance)
    nessie.swim()
  }

  /// Clears everything, including the goal, and posts one update.
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
    reported = nil
  }

  func postUpdate() { alertCenter.notificationCenter.post(name: Self.updateNotification, object: self) }

  /// Metres from Nessie to the walker; 0 or less once she has arrived.
  public var gap: Double { distance + headstart - nessie.distance }

  /// Whether Nessie has reached the walker. Without a head start both begin at the same place, which does not count.
  public var caught: Bool { nessie.distance > 0 && gap <= 0 }

  /// Whether there are enough steps, and Nessie did not arrive first. At the same instant Nessie wins.
  public var goalReached: Bool {
    guard let goal else { return false }
    return stepTotal >= goal && !caught
  }

  /// The share of the goal that is walked, 0 to 1; of 10 000 steps without a goal.
  public var runnerFraction: Double { min(Double(stepTotal) / Double(goal ?? 10_000), 1) }

  /// The share of the way to the walker that Nessie has swum: 0 to 1, and 1 exactly when the walker is caught.
  public var nessieFraction: Double {
    if caught { return 1 }
    guard nessie.distance > 0 else { return 0 }
    return min(nessie.distance / (distance + headstart), 1.0.nextDown)
  }

  /// Announces new milestones, each once in a run. None without a goal, none once caught.
  public func updateForSteps() {
    for (fraction, alert) in Self.milestones {
      // Read each time, since a listener may have restarted the run.
      guard let goal, !caught else { return }
      if Double(stepTotal) >= fraction * Double(goal) { postOnce(alert) }
    }
  }

  /// Sets Nessie's distance and announces new warnings, each once in a run. A distance that is not finite is ignored.
  public func updateNessie(distance newDistance: Double) {
    if newDistance.isFinite { nessie.distance = newDistance }
    for (fraction, alert) in Self.warnings {
      guard nessie.distance > 0 else { return }
      let isDue = fraction == 1 ? caught : nessie.distance >= fraction * (distance + headstart)
      if isDue { postOnce(alert) }
    }
  }

  /// Reports the outcome, if any, to the owner. None without a goal.
  public func checkCompletion() {
    guard goal != nil else { return }
    if caught {
      outcomeReached?(.caught)
    } else if goalReached {
      outcomeReached?(.completed)
    }
  }

  /// All consequences of a change of the figures, in the founding order: milestones, warnings, update, outcome. A
  /// walker at the goal gets no more warnings.
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
