import Foundation
import HTTPTypes
import History
import HistoryImport
import HummingbirdTesting
import Synchronization
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

@Suite("Importing files over HTTP", .timeLimit(.minutes(30)))
struct ImportRoutesTests {
  private let folder: TemporaryDirectory
  private let service: FakeService
  private let added = Added()

  private final class Added: Sendable {
    let steps = Mutex(0)
    let first = Mutex(Date.distantFuture)
  }

  init() throws {
    let folder = try TemporaryDirectory()
    // Left by a service that was killed.
    try folder.makeFolder("pedometer-import-abc")
    self.folder = folder
    let added = added
    service = try FakeService(
      groups: [
        ImportRoutes(
          files: FileImport(
            folder: HistoryFolder(path: folder.path), stepLength: .walkRatio(),
            timeZone: { TimeZone(identifier: "America/New_York") ?? .gmt },
            now: { Date(timeIntervalSince1970: 1_780_000_000) },
            raise: { minutes in
              added.first.withLock { first in first = minutes.map(\.start).reduce(first) { min($0, $1) } }
              added.steps.withLock { $0 += minutes.reduce(0) { $0 + $1.totals.steps } }
              return minutes.count
            }), limits: ServiceLimits())
      ])
  }

  private func send(
    _ body: String, _ query: String, type: String = "application/octet-stream"
  ) async throws -> (status: Int, text: String) {
    let answer = try await service.ask(.post, "/api/import/file?\(query)", [.contentType: type], body: body)
    return (answer.status.code, answer.text)
  }

  @Test("a file in parts is imported when its last part has come, and nothing of it is left")
  func parts() async throws {
    #expect(folder.contents == [])
    let upload = UUID().uuidString
    let first = try await send("date,ste", "upload=\(upload)&offset=0")
    #expect(first == (200, #"{"received":8}"#))
    #expect(folder.contents.count == 1)
    let last = try await send("ps\n2026-01-20,5000\n2026-01-21,0\n", "upload=\(upload)&offset=8&name=my%20days.csv")
    #expect(
      last.status == 200 && last.text.contains(#""steps":5000,"newSteps":5000,"minutes":"#),
      "\(last.status): \(last.text)")
    #expect(added.steps.withLock { $0 } == 5000 && folder.contents == [])
    // It is gone, so an upload cannot be continued.
    #expect(try await send("x", "upload=\(upload)&offset=8").status == 409)
  }

  @Test("dates are days in the service's time zone")
  func timeZone() async throws {
    let answer = try await send(
      "date,steps\n2026-01-20,5000\n", "upload=\(UUID().uuidString)&offset=0&name=days.csv")
    #expect(answer.status == 200, "\(answer.text)")
    // 05:00 in UTC is midnight in New York.
    #expect(added.first.withLock { $0 } == Date(timeIntervalSince1970: 1_768_885_200))
  }

  @Test("a file that cannot be imported is refused by its name, wherever it was kept")
  func unknown() async throws {
    let answer = try await send("hello", "upload=\(UUID().uuidString)&offset=0&name=..%2F..%2Fnote.txt")
    #expect(
      answer.status == 400 && answer.text.contains(#""reason":"note.txt is not a file that can be imported"#),
      "\(answer)")
    #expect(!answer.text.contains(folder.path) && folder.contents == [] && added.steps.withLock { $0 } == 0)
  }

  @Test("parts out of order, without an identifier or of another type are refused")
  func refused() async throws {
    let upload = UUID().uuidString
    #expect(try await send("a", "upload=\(upload)&offset=5").status == 409)
    #expect(try await send("a", "upload=walk&offset=0").status == 400)
    #expect(try await send("a", "upload=\(upload)&offset=-1").status == 400)
    #expect(try await send("a", "upload=\(upload)").status == 400)
    #expect(try await send("{}", "upload=\(upload)&offset=0", type: "application/json").status == 415)
  }

  @Test("of five files at a time, the one that was given up longest ago makes room")
  func most() async throws {
    let uploads = (0..<5).map { _ in UUID().uuidString }
    for upload in uploads { #expect(try await send("date,steps\n", "upload=\(upload)&offset=0").status == 200) }
    #expect(folder.contents.count == 4)
    #expect(try await send("2026-01-20,5000\n", "upload=\(uploads[0])&offset=11&name=a.csv").status == 409)
    #expect(try await send("2026-01-20,5000\n", "upload=\(uploads[4])&offset=11&name=a.csv").status == 200)
  }
}
