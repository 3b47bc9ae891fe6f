import ChaseEngine
import Pedometry
import TestSupport
import Testing

/// The founding 15 tests of the alert centre, each under its founding name.
@Suite("AlertCenter: the founding tests", .timeLimit(.minutes(30)))
struct AlertCenterTests {
  private let sut = AlertCenter()
  private let log: AlertLog
  private let first = Alert(kind: Alert.Kind(rawValue: "first"), text: "this is the first")
  private let second = Alert(kind: Alert.Kind(rawValue: "second"), text: "this is the second")
  private let third = Alert(kind: Alert.Kind(rawValue: "third"), text: "this is the third")

  init() { log = AlertLog(sut) }

  @Test("testPostOne_generatesANotification")
  func postOne() {
    // when
    sut.postAlert(alert: first)
    // then
    #expect(log.added.count == 1)
  }

  @Test("testPostingTwoAlerts_generatesTwoNotifications")
  func postTwo() {
    // when
    sut.postAlert(alert: first)
    sut.postAlert(alert: second)
    // then
    #expect(log.added == [first, second])
  }

  @Test("testPostDouble_generatesOnlyOneNotification")
  func postDouble() {
    // when
    sut.postAlert(alert: first)
    sut.postAlert(alert: first)
    // then
    #expect(log.added == [first])
    #expect(sut.alertCount == 1)
  }

  @Test("testWhenInitialized_AlertCountIsZero")
  func initialCount() {
    // given, when, then
    #expect(sut.alertCount == 0)
    #expect(sut.topAlert == nil)
  }

  @Test("testWhenAlertPosted_CountIsIncreased")
  func countGrows() {
    // when
    sut.postAlert(alert: first)
    // then
    #expect(sut.alertCount == 1)
  }

  @Test("testWhenCleared_CountIsZero")
  func clearAll() {
    // given
    sut.postAlert(alert: first)
    sut.postAlert(alert: second)
    // when
    sut.clearAlerts()
    // then
    #expect(sut.alertCount == 0)
  }

  @Test("testNotification_whenPosted_containsAlertObject: the very same object, and the centre as sender")
  func messageHoldsAlert() {
    // given
    var messages: [NotificationHub.Message] = []
    let token = sut.notificationCenter.addObserver(for: AlertNotification.name) { messages.append($0) }
    // when
    sut.postAlert(alert: first)
    // then
    #expect(messages.count == 1)
    #expect(messages.first?.name.rawValue == "Alert")
    #expect(messages.first?.userInfo[AlertNotification.Keys.alert] as? Alert === first)
    #expect(messages.first?.object === sut)
    token.cancel()
  }

  @Test("testWhenCleared_alertIsRemoved")
  func clearOne() {
    // given
    sut.postAlert(alert: first)
    // when
    sut.clear(alert: first)
    // then
    #expect(sut.alertCount == 0)
    #expect(sut.topAlert == nil)
  }

  @Test("testNextUp_withNoAlerts_isNil")
  func nextUpOfNone() {
    // given, when, then
    #expect(sut.nextUp == nil)
  }

  @Test("testNextUp_withOneAlert_isNil")
  func nextUpOfOne() {
    // when
    sut.postAlert(alert: first)
    // then
    #expect(sut.nextUp == nil)
  }

  @Test("testNextUp_withTwoAlerts_isTheSecond")
  func nextUpOfTwo() {
    // when
    [first, second].forEach(sut.postAlert)
    // then
    #expect(sut.nextUp == second)
  }

  @Test("testNextUp_withThreeAlerts_isStilTheSecond")
  func nextUpOfThree() {
    // when
    [first, second, third].forEach(sut.postAlert)
    // then
    #expect(sut.nextUp == second)
  }

  @Test("testNextUp_withThreeAlerts_isTheThirdAfterClearing")
  func nextUpAfterClearing() {
    // given
    [first, second, third].forEach(sut.postAlert)
    // when
    sut.clear(alert: first)
    // then
    #expect(sut.nextUp == third)
  }

  @Test("testClearingAlert_notInQueue_doesNotChangeQueue")
  func clearStranger() {
    // given
    sut.postAlert(alert: first)
    // when
    sut.clear(alert: second)
    // then
    #expect(sut.topAlert == first)
    #expect(log.cleared == [])
  }

  @Test("testClearingAlertTwice_doesNotCrash")
  func clearTwice() {
    // given
    [first, second].forEach(sut.postAlert)
    // when
    sut.clear(alert: first)
    sut.clear(alert: first)
    // then
    #expect(sut.topAlert == second)
    #expect(log.cleared == [first])
  }

  @Test("a cleared alert may be posted again")
  func postAgain() {
    // given
    sut.postAlert(alert: first)
    sut.clear(alert: first)
    // when
    sut.postAlert(alert: first)
    // then
    #expect(log.added == [first, first])
  }

  @Test("clearing all posts each alert as cleared after the queue is empty")
  func clearAllPosts() {
    // given
    [first, second].forEach(sut.postAlert)
    var counts: [Int] = []
    let token = sut.listenForAlerts { counts.append($0.alertCount) }
    // when
    sut.clearAlerts()
    // then
    #expect(log.cleared == [first, second])
    #expect(counts == [0, 0])
    token.cancel()
  }
}
