import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The founding 27 tests of the app model, each under its founding name.
@Suite("AppModel: the founding tests", .timeLimit(.minutes(30)))
struct AppModelTests {
  @Test("whenInitialized_isInNotStartedState")
  func initialState() {
    // given, when
    let chase = Chase()
    // then
    #expect(chase.model.appState == .notStarted)
  }

  @Test("ModelWithNoGoal_whenStarted_throwsError: goalNotSet")
  func startWithoutGoal() {
    // given
    let chase = Chase()
    // when, then
    #expect(throws: AppError.goalNotSet) { try chase.model.start() }
    #expect(chase.model.appState == .notStarted)
  }

  @Test("Start_withGoalSet_doesNotThrow")
  func startWithGoal() throws {
    // given
    let chase = try Chase.withGoal()
    // when, then
    #expect(throws: Never.self) { try chase.model.start() }
  }

  @Test("whenStarted_isInInProgressState")
  func started() throws {
    // given
    let chase = try Chase.withGoal()
    // when
    try chase.model.start()
    // then
    #expect(chase.model.appState == .inProgress)
  }

  @Test("whenPaused_isInPausedState")
  func paused() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    try chase.model.pause()
    // then
    #expect(chase.model.appState == .paused)
  }

  @Test("Model_whenCompleted_isInCompletedState")
  func completed() throws {
    // given
    let chase = Chase()
    // when
    try chase.model.setToComplete()
    // then
    #expect(chase.model.appState == .completed)
  }

  @Test("ModelNotCompleteReady_whenCompleted_throwsError: invalidState")
  func notReadyToComplete() throws {
    // given
    let chase = try Chase.inProgress()
    // when, then
    #expect(throws: AppError.invalidState(.inProgress)) { try chase.model.setCompleted() }
    #expect(chase.model.appState == .inProgress)
  }

  @Test("ModelCompleteReady_whenCompleted_doesNotThrow")
  func readyToComplete() throws {
    // given
    let chase = Chase()
    try chase.model.dataModel.setToComplete()
    // when, then
    #expect(throws: Never.self) { try chase.model.setCompleted() }
  }

  @Test("Model_whenCaught_isInCaughtState")
  func caught() throws {
    // given
    let chase = Chase()
    // when
    try chase.model.setToCaught()
    // then
    #expect(chase.model.appState == .caught)
  }

  @Test("ModelNotCaughtReady_whenCaught_throwsError: invalidState")
  func notReadyToBeCaught() throws {
    // given
    let chase = try Chase.inProgress()
    // when, then
    #expect(throws: AppError.invalidState(.inProgress)) { try chase.model.setCaught() }
    #expect(chase.model.appState == .inProgress)
  }

  @Test("ModelCaughtReady_whenCaught_doesNotThrow")
  func readyToBeCaught() throws {
    // given
    let chase = Chase()
    try chase.model.dataModel.setToCaught()
    // when, then
    #expect(throws: Never.self) { try chase.model.setCaught() }
  }

  @Test("whenReset_isInNotStartedState", arguments: AppState.allCases)
  func reset(from state: AppState) throws {
    // given
    let chase = try Chase.inState(state)
    // when
    chase.model.restart()
    // then
    #expect(chase.model.appState == .notStarted)
  }

  @Test("whenRestarted_restartsDataModel: the goal is gone")
  func restartClearsData() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    chase.model.restart()
    // then
    #expect(chase.model.dataModel.goal == nil)
  }

  @Test("testAppModel_whenStateChanges_executesCallback: pausing calls it once, and it sees the state paused")
  func callback() throws {
    // given
    let chase = try Chase.inProgress()
    var seen: [AppState] = []
    chase.model.stateChangedCallback = { seen.append($0.appState) }
    // when
    try chase.model.pause()
    // then
    #expect(seen == [.paused])
  }

  @Test("testAppModel_whenStarted_startsPedometer")
  func startsPedometer() throws {
    // given
    let chase = try Chase.withGoal()
    #expect(!chase.pedometer.started)
    // when
    try chase.model.start()
    // then
    #expect(chase.pedometer.started)
  }

  @Test("testPedometerNotAvailable_whenStarted_doesNotStart")
  func notAvailableDoesNotStart() throws {
    // given
    let chase = try Chase.withGoal()
    chase.pedometer.pedometerAvailable = false
    // when
    try chase.model.start()
    // then
    #expect(chase.model.appState == .notStarted)
    #expect(!chase.pedometer.started)
  }

  @Test("testPedometerNotAvailable_whenStarted_generatesAlert: noPedometer")
  func notAvailableAlert() throws {
    // given
    let chase = try Chase.withGoal()
    chase.pedometer.pedometerAvailable = false
    let log = AlertLog(chase.model.alertCenter)
    // when
    try chase.model.start()
    // then
    #expect(log.added == [.noPedometer])
  }

  @Test("testPedometerNotAuthorized_whenStarted_doesNotStart")
  func notAuthorizedDoesNotStart() throws {
    // given
    let chase = try Chase.withGoal()
    chase.pedometer.permissionDeclined = true
    // when
    try chase.model.start()
    // then
    #expect(chase.model.appState == .notStarted)
    #expect(!chase.pedometer.started)
  }

  @Test("testPedometerNotAuthorized_whenStarted_generatesAlert: notAuthorized")
  func notAuthorizedAlert() throws {
    // given
    let chase = try Chase.withGoal()
    chase.pedometer.permissionDeclined = true
    let log = AlertLog(chase.model.alertCenter)
    // when
    try chase.model.start()
    // then
    #expect(log.added == [.notAuthorized])
  }

  @Test("testAppModel_whenDeniedAuthAfterStart_generatesAlert: notAuthorized, with the remedy")
  func deniedAfterStart() throws {
    // given
    let chase = try Chase.withGoal()
    chase.pedometer.error = MockPedometer.notAuthorizedError
    let log = AlertLog(chase.model.alertCenter)
    // when
    try chase.model.start()
    chase.wait(seconds: 0)
    // then
    #expect(log.added == [.notAuthorized])
    #expect(log.added.first?.detail == "install the rule")
  }

  @Test("testModel_whenPedometerUpdates_errorGeneratesAlert: dataAlert")
  func dataError() throws {
    // given
    let chase = try Chase.inProgress()
    chase.pedometer.error = MockPedometer.dataError
    let log = AlertLog(chase.model.alertCenter)
    // when
    chase.pedometer.sendData(nil)
    chase.wait(seconds: 0)
    // then
    #expect(log.added == [.dataAlert])
  }

  @Test("testModel_whenPedometerUpdates_updatesDataModel: 100 steps and 10 m")
  func dataUpdate() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    chase.send(steps: 100, distance: 10)
    // then
    #expect(chase.model.dataModel.steps == 100)
    #expect(chase.model.dataModel.distance == 10)
  }

  @Test("testModel_whenPaused_pausesPedometer: once")
  func pausesPedometer() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    try chase.model.pause()
    // then
    #expect(chase.pedometer.pauseCalled == 1)
  }

  @Test("testNessie_whenAppModelPaused_isSleeping")
  func nessieSleeps() throws {
    // given
    let chase = try Chase.inProgress()
    #expect(!chase.model.dataModel.nessie.isSleeping)
    // when
    try chase.model.pause()
    // then
    #expect(chase.model.dataModel.nessie.isSleeping)
  }

  @Test("testNessie_whenAppModelRestarted_isNotSleeping: resumed after a pause")
  func nessieWakes() throws {
    // given
    let chase = try Chase.inState(.paused)
    // when
    try chase.model.start()
    // then
    #expect(!chase.model.dataModel.nessie.isSleeping)
  }

  @Test("whenCaught_stopsNessie")
  func caughtStopsNessie() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    try chase.model.setToCaught()
    // then
    #expect(chase.model.dataModel.nessie.isSleeping)
  }

  @Test("whenComplete_stopsNessie")
  func completeStopsNessie() throws {
    // given
    let chase = try Chase.inProgress()
    // when
    try chase.model.setToComplete()
    // then
    #expect(chase.model.dataModel.nessie.isSleeping)
  }
}
