import Accelerometry
import Presentation
import StepDetection
import Testing

@testable import PedometerCommands

@Suite("The page of a plot", .timeLimit(.minutes(30)))
struct PlotPageTests {
  @Test("minima and maxima are kept in bounded memory, however long the recording is")
  func envelope() {
    var envelope = SignalEnvelope()
    // nine days, a sample each second, one spike
    for second in 0..<800_000 {
      envelope.add(second == 123_456 ? 7 : second == 700_000 ? -2 : 1, at: Int64(second) * 1_000_000_000)
    }
    envelope.addStep(at: 123_456_000_000_000)
    #expect(envelope.bins.count <= 32_768)
    let all = envelope.joined(from: 0, to: .max)
    #expect(all.high == 7 && all.low == -2 && all.steps == 1)
    let near = envelope.joined(from: 123_456_000_000_000 - envelope.width, to: 123_456_000_000_000 + envelope.width)
    #expect(near.high == 7 && near.low == 1)
    envelope.add(.nan, at: 0)
    envelope.add(100, at: -1)
    #expect(envelope.joined(from: 0, to: .max).high == 7)
  }

  @Test("a week with thousands of bouts is a file of bounded size", arguments: [nil, Int64(1_780_000_000_000_000_000)])
  func bounded(clock: Int64?) {
    var envelope = SignalEnvelope()
    for second in stride(from: 0, to: 604_800, by: 3) {
      for value in [0.2, 1.9] { envelope.add(Float(value), at: Int64(second) * 1_000_000_000) }
      envelope.addStep(at: Int64(second) * 1_000_000_000)
    }
    let marks = (0..<20_000).map { i in
      let start = Duration.seconds(i * 30)
      return PlotPage.Mark(
        i % 2 == 0
          ? .bout(WalkBout(start: start, end: start + .seconds(12), steps: 20, confidence: 0.9))
          : .stretch(UncountedStretch(start: start, end: start + .seconds(9), objection: .irregular)), since: 0)
    }
    let report = CountReport(
      source: "week", steps: 200_000, distanceTravelled: 1e5, duration: .seconds(604_800), samples: 10_000_000,
      walkingDuration: .seconds(120_000), gaps: 3, warnings: (0..<9).map { "warning \($0)" })
    let page = PlotPage(
      title: "week", report: report, confidence: 0.9, envelope: envelope, marks: marks, steps: [], begin: 0,
      end: 604_800, clock: clock)
    let document = page.document
    #expect(document.utf8.count < 1_000_000)
    #expect(document.contains("warning 2") && !document.contains("warning 3"))
    #expect(document.contains("(10000 times)"))
  }
}
