import Accelerometry
import Dispatch
import Recordings
import Synchronization
import TestSupport
import Testing

/// A reader that returns the given samples, and then an error or the end.
private struct ScriptedReader: SampleReader {
  struct Damage: Error, Hashable {}

  var profile = SensorProfile(name: "scripted", clock: .recording)
  var portions: [[AccelerationSample]]
  var endsWithDamage = false

  mutating func read(into samples: inout [AccelerationSample]) throws -> Bool {
    samples = []
    if portions.isEmpty {
      if endsWithDamage { throw Damage() }
      return false
    }
    samples = portions.removeFirst()
    return true
  }
}

private func sample(milliseconds: Int64) -> AccelerationSample {
  AccelerationSample(nanoseconds: milliseconds * 1_000_000, acceleration: [0, 0, 1])
}

/// Samples every 10 ms in a range of milliseconds.
private func samples(_ range: Range<Int64>) -> [AccelerationSample] {
  stride(from: range.lowerBound, to: range.upperBound, by: 10).map { sample(milliseconds: $0) }
}

private let profile = SensorProfile(name: "scripted", clock: .recording)

private func replay(
  _ portions: [[AccelerationSample]], pace: ReplayPace = .unpaced, clock: ManualClock = ManualClock(),
  endsWithDamage: Bool = false
) -> RecordingReplay<ManualClock> {
  RecordingReplay(profile: profile, pace: pace, clock: clock) {
    ScriptedReader(portions: portions, endsWithDamage: endsWithDamage)
  }
}

private func batches(_ source: some AccelerationSource) async throws -> [SampleBatch] {
  var all: [SampleBatch] = []
  for try await batch in source.batches() { all.append(batch) }
  return all
}

@Suite(.timeLimit(.minutes(30))) struct RecordingReplayTests {
  @Test("replay at full speed delivers the reader's samples without a clock")
  func unpaced() async throws {
    let portions = [samples(0..<500), samples(500..<900)]
    let all = try await batches(replay(portions))
    #expect(all == portions.map { SampleBatch(samples: $0) })
  }

  @Test("each sequence starts from the beginning")
  func startsAnew() async throws {
    let source = replay([samples(0..<500)])
    #expect(try await batches(source) == batches(source))
  }

  @Test("a jump in the timestamps is a gap, also between batches; a repeat or a step back is not")
  func gaps() async throws {
    let all = try await batches(
      replay([samples(0..<100) + samples(5000..<5100), samples(9000..<9100), samples(9000..<9020)]))
    #expect(all.map(\.samples.count) == [10, 10, 10, 2])
    #expect(
      all.map(\.gap) == [nil, .interruption(.milliseconds(4910)), .interruption(.milliseconds(3910)), nil])
  }

  @Test("timestamps at the limits of their type do not overflow")
  func extremeTimestamps() async throws {
    let far = [Int64.min, 0, .max].map { AccelerationSample(nanoseconds: $0, acceleration: .zero) }
    #expect(try await batches(replay([far])).map(\.samples.count) == [1, 1, 1])
  }

  @Test("a damaged recording delivers its good samples and then its error")
  func damage() async throws {
    var iterator = replay([samples(0..<100)], endsWithDamage: true).batches().makeAsyncIterator()
    #expect(try await iterator.next()?.samples.count == 10)
    await #expect(throws: ScriptedReader.Damage.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}

@Suite(.timeLimit(.minutes(30))) struct PacedReplayTests {
  /// Runs a replay to its end and records when each batch arrived, in milliseconds.
  private func arrivals(_ portions: [[AccelerationSample]], pace: ReplayPace) async throws -> [(
    at: Duration, count: Int
  )] {
    let clock = ManualClock()
    let source = replay(portions, pace: pace, clock: clock)
    return try await clock.flying {
      var all: [(at: Duration, count: Int)] = []
      for try await batch in source.batches() { all.append((clock.now.offset, batch.samples.count)) }
      return all
    }
  }

  @Test("at original speed, a batch of at most 100 ms arrives at the time of its last sample")
  func realTime() async throws {
    let all = try await arrivals([samples(1000..<1250)], pace: .realTime)
    #expect(all.map(\.count) == [10, 10, 5])
    #expect(all.map(\.at) == [.milliseconds(90), .milliseconds(190), .milliseconds(240)])
  }

  @Test("a gap takes as long as in the recording")
  func gap() async throws {
    let all = try await arrivals([samples(0..<100) + samples(5000..<5100)], pace: .realTime)
    #expect(all.map(\.at) == [.milliseconds(90), .milliseconds(5090)])
  }

  @Test("replay does not wait again after a clock jumps back")
  func jumpBack() async throws {
    let all = try await arrivals([samples(0..<100), samples(0..<100), samples(100..<200)], pace: .realTime)
    #expect(all.map(\.at) == [.milliseconds(90), .milliseconds(90), .milliseconds(190)])
  }

  @Test("a slow consumer immediately receives what is due")
  func slowConsumer() async throws {
    let clock = ManualClock()
    var iterator = replay([samples(0..<300)], pace: .realTime, clock: clock).batches().makeAsyncIterator()
    let waker = Task {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(10))
    }
    #expect(try await iterator.next()?.samples.count == 10)
    await waker.value
    #expect(try await iterator.next()?.samples.count == 10)
    #expect(try await iterator.next()?.samples.count == 10)
    #expect(try await iterator.next() == nil)
  }

  @Test("cancellation ends the sequence during a wait")
  func cancellation() async throws {
    let clock = ManualClock()
    let source = replay([samples(0..<10_000)], pace: .realTime, clock: clock)
    let task = Task { try await batches(source).count }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(95))
    await clock.waitForSleepers()
    task.cancel()
    #expect(try await task.value == 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test("a synthetic walk can be replayed like any other source")
  func syntheticWalk() async throws {
    var walk = SyntheticWalk()
    walk.duration = .seconds(5)
    let source = RecordingReplay(profile: walk.profile, pace: .unpaced) { [walk] in try walk.reader() }
    #expect(try await batches(source).map(\.samples.count).reduce(0, +) == 250)
    #expect(source.profile.placement == .wrist)
  }
}

