import Accelerometry
import Dispatch
import Pedometers
import Pedometry
import Recordings
import StepDetection
import Synchronization
import TestSupport
import Testing

@Suite("PlaybackPedometer", .timeLimit(.minutes(30)))
struct PlaybackPedometerTests {
  /// The calls of the handlers.
  private final class Told: Sendable {
    private let state = Mutex<(walks: [WalkTotals], errors: [PedometerError], starts: Int)>(([], [], 0))
    var walks: [WalkTotals] { state.withLock { $0.walks } }
    var errors: [PedometerError] { state.withLock { $0.errors } }
    var starts: Int { state.withLock { $0.starts } }

    func start(_ pedometer: some Pedometer) {
      pedometer.start { [self] data, error in
        state.withLock {
          if let walk = data as? WalkTotals { $0.walks.append(walk) }
          if let error = error as? PedometerError { $0.errors.append(error) }
        }
      } eventUpdates: { [self] error in
        state.withLock { $0.starts += error == nil ? 1 : 0 }
      }
    }
  }

  private let news = DispatchSemaphore(value: 0)
  private let samples: [AccelerationSample]

  init() throws {
    var walk = SyntheticWalk()
    walk.duration = .seconds(30)
    samples = try walk.samples()
  }

  private func pedometer(_ reader: @escaping @Sendable () -> ScriptedReader) -> PlaybackPedometer {
    let news = news
    return PlaybackPedometer(wake: { news.signal() }, makeReader: reader)
  }

  /// Plays stretch by stretch, and waits for the reading thread if necessary.
  private func play(
    _ pedometer: PlaybackPedometer, _ stretches: some Sequence<Duration>
  ) -> [(played: Duration, stop: PlaybackPedometer.Stop)] {
    stretches.map { stretch in
      var played = Duration.zero
      while true {
        let part = pedometer.play(for: stretch - played)
        played += part.played
        if part.stop != .awaitsSamples { return (played, part.stop) }
        news.wait()
      }
    }
  }

  @Test("neither playing nor reading changes the reports of a walk and their times")
  func rhythm() {
    let samples = samples
    func told(_ piece: Int, _ stretches: [Duration]) -> [WalkTotals] {
      let (pedometer, told) = (pedometer { ScriptedReader(samples, inPiecesOf: piece) }, Told())
      told.start(pedometer)
      _ = play(pedometer, stretches)
      return told.walks
    }
    let whole = told(1000, [.seconds(40)])
    #expect(whole.count > 20)
    var offline = WalkCounter()
    offline.process(samples.span)
    offline.finish()
    #expect(whole.last?.steps == offline.steps)
    #expect(zip(whole.dropFirst(), whole).allSatisfy { $0.elapsed > $1.elapsed && $0.steps > $1.steps })
    #expect(told(1, Array(repeating: .milliseconds(100), count: 400)) == whole)
    #expect(told(7, Array(repeating: .nanoseconds(33_333_333), count: 1200)) == whole)
    #expect(told(333, [.seconds(3), .zero, .milliseconds(1), .seconds(17), .seconds(1), .seconds(20)]) == whole)
  }

  @Test("a stretch is played in full; the end shortens it, is reported once, and time continues")
  func end() {
    let samples = samples
    let (pedometer, told) = (pedometer { ScriptedReader(samples) }, Told())
    told.start(pedometer)
    let stops = play(pedometer, [.seconds(10), .seconds(10), .seconds(20), .seconds(5), .zero])
    #expect(stops.map(\.played) == [.seconds(10), .seconds(10), .milliseconds(9980), .seconds(5), .zero])
    #expect(stops.map(\.stop) == [.playedAll, .playedAll, .ended, .playedAll, .playedAll])
    // Open steps are decided at the end.
    #expect(told.walks.last?.elapsed == .milliseconds(29_980))
    #expect(told.starts == 1 && told.errors == [])
  }

  @Test("nothing is counted without a session; a pause keeps the position, and a start counts from zero there")
  func pausing() throws {
    let samples = samples
    let (pedometer, first, second) = (pedometer { ScriptedReader(samples) }, Told(), Told())
    #expect(play(pedometer, [.seconds(100)]).map(\.stop) == [.playedAll])
    first.start(pedometer)
    _ = play(pedometer, [.milliseconds(15_010)])
    pedometer.pause()
    #expect(play(pedometer, [.seconds(100)]).map(\.played) == [.seconds(100)])
    second.start(pedometer)
    let rest = play(pedometer, [.seconds(60)])
    #expect(rest.map(\.played) == [.milliseconds(14_970)])
    #expect(rest.map(\.stop) == [.ended])
    let (before, after) = try (#require(first.walks.last), #require(second.walks.last))
    #expect(before.elapsed <= .milliseconds(15_010) && after.elapsed == .milliseconds(14_970))
    #expect((15...28).contains(before.steps) && (22...28).contains(after.steps))
  }

  @Test("reports the same after rewinding")
  func rewinding() {
    let samples = samples
    let (pedometer, first, second) = (pedometer { ScriptedReader(samples) }, Told(), Told())
    first.start(pedometer)
    _ = play(pedometer, [.seconds(22)])
    pedometer.pause()
    pedometer.rewind()
    second.start(pedometer)
    _ = play(pedometer, [.seconds(22)])
    #expect(second.walks == first.walks)
    #expect(!first.walks.isEmpty)
  }

  @Test("an unreadable part is a failure after all earlier steps; its report is an error in words")
  func failing() {
    let samples = samples
    let (pedometer, told, again) = (
      pedometer { ScriptedReader(samples.prefix(1000), failure: TestFailure()) }, Told(), Told()
    )
    told.start(pedometer)
    let stops = play(pedometer, [.seconds(60), .seconds(1)])
    #expect(stops.map(\.stop) == [.failed, .playedAll])
    #expect(stops.first?.played == .milliseconds(19_980))
    #expect(told.walks.last?.steps ?? 0 > 30)
    #expect(pedometer.failure is TestFailure)
    #expect(told.errors == [])
    pedometer.reportFailure()
    #expect(told.errors == [.sensorLost(reason: "the disk is on fire")])
    pedometer.pause()
    pedometer.reportFailure()
    #expect(told.errors.count == 1)
    again.start(pedometer)
    #expect(play(pedometer, [.seconds(1)]).map(\.stop) == [.failed])
  }

  @Test("unread samples are not waited for")
  func waiting() {
    let samples = samples
    let gate = DispatchSemaphore(value: 0)
    let (pedometer, told) = (pedometer { ScriptedReader(samples, inPiecesOf: 500, gate: gate) }, Told())
    told.start(pedometer)
    #expect(!pedometer.isReady)
    #expect(pedometer.play(for: .seconds(1)) == (.zero, .awaitsSamples))
    gate.signal()
    news.wait()
    #expect(pedometer.isReady)
    // Ten seconds are available, and no more.
    #expect(pedometer.play(for: .seconds(60)) == (.milliseconds(9980), .awaitsSamples))
    for _ in 0..<5 { gate.signal() }
    #expect(play(pedometer, [.seconds(60)]).map(\.stop) == [.ended])
  }

  private struct TestFailure: Error, CustomStringConvertible {
    let description = "the disk is on fire"
  }
}
