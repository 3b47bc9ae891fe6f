import Foundation
import LiveSources
import Logging
import Platform
import ServiceCore
import ServiceLifecycle
import ServiceTransport

/// Tells a target each day when it has ended, the oldest first, and again if it changes.
///
/// There is no queue: what is due follows from the history and from the figures that the target has acknowledged, one for each
/// day. So a killed process loses nothing, and a day whose answer was lost is told again, which replaces it.
struct PushService: Service {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Whether only this day is refused, so that others may be taken.
    var isOfTheDay = false
  }

  let target: PushTarget
  let transport: any Transport
  let ledger: PushLedger
  /// The days that have ended, oldest first.
  let days: @Sendable () async throws -> [PushedDay]
  let clock: ServiceClock
  let logger: Logger

  /// The time between two looks at the history.
  static let interval = Duration.seconds(600)
  private static let timeout = Duration.seconds(30)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var backoff = Backoff(first: .seconds(30), longest: .seconds(3600))
      var trouble: String?
      while !Task.isCancelled {
        var wait = Self.interval
        do {
          let count = try await tell()
          if count > 0 { logger.notice("\(target.name) was told \(count) \(count == 1 ? "day" : "days")") }
          backoff.reset()
          trouble = nil
        } catch {
          wait = backoff.next()
          if !Task.isCancelled, trouble != "\(error)" { logger.warning("\(target.name) is told later: \(error)") }
          trouble = "\(error)"
        }
        try? await clock.sleep(wait)
      }
    }
  }

  /// Tells what is due.
  /// - Returns: the number of days.
  /// - Throws: also if a day was refused, after the other days were told.
  func tell() async throws -> Int {
    let due = try ledger.due(try await days(), for: target.name)
    var refusal: Failure?
    for day in due {
      do {
        try await tell(day)
      } catch let failure as Failure where failure.isOfTheDay {
        refusal = refusal ?? failure
      }
    }
    if let refusal { throw refusal }
    return due.count
  }

  private func tell(_ day: PushedDay) async throws {
    var entry: String?
    if let search = target.search(day) {
      guard let found = ServiceJSON.decode(Found.self, try await answer(to: search)) else {
        throw Failure(description: "\(search.url) was not answered with {\"results\": [{\"id\": …}]}")
      }
      entry = found.results.first?.id
    }
    _ = try await answer(to: target.request(day, changing: entry))
    try ledger.acknowledge(day, for: target.name)
  }

  private func answer(to request: TransportRequest) async throws -> [UInt8] {
    let answer = try await transport.send(request, timeout: Self.timeout)
    guard answer.isSuccess else {
      let text = String(decoding: answer.body.prefix(200), as: UTF8.self).filter { !$0.isNewline }
      throw Failure(
        description: "\(request.method) \(request.url) was answered with \(answer.status): \(text)",
        isOfTheDay: [400, 409, 422].contains(answer.status))
    }
    return answer.body
  }

  private struct Found: Decodable {
    struct Entry: Decodable {
      var id: String

      private enum CodingKeys: CodingKey { case id }

      /// A number or a text.
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try (try? values.decode(Int.self, forKey: .id)).map(String.init) ?? values.decode(String.self, forKey: .id)
      }
    }
    var results: [Entry]
  }
}

/// The figures of days that targets have acknowledged: a file of the state folder.
struct PushLedger: Sendable {
  private typealias Figures = [String: [String: Int]]

  private let file: StateFile<Figures>

  init(folder: String) { file = StateFile(path: folder + "/pushed.json") }

  /// The days that a target has not acknowledged as they are now. A day that never had steps is not due.
  func due(_ days: [PushedDay], for target: String) throws -> [PushedDay] {
    let known = try figures()[target] ?? [:]
    return days.filter { $0.steps != known[$0.date] ?? 0 }
  }

  /// Keeps a figure durably.
  func acknowledge(_ day: PushedDay, for target: String) throws {
    var figures = try figures()
    figures[target, default: [:]][day.date] = day.steps
    try file.write(figures)
  }

  /// Of a damaged file nothing: days are told again, which replaces them.
  private func figures() throws(StateFileError) -> Figures {
    do { return try file.read() ?? [:] } catch {
      if error.errno == EBADMSG { return [:] }
      throw error
    }
  }
}