@Suite(.timeLimit(.minutes(30))) struct StreamedRecordingTests {
  /// A reader that waits for a signal before each portion, as a pipe waits for bytes.
  private struct BlockingReader: SampleReader {
    var scripted: ScriptedReader
    let gate: DispatchSemaphore
    let reads: Counter
    var profile: SensorProfile { scripted.profile }

    mutating func read(into samples: inout [AccelerationSample]) throws -> Bool {
      reads.value.withLock { $0 += 1 }
      gate.wait()
      return try scripted.read(into: &samples)
    }
  }

  private final class Counter: Sendable {
    let value = Mutex(0)
  }

  /// A semaphore that lets this many reads pass. (Dispatch traps if a semaphore ends below its initial value.)
  private func openGate(_ count: Int) -> DispatchSemaphore {
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<count { gate.signal() }
    return gate
  }

  private func stream(
    _ portions: [[AccelerationSample]], gate: DispatchSemaphore, reads: Counter = Counter(),
    endsWithDamage: Bool = false
  ) -> RecordingReplay<ContinuousClock> {
    RecordingReplay(profile: profile, pace: .asItArrives) {
      BlockingReader(
        scripted: ScriptedReader(portions: portions, endsWithDamage: endsWithDamage), gate: gate, reads: reads)
    }
  }

  @Test("batches arrive as they are read, split at gaps")
  func portions() async throws {
    let gate = openGate(3)
    let all = try await batches(stream([samples(0..<100), samples(100..<200) + samples(4000..<4100)], gate: gate))
    #expect(all.map(\.samples.count) == [10, 10, 10])
    #expect(all.map(\.gap) == [nil, nil, .interruption(.milliseconds(3810))])
  }

  @Test("nothing is read before the first request")
  func pulled() async throws {
    let reads = Counter()
    let source = stream([samples(0..<100), samples(100..<200)], gate: openGate(9), reads: reads)
    var iterator = source.batches().makeAsyncIterator()
    #expect(reads.value.withLock { $0 } == 0)
    _ = try await iterator.next()
    #expect(reads.value.withLock { $0 } == 1)
  }

  @Test("cancellation ends the sequence even if the read keeps waiting")
  func cancellation() async throws {
    let gate = openGate(1)
    let (arrived, tell) = AsyncStream.makeStream(of: Void.self)
    let source = stream([samples(0..<100), samples(100..<200)], gate: gate)
    let task = Task {
      var count = 0
      for try await _ in source.batches() {
        count += 1
        tell.yield()
      }
      return count
    }
    for await _ in arrived { break }
    task.cancel()
    #expect(try await task.value == 1)
    gate.signal()
  }

  @Test("the reader's error is thrown unchanged")
  func damage() async throws {
    let source = stream([samples(0..<100)], gate: openGate(2), endsWithDamage: true)
    await #expect(throws: ScriptedReader.Damage.self) { try await batches(source) }
  }
}
