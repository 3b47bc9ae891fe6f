import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The founding 8 tests of the alert cards, each under its founding name.
@Suite("AlertViewController: the founding tests", .timeLimit(.minutes(30)))
struct AlertViewControllerTests {
  private let alertCenter = AlertCenter()
  private let sut: AlertViewController
  private let good = Alert(kind: Alert.Kind(rawValue: "good"), text: "well done", severity: .good)
  private let bad = Alert(kind: Alert.Kind(rawValue: "bad"), text: "oh no", severity: .bad)

  init() { sut = AlertViewController(alertCenter: alertCenter) }

  @Test("testValues_whenNoAlerts_doesNotHaveJustOneAlert")
  func noAlerts() {
    // when
    let values = sut.calculateViewValues()
    // then
    #expect(!values.justOneAlert)
    #expect(values.alertText == nil)
  }

  @Test("testValues_withOneAlert_isCorrectForOneView: no inset")
  func oneAlert() {
    // given
    alertCenter.postAlert(alert: good)
    // when
    let values = sut.calculateViewValues()
    // then
    #expect(values.justOneAlert)
    #expect(values.topAlertInset == 0)
    #expect(values.alertText == "well done")
  }

  @Test("testValues_withTwoAlerts_isCorrectForAStackOfViews: an inset and the text of the first")
  func twoAlerts() {
    // given
    [good, bad].forEach(alertCenter.postAlert)
    // when
    let values = sut.calculateViewValues()
    // then
    #expect(!values.justOneAlert)
    #expect(values.topAlertInset > 0)
    #expect(values.alertText == "well done")
  }

  @Test("testColor_isGoodforGoodAlert")
  func goodColor() {
    // when
    alertCenter.postAlert(alert: good)
    // then
    #expect(sut.calculateViewValues().topColor == .good)
  }

  @Test("testColor_isBadforBadAlert")
  func badColor() {
    // when
    alertCenter.postAlert(alert: bad)
    // then
    #expect(sut.calculateViewValues().topColor == .bad)
  }

  @Test("testColor_withTwoAlerts_reflectsSeverity")
  func twoColors() {
    // when
    [good, bad].forEach(alertCenter.postAlert)
    // then
    #expect(sut.calculateViewValues().topColor == .good)
    #expect(sut.calculateViewValues().bottomColor == .bad)
  }

  @Test("testColor_whenTopCleared_reflectsNewTop: and there is no card below")
  func colorAfterClearing() {
    // given
    [good, bad].forEach(alertCenter.postAlert)
    // when
    alertCenter.clear(alert: good)
    // then
    #expect(sut.calculateViewValues().topColor == .bad)
    #expect(sut.calculateViewValues().bottomColor == nil)
  }

  @Test("testClose_clearsAnAlert: the top one")
  func close() {
    // given
    [good, bad].forEach(alertCenter.postAlert)
    // when
    sut.closeAlert()
    // then
    #expect(alertCenter.alertCount == 1)
    #expect(alertCenter.topAlert == bad)
  }

  @Test("closing without alerts has no effect")
  func closeNothing() {
    // when
    sut.closeAlert()
    // then
    #expect(sut.shown.alertText == nil)
    #expect(sut.secondCardIsHidden)
  }

  @Test("the second card is hidden if there is only one alert")
  func secondCard() {
    // when, then
    alertCenter.postAlert(alert: good)
    #expect(sut.secondCardIsHidden)
    alertCenter.postAlert(alert: bad)
    #expect(!sut.secondCardIsHidden)
    sut.closeAlert()
    #expect(sut.secondCardIsHidden)
  }
}
