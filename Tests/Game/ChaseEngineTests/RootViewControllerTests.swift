import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The founding 2 tests of the whole screen, each under its founding name.
@Suite("RootViewController: the founding tests", .timeLimit(.minutes(30)))
struct RootViewControllerTests {
  @Test("testWhenLoaded_noAlertsAreShown")
  func loaded() {
    // given, when
    let sut = RootViewController(model: Chase().model)
    // then
    #expect(sut.alertContainerIsHidden)
  }

  @Test("testWhenAlertsPosted_alertContainerIsShown")
  func alertPosted() {
    // given
    let chase = Chase()
    let sut = RootViewController(model: chase.model)
    // when
    chase.model.alertCenter.postAlert(alert: .dataAlert)
    // then
    #expect(!sut.alertContainerIsHidden)
    #expect(sut.alertController.shown.alertText == Alert.dataAlert.text)
  }

  @Test("reset dismisses the alerts and hides the container")
  func reset() {
    // given
    let chase = Chase()
    let sut = RootViewController(model: chase.model)
    chase.model.alertCenter.postAlert(alert: .dataAlert)
    // when
    sut.reset()
    // then
    #expect(sut.alertContainerIsHidden)
    #expect(chase.model.alertCenter.alertCount == 0)
  }

  @Test("a screen that is loaded while an alert is queued shows it")
  func loadedLate() {
    // given
    let chase = Chase()
    chase.model.alertCenter.postAlert(alert: .dataAlert)
    // when
    let sut = RootViewController(model: chase.model)
    // then
    #expect(!sut.alertContainerIsHidden)
  }
}
