import Testing

@testable import LinuxSensors

@Suite("Readings of a sensor", .timeLimit(.minutes(30)))
struct SensorReadingsTests {
  @Test("elements come in order, then the end; the sensor is closed before the end is reported")
  func order() async throws {
    let log = ReaderLog()
    let readings = SensorReadings { ScriptedReader([1, 2, 3], end: .over, log: log) }
    let iterator = readings.makeAsyncIterator()
    #expect(log.all.isEmpty)
    for expected in 1...3 { #expect(try await iterator.next() == expected) }
    #expect(try await iterator.next() == nil)
    #expect(log.all == ["open", "next", "next", "next", "next", "close"])
    #expect(try await iterator.next() == nil)
  }

  @Test("the sensor is read only on request")
  func pulled() async throws {
    let log = ReaderLog()
    let iterator = SensorReadings { ScriptedReader([1, 2, 3], end: .over, log: log) }.makeAsyncIterator()
    _ = try await iterator.next()
    #expect(log.all == ["open", "next"])
    _ = try await iterator.next()
    #expect(log.all == ["open", "next", "next"])
  }

  @Test("an error ends the sequence after the sensor was closed")
  func failure() async {
    let log = ReaderLog()
    let removed = SensorError.removed(path: "/dev/iio:device0")
    let iterator = SensorReadings { ScriptedReader<Int>([], end: .failure(removed), log: log) }.makeAsyncIterator()
    await #expect(throws: removed) { try await iterator.next() }
    #expect(log.all == ["open", "next", "close"])
  }

  @Test("a sensor that fails to open is closed too")
  func refusal() async {
    let log = ReaderLog()
    let denied = SensorError.permissionDenied(path: "/dev/iio:device0", errno: 13, remedy: "ask")
    let readings = SensorReadings { ScriptedReader<Int>([], end: .over, refusal: denied, log: log) }
    let iterator = readings.makeAsyncIterator()
    await #expect(throws: denied) { try await iterator.next() }
    #expect(log.all == ["open", "close"])
  }

  @Test("cancelling the task ends a wait with nil, after closing the sensor")
  func cancellation() async throws {
    let log = ReaderLog()
    let readings = SensorReadings { ScriptedReader([7], end: .silence, log: log) }
    let (started, announce) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      let iterator = readings.makeAsyncIterator()
      #expect(try await iterator.next() == 7)
      announce.finish()
      return try await iterator.next()
    }
    for await _ in started {}
    task.cancel()
    #expect(try await task.value == nil)
    #expect(log.all.last == "close")
  }

  @Test("a sensor sleeps after a read, not at the next request")
  func resting() async throws {
    let log = ReaderLog()
    let iterator = SensorReadings { ScriptedReader([1, 2], end: .over, log: log, logsRests: true) }.makeAsyncIterator()
    for expected in [1, 2, nil] { #expect(try await iterator.next() == expected) }
    #expect(log.all == ["open", "next", "rest", "next", "rest", "next", "close"])
  }

  @Test("cancelling wakes a sleeping sensor", .timeLimit(.minutes(30)))
  func cancelledAtRest() async throws {
    let (resting, announce) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      let iterator = SensorReadings { WaitingReader(waitsAtRest: true) { announce.yield() } }.makeAsyncIterator()
      #expect(try await iterator.next() == 0)
      return try await iterator.next()
    }
    var iterator = resting.makeAsyncIterator()
    await iterator.next()
    task.cancel()
    #expect(try await task.value == nil)
  }

  @Test("waiting readers do not block the threads of other tasks", .timeLimit(.minutes(30)))
  func blocking() async throws {
    let (waiting, announce) = AsyncStream.makeStream(of: Void.self)
    // More of them than the cooperative pool has threads.
    let count = 256
    let readers = (0..<count).map { _ in
      Task {
        try await SensorReadings { WaitingReader { announce.yield() } }.makeAsyncIterator().next()
      }
    }
    var iterator = waiting.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    // All of them are blocked now; this still runs.
    #expect(await Task.detached { true }.value)
    for reader in readers { reader.cancel() }
    for reader in readers { #expect(try await reader.value == nil) }
  }

  @Test("a task that was cancelled before does not open anything")
  func cancelledBefore() async throws {
    let log = ReaderLog()
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await SensorReadings { ScriptedReader([7], end: .silence, log: log) }.makeAsyncIterator().next()
    }
    #expect(try await task.value == nil)
    #expect(log.all.isEmpty)
  }

  @Test("each iterator opens the sensor again")
  func anew() async throws {
    let log = ReaderLog()
    let readings = SensorReadings { ScriptedReader([1], end: .over, log: log) }
    for _ in 0..<2 { #expect(try await readings.makeAsyncIterator().next() == 1) }
    #expect(log.all.filter { $0 == "open" }.count == 2)
  }
}
