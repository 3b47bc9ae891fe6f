import Accelerometry
import Counting
import Foundation
import StepDetection
import Testing

@Suite("What the samples themselves make doubtful", .timeLimit(.minutes(10)))
struct SampleCheckTests {
  /// Samples of a walk that a sensor at this frequency would have, changed one by one.
  private func samples(
    seconds: Double = 40, hertz: Double = 50, _ change: (Double, inout SIMD3<Float>) -> Void = { _, _ in }
  ) -> [AccelerationSample] {
    (0..<Int(seconds * hertz)).map { i in
      let time = Double(i) / hertz
      // Two steps a second with 0.4 g, on every axis.
      let swing = Float(0.4 * sin(time * 4 * .pi))
      var acceleration = SIMD3<Float>(0.3 * swing + 0.1, 0.2 * swing - 0.2, 0.95 + swing)
      change(time, &acceleration)
      return AccelerationSample(nanoseconds: Int64(time * 1e9), acceleration: acceleration)
    }
  }

  private func check(_ samples: [AccelerationSample], in pieces: Int = 1000) -> SampleCheck {
    var check = SampleCheck()
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + pieces)
      check.take(samples.span.extracting(start..<end))
      start = end
    }
    return check
  }

  @Test("a working sensor is not doubted", arguments: [1, 7, 1000], [5.0, 12.5, 50, 400])
  func working(pieces: Int, hertz: Double) {
    let check = check(samples(hertz: hertz), in: pieces)
    #expect(check.sentences.isEmpty && check.present == nil && check.refusal(steps: 0) == nil)
  }

  @Test(
    "a board with delay(500) sends too little, which is said within the first dozen seconds", arguments: [1, 4, 1000])
  func sparse(pieces: Int) throws {
    let slow = check(samples(seconds: 12.5, hertz: 2), in: pieces)
    #expect(slow.sentences.count == 1 && slow.refusal(steps: 0)?.contains("2 samples a second") == true)
    #expect(slow.present != nil && slow.refusal(steps: 9) == nil)
    #expect(check(samples(seconds: 9, hertz: 2), in: pieces).sentences.isEmpty)
  }

  @Test("a pause is not a low rate")
  func pause() {
    let first = samples(seconds: 30)
    let later = samples(seconds: 30).map {
      AccelerationSample(nanoseconds: $0.nanoseconds + 300_000_000_000, acceleration: $0.acceleration)
    }
    #expect(check(first + later, in: 50).sentences.isEmpty)
  }

  @Test("zeros on all axes are said, and refused without steps")
  func zeros() {
    let dead = check(samples { _, a in a = .zero })
    #expect(dead.refusal(steps: 0)?.contains("0 on every axis") == true)
  }

  @Test("an axis that has one value while the others move is named", arguments: [0, 1, 2], [Float(-2), 0, 16])
  func stuckAxis(axis: Int, value: Float) throws {
    let stuck = check(
      samples { _, a in
        a[axis] = value
        a[(axis + 1) % 3] *= 5
      })
    let sentence = try #require(stuck.sentences.first)
    #expect(
      sentence.hasPrefix("the \(["x", "y", "z"][axis]) axis stays at \(value == 0 ? "0" : "\(Int(value))")"),
      "\(sentence)")
    #expect(stuck.refusal(steps: 0) == sentence && stuck.refusal(steps: 50) == (value == 0 ? nil : sentence))
  }

  @Test("an axis that froze on the way is said, and present until it moves again; for most of the time, it is refused")
  func frozenLater() {
    let loud: (Double, inout SIMD3<Float>) -> Void = { time, a in
      a *= SIMD3(4, 4, 1)
      if (20..<45).contains(time) { a.z = 1.25 }
    }
    #expect(check(samples(seconds: 44, loud)).present?.contains("z axis") == true)
    let whole = check(samples(seconds: 80, loud))
    #expect(whole.sentences.count == 1 && whole.present == nil && whole.refusal(steps: 90) == nil)
    let beside = check(samples(seconds: 80) { time, a in a = time < 20 ? a : SIMD3(a.x, -0.25, a.z) })
    #expect(beside.sentences.first?.contains("y axis") == true && beside.refusal(steps: 90) == nil)
    let rest = check(
      samples(seconds: 80) { time, a in a = time < 20 ? a * SIMD3(4, 4, 1) : SIMD3(a.x * 4, a.y * 4, 1.25) })
    #expect(rest.refusal(steps: 36)?.contains("z axis") == true)
  }

  @Test("two axes that have one value each, from the beginning or later, are said and refused like one")
  func stuckAxes() {
    let stuck = check(samples { _, a in a = SIMD3(0, a.y * 8, 1) })
    #expect(stuck.refusal(steps: 0)?.hasPrefix("the axes x and z stay at 0 and 1 g while the other moves") == true)
    #expect(stuck.refusal(steps: 50) == nil)
    let later = check(samples(seconds: 80) { time, a in a = time < 20 ? a : SIMD3(0.25, a.y * 4, 1.25) })
    #expect(later.refusal(steps: 36)?.contains("axes x and z stay at 0.25 and 1.25 g") == true)
  }

  @Test("axes that are copies of one are said")
  func equalAxes() {
    let all = check(samples { _, a in a = SIMD3(repeating: a.z * 2) })
    #expect(all.sentences.first?.hasPrefix("the axes x and y and z always have the same value") == true)
    #expect(all.refusal(steps: 0) != nil && all.refusal(steps: 50) == nil)
    #expect(check(samples { _, a in a.x = a.y }).sentences.first?.hasPrefix("the axes x and y always") == true)
  }

  @Test("a magnitude without direction, on one axis, is not a stuck axis")
  func magnitude() { #expect(check(samples { _, a in a = [0, 0, a.z] }).sentences.isEmpty) }

  @Test("a scale that makes 109 g of gravity is refused, also where it seems to have steps", arguments: [true, false])
  func scale(moves: Bool) {
    let wrong = check(samples { _, a in a = (moves ? a : [0, 0, 1]) * 109 })
    #expect(wrong.refusal(steps: 40)?.contains("instead of 1 g") == true)
  }

  @Test(
    "a wrong unit is refused with steps, also if only one axis moves or all are copies",
    arguments: [SIMD3<Float>(0, 0, 1), [1, 1, 1]])
  func unit(axes: SIMD3<Float>) {
    let wrong = check(samples { _, a in a = 9.80665 * (axes * a.z + (1 - axes) * [0.1, 0, 0]) })
    #expect(wrong.refusal(steps: 78)?.contains("g instead of 1 g") == true)
  }

  @Test("a run that saturates, rest in free orientation, and removed gravity are not doubted")
  func extremes() {
    #expect(check(samples { _, a in a *= 3 }).sentences.isEmpty)
    #expect(
      check(
        samples { time, a in
          a = [Float(time / 80), 0.8 + 0.002 * Float(Int(time * 50) % 2), 0.001 * Float(Int(time * 50) % 3)]
        }
      ).sentences.isEmpty)
    #expect(check(samples { _, a in a.z -= 0.95 }).sentences.isEmpty)
  }

  @Test("counting tells each doubt once, and refuses what it cannot count")
  func roads() {
    let dead = samples { _, a in a = .zero }
    var counting = SampleCounting(CountingOptions())
    var events: [WalkEvent] = []
    for start in stride(from: 0, to: dead.count, by: 10) {
      counting.take(SampleBatch(samples: Array(dead[start..<start + 10])), into: &events)
    }
    counting.end(into: &events)
    let warnings = events.compactMap { if case .warning(let sentence) = $0 { sentence } else { nil } }
    #expect(warnings.count { $0.contains("0 on every axis") } == 1)
    guard case .ended(let walk)? = events.last else { return #expect(Bool(false), "no end") }
    #expect(walk.refusal?.description == warnings.first { $0.contains("0 on every axis") })
  }

  @Test("what a source says at its end decides whether zero steps are given")
  func verdict() {
    for (steps, expected) in [(false, "nothing can be said"), (true, nil)] as [(Bool, String?)] {
      var counting = SampleCounting(CountingOptions(slice: nil))
      var events: [WalkEvent] = []
      counting.take(
        SampleBatch(samples: samples { _, a in if !steps { a = [0, 0.01 * a.x, 1] } }), into: &events)
      counting.take(
        SampleBatch(
          samples: [], verdict: SourceVerdict(warnings: ["a third is lost"], refusalWithoutSteps: "nothing can be said")
        ),
        into: &events)
      counting.end(into: &events)
      guard case .ended(let walk)? = events.last else { continue }
      #expect((walk.totals.steps > 0) == steps)
      #expect(walk.refusal?.description == expected && walk.warnings.contains("a third is lost"))
    }
  }

  @Test("a second is enough for a recording not to be called brief", arguments: [(1, true), (49, true), (51, false)])
  func brief(count: Int, isBrief: Bool) {
    var counting = SampleCounting()
    let samples = (0..<count).map { AccelerationSample(nanoseconds: Int64($0) * 20_000_000, acceleration: [0, 0, 1]) }
    counting.count(samples.span)
    #expect(counting.summary.warnings.isEmpty)
    counting.take(SourceVerdict(source: "walk.csv"))
    #expect(counting.summary.warnings.contains { $0.contains("too little to count steps") } == isBrief)
  }
}
