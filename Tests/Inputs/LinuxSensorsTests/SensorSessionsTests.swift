import Testing

@testable import LinuxSensors

@Suite("Ending all sensors at once", .timeLimit(.minutes(30)))
struct SensorSessionsTests {
  @Test("every sensor is closed when stopAll returns, as after a signal")
  func stopAll() async throws {
    let logs = (0..<3).map { _ in ReaderLog() }
    let registry = SessionRegistry()
    let iterators = logs.map { log in
      SensorReadings(registry: registry) { ScriptedReader([1], end: .silence, log: log) }.makeAsyncIterator()
    }
    for iterator in iterators { _ = try await iterator.next() }
    #expect(registry.count == 3)
    registry.stopAll(atMost: .seconds(30))
    #expect(registry.count == 0)
    for log in logs { #expect(log.all.last == "close") }
    for iterator in iterators { #expect(try await iterator.next() == nil) }
  }
}
