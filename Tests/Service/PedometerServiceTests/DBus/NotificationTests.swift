import Foundation
import ServiceSettings
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceMessaging

@Suite("Notifications", .timeLimit(.minutes(30)), .ownThreads)
struct NotificationTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_000_000)

  private static func rules(
    _ occasions: Set<NotificationRules.Occasion> = [.goal, .idle, .sensor]
  ) -> NotificationRules { NotificationRules(occasions: occasions, hours: 9 * 60..<18 * 60) }

  private static func figures(
    steps: Int, goal: Int? = 8000, date: String = "2026-11-22", state: SourceState.State = .counting
  ) -> PublishedFigures {
    var figures = PublishedFigures.walking(steps: steps, cadence: nil, state: state)
    figures.today?.goal = goal
    figures.today?.date = date
    return figures
  }

  @Test("the goal is announced once a day, and not again after a restart of the service")
  func goal() {
    var rules = Self.rules([.goal])
    var told: [Int] = []
    let days = [(7999, "1"), (8000, "1"), (8001, "1"), (10, "2"), (9000, "2")]
    for (index, (steps, date)) in days.enumerated() {
      let shown = rules.take(
        Self.figures(steps: steps, date: date), at: Self.noon + Double(index), minute: 720)
      if !shown.isEmpty { told.append(index) }
    }
    #expect(told == [1, 4])
    var restarted = Self.rules([.goal])
    #expect(restarted.take(Self.figures(steps: 8500), at: Self.noon, minute: 720).isEmpty)
    #expect(restarted.take(Self.figures(steps: 8600), at: Self.noon + 10, minute: 720).isEmpty)
    #expect(Self.told(steps: 8000, goal: nil).isEmpty)
  }

  private static func told(steps: Int, goal: Int?) -> [NotificationRules.Notification] {
    var rules = Self.rules([.goal])
    _ = rules.take(figures(steps: 1, goal: goal), at: noon, minute: 720)
    return rules.take(figures(steps: steps, goal: goal), at: noon + 1, minute: 720)
  }

  /// The minutes of notifications while a walker stands from a minute of the day on.
  private static func idle(from first: Int, minutes: Int, state: SourceState.State = .counting) -> [Int] {
    var rules = Self.rules([.idle])
    return (0...minutes).filter { passed in
      !rules.take(
        figures(steps: 100, state: state), at: noon + Double(passed) * 60, minute: (first + passed) % 1440
      ).isEmpty
    }
  }

  @Test("an hour without a step is announced every hour, within the hours only, and only while a source counts")
  func idle() {
    #expect(Self.idle(from: 12 * 60, minutes: 150) == [60, 120])
    // The hour begins with the chosen hours, not in the night before.
    #expect(Self.idle(from: 8 * 60 + 30, minutes: 100) == [90])
    #expect(Self.idle(from: 17 * 60 + 30, minutes: 200).isEmpty)
    #expect(Self.idle(from: 12 * 60, minutes: 150, state: .lost).isEmpty)
    var rules = Self.rules([.idle])
    #expect(rules.take(Self.figures(steps: 100), at: Self.noon, minute: 720).isEmpty)
    #expect(rules.take(Self.figures(steps: 101), at: Self.noon + 3599, minute: 779).isEmpty)
    #expect(rules.take(Self.figures(steps: 101), at: Self.noon + 3601, minute: 780).isEmpty)
    #expect(rules.take(Self.figures(steps: 101), at: Self.noon + 7199, minute: 839).map(\.occasion) == [.idle])
  }

  @Test("a sensor that was lost for a minute is announced once, with the reason; one that was never there is not")
  func sensor() {
    var rules = Self.rules([.sensor])
    let lost = Self.figures(steps: 1, state: .lost)
    #expect(rules.take(lost, at: Self.noon, minute: 720).isEmpty)
    #expect(rules.take(lost, at: Self.noon + 300, minute: 725).isEmpty)
    #expect(rules.take(Self.figures(steps: 1), at: Self.noon + 400, minute: 726).isEmpty)
    #expect(rules.take(lost, at: Self.noon + 500, minute: 728).isEmpty)
    #expect(rules.take(Self.figures(steps: 1), at: Self.noon + 550, minute: 729).isEmpty)
    #expect(rules.take(lost, at: Self.noon + 600, minute: 730).isEmpty)
    let shown = rules.take(lost, at: Self.noon + 660, minute: 731)
    #expect(shown.map(\.text) == ["iio:device0: it was unplugged"])
    #expect(rules.take(lost, at: Self.noon + 9000, minute: 870).isEmpty)
  }

  @Test("occasions and hours are settings; others are refused")
  func settings() throws {
    func made(_ yaml: String) throws(ConfigurationError) -> NotificationRules? {
      try ServiceConfiguration(ConfigurationFile.parse(yaml, path: "p"), environment: [:]).notifications
    }
    #expect(try made("goal: 1") == nil)
    let rules = try #require(try made("notify: [goal, idle]\nnotify-hours: 08:30-24:00"))
    #expect(rules.occasions == [.goal, .idle] && rules.hours == 510..<1440)
    #expect(try made("notify: sensor")?.hours == 540..<1080)
    #expect(throws: ConfigurationError.self) { try made("notify: [always]") }
    for hours in ["9-18", "18:00-09:00", "09:00-25:00", "09:00", "24:30-24:40"] {
      #expect(throws: ConfigurationError.self, "\(hours)") { try made("notify: goal\nnotify-hours: \(hours)") }
    }
  }

  @Test("without a session bus the reason and the remedy are known at the start")
  func obstacle() throws {
    let folder = try TemporaryDirectory()
    for environment in [[:], ["XDG_RUNTIME_DIR": folder.path], ["DBUS_SESSION_BUS_ADDRESS": ""]] {
      let obstacle = try #require(DesktopNotification.obstacle(environment))
      #expect(obstacle.hasPrefix("there is no session bus; ") && obstacle.contains("systemctl --user enable --now"))
    }
    _ = try folder.write([], to: "bus")
    #expect(DesktopNotification.obstacle(["XDG_RUNTIME_DIR": folder.path]) == nil)
    #expect(DesktopNotification.obstacle(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"]) == nil)
  }

  @Test(
    "the desktop gets title and text, escaped; without one the reason is thrown",
    .enabled(if: PrivateBus.hasMock, "dbus-daemon or python3-dbusmock is not installed"))
  func desktop() throws {
    let bus = try PrivateBus()
    let notification = NotificationRules.Notification(occasion: .sensor, title: "A & B", text: "<x> & y")
    #expect(throws: DesktopNotification.Failure.self) { try DesktopNotification.show(notification, at: bus.address) }
    let script = """
      import dbusmock, os, sys
      os.environ['DBUS_SESSION_BUS_ADDRESS'] = '\(bus.address)'
      server, _ = dbusmock.DBusTestCase.spawn_server_template('notification_daemon', stdout=sys.stdout)
      print('ready', flush=True)
      server.wait()
      """
    let desktop = try Executable(path: "/usr/bin/python3").start(["-c", script])
    _ = try desktop.outputLines(1)
    try DesktopNotification.show(notification, at: bus.address)
    // After the time.
    let call = try #require(try desktop.outputLines(2).last).drop { $0 != " " }.dropFirst()
    #expect(call == #"Notify "Pedometer" 0 "" "A & B" "&lt;x&gt; &amp; y" [] {} -1"#)
  }
}
