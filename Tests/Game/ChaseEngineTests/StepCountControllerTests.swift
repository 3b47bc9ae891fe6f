import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The founding 14 tests of the step count screen, each under its founding name.
@Suite("StepCountController: the founding tests", .timeLimit(.minutes(30)))
struct StepCountControllerTests {
  private let chase: Chase
  private let chaseView = ChaseViewPartialMock()
  private let sut: StepCountController

  init() throws {
    chase = try Chase.withGoal()
    sut = StepCountController(model: chase.model, chaseView: chaseView)
  }

  @Test("whenCreated_buttonLabelIsStart")
  func created() {
    // given, when, then
    #expect(sut.startButtonTitle == "Start")
  }

  @Test("DataModel_whenGoalUpdate_updatesToNewGoal: 50")
  func goal() throws {
    // when
    try sut.updateGoal(newGoal: 50)
    // then
    #expect(chase.model.dataModel.goal == 50)
  }

  @Test("whenStartTapped_appIsInProgress")
  func startState() {
    // when
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .inProgress)
  }

  @Test("whenStartTapped_buttonLabelIsPause")
  func startLabel() {
    // when
    sut.startStopPause()
    // then
    #expect(sut.startButtonTitle == "Pause")
  }

  @Test("InProgress_whenPauseTapped_appIsPaused")
  func pauseState() {
    // given
    sut.startStopPause()
    // when
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .paused)
  }

  @Test("InProgress_whenPauseTapped_buttonLabelIsStart: the paused state's label, Resume")
  func pauseLabel() {
    // given
    sut.startStopPause()
    // when
    sut.startStopPause()
    // then
    #expect(sut.startButtonTitle == "Resume")
  }

  @Test("Paused_whenStartTapped_appIsInProgress")
  func resume() {
    // given
    sut.startStopPause()
    sut.startStopPause()
    // when
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .inProgress)
  }

  @Test("Completed_whenRestartTapped_appIsNotStarted")
  func restartCompleted() throws {
    // given
    try chase.model.setToComplete()
    // when
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .notStarted)
  }

  @Test("Caught_whenRestartTapped_appIsNotStarted: really caught before")
  func restartCaught() throws {
    // given
    try chase.model.setToCaught()
    #expect(chase.model.appState == .caught)
    // when
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .notStarted)
  }

  @Test("testController_whenCaught_buttonLabelIsTryAgain")
  func caughtLabel() throws {
    // when
    try chase.model.setToCaught()
    // then
    #expect(sut.startButtonTitle == "Try Again")
  }

  @Test("testController_whenComplete_buttonLabelIsStartOver")
  func completeLabel() throws {
    // when
    try chase.model.setToComplete()
    // then
    #expect(sut.startButtonTitle == "Start Over")
  }

  @Test("ChaseView_whenLoaded_isNotStarted")
  func viewLoaded() {
    // given, when, then
    #expect(sut.chaseView.state == .notStarted)
  }

  @Test("ChaseView_whenInProgress_viewIsInProgress")
  func viewInProgress() throws {
    // when
    try chase.model.start()
    // then
    #expect(sut.chaseView.state == .inProgress)
  }

  @Test("testChaseView_whenDataSent_isUpdated: 500 of 1000 steps are half of the way")
  func viewUpdated() throws {
    // given
    try chase.model.start()
    let before = chaseView.updates.count
    // when
    chase.send(steps: 500, distance: 350)
    // then
    let updates = chaseView.updates.dropFirst(before)
    #expect(!updates.isEmpty && updates.last?.x == 0.5)
    #expect(updates.last?.y == chase.model.dataModel.nessieFraction)
    #expect(chaseView.runner == 0.5)
  }
}

/// The behaviour of the screen beyond the founding tests.
@Suite("StepCountController", .timeLimit(.minutes(30)))
struct StepCountControllerMoreTests {
  @Test("a start without a goal asks for one; an answer closes the question and the next tap starts")
  func asksForGoal() throws {
    // given
    let chase = Chase()
    let sut = StepCountController(model: chase.model)
    // when
    sut.startStopPause()
    // then
    #expect(sut.isAskingForGoal)
    #expect(chase.model.appState == .notStarted)
    // when
    try sut.updateGoal(text: " 300 ")
    #expect(!sut.isAskingForGoal)
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .inProgress)
  }

  @Test("an invalid goal is refused, and the question stays open", arguments: ["", "many", "0", "-5", "3.5"])
  func refusesNonsense(_ text: String) throws {
    // given
    let chase = try Chase.withGoal(700)
    let sut = StepCountController(model: chase.model)
    sut.showSettings()
    // when
    #expect(throws: AppError.goalNotPositive(Int(text) ?? 0)) { try sut.updateGoal(text: text) }
    // then
    #expect(sut.isAskingForGoal)
    #expect(chase.model.dataModel.goal == 700)
    // when
    sut.cancelSettings()
    // then
    #expect(!sut.isAskingForGoal)
  }

  @Test("a tap on Pause at the moment of the goal does not restart the won chase")
  func tapAtTheGoal() throws {
    // given: the last update waits in the mailbox when the button is tapped
    let chase = try Chase.inProgress(goal: 100)
    let sut = StepCountController(model: chase.model)
    chase.pedometer.sendData(MockData(steps: 100, distanceTravelled: 70))
    // when
    sut.startStopPause()
    // then
    #expect(chase.model.appState == .completed)
    #expect(sut.startButtonTitle == "Start Over")
  }

  @Test("without a sensor the button still shows Start, and the alert is shown")
  func noSensor() throws {
    // given
    let chase = try Chase.withGoal()
    chase.pedometer.pedometerAvailable = false
    let sut = RootViewController(model: chase.model)
    // when
    sut.stepController.startStopPause()
    // then
    #expect(sut.stepController.startButtonTitle == "Start")
    #expect(!sut.alertContainerIsHidden)
  }
}
