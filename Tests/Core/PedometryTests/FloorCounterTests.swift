import Testing

@testable import Pedometry

@Suite("Floors", .timeLimit(.minutes(30)))
struct FloorCounterTests {
  /// A walk with its air pressure.
  private struct Walk {
    /// Pressure samples per second.
    var rate = 1.0
    /// In Pa, rms.
    var noise = 0.0
    /// In Pa per hour.
    var drift = 0.0
    /// The initial pressure in kPa.
    var ground = 101.325
    /// An additional pressure in Pa, at a time in seconds.
    var disturbance: (Double) -> Double = { _ in 0 }
    private var time = 0.0
    private var height = 0.0
    private var random = Dice(seed: 7)
    private(set) var floors = FloorCounter()

    init(rate: Double = 1) { self.rate = rate }

    /// Continues for some seconds.
    /// - Parameters:
    ///   - speed: upwards, in metres per second.
    ///   - walks: whether there are steps, 1.8 per second.
    mutating func go(_ seconds: Double, speed: Double = 0, walks: Bool = true) {
      let end = time + seconds
      var step = time
      while walks, step < end {
        floors.record(step: .seconds(step))
        step += 1 / 1.8
      }
      while time < end {
        // The scale height at sea level and 15 °C is 8.43 km.
        let standing = ground * (1 - height / 8435 + height * height / (2 * 8435 * 8435))
        let pascals = drift * time / 3600 + disturbance(time) + noise * random.normal()
        floors.record(kilopascals: standing + pascals / 1000, at: .seconds(time))
        time += 1 / rate
        height += speed / rate
      }
    }

    mutating func counts() -> [Int] {
      floors.finish()
      return [floors.ascended, floors.descended]
    }
  }

  /// A deterministic normal distribution, from sums of twelve uniform numbers.
  private struct Dice {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func normal() -> Double {
      (0..<12).reduce(-6.0) { sum, _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return sum + Double(state >> 11) / Double(1 << 53)
      }
    }
  }

  @Test("three floors up and down the stairs are counted, at 1 and at 25 samples a second", arguments: [1.0, 25])
  func stairs(rate: Double) {
    var walk = Walk(rate: rate)
    walk.noise = 1.3
    walk.go(30)
    walk.go(30, speed: 0.3)
    walk.go(20)
    #expect(walk.floors.descended == 0)
    walk.go(30, speed: -0.3)
    walk.go(30)
    #expect(walk.counts() == [3, 3])
  }

  @Test("landings between flights do not end a climb, and half a floor does not count")
  func landings() {
    var walk = Walk()
    for _ in 1...4 {
      walk.go(6, speed: 0.25)
      walk.go(4)
    }
    walk.go(90)
    walk.go(6, speed: 0.25)
    walk.go(90)
    #expect(walk.counts() == [2, 0])
  }

  @Test("a lift counts no floors, standing still or pacing in it")
  func lift() {
    for paces in [false, true] {
      var walk = Walk(rate: 25)
      walk.noise = 1.3
      walk.go(20)
      walk.go(3, walks: false)
      for _ in 1...6 {
        walk.go(2, speed: 1.5, walks: false)
        walk.go(1, speed: 1.5, walks: paces)
      }
      walk.go(3, walks: false)
      walk.go(20)
      #expect(walk.counts() == [0, 0])
    }
  }

  @Test("weather of 3 hPa/h counts no floors in an hour of walking", arguments: [-300.0, 300])
  func weather(drift: Double) {
    var walk = Walk()
    (walk.noise, walk.drift) = (1.3, drift)
    walk.go(3600)
    #expect(walk.counts() == [0, 0])
  }

  @Test("a slamming door counts no floors", arguments: [1.0, 25])
  func door(rate: Double) {
    var walk = Walk(rate: rate)
    walk.noise = 1.3
    walk.disturbance = { time in
      let since = time.truncatingRemainder(dividingBy: 40) - 20
      return since >= 0 && since < 1.5 ? (since < 0.7 ? 60 : -50) : 0
    }
    walk.go(600)
    #expect(walk.counts() == [0, 0])
  }

  @Test("stairs are counted despite the weather, and at high altitude")
  func altitude() {
    var walk = Walk()
    (walk.noise, walk.drift, walk.ground) = (1.3, -300, 80)
    walk.go(60)
    // The model's height is for sea level: at 80 kPa and 275 K, the same ratio of pressures is 8.05 km of height.
    walk.go(40, speed: 0.3 * 8435 / 8055)
    walk.go(60)
    #expect(walk.counts() == [4, 0])
  }

  @Test("height follows the standard atmosphere")
  func formula() {
    // 3 m and 300 m according to ISO 2533 at sea level, and 3 m at 2000 m.
    for (low, high, floors) in [(101.325, 101.28897, 1), (79.4952, 79.4656, 1)] {
      var counter = FloorCounter()
      for second in 0..<60 {
        counter.record(step: .seconds(second))
        counter.record(kilopascals: low + (high - low) * min(1, max(0, Double(second - 20) / 10)), at: .seconds(second))
      }
      counter.finish()
      #expect(counter.ascended == floors)
    }
  }

  @Test("steps confirmed 20 s late count, and nothing is decided before")
  func late() {
    var counter = FloorCounter()
    for second in 0..<120 {
      // Climbs 9 m from 30 s to 60 s.
      let height = 9 * min(1, max(0, Double(second - 30) / 30))
      counter.record(kilopascals: 101.325 * (1 - height / 8435), at: .seconds(second))
      if second >= 20 { counter.record(step: .seconds(second - 20)) }
      if second < 42 { #expect(counter.ascended == 0) }
    }
    #expect(counter.ascended == 3)
  }

  @Test("without pressure, only the steps are kept that a first pressure may still need")
  func memory() {
    var counter = FloorCounter()
    for second in -20_000..<0 { counter.record(step: .seconds(second)) }
    #expect(counter.steps.count <= 512)
    #expect(counter.steps.last == -1)
    // The barometer begins on the stairs: 9 m in 30 s, with the steps of that time first.
    for second in 0..<60 { counter.record(step: .seconds(second)) }
    for second in 0..<120 {
      let height = 9 * min(1, Double(second) / 30)
      counter.record(kilopascals: 101.325 * (1 - height / 8435), at: .seconds(second))
    }
    #expect(counter.ascended == 3)
  }

  @Test("invalid values and times that go back are ignored; without pressure, floors are unknown")
  func nonsense() {
    var counter = FloorCounter()
    counter.record(step: .seconds(1))
    for value in [0, .nan, .infinity, -101, 1013.25] { counter.record(kilopascals: value, at: .seconds(2)) }
    counter.finish()
    #expect(!counter.hasPressure)
    var walk = Walk()
    walk.go(60)
    walk.go(30, speed: 0.3)
    walk.go(30)
    var turned = walk.floors
    turned.record(kilopascals: 50, at: .seconds(3))
    turned.finish()
    #expect(turned.ascended == 3 && turned.descended == 0)
  }
}
