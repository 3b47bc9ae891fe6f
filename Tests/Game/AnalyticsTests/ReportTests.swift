import Foundation
import TestSupport
import Testing

@testable import Analytics

/// Reports, their JSON, and their environment.
@Suite("Report", .timeLimit(.minutes(30)))
struct ReportTests {
  @Test("testMakeReport_stubsCorrectValues: event, type, time, and the environment")
  func make() {
    let before = Date()
    let report = Report.make(event: .announcementsShown, type: .screenView, in: lab)
    #expect(report.name == "announcementsShown" && report.type == "screenView")
    #expect(abs(report.recordedDate.timeIntervalSince(before)) < 60)
    #expect(report.duration == nil)
    #expect((report.device, report.os, report.appVersion) == (lab.device, lab.os, lab.appVersion))
  }

  @Test("events and types have the names of their cases; the founding ones their founding names")
  func names() {
    #expect(
      AnalyticsEvent.allCases.prefix(8).map(\.rawValue) == [
        "loginShown", "loginButtonClicked", "announcementsShown", "settingShown", "orgChartShown", "purchasesShown",
        "calendarShown", "fullDayShown",
      ])
    #expect(AnalyticsType.allCases.map(\.rawValue) == ["screenView", "buttonTap", "lifecycle"])
  }

  @Test("the JSON has the founding keys and an id; a duration only if there is one")
  func json() throws {
    let date = Date(timeIntervalSince1970: 1_795_270_760.123)
    let id = UUID()
    var report = Report.make(event: .chaseStarted, type: .lifecycle, in: lab, at: date)
    report = Report(
      id: id, name: report.name, recordedDate: date, type: report.type, device: "a \"b\"/c", os: "d", appVersion: "1")
    #expect(
      String(decoding: try report.json(), as: UTF8.self)
        == #"{"appVersion":"1","device":"a \"b\"/c","id":"\#(id)","name":"chaseStarted","os":"d","#
        + #""recordedDate":"2026-11-21T14:19:20.123Z","type":"lifecycle"}"#)
    let long = Report.make(event: .chaseCompleted, type: .lifecycle, duration: .microseconds(312_500_400), in: lab)
    #expect(String(decoding: try long.json(), as: UTF8.self).contains("\"duration\":312.5,"))
  }

  @Test("a report equals its decoded copy, for every millisecond")
  func roundTrip() throws {
    for step in 0..<500 {
      let date = Date(timeIntervalSince1970: 1_790_000_000 + Double(step) * 7.919_31)
      let report = Report.make(event: .goalSet, type: .buttonTap, duration: .milliseconds(step), in: lab, at: date)
      #expect(try JSONDecoder().decode(Report.self, from: Data(report.json())) == report)
    }
  }

  @Test("a founding report, in seconds and without an id, is decoded")
  func founding() throws {
    let text = #"{"name":"n","recordedDate":"2018-04-01T12:00:00Z","type":"t","device":"d","os":"o","appVersion":"1"}"#
    let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    #expect(report.recordedDate == Date(timeIntervalSince1970: 1_522_584_000) && report.duration == nil)
    #expect(try JSONDecoder().decode(Report.self, from: Data(text.utf8)).id != report.id)
  }

  @Test(
    "an invalid date is refused",
    arguments: [
      "", "yesterday", "2026-11-21", "2026-13-41T14:19:20Z", "99999-11-21T14:19:20Z", "1790000000",
      "1582-12-31T23:59:59Z",
    ])
  func dates(_ text: String) { #expect(ReportDate.date(text) == nil) }
}

/// The description of a computer.
@Suite("ReportEnvironment", .timeLimit(.minutes(30)))
struct ReportEnvironmentTests {
  private func machine(_ files: [String: String]) throws -> ReportEnvironment {
    let directory = try TemporaryDirectory()
    let root = directory.path + "/root"
    defer { try? FileManager.default.removeItem(atPath: root) }
    for (name, text) in files {
      let url = URL(fileURLWithPath: "\(root)/\(name)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return ReportEnvironment.machine(appVersion: "7", root: root + "/")
  }

  @Test("the model of the firmware, the system's pretty name and the kernel")
  func laptop() throws {
    let found = try machine([
      "sys/class/dmi/id/product_name": "ThinkPad X1 \nSecond line\n", "proc/sys/kernel/osrelease": "6.1.0-28-amd64\n",
      "etc/os-release": "NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
    ])
    #expect(found.device == "ThinkPad X1" && found.appVersion == "7")
    #expect(found.os == "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-28-amd64")
  }

  @Test("a board has a device tree, whose text ends with a zero byte")
  func board() throws {
    let found = try machine([
      "proc/device-tree/model": "Raspberry Pi 5\0rest", "usr/lib/os-release": "PRETTY_NAME='Alpine'\n",
    ])
    #expect(found.device == "Raspberry Pi 5" && found.os == "Alpine")
  }

  @Test("unknown values are `unknown`, and unusual ones are cleaned and shortened")
  func odd() throws {
    #expect(try machine([:]) == ReportEnvironment(device: "unknown", os: "unknown", appVersion: "7"))
    let long = try machine(["sys/class/dmi/id/product_name": "\u{1B}[31m" + String(repeating: "x", count: 500)])
    #expect(long.device.hasPrefix("[31mx") && long.device.count == 160)
    for (text, name) in [
      ("\"\"", "unknown"), ("''", "unknown"), ("", "unknown"), ("x", "x"), ("\"", "\""), ("'x'", "x"),
    ] {
      #expect(try machine(["etc/os-release": "NAME=y\nPRETTY_NAME=\(text)\n"]).os == name)
    }
  }
}
