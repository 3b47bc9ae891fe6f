import Analytics
import Foundation
import ServiceNetwork
import ServiceTransport
import TestSupport
import Testing

@testable import PedometerService

/// The founding tests of reports that need a service, with the executable on loopback.
@Suite("reports over HTTP: the executable", .timeLimit(.minutes(30)))
final class AnalyticsOverHTTPTests {
  private let folder: TemporaryDirectory
  private var spool: String { folder.path + "/analytics" }
  private let lab = ReportEnvironment(device: "Lab Bench", os: "Debian GNU/Linux 12", appVersion: "0.2.0")

  init() throws { folder = try TemporaryDirectory() }

  deinit { for name in ["/analytics", "/state"] { try? FileManager.default.removeItem(atPath: folder.path + name) } }

  private func backEnd(_ service: RealService) throws -> AnalyticsBackEnd {
    AnalyticsBackEnd(
      transport: NetworkTransport(),
      access: AnalyticsAccess(address: try AnalyticsAddress(service.url), token: RealService.token))
  }

  @Test("testAPI_whenReportSent_thenReportIsSent: the service has a report of that name")
  func sent() async throws {
    let service = try RealService(isGuarded: true)
    let kept = try await backEnd(service).kept(spool: spool) {
      $0.sendReport(report: .make(event: .loginShown, type: .screenView, in: lab))
    }
    #expect(kept.map(\.name) == ["loginShown"] && kept.first?.device == "Lab Bench" && kept.first?.user == "walker")
  }

  @Test("testController_whenShown_sendsAnalytics: the five screens, in the order in which they were shown")
  func shown() async throws {
    let service = try RealService(isGuarded: true)
    let founding: [AnalyticsEvent] = [
      .announcementsShown, .orgChartShown, .calendarShown, .purchasesShown, .settingShown,
    ]
    let kept = try await backEnd(service).kept(spool: spool) { analytics in
      for event in founding {
        let screen = Screen(event, in: lab)
        screen.analytics = analytics
        screen.willAppear()
      }
    }
    #expect(kept.map(\.name) == founding.map(\.rawValue) && kept.allSatisfy { $0.type == "screenView" })
  }

  @Test("testController_whenShownTwice_sendsTwoReports")
  func shownTwice() async throws {
    let service = try RealService(isGuarded: true)
    let kept = try await backEnd(service).kept(spool: spool) { analytics in
      let screen = Screen(.announcementsShown, in: lab)
      screen.analytics = analytics
      screen.willAppear()
      screen.willAppear()
    }
    #expect(kept.count == 2 && kept[0].id != kept[1].id)
  }

  @Test("reports survive the service; a repeated one is stored once, as first received")
  func restart() async throws {
    let report = Report.make(event: .loginShown, type: .screenView, in: lab)
    func body(_ name: String) throws -> String {
      String(decoding: try JSONEncoder().encode(report), as: UTF8.self).replacing("loginShown", with: name)
    }
    func post(_ service: RealService, _ name: String) async throws -> TransportResponse {
      try await service.ask("POST", "/api/analytics", body: body(name), token: RealService.token)
    }
    var service: RealService? = try RealService(isGuarded: true, folder: folder)
    let first = try await post(try #require(service), "first")
    #expect(first.status == 201)
    service = nil
    let second = try RealService(isGuarded: true, folder: folder)
    let again = try await post(second, "second")
    #expect(again.status == 200 && again.body == first.body)
    let kept = try await backEnd(second).kept()
    #expect(kept.map(\.name) == ["first"] && kept.first?.recordedDate == report.recordedDate)
  }
}
