import Accelerometry
import Pedometry
import Recordings
import TestSupport
import Testing

@testable import StepDetection

@Suite("Provisional steps", .timeLimit(.minutes(30)))
struct StepAnnouncerTests {
  /// The news of a counter for samples that arrive in batches of a tenth of a second.
  private static func news(_ samples: [AccelerationSample], announces: Bool) -> (
    steps: [Step], news: [(at: Duration, StepNews)]
  ) {
    var counter = WalkCounter()
    counter.announcesSteps = announces
    var steps: [Step] = []
    var news: [(at: Duration, StepNews)] = []
    for start in stride(from: 0, to: samples.count, by: 5) {
      steps += counter.process(Array(samples[start..<min(samples.count, start + 5)]).span)
      news += counter.takeNews().map { (counter.now ?? .zero, $0) }
    }
    steps += counter.finish()
    news += counter.takeNews().map { (counter.now ?? .zero, $0) }
    return (steps, news)
  }

  @Test(
    "confirmed steps are the same with and without announcements, bit for bit", arguments: SyntheticWalk.positions)
  func sameSteps(_ position: SensorPlacement) throws {
    let samples = try SyntheticWalk { walk in
      walk.position = position
      walk.bout = .seconds(15)
    }.samples()
    let (with, without) = (Self.news(samples, announces: true), Self.news(samples, announces: false))
    #expect(with.steps == without.steps)
    #expect(without.news.isEmpty)
    let confirmed = with.news.compactMap { if case .confirmed(let step, _) = $0.1 { step } else { nil } }
    #expect(confirmed.map(\.timestamp) == with.steps.map(\.timestamp) && confirmed.count > 50)
  }

  @Test("each announcement is confirmed or retracted, once, at most seven seconds later")
  func settled() throws {
    let samples = try SyntheticWalk { $0.bout = .seconds(10) }.samples()
    var open: [Duration: Duration] = [:]
    var confirmedLate = 0
    for (now, item) in Self.news(samples, announces: true).news {
      switch item {
      case .announced(let time):
        #expect(open.updateValue(now, forKey: time) == nil)
      case .retracted(let time):
        #expect(open.removeValue(forKey: time) != nil)
        #expect(now - time < .seconds(7.5))
      case .confirmed(let step, let announced?):
        #expect(open.removeValue(forKey: announced) != nil)
        #expect(abs((step.timestamp - announced) / .seconds(1)) < 0.31)
      case .confirmed(_, nil): confirmedLate += 1
      }
    }
    #expect(open.isEmpty)
    #expect(confirmedLate < 10)
  }

  @Test("a step is announced within 0.8 s of the foot strike")
  func soon() throws {
    let walk = SyntheticWalk()
    let strikes = try walk.steps
    let announced = Self.news(try walk.samples(), announces: true).news.compactMap { now, item in
      if case .announced(let time) = item { (now, time) } else { nil }
    }
    #expect(announced.allSatisfy { now, time in now - time < .seconds(0.8) })
    let met = strikes.count { strike in announced.contains { abs(($0.1 - strike) / .seconds(1)) < 0.2 } }
    #expect(Double(met) > 0.9 * Double(strikes.count))
  }

  @Test("announcements while brushing teeth are retracted")
  func teeth() throws {
    let samples = try SyntheticWalk { $0.activity = .brushingTeeth }.samples()
    let (steps, news) = Self.news(samples, announces: true)
    #expect(steps.count < 5)
    let announced = news.count { if case .announced = $0.1 { true } else { false } }
    let retracted = news.count { if case .retracted = $0.1 { true } else { false } }
    #expect(announced > 10 && retracted >= announced - steps.count)
  }

  @Test("a higher peak soon after an announced one is the same step")
  func replacedPeak() {
    var announcer = StepAnnouncer()
    announcer.see(strike: 1_000_000_000)
    announcer.see(strike: 1_150_000_000)
    announcer.see(strike: 1_150_000_000)
    announcer.confirm([Step(timestamp: .milliseconds(1180))])
    announcer.expire(at: 5_000_000_000)
    #expect(
      announcer.takeNews() == [
        .announced(.seconds(1)), .confirmed(Step(timestamp: .milliseconds(1180)), announced: .seconds(1)),
      ])
    #expect(announcer.takeNews().isEmpty)
  }

  @Test("a step more than 0.1 s from every announcement was not announced")
  func tolerance() {
    var announcer = StepAnnouncer()
    announcer.see(strike: 1_000_000_000)
    announcer.confirm([Step(timestamp: .milliseconds(1101))])
    announcer.expire(at: 1_000_000_000)
    #expect(
      announcer.takeNews() == [
        .announced(.seconds(1)), .confirmed(Step(timestamp: .milliseconds(1101)), announced: nil),
        .retracted(.seconds(1)),
      ])
  }
}
