import Accelerometry
import Counting
import Foundation
import Pedometry
import Presentation
import Testing

@testable import PedometerCommands
@testable import StepDetection

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
    var summary = WalkSummary(
      WalkTotals(
        steps: 200_000, distanceTravelled: 1e5, elapsed: .seconds(604_800), activeTime: .seconds(120_000)))
    (summary.samples, summary.gaps, summary.warnings) = (10_000_000, 3, (0..<9).map { "warning \($0)" })
    summary.confidence = 0.9
    let page = PlotPage(
      title: "week", walk: summary, envelope: envelope, marks: marks, steps: [], begin: 0,
      end: 604_800, clock: clock)
    let document = page.document
    #expect(document.utf8.count < 1_000_000)
    #expect(document.contains("warning 2") && !document.contains("warning 3"))
    #expect(document.contains("(10000 times)"))
  }

  @Test("the curve is named, the cadence has a strip, and a walk over several rows has its total once")
  func short() {
    var envelope = SignalEnvelope()
    for tenth in 0..<3000 { envelope.add(tenth % 2 == 0 ? 0.8 : 1.3, at: Int64(tenth) * 100_000_000) }
    let steps = stride(from: 20.5, to: 155, by: 0.5).map { $0 }
    for step in steps { envelope.addStep(at: Int64(step * 1e9)) }
    let walk = WalkBout(start: .seconds(20), end: .seconds(155), steps: steps.count, confidence: 0.9)
    var summary = WalkSummary(
      WalkTotals(steps: 1, distanceTravelled: 1, elapsed: .seconds(300), activeTime: .seconds(135)))
    summary.confidence = 0.9
    let page = PlotPage(
      title: "walk", walk: summary, envelope: envelope, marks: [PlotPage.Mark(.bout(walk), since: 0)], steps: steps,
      begin: 0,
      end: 300,
      clock: nil)
    let document = page.document
    #expect(document.contains("magnitude of acceleration") && document.contains("steps a minute, up to 160"))
    // Rows of a minute.
    #expect(document.components(separatedBy: "\(steps.count) steps").count - 1 == 1)
    #expect(document.components(separatedBy: ">continued<").count - 1 == 2)
    // Lines above the steps, in a colour that is visible on both panels.
    #expect(document.contains("width=\"103.5\" height=\"2\" fill=\"#0b6b4a\""))
  }
}
