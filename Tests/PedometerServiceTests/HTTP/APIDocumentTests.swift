import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import PedometerService

@Suite("the description of the API")
struct APIDocumentTests {
  private struct Document: Decodable {
    struct Info: Decodable {
      var version: String
    }
    struct Operation: Decodable {
      struct Answer: Decodable {}
      var operationId: String
      var responses: [String: Answer]
      var security: [[String: [String]]]?
    }
    var openapi: String
    var info: Info
    var security: [[String: [String]]]
    var paths: [String: [String: Operation]]
  }

  private static func document(_ service: FakeService) async throws -> Document {
    let answer = try await service.ask(.get, "/openapi.json")
    return try JSONDecoder().decode(Document.self, from: Data(answer.body.readableBytesView))
  }

  @Test("it has every route of the service, and besides them only those that other parts bring")
  func routes() async throws {
    let service = try FakeService()
    let document = try await Self.document(service)
    let written = Set(document.paths.flatMap { path, operations in operations.keys.map { "\($0) \(path)" } })
    let served = Set(
      service.service.responder.routes.routes.flatMap { path, methods in
        methods.keys.map { "\($0.rawValue.lowercased()) \(path)" }
      })
    #expect(served.subtracting(written).isEmpty)
    #expect(
      written.subtracting(served).allSatisfy {
        $0.contains(" /chat/") || $0.contains(" /race/") || $0.hasSuffix(" /api/analytics")
      })
    for route in ["get /chat/room", "post /chat/say", "post /race/status", "get /race/live", "post /api/analytics"] {
      #expect(written.contains(route))
    }
  }

  @Test("what a route asks for is what it says")
  func access() async throws {
    let service = try FakeService.guarded()
    let document = try await Self.document(service)
    for (path, methods) in service.service.responder.routes.routes {
      for (method, route) in methods {
        let operation = try #require(document.paths[path]?[method.rawValue.lowercased()])
        #expect((operation.security?.isEmpty == true) == (route.access == .everybody), "\(method) \(path)")
        #expect(
          (operation.responses["401"] != nil)
            == (route.access != .everybody || path == "/api/session" && method == .post))
      }
    }
  }

  @Test("it tells the version that runs, and whether a token is asked for")
  func truth() async throws {
    let (open, guarded) = (
      try await Self.document(try FakeService()), try await Self.document(try FakeService.guarded())
    )
    #expect(open.openapi == "3.1.0" && open.info.version == "1.2.3")
    #expect(open.security.isEmpty && guarded.security.map(\.keys.first) == ["token", "session"])
  }
}
