import Foundation
import History
import TestSupport
import Testing

@testable import pedometer_full

@Suite("pedometer status", .timeLimit(.minutes(30)), .ownThreads)
struct StatusTests {
  private static let day = DayStatus(
    date: "2026-11-22", steps: 4321, distanceTravelled: 3210, activeTime: 2460, goal: 8000, isFromService: true,
    isCounting: true)

  @Test("text, json, waybar and polybar are one line each")
  func formats() {
    #expect(Self.day.line(.text) == "4321 steps, 3.21 km today, 54 % of 8000")
    #expect(
      Self.day.line(.json)
        == #"{"date":"2026-11-22","steps":4321,"distanceTravelled":3210,"activeTime":2460,"goal":8000,"from":"service","counting":true,"reason":null}"#
    )
    #expect(Self.day.line(.polybar) == "4321")
    let bar = Self.day.line(.waybar)
    #expect(bar.hasPrefix(#"{"text":"4321","tooltip":"4321 steps, 3.21 km today, 54 % of 8000\n"#))
    #expect(bar.hasSuffix(#""class":"walking","percentage":54}"#))
  }

  @Test("a walker, who does not learn whether a source counts, is not told that one does")
  func walker() {
    var day = Self.day
    day.isCounting = nil
    #expect(day.line(.json).hasSuffix(#""from":"service","counting":null,"reason":null}"#))
    #expect(day.line(.text) == "4321 steps, 3.21 km today, 54 % of 8000")
  }

  @Test("a service's walking time that is no time is not shown")
  func endless() {
    var day = Self.day
    #expect(day.line(.waybar).contains("of walking"))
    day.activeTime = 1e300
    #expect(!day.line(.waybar).contains("of walking"))
  }

  @Test("a reached goal, and a service that does not count, are shown")
  func states() {
    var day = Self.day
    day.steps = 8000
    #expect(day.line(.waybar).hasSuffix(#""class":"reached","percentage":100}"#))
    (day.isCounting, day.reason) = (false, "no sensor <found> & none \"seen\"")
    #expect(day.line(.text).hasSuffix("; not counting: no sensor <found> & none \"seen\""))
    #expect(day.line(.waybar).contains(#"no sensor &lt;found> &amp; none \"seen\""#))
    #expect(day.line(.waybar).contains(#""class":"stopped""#))
    #expect(day.line(.polybar) == "8000 !")
  }

  @Test("without a service the history answers; a running service is preferred")
  func sources() throws {
    let folder = try TemporaryDirectory()
    let writer = try HistoryWriter(folder: HistoryFolder(path: folder.path + "/pedometer"), application: "tests")
    let start = Date() - 5
    try writer.record(
      (1...3).map { WalkedStep(time: start + Double($0), distance: 0.5, activeTime: .seconds(1)) },
      source: HistorySource(identity: "a", name: "a"))
    writer.close()
    let pedometer = try Executable.built("pedometer")
    let home = ["XDG_STATE_HOME": folder.path, "PEDOMETER_SERVICE": "off", "TZ": "UTC"]
    let own = try pedometer.run(["status", "--format", "json"], environment: home)
    #expect(own.exitCode == 0 && own.output.contains(#""from":"history","counting":null,"#), "\(own.errors)")
    let bar = try pedometer.run(["status", "--format", "waybar"], environment: home)
    #expect(bar.output.contains(#""class":"stopped""#), "\(bar.output)")
    let server = try LoopbackServer { connection in
      let body =
        connection.receive(upTo: "\r\n\r\n").contains("/api/today")
        ? #"{"date":"2026-11-22","steps":77,"distanceTravelled":50,"activeTime":40,"goal":null}"#
        : #"{"status":"ok","version":"1","sources":[{"uri":"x","state":"waiting","reason":"no sensor"}]}"#
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
          + "Connection: close\r\n\r\n\(body)")
    }
    defer { server.close() }
    let service = home.merging(["PEDOMETER_SERVICE": "http://127.0.0.1:\(server.port)"]) { $1 }
    let asked = try pedometer.run(["status"], environment: service)
    #expect(asked.output == "77 steps, 50 m today; not counting: no sensor\n", "\(asked.errors)")
  }
}
