import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The founding 20 tests of the data model, each under its founding name.
@Suite("DataModel: the founding tests", .timeLimit(.minutes(30)))
struct DataModelTests {
  private let alertCenter = AlertCenter()
  private let sut: DataModel
  private let log: AlertLog

  init() {
    sut = DataModel(settings: .founding, alertCenter: alertCenter)
    log = AlertLog(alertCenter)
  }

  private func givenARun() throws {
    try sut.setGoal(1000)
    sut.distance = 50
    sut.steps = 70
    sut.nessie.distance = 9.5
  }

  @Test("whenRestarted_goalIsUnset")
  func restartUnsetsGoal() throws {
    // given
    try givenARun()
    // when
    sut.restart()
    // then
    #expect(sut.goal == nil)
  }

  @Test("whenRestarted_stepsAreCleared")
  func restartClearsSteps() throws {
    // given
    try givenARun()
    // when
    sut.restart()
    // then
    #expect(sut.steps == 0)
  }

  @Test("whenRestarted_distanceIsCleared")
  func restartClearsDistance() throws {
    // given
    try givenARun()
    // when
    sut.restart()
    // then
    #expect(sut.distance == 0)
  }

  @Test("whenRestarted_nessieIsReset")
  func restartResetsNessie() throws {
    // given
    try givenARun()
    sut.nessie.startSwimming()
    // when
    sut.restart()
    // then
    #expect(sut.nessie.distance == 0)
    #expect(sut.nessie.isSleeping)
  }

  @Test("whenStarted_goalIsNotReached")
  func goalNotReachedAtFirst() throws {
    // given, when
    try sut.setGoal(1)
    // then
    #expect(!sut.goalReached)
  }

  @Test("whenStepsReachGoal_goalIsReached")
  func goalReached() throws {
    // given
    try sut.setGoal(1000)
    // when
    sut.steps = 1000
    // then
    #expect(sut.goalReached)
  }

  @Test("Goal_whenUserCaught_cannotBeReached")
  func caughtCannotReachGoal() throws {
    // given
    try sut.setGoal(1000)
    // when
    sut.distance = 100
    sut.nessie.distance = 200
    sut.steps = 1000
    // then
    #expect(!sut.goalReached)
  }

  @Test("whenStarted_userIsNotCaught")
  func notCaughtAtFirst() {
    // given, when: nobody has moved
    // then
    #expect(!sut.caught)
  }

  @Test("whenUserAheadOfNessie_isNotCaught")
  func aheadIsNotCaught() {
    // when
    sut.distance = 1000
    sut.nessie.distance = 100
    // then
    #expect(!sut.caught)
  }

  @Test("whenNessieAheadofUser_isCaught")
  func behindIsCaught() {
    // when
    sut.distance = 100
    sut.nessie.distance = 1000
    // then
    #expect(sut.caught)
  }

  @Test("whenNessieDistanceIsLessThanHeadstart_isNotCaught: both at 100 m")
  func headstartProtects() {
    // when
    sut.distance = 100
    sut.nessie.distance = 100
    // then
    #expect(!sut.caught)
  }

  @Test("testWhenStepsHit25Percent_milestoneNotificationGenerated")
  func milestone25() throws { try expectMilestone(.milestone25Percent, at: 100) }

  @Test("testWhenStepsHit50Percent_milestoneNotificationGenerated")
  func milestone50() throws { try expectMilestone(.milestone50Percent, at: 200) }

  @Test("testWhenStepsHit75Percent_milestoneNotificationGenerated")
  func milestone75() throws { try expectMilestone(.milestone75Percent, at: 300) }

  @Test("testWhenStepsHit100Percent_milestoneNotificationGenerated: goalComplete")
  func milestone100() throws { try expectMilestone(.goalComplete, at: 400) }

  private func expectMilestone(
    _ alert: Alert, at steps: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // given
    try sut.setGoal(400)
    sut.steps = steps - 1
    #expect(!log.added.contains(alert), "one step too early", sourceLocation: sourceLocation)
    // when
    sut.steps = steps
    // then
    #expect(log.added.last == alert, sourceLocation: sourceLocation)
  }

  @Test("testWhenGoalReached_allMilestoneNotificationsSent: in order, by one jump")
  func allMilestones() throws {
    // given
    try sut.setGoal(400)
    // when
    sut.steps = 400
    // then
    #expect(log.added == [.milestone25Percent, .milestone50Percent, .milestone75Percent, .goalComplete])
  }

  @Test("testWhenStepsIncreased_onlyOneMilestoneNotificationSent: each is cleared at once, and none comes again")
  func eachMilestoneOnce() throws {
    // given
    try sut.setGoal(10)
    let token = alertCenter.listenForAlerts { $0.clearAlerts() }
    // when: further than the goal
    for step in 1...12 { sut.steps = step }
    // then
    #expect(log.added == [.milestone25Percent, .milestone50Percent, .milestone75Percent, .goalComplete])
    #expect(alertCenter.alertCount == 0)
    token.cancel()
  }

  @Test("testWhenNessieHalfway_generatesNotification: 50 m of 100 m with the head start")
  func nessieHalfway() {
    // given
    sut.distance = 90
    // when
    sut.updateNessie(distance: 49.9)
    #expect(log.added == [])
    sut.updateNessie(distance: 50)
    // then
    #expect(log.added == [.nessie50Percent])
  }

  @Test("testWhenNessieAlmostCaughtUp_generatesNotification: 90 m of 100 m with the head start")
  func nessieAlmostThere() {
    // given
    sut.distance = 90
    // when
    sut.updateNessie(distance: 89.9)
    #expect(log.added == [.nessie50Percent])
    sut.updateNessie(distance: 90)
    // then
    #expect(log.added == [.nessie50Percent, .nessie90Percent])
  }

  @Test("testNessieCatchesUp_allNotificationsSent: 80 m of 80 m, three in order")
  func nessieThere() {
    // given
    sut.distance = 70
    // when
    sut.updateNessie(distance: 80)
    // then
    #expect(log.added == [.nessie50Percent, .nessie90Percent, .caughtByNessie])
  }
}
