import Analytics
import Foundation
import TestSupport
import Testing

/// Screens, and the coordinator that gives them their analytics.
@Suite("Screen", .timeLimit(.minutes(30)))
struct ScreenTests {
  private let api = MockAnalyticsAPI()
  private let clock = ManualClock()

  /// The five screens that report in the founding app.
  private static let founding: [(AnalyticsEvent, String)] = [
    (.announcementsShown, "announcementsShown"), (.orgChartShown, "orgChartShown"), (.calendarShown, "calendarShown"),
    (.purchasesShown, "purchasesShown"), (.settingShown, "settingShown"),
  ]

  private func screen(_ event: AnalyticsEvent, analytics: (any AnalyticsAPI)?) -> Screen {
    let screen = Screen(event, in: lab, clock: clock)
    screen.analytics = analytics
    return screen
  }

  @Test("testController_whenShown_sendsAnalytics: a view of that name", arguments: founding)
  func shown(_ event: AnalyticsEvent, name: String) {
    let screen = screen(event, analytics: api)
    #expect(!api.reportSent)
    screen.willAppear()
    #expect(api.reports.map(\.name) == [name] && api.reports.map(\.type) == ["screenView"])
  }

  @Test("testController_whenShown_sendsAnalytics: as stored by a service", arguments: founding)
  func shownToService(_ event: AnalyticsEvent, name: String) async throws {
    let folder = try SpoolFolder()
    let kept = try await AnalyticsBackEnd.inMemory().kept(spool: folder.path) {
      screen(event, analytics: $0).willAppear()
    }
    #expect(kept.map(\.name) == [name] && kept.map(\.user) == ["walker"])
  }

  @Test("testController_whenShownTwice_sendsTwoReports")
  func shownTwice() async throws {
    let twice = screen(.announcementsShown, analytics: api)
    twice.willAppear()
    twice.willAppear()
    #expect(api.reportCount == 2)
    #expect(api.reports[0].id != api.reports[1].id)
  }

  @Test("without analytics nothing is reported")
  func without() {
    screen(.todayShown, analytics: nil).willAppear()
    #expect(!api.reportSent)
  }

  @Test("leaving a screen reports how long it was shown, once, and not as a view")
  func duration() {
    let screen = screen(.chaseShown, analytics: api)
    screen.willDisappear()
    #expect(!api.reportSent)
    screen.willAppear()
    clock.advance(by: .milliseconds(12_345))
    screen.willDisappear()
    screen.willDisappear()
    #expect(api.reports.map(\.type) == ["screenView", "lifecycle"])
    #expect(api.reports.map(\.duration) == [nil, 12.345])
  }
}

/// A stack of screens.
@Suite("ScreenCoordinator", .timeLimit(.minutes(30)))
struct ScreenCoordinatorTests {
  private let api = MockAnalyticsAPI()

  @Test("whenNoViewControllers_doesNotStoreAnalytics: no screen has it; the first later one gets it")
  func noScreens() {
    let coordinator = ScreenCoordinator()
    coordinator.analytics = api
    #expect(coordinator.top == nil && !api.reportSent)
    let screen = Screen(.calendarShown, in: lab)
    coordinator.push(screen)
    #expect((screen.analytics as? MockAnalyticsAPI) === api && api.reports.map(\.name) == ["calendarShown"])
  }

  @Test("whenHasTopReportSending_forwardsAnalytics, also to those below")
  func top() {
    let coordinator = ScreenCoordinator()
    let (below, above) = (Screen(.todayShown, in: lab), Screen(.historyShown, in: lab))
    coordinator.push(below)
    coordinator.push(above)
    #expect(!api.reportSent)
    coordinator.analytics = api
    #expect(coordinator.top === above)
    for screen in [below, above] { #expect((screen.analytics as? MockAnalyticsAPI) === api) }
    coordinator.analytics = nil
    #expect(above.analytics == nil && below.analytics == nil)
  }

  @Test("one screen at a time is visible: a covered one is left, an uncovered one is shown again")
  func pushAndPop() {
    let coordinator = ScreenCoordinator(analytics: api)
    coordinator.push(Screen(.todayShown, in: lab))
    coordinator.push(Screen(.historyShown, in: lab))
    coordinator.pop()
    coordinator.leave()
    #expect(coordinator.top == nil)
    coordinator.pop()
    #expect(
      api.reports.map { "\($0.name) \($0.type)" } == [
        "todayShown screenView", "todayShown lifecycle", "historyShown screenView", "historyShown lifecycle",
        "todayShown screenView", "todayShown lifecycle",
      ])
  }
}

/// The reports of a race room.
@Suite("RoomReports", .timeLimit(.minutes(30)))
struct RoomReportsTests {
  @Test("joining, counting down, sharing a place, and the duration of the stay are reported")
  func stay() {
    let (api, clock) = (MockAnalyticsAPI(), ManualClock())
    let room = RoomReports(in: lab, clock: clock)
    room.joined()
    #expect(!api.reportSent)
    room.analytics = api
    room.joined()
    room.countdownStarted()
    clock.advance(by: .seconds(90))
    room.locationShared()
    room.left()
    room.left()
    #expect(api.reports.map(\.name) == ["roomJoined", "countdownStarted", "locationShared", "roomLeft"])
    #expect(api.reports.map(\.type) == ["lifecycle", "buttonTap", "buttonTap", "lifecycle"])
    #expect(api.reports.last?.duration == 90)
  }
}
