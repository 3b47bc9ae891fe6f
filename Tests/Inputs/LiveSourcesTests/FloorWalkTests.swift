import Counting
import LinuxSensors
import LiveSources
import Pedometry
import Synchronization
import Testing

@Suite("A walk with a barometer", .timeLimit(.minutes(30)))
struct FloorWalkTests {
  /// A barometer that delivers everything at once, and then reports that it did.
  private struct Barometer: AsyncSequence, Sendable {
    typealias Element = PressureSample
    typealias Failure = any Error
    let samples: [PressureSample]
    let told: AsyncStream<Void>.Continuation

    struct Iterator: AsyncIteratorProtocol {
      var samples: ArraySlice<PressureSample>
      let told: AsyncStream<Void>.Continuation
      mutating func next() async throws -> PressureSample? {
        if samples.isEmpty { told.yield() }
        return samples.popFirst()
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(samples: samples[...], told: told) }
  }

  /// A walk with given events, some of which wait for a signal.
  private struct Script: WalkSource {
    let script: [WalkEvent]
    let wait: @Sendable (Int) async -> Void

    func events(_ options: CountingOptions) -> AsyncThrowingStream<WalkEvent, any Error> {
      let place = Cursor()
      return AsyncThrowingStream {
        let index = place.next()
        await wait(index)
        return index < script.count ? script[index] : nil
      }
    }
  }

  private final class Cursor: Sendable {
    private let place = Mutex(-1)
    func next() -> Int {
      place.withLock { place in
        place += 1
        return place
      }
    }
  }

  /// Two steps per second between two times in seconds.
  private func progress(_ seconds: Range<Int>) -> WalkEvent {
    let steps = (seconds.lowerBound * 2..<seconds.upperBound * 2).map { Step(timestamp: .milliseconds(500 * $0)) }
    return .progress(
      WalkProgress(
        steps: steps, totals: WalkTotals(steps: seconds.upperBound * 2, distanceTravelled: 1),
        now: .seconds(seconds.upperBound)))
  }

  /// 9 m upwards between 20 s and 50 s, one sample per second.
  private func climb(_ seconds: Range<Int>) -> [PressureSample] {
    seconds.map { second in
      let height = 9 * min(1, max(0, Double(second - 20) / 30))
      return PressureSample(nanoseconds: Int64(second) * 1_000_000_000, kilopascals: 101.325 * (1 - height / 8435))
    }
  }

  private func floors(_ walk: FloorWalk) async throws -> (data: [Int?], summary: WalkSummary) {
    var (data, summary): ([Int?], WalkSummary) = ([], WalkSummary())
    for try await event in walk.events(CountingOptions()) {
      if case .progress(let progress) = event { data.append(progress.totals.floorsAscended) }
      if case .ended(let walk) = event { summary = walk }
    }
    return (data, summary)
  }

  @Test("totals and summary contain the floors; everything else is unchanged")
  func counted() async throws {
    let (told, teller) = AsyncStream.makeStream(of: Void.self)
    let samples = climb(0..<100)
    let script = Script(script: [.began(at: .zero), progress(0..<100), .ended(WalkSummary())]) { index in
      if index == 1 { for await _ in told { break } }
    }
    let (data, summary) = try await floors(FloorWalk(script) { Barometer(samples: samples, told: teller) })
    #expect(data == [3] && summary.totals.floorsAscended == 3 && summary.totals.floorsDescended == 0)
  }

  @Test("a barometer that fails or is silent leaves the walk unchanged, without floors")
  func silent() async throws {
    let script = Script(script: [progress(0..<100), .ended(WalkSummary())]) { _ in }
    let (data, summary) = try await floors(
      FloorWalk(script) {
        AsyncThrowingStream<PressureSample, any Error> { throw SensorError.removed(path: "/sys") }
      })
    #expect(data == [nil] && summary.totals.floorsAscended == nil && summary.totals.floorsDescended == nil)
  }

  @Test("a barometer that was lost with its hub is reopened when the hub is back, and floors continue")
  func back() async throws {
    let (told, teller) = AsyncStream.makeStream(of: Void.self)
    let (early, late) = (
      climb(0..<80),
      climb(20..<100).map { sample in
        PressureSample(nanoseconds: sample.nanoseconds + 200_000_000_000, kilopascals: sample.kilopascals)
      }
    )
    let script = Script(
      script: [.began(at: .zero), progress(0..<80), .back("hub"), progress(220..<300), .ended(WalkSummary())]
    ) { index in
      if index == 1 || index == 3 { for await _ in told { break } }
    }
    let openings = Mutex([early, late][...])
    let (data, summary) = try await floors(
      FloorWalk(script) {
        openings.withLock { $0.popFirst() }.map { Barometer(samples: $0, told: teller) }
      })
    #expect(data == [3, 6] && summary.totals.floorsAscended == 6)
  }
}
