import Pedometry
import TestSupport
import Testing

@testable import ChaseEngine

/// Behaviour at the edges: what is shown before anything happened, at zero, and after a new beginning.
@Suite("Details of the chase", .timeLimit(.minutes(30)))
struct DetailsOfTheChaseTests {
  private let center = AlertCenter()
  private let model: DataModel

  init() { model = DataModel(settings: .founding, alertCenter: center) }

  /// Counts the updates of a model.
  private final class Updates {
    private(set) var count = 0
    private var token: ListenToken?
    init(_ center: AlertCenter) {
      token = center.notificationCenter.addObserver(for: DataModel.updateNotification) { [weak self] _ in
        self?.count += 1
      }
    }
  }

  @Test("walking adds steps and metres, and posts one update; what is negative or not a number adds nothing")
  func walking() {
    let updates = Updates(center)
    model.walk(steps: 10, distance: 7)
    #expect(model.steps == 10 && model.distance == 7 && updates.count == 1)
    model.walk(steps: -1, distance: -1)
    model.walk(steps: 0, distance: .nan)
    #expect(model.steps == 10 && model.distance == 7)
    model.restart()
    #expect(updates.count == 4)
  }

  @Test("cadence and speed are the pedometer's until a second without a step, and a restart forgets them")
  func reported() {
    #expect(model.cadence == 0 && model.velocity == 0)
    model.report(WalkTotals(steps: 1, distanceTravelled: 1, currentCadence: 2, currentPace: 0.5))
    #expect(model.cadence == 2 && model.velocity == 2)
    model.report(WalkTotals(steps: 1, distanceTravelled: 1, currentCadence: 2, currentPace: 0))
    #expect(model.velocity == 0)
    model.report(WalkTotals(steps: 1, distanceTravelled: 1, currentCadence: 2, currentPace: 0.5))
    model.tick()
    model.tick()
    #expect(model.cadence == 0 && model.velocity == 0)
    model.restart()
    #expect(model.cadence == 0 && model.velocity == 0)
    let fresh = DataModel(settings: .founding)
    for each in [model, fresh] {
      each.walk(steps: 2, distance: 2)
      each.tick()
    }
    #expect(model.velocity == fresh.velocity && fresh.velocity > 0)
  }

  @Test("without a goal the way is ten thousand steps and is never reached; beyond the goal the share is 1")
  func fractions() throws {
    model.steps = 5000
    #expect(model.runnerFraction == 0.5 && !model.goalReached)
    model.steps = 12_000
    #expect(model.runnerFraction == 1 && !model.goalReached)
    model.nessie.distance = -5
    #expect(model.nessieFraction == 0)
    try model.setGoal(100)
    #expect(model.runnerFraction == 1)
  }

  @Test("Nessie at the beginning warns nobody, and behind a walker she does")
  func warnings() {
    let log = AlertLog(center)
    model.updateNessie(distance: 0)
    #expect(log.added.isEmpty)
    model.distance = 0.01
    model.updateNessie(distance: 0.9 * (model.gap + model.nessie.distance))
    #expect(!log.added.isEmpty)
  }

  @Test("after a reset, Nessie's first stroke is a second after she starts, whatever she did before")
  func reset() {
    let nessie = model.nessie
    nessie.startSwimming(at: .seconds(10))
    nessie.stopSwimming(at: .milliseconds(10_700))
    nessie.reset()
    #expect(nessie.nextStroke == nil && nessie.isSleeping && nessie.distance == 0)
    nessie.startSwimming(at: .seconds(20))
    #expect(nessie.nextStroke == .seconds(21))
    nessie.reset()
    #expect(nessie.nextStroke == nil)
  }

  @Test("a view has nothing to show at first and lays itself out, and again after each change")
  func view() {
    let view = ChaseView()
    #expect(view.runner == 0 && view.nessie == 0 && view.needsLayout)
    _ = view.layout(width: 500, height: 300)
    #expect(!view.needsLayout)
    view.updateState(runner: 0.5, nessie: 0.25)
    #expect(view.needsLayout)
  }

  @Test("alerts that were posted before the cards are shown, the second one below")
  func cards() {
    let center = AlertCenter()
    center.postAlert(alert: .noPedometer)
    center.postAlert(alert: .goalComplete)
    #expect(!AlertViewController(alertCenter: center).secondCardIsHidden)
    #expect(AlertViewController.stackInset == 8)
  }

  @Test("data that the owner hands over count at once, and complete the chase")
  func handedOver() throws {
    let chase = try Chase.inProgress(goal: 100)
    chase.model.handleData(data: MockData(steps: 70, distanceTravelled: 50), error: nil)
    #expect(chase.model.dataModel.steps == 70 && chase.model.dataModel.distance == 50)
    chase.model.handleData(data: MockData(steps: 100, distanceTravelled: 70), error: nil)
    #expect(chase.model.appState == .completed)
  }

  @Test("negative steps count as none")
  func firstMoment() {
    model.steps = -3
    #expect(model.steps == 0)
  }

  @Test("thirty seconds of a walk are kept, and no more")
  func window() {
    #expect(RecentWalk.longestWindow == 30)
    var walk = RecentWalk()
    #expect(!walk.hasSeconds)
    // A metre in the first second, and in each of the last twenty-nine of forty.
    for second in 1...40 { walk.record(steps: second, distance: Double(second <= 10 ? second * 10 : 90 + second)) }
    #expect(walk.hasSeconds && walk.velocity(over: 30) == 1 && walk.velocity(over: 1000) == 1)
    #expect(walk.velocity(over: 1) == 1 && walk.velocity(over: 0) == 1)
  }

  @Test("the screen suggests a goal of a thousand steps, and asks for one only when it must")
  func screen() {
    let screen = StepCountController(model: AppModel(pedometer: MockPedometer()))
    #expect(StepCountController.suggestedGoal == 1000 && !screen.isAskingForGoal)
    screen.startStopPause()
    #expect(screen.isAskingForGoal)
  }
}
