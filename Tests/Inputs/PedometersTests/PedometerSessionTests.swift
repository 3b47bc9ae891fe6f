import Accelerometry
import Counting
import Pedometers
import Pedometry
import Recordings
import Synchronization
import TestSupport
import Testing

@Suite("Sessions of a pedometer", .timeLimit(.minutes(30)))
struct PedometerSessionTests {
  /// The calls of handlers, for inspection without waiting.
  private final class Told: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }

    func start(_ pedometer: some Pedometer) {
      pedometer.start(
        dataUpdates: { data, error in self.note(data.map { "\($0.steps > 0)" } ?? "error \(error!)") },
        eventUpdates: { error in self.note(error.map { "\($0)" } ?? "started") })
    }

    private func note(_ text: String) { entries.withLock { $0.append(text) } }
  }

  private let source = HeldSource()

  /// Half a minute of walking.
  private func walk() throws -> SampleBatch {
    var reader = try SyntheticWalk { $0.duration = .seconds(30) }.reader()
    var (all, some): ([AccelerationSample], [AccelerationSample]) = ([], [])
    while reader.read(into: &some) { all += some }
    return SampleBatch(samples: all)
  }

  @Test("a running session reports the walk")
  func running() async throws {
    let (pedometer, told) = (DetectingPedometer(source), Told())
    told.start(pedometer)
    #expect(await source.first(of: .asks(0)) != nil)
    source.release(try walk(), to: 0)
    #expect(await source.first(of: .asks(0)) != nil)
    #expect(told.all == ["started", "true"])
    source.release(nil, to: 0)
  }

  @Test("a pause cancels the reading at once, and earlier samples are not reported")
  func pause() async throws {
    let (pedometer, told) = (DetectingPedometer(source), Told())
    told.start(pedometer)
    #expect(await source.first(of: .asks(0)) != nil)
    pedometer.pause()
    #expect(source.cancelled == [0])
    source.release(try walk(), to: 0)
    // A session that continued would request another batch.
    #expect(await source.first(of: .letGo(0), .asks(0)) == .letGo(0))
    #expect(told.all.isEmpty)
  }

  @Test("the pedometer of any source of steps cancels its reading at a pause, and reports nothing afterwards")
  func pauseOfAnySource() async throws {
    let (pedometer, told) = (DetectingPedometer(SampleWalk { [source] in source.events }, CountingOptions()), Told())
    told.start(pedometer)
    #expect(await source.first(of: .asks(0)) != nil)
    pedometer.pause()
    #expect(source.cancelled == [0])
    source.release(try walk(), to: 0)
    #expect(await source.first(of: .letGo(0), .asks(0)) == .letGo(0))
    #expect(told.all.isEmpty)
  }

  @Test("a second start cancels the first session at once, and its handlers are no longer called")
  func secondStart() async throws {
    let (pedometer, first, second) = (DetectingPedometer(source), Told(), Told())
    first.start(pedometer)
    #expect(await source.first(of: .asks(0)) != nil)
    second.start(pedometer)
    #expect(source.cancelled == [0])
    #expect(await source.first(of: .asks(1)) != nil)
    source.release(try walk(), to: 0)
    #expect(await source.first(of: .letGo(0), .asks(0)) == .letGo(0))
    #expect(first.all.isEmpty)
    source.release(try walk(), to: 1)
    #expect(await source.first(of: .asks(1)) != nil)
    #expect(second.all == ["started", "true"])
    source.release(nil, to: 1)
  }

  @Test("a released pedometer ends its session")
  func letGo() async throws {
    let told = Told()
    do {
      let pedometer = DetectingPedometer(source)
      told.start(pedometer)
      #expect(await source.first(of: .asks(0)) != nil)
    }
    #expect(source.cancelled == [0])
    source.release(try walk(), to: 0)
    #expect(await source.first(of: .letGo(0), .asks(0)) == .letGo(0))
    #expect(told.all.isEmpty)
  }
}
