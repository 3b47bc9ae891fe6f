import Accelerometry
import Synchronization
import Testing

@testable import LinuxSensors

@Suite("A sensor that is unplugged and comes back", .timeLimit(.minutes(10)))
struct ReconnectingSourceTests {
  private static let gone = ScriptedReader<SampleBatch>.End.failure(.removed(path: "/dev/iio:device0"))

  private static func batch(_ seconds: Double...) -> SampleBatch {
    SampleBatch(samples: seconds.map { AccelerationSample(nanoseconds: Int64($0 * 1e9), acceleration: [0, 0, 1]) })
  }

  /// A source whose lives, and the news in between, are scripted.
  private func source(
    lives: [@Sendable () -> ScriptedReader<SampleBatch>], news: [SensorChange],
    report: @escaping @Sendable (ReconnectingSource.Event) -> Void = { _ in }
  ) -> ReconnectingSource {
    let life = Mutex(1)
    return ReconnectingSource(
      sensor(.iio("device0")), profile: SensorProfile(name: "accel", clock: .boottime),
      first: SensorReadings { lives[0]() },
      reopen: { _ in
        let number = life.withLock { number in
          defer { number += 1 }
          return number
        }
        return SensorReadings { lives[number]() }
      },
      changes: { SensorReadings { ScriptedReader(news, end: .over) } }, report: report)
  }

  @Test("goes on with the same sensor under another number, after a gap")
  func back() async throws {
    let other = SensorChange.added(sensor(.iio("device1"), serial: "B2"))
    let same = sensor(.iio("device4"))
    let log = ReaderLog()
    let source = source(
      lives: [
        { ScriptedReader([Self.batch(1, 2)], end: Self.gone) }, { ScriptedReader([Self.batch(7, 8)], end: .over) },
      ], news: [.removed(sensor(.iio("device0"))), other, .added(same)],
      report: { event in
        switch event {
        case .lost: log.add("lost")
        case .refused: log.add("refused")
        case .back(let sensor): log.add("back as \(sensor.uri)")
        }
      })
    var batches: [SampleBatch] = []
    for try await batch in source.batches() { batches.append(batch) }
    #expect(batches.map(\.gap) == [nil, .interruption(.seconds(5))])
    #expect(batches.flatMap(\.samples).map(\.nanoseconds) == [1, 2, 7, 8].map { $0 * 1_000_000_000 })
    #expect(log.all == ["lost", "back as iio:device4"])
  }

  @Test("a return that cannot be read yet is waited out")
  func refused() async throws {
    let same = sensor(.iio("device0"))
    let denied = SensorError.permissionDenied(path: "/dev/iio:device0", errno: 13, remedy: "wait")
    let source = source(
      lives: [
        { ScriptedReader([Self.batch(1)], end: Self.gone) },
        { ScriptedReader([], end: .over, refusal: denied) }, { ScriptedReader([Self.batch(3)], end: .over) },
      ], news: [.added(same), .changed(same)])
    var count = 0
    for try await batch in source.batches() { count += batch.samples.count }
    #expect(count == 2)
  }

  @Test("a clock that begins anew does not turn time back")
  func clock() async throws {
    let source = source(
      lives: [
        { ScriptedReader([Self.batch(100, 101)], end: Self.gone) },
        { ScriptedReader([Self.batch(1), Self.batch(2)], end: .over) },
      ], news: [.added(sensor(.iio("device0")))])
    var times: [Int64] = []
    for try await batch in source.batches() { times += batch.samples.map(\.nanoseconds) }
    #expect(times == [100, 101, 102, 103].map { $0 * 1_000_000_000 })
  }

  @Test("what waiting does not heal is thrown")
  func fatal() async {
    let busy = SensorError.busy(path: "/dev/iio:device0", holders: [])
    let source = source(lives: [{ ScriptedReader([], end: .failure(busy)) }], news: [])
    await #expect(throws: busy) {
      for try await _ in source.batches() {}
    }
  }

  @Test("cancelled while it waits, it ends")
  func cancelled() async throws {
    let log = ReaderLog()
    let (lost, announce) = AsyncStream.makeStream(of: Void.self)
    let source = ReconnectingSource(
      sensor(.iio("device0")), profile: SensorProfile(name: "accel", clock: .boottime),
      first: SensorReadings { ScriptedReader([], end: Self.gone) }, reopen: { _ in fatalError() },
      changes: { SensorReadings { ScriptedReader([], end: .silence, log: log) } }, report: { _ in announce.finish() })
    let task = Task { for try await _ in source.batches() {} }
    for await _ in lost {}
    task.cancel()
    try await task.value
    #expect(log.all.last == "close" || log.all.isEmpty)
  }
}
