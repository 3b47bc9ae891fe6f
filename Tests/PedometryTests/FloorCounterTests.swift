import Pedometry
import Testing

@Suite("Floors", .timeLimit(.minutes(10)))
struct FloorCounterTests {
  /// A walk and the pressure that goes with it.
  private struct Walk {
    /// Pressure samples a second.
    var rate = 1.0
    /// Pa, RMS.
    var noise = 0.0
    /// Pa an hour.
    var drift = 0.0
    /// kPa at the beginning.
    var ground = 101.325
    /// Pa on top, at a time in seconds.
    var disturbance: (Double) -> Double = { _ in 0 }
    private var time = 0.0
    private var height = 0.0
    private var random = Dice(seed: 7)
    private(set) var floors = FloorCounter()

    init(rate: Double = 1) { self.rate = rate }

    /// Goes on for some seconds.
    /// - Parameters:
    ///   - speed: metres a second, upwards.
    ///   - walks: whether steps are made, 1.8 a second.
    mutating func go(_ seconds: Double, speed: Double = 0, walks: Bool = true) {
      let end = time + seconds
      var step = time
      while walks, step < end {
        floors.record(step: .seconds(step))
        step += 1 / 1.8
      }
      while time < end {
        // 8.43 km: the scale height at sea level, 15 °C.
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

  /// A deterministic normal distribution, of twelve uniform ones.
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

  @Test("three floors up the stairs, and down again, at 1 and at 25 samples a second", arguments: [1.0, 25])
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

  @Test("landings between flights do not end a climb, and half a floor is none")
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

  @Test("a lift counts nothing, standing still or pacing in it")
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

  @Test("weather counts nothing: an hour of walking in 3 hPa an hour", arguments: [-300.0, 300])
  func weather(drift: Double) {
    var walk = Walk()
    (walk.noise, walk.drift) = (1.3, drift)
    walk.go(3600)
    #expect(walk.counts() == [0, 0])
  }

  @Test("a door that slams counts nothing", arguments: [1.0, 25])
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

  @Test("stairs are counted in spite of the weather and high up, where the air is thin")
  func altitude() {
    var walk = Walk()
    (walk.noise, walk.drift, walk.ground) = (1.3, -300, 80)
    walk.go(60)
    // The model's height is of sea level: at 80 kPa, 275 K, the same ratio of pressures is 8.05 km of height.
    walk.go(40, speed: 0.3 * 8435 / 8055)
    walk.go(60)
    #expect(walk.counts() == [4, 0])
  }

  @Test("height follows the standard atmosphere")
  func formula() {
    // 3 m and 300 m of ISO 2533 at sea level, and 3 m at 2000 m.
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

  @Test("steps that become certain 20 s late still count, and nothing is judged before")
  func late() {
    var counter = FloorCounter()
    for second in 0..<120 {
      // 9 m from 30 s to 60 s.
      let height = 9 * min(1, max(0, Double(second - 30) / 30))
      counter.record(kilopascals: 101.325 * (1 - height / 8435), at: .seconds(second))
      if second >= 20 { counter.record(step: .seconds(second - 20)) }
      if second < 42 { #expect(counter.ascended == 0) }
    }
    #expect(counter.ascended == 3)
  }

  @Test("nonsense and a clock that turns back are left out; without pressure nothing is known")
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
