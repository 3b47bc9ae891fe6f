import LinuxSensors
import Pedometry
import TestSupport
import Testing

@testable import ServiceCore
@testable import ServiceMessaging

@Suite("The measurements of the foot pod", .timeLimit(.minutes(30)))
struct FootPodPaceTests {
  /// A walk that a source reports in bursts.
  private struct Walk {
    var uri = "iio:device0"
    /// The second of its first step.
    var start = 5
    var steps: Int
    /// Steps per second.
    var cadence = 2.0
    /// Seconds between two readings of the sensor.
    var period = 2
    /// Seconds until the detector is sure of the first steps.
    var doubt = 4
    var isLost = false

    /// What the source says at a second.
    func state(at second: Int) -> SourceState {
      let heard = second - second % period
      let taken = Double(heard - start) * cadence
      let known = heard - start < doubt ? 0 : min(steps, max(0, Int(taken)))
      let end = Double(start) + Double(steps) / cadence
      // As in the service, a walker is not reported as standing until eight seconds after the last step.
      let isWalking = known > 0 && Double(second) <= end + 8
      var state = SourceState(uri: uri, name: nil, state: isLost ? .lost : .counting, steps: known)
      state.walk = WalkTotals(
        steps: known, distanceTravelled: Double(known) * 0.75, currentCadence: isWalking ? cadence : nil,
        currentPace: isWalking ? 1 / (cadence * 0.75) : nil)
      return state
    }
  }

  /// The measurements of these seconds.
  private func measurements(_ seconds: Range<Int>, _ sources: (Int) -> [SourceState]) -> [RunningSpeedCadence] {
    var pace = FootPodPace()
    return seconds.map { pace.measurement(of: sources($0), at: .seconds($0)) }
  }

  /// What a receiver counts, which rounds down.
  private func steps(_ measurements: [RunningSpeedCadence]) -> Int {
    Int(measurements.reduce(0) { $0 + $1.cadence } / 60)
  }

  @Test(
    "cadences add up to the steps of the walk, however the source reports them",
    arguments: [77, 20, 8, 300], [1.4, 2.0, 2.9])
  func sum(steps walked: Int, cadence: Double) {
    for (period, doubt) in [(1, 0), (1, 4), (2, 6), (5, 4)] {
      let walk = Walk(steps: walked, cadence: cadence, period: period, doubt: doubt)
      let found = measurements(0..<400) { [walk.state(at: $0)] }
      #expect(steps(found) == walked, "every \(period) s, \(doubt) s of doubt")
      #expect(found.last?.totalDistance.map { abs($0 - Double(walked) * 0.75) < 0.01 } == true)
    }
  }

  @Test("the cadence stays within a tenth of the walker's, is never 0 on the way, and is 0 a few seconds after the end")
  func even() {
    let walk = Walk(steps: 200)
    let found = measurements(0..<140) { [walk.state(at: $0)] }.map(\.cadence)
    let way = found.firstIndex { $0 > 0 }.map { found[($0)..<105] } ?? []
    #expect(way.count > 90 && way.allSatisfy { (108...132).contains($0) }, "\(way)")
    #expect(found[..<9].allSatisfy { $0 == 0 } && found[114...].allSatisfy { $0 == 0 }, "\(found[100...])")
  }

  @Test("the first steps are held back until enough are known for an even cadence, and the last ones come with the end")
  func ends() {
    // A detector that is sure at once, and a source that ends with its last twelve steps.
    let found = measurements(0..<60) { time in
      var walk = Walk(steps: 60, period: 1, doubt: 0)
      walk.isLost = time >= 30
      return [walk.state(at: walk.isLost ? 40 : time)]
    }
    let way = found.map(\.cadence).drop { $0 == 0 }.prefix(22)
    #expect(way.allSatisfy { $0 >= 108 } && steps(found) == 60, "\(found.map(\.cadence))")
  }

  @Test("speed, stride length and distance are those of the walk, and all but the distance are 0 while standing")
  func figures() {
    let walk = Walk(steps: 100)
    let found = measurements(0..<100) { [walk.state(at: $0)] }
    let (first, amid, last) = (found[0], found[30], found[99])
    #expect(first == RunningSpeedCadence(speed: 0, cadence: 0, strideLength: 0, totalDistance: 0))
    #expect(amid.strideLength.map { abs($0 - 1.5) < 1e-9 } == true && abs(amid.speed - amid.cadence / 60 * 0.75) < 1e-9)
    #expect(last == RunningSpeedCadence(speed: 0, cadence: 0, strideLength: 0, totalDistance: 75))
  }

  @Test("two sensors of one walker count once; the second one is followed when the first one is lost")
  func twoSources() {
    let (first, second) = (Walk(steps: 100), Walk(uri: "evdev:/dev/input/event3", steps: 100, period: 5))
    #expect(steps(measurements(0..<120) { [first.state(at: $0), second.state(at: $0)] }) == 100)
    let found = measurements(0..<120) { time in
      var walk = first
      walk.isLost = time >= 30
      return [walk.state(at: time), second.state(at: time)]
    }
    #expect((94...100).contains(steps(found)), "\(steps(found))")
  }

  @Test("a receiver that subscribes on the way sees the cadence at once, and a walk that is over adds nothing")
  func amid() {
    let walk = Walk(steps: 200)
    let found = measurements(50..<140) { [walk.state(at: $0)] }
    #expect(found[0].cadence == 120 && found[..<50].allSatisfy { (108...132).contains($0.cadence) })
    #expect(measurements(120..<140) { [walk.state(at: $0)] }.allSatisfy { $0.cadence == 0 })
  }

  @Test("steps that arrive hours late are not walked again, and a pause empties the store")
  func late() {
    var late = Walk(steps: 30)
    let found = measurements(0..<200) { time in
      if time == 60 { late.steps = 3000 }
      var state = late.state(at: time)
      if time >= 60 {
        state.walk?.steps = 3000
        state.walk?.currentCadence = nil
      }
      return [state]
    }
    #expect(steps(found) <= 30 + 41 && found.last?.cadence == 0)
    var pace = FootPodPace()
    let walk = Walk(steps: 200)
    for second in 0..<20 { _ = pace.measurement(of: [walk.state(at: second)], at: .seconds(second)) }
    #expect(pace.measurement(of: [walk.state(at: 400)], at: .seconds(400)).cadence == 0)
    #expect(pace.measurement(of: [walk.state(at: 401)], at: .seconds(401)).cadence == 0)
  }

  @Test("an impossible cadence is the largest that a measurement can hold")
  func fast() {
    let found = measurements(0..<60) { [Walk(steps: 400, cadence: 9).state(at: $0)] }
    #expect(found.map(\.cadence).max() == 255)
  }
}
