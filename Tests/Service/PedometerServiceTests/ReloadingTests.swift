import Logging
import ServiceLifecycle
import ServiceSettings
import Testing

@testable import PedometerService

@Suite("Reloading the configuration", .timeLimit(.minutes(30)))
struct ReloadingTests {
  private struct Part: Service {
    let name: String
    let log: AsyncStream<String>.Continuation

    func run() async throws {
      log.yield("begin \(name)")
      try? await gracefulShutdown()
      log.yield("end \(name)")
    }
  }

  private func configuration(_ texts: [SettingKey: [String]]) throws -> ServiceConfiguration {
    var given = GivenSettings()
    for (key, values) in texts { given.give(key, option: values) }
    return try ServiceConfiguration(given, environment: [:])
  }

  @Test("a part ends in order before the next one begins, and the last one ends with the service")
  func replaced() async throws {
    let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
    let (lines, log) = AsyncStream.makeStream(of: String.self)
    let part = ReplaceablePart("one", logger: logger) { Part(name: $0, log: log) }
    let group = ServiceGroup(
      services: [part], gracefulShutdownSignals: [], cancellationSignals: [], logger: logger)
    let running = Task { try await group.run() }
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next() == "begin one")
    part.replace(with: "two")
    #expect(await iterator.next() == "end one")
    #expect(await iterator.next() == "begin two")
    part.replace(with: nil)
    #expect(await iterator.next() == "end two")
    part.replace(with: "three")
    #expect(await iterator.next() == "begin three")
    await group.triggerGracefulShutdown()
    #expect(await iterator.next() == "end three")
    try await running.value
  }

  private struct Broken: Service {
    let begun: AsyncStream<Void>.Continuation

    func run() async throws {
      begun.yield()
      throw ConfigurationError("it cannot begin")
    }
  }

  @Test("a part that ends with an error is told in the log")
  func broken() async throws {
    let log = LogLines()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let part = ReplaceablePart("one", logger: log.logger) { _ in Broken(begun: begin) }
    let group = ServiceGroup(
      services: [part], gracefulShutdownSignals: [], cancellationSignals: [], logger: log.logger)
    let running = Task { try await group.run() }
    for await _ in begun { break }
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(log.all.contains { $0.contains("it cannot begin") }, "\(log.all)")
  }

  @Test("a change without an effect is named with the reason, not as in effect")
  func idle() throws {
    let reloading = Reloading(try configuration([.goal: ["4000"]]))
    reloading.use { _, keys in keys.contains(.goal) ? [.goal: "another goal stays in effect"] : [:] }
    #expect(
      reloading.take(try configuration([.goal: ["6000"], .logLevel: ["debug"]]))
        == "reloaded the configuration; in effect: log-level; goal: another goal stays in effect")
  }

  @Test("what changes is in effect at once or named as needing a restart, until it is changed back")
  func sentences() throws {
    let reloading = Reloading(try configuration([.goal: ["4000"]]))
    #expect(reloading.take(try configuration([.goal: ["4000"]])) == "the configuration has not changed")
    #expect(
      reloading.take(try configuration([.goal: ["5000"], .height: ["1.8"], .logLevel: ["debug"]]))
        == "reloaded the configuration; in effect: goal, log-level; after a restart of the service: height")
    // The restart is still needed.
    #expect(
      reloading.take(try configuration([.goal: ["5000"], .height: ["1.8"], .logLevel: ["debug"]]))
        == "reloaded the configuration; after a restart of the service: height")
    #expect(
      reloading.take(try configuration([:])) == "reloaded the configuration; in effect: goal, log-level")
  }
}
