import Accelerometry
import Counting
import Pedometry
import Recordings
import StepDetection
import TestSupport
import Testing

@Suite("Steps that are counted later", .timeLimit(.minutes(30)))
struct CorrectionTests {
  /// A slow walk is confirmed after ten seconds.
  private let walk = SyntheticWalk {
    $0.position = .lowerBack
    $0.cadence = 52
    $0.lead = .seconds(4)
    $0.duration = .seconds(40)
    $0.tail = .seconds(12)
  }

  private func progress(_ options: CountingOptions) throws -> [WalkProgress] {
    var counting = SampleCounting(options)
    var events: [WalkEvent] = []
    let samples = try walk.samples()
    for first in stride(from: 0, to: samples.count, by: 50) {
      counting.take(SampleBatch(samples: Array(samples[first..<min(first + 50, samples.count)])), into: &events)
    }
    counting.end(into: &events)
    return events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
  }

  private func offline() throws -> Int {
    let samples = try walk.samples()
    var counter = WalkCounter(latency: StepDetector.longestRevision)
    counter.process(samples.span)
    counter.finish()
    return counter.steps
  }

  @Test("the beginning of a slow walk is one correction, and the totals are those of a recording")
  func corrected() throws {
    let progress = try progress(CountingOptions().correcting)
    let corrections = progress.filter { !$0.correction.isEmpty }
    #expect(corrections.count == 1)
    let correction = try #require(corrections.first)
    let count = correction.correction.count
    let words = count == 1 ? "1 step added, " : "\(count) steps added, "
    #expect(correction.correctionSentence?.hasPrefix(words) == true)
    let expected = try offline()
    #expect(progress.last?.totals.steps == expected)
  }

  @Test("every other step is reported within the longest delay")
  func prompt() throws {
    for item in try progress(CountingOptions().correcting) {
      let ages = item.steps.dropFirst(item.correction.count).map { item.now - $0.timestamp }
      #expect(ages.allSatisfy { $0 <= StepDetector.longestDelay + CountingOptions.liveSlice })
    }
  }

  @Test("without corrections the beginning of a walk is lost, and nothing is corrected")
  func uncorrected() throws {
    let progress = try progress(CountingOptions())
    #expect(progress.allSatisfy { $0.correction.isEmpty && $0.correctionSentence == nil })
    let (steps, expected) = (try #require(progress.last).totals.steps, try offline())
    #expect(steps < expected)
  }

  @Test("an announced step is retracted after the longest delay, however late a correction may come")
  func announced() throws {
    var options = CountingOptions().correcting
    options.announcesSteps = true
    var oldest = Duration.zero
    for item in try progress(options) {
      let retracted = (item.news ?? []).compactMap { news -> Duration? in
        if case .retracted(let time) = news { time } else { nil }
      }
      oldest = max(oldest, retracted.map { item.now - $0 }.max() ?? .zero)
    }
    #expect(oldest > .seconds(5) && oldest < .seconds(7))
  }

  @Test("a walker who has stood for nine seconds is not reported as walking")
  func standing() throws {
    let progress = try progress(CountingOptions().correcting)
    let latest = try #require(progress.flatMap(\.steps).last).timestamp
    let later = try #require(progress.first { $0.now > latest + .seconds(9) })
    #expect(later.totals.currentCadence == nil)
  }
}
