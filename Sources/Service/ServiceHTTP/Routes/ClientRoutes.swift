import Foundation
import HTTPTypes
import History
import Hummingbird
import JSONLines
import NIOCore
import ServiceCore
import ServiceWalkers

/// Samples and steps from clients over HTTP: phones, watches, programs.
package struct ClientRoutes: RouteGroup {
  let messages: ClientMessages
  let limits: ServiceLimits
  /// What walkers send goes to their own histories.
  var walkers: WalkerHomes?

  package init(messages: ClientMessages, limits: ServiceLimits, walkers: WalkerHomes? = nil) {
    (self.messages, self.limits, self.walkers) = (messages, limits, walkers)
  }

  package func register(in routes: inout RouteTable) {
    routes.add(.post, "/api/samples", .walkers) { try await takeSamples($0, messages(of: $1)) }
    routes.add(.post, "/api/steps", .walkers) { try await takeSteps($0, messages(of: $1)) }
    routes.add(.post, "/api/counters", .walkers) { try await takeCounter($0, messages(of: $1)) }
  }

  private static let types: Set = ["application/json", "application/x-ndjson", "application/jsonl"]

  private func messages(of context: ServiceContext) async throws -> ClientMessages {
    guard case .walker(let walker) = context.caller else { return messages }
    guard let walkers else { throw ServiceRefusal(503, "this service has no histories of walkers") }
    return try await walkers.home(of: walker).messages
  }

  private func takeSamples(_ request: Request, _ messages: ClientMessages) async throws -> Response {
    guard Self.types.contains(request.mediaType) else {
      throw ServiceRefusal(415, "the body must be JSON or JSON Lines; send Content-Type: application/json")
    }
    let query = try request.query()
    let body = Array(try await request.wholeBody(upTo: limits.samplesSize).readableBytesView)
    let (source, receipt) = try messages.takeSamples(body, query)
    return .json(
      JSONLine([
        "source": source.account.name, "accepted": receipt.accepted, "repeated": receipt.repeated,
        "skipped": receipt.skipped, "steps": source.account.state.steps,
      ]).object)
  }

  private func takeSteps(_ request: Request, _ messages: ClientMessages) async throws -> Response {
    let order = try await request.json(ClientMessages.Steps.self, upTo: limits.bodySize)
    let (source, receipt, isKnown) = try await messages.takeSteps(order)
    var line = JSONLine([
      "source": source.account.name, "accepted": receipt.recorded, "repeated": receipt.repeated,
      "impossible": receipt.impossible,
    ])
    if !isKnown, let remark = receipt.remark { line.add("remark", remark) }
    return .json(line.object)
  }

  private func takeCounter(_ request: Request, _ messages: ClientMessages) async throws -> Response {
    let order = try await request.json(ClientMessages.Counters.self, upTo: limits.bodySize)
    let (source, receipts) = try await messages.takeCounters(order)
    var line = JSONLine([
      "source": source.account.name, "taken": receipts.last?.isTaken == true,
      "restarted": receipts.last?.verdict == .restarted, "accepted": receipts.reduce(0) { $0 + $1.accepted },
      "elsewhere": receipts.reduce(0) { $0 + $1.elsewhere }, "dropped": receipts.reduce(0) { $0 + $1.dropped },
    ])
    if let remark = receipts.compactMap(\.remark).last { line.add("remark", remark) }
    return .json(line.object)
  }
}
