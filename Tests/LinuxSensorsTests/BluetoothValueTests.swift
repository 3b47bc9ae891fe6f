import Testing

@testable import LinuxSensors

@Suite("What Bluetooth sensors send", .timeLimit(.minutes(10)))
struct BluetoothValueTests {
  @Test("a running speed and cadence measurement is read by its flags")
  func measurement() throws {
    // Speed 3.5 m/s = 896/256, cadence 172.
    let plain = try #require(RunningSpeedCadence([0x00, 0x80, 0x03, 172]))
    #expect(plain.speed == 3.5 && plain.cadence == 172 && plain.strideLength == nil && plain.totalDistance == nil)
    #expect(!plain.isRunning)
    let stride = try #require(RunningSpeedCadence([0x01, 0x80, 0x03, 172, 0xF4, 0x00]))
    #expect(stride.strideLength == 2.44 && stride.totalDistance == nil)
    let distance = try #require(RunningSpeedCadence([0x02, 0x80, 0x03, 172, 0x39, 0x30, 0x00, 0x00]))
    #expect(distance.strideLength == nil && distance.totalDistance == 1234.5)
    let all = try #require(RunningSpeedCadence([0x07, 0x80, 0x03, 172, 0xF4, 0x00, 0x39, 0x30, 0x00, 0x01]))
    #expect(all.isRunning && all.strideLength == 2.44 && all.totalDistance == 1_678_956.1)
  }

  @Test("what a later version of the service adds at the end is passed over")
  func longer() throws {
    #expect(try #require(RunningSpeedCadence([0xF8, 0, 1, 90, 1, 2, 3])).speed == 1)
  }

  @Test(
    "a measurement that lacks bytes is none",
    arguments: [
      [], [0], [0, 0, 0], [1, 0, 0, 90], [1, 0, 0, 90, 0], [2, 0, 0, 90, 0, 0, 0], [3, 0, 0, 90, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func shorter(_ bytes: [UInt8]) { #expect(RunningSpeedCadence(bytes) == nil) }

  @Test("a watch's steps are 32 bits, its lowest byte first; any other number of bytes is nonsense")
  func watchSteps() {
    #expect(WatchValues.steps([0x39, 0x30, 0x01, 0x02]) == 0x0201_3039)
    for bytes in [[], [1], [1, 2, 3], [1, 2, 3, 4, 5]] as [[UInt8]] { #expect(WatchValues.steps(bytes) == nil) }
  }

  @Test("a watch's accelerations are three signed numbers of 1/1024 g, once or several times")
  func watchMotion() {
    #expect(WatchValues.motion([0x00, 0x04, 0x00, 0xFC, 0x00, 0x02]) == [SIMD3(1, -1, 0.5)])
    #expect(
      WatchValues.motion([0, 0, 0, 0, 0, 4, 0, 0x80, 0, 0, 0, 0]) == [SIMD3(0, 0, 1), SIMD3(-32, 0, 0)])
    for count in [0, 1, 5, 7, 13] { #expect(WatchValues.motion(.init(repeating: 0, count: count)) == nil) }
  }
}

@Suite("Steps from cadences", .timeLimit(.minutes(10)))
struct CadenceStepsTests {
  private static func measurement(
    _ cadence: Double, speed: Double = 0, distance: Double? = nil, isRunning: Bool = false
  ) -> RunningSpeedCadence {
    var measurement = RunningSpeedCadence([0, 0, 0, UInt8(cadence)])!
    (measurement.speed, measurement.totalDistance, measurement.isRunning) = (speed, distance, isRunning)
    return measurement
  }

  /// Times in seconds.
  private static func count(
    _ measurements: [(time: Double, RunningSpeedCadence)], strides: Bool = false
  ) -> (steps: CadenceSteps, warnings: [String], gaps: [Duration]) {
    var steps = CadenceSteps(countsStrides: strides, start: 0)
    var (warnings, gaps): ([String], [Duration]) = ([], [])
    for (time, measurement) in measurements {
      if let warning = steps.take(measurement, at: Int64(time * 1e9)) { warnings.append(warning) }
      if let gap = steps.takeGap() { gaps.append(gap) }
    }
    return (steps, warnings, gaps)
  }

  @Test("each measurement speaks for the time since the one before, evenly sent or not")
  func integral() {
    let even = (1...60).map { (Double($0), Self.measurement(150)) }
    #expect(Self.count(even).steps.steps == 150)
    let uneven = [0.4, 2.9, 3.0, 3.0, 5.5, 6.1, 8.9, 10].map { ($0, Self.measurement(120)) }
    #expect(Self.count(uneven).steps.steps == 20)
    #expect(
      Self.count([(1, Self.measurement(120)), (2, Self.measurement(0)), (3, Self.measurement(60))]).steps.steps == 3)
  }

  @Test("strides are two steps")
  func strides() {
    #expect(Self.count((1...60).map { (Double($0), Self.measurement(85)) }, strides: true).steps.steps == 170)
  }

  @Test("after a silence a measurement speaks for one second, and the silence is told")
  func silence() {
    let found = Self.count([(1, Self.measurement(120)), (31, Self.measurement(120))])
    #expect(found.steps.steps == 4)
    #expect(found.gaps == [.seconds(30)])
  }

  @Test("a silence in which nobody walked is none")
  func rest() {
    #expect(Self.count([(1, Self.measurement(0)), (31, Self.measurement(0))]).gaps.isEmpty)
  }

  @Test("what was walked in a silence is in the total distance")
  func distance() {
    // 1.6 m/s at 120 a minute: 0.8 m a step; 48 m in 30 s are 60 steps.
    let found = Self.count([
      (1, Self.measurement(120, speed: 1.6, distance: 100)), (31, Self.measurement(120, speed: 1.6, distance: 148)),
    ])
    #expect(found.steps.steps == 62)
    #expect(found.steps.metres.map { ($0 * 10).rounded() } == 480)
  }

  @Test("a distance that nobody walks in the time is bounded, and one that began anew is no distance")
  func absurdDistance() {
    let leap = Self.count([
      (1, Self.measurement(120, speed: 1.6, distance: 0)), (11, Self.measurement(120, speed: 1.6, distance: 1e6)),
    ])
    #expect(leap.steps.steps == 62)
    let reset = Self.count([
      (1, Self.measurement(120, speed: 1.6, distance: 500)), (2, Self.measurement(120, speed: 1.6, distance: 1.6)),
    ])
    #expect(reset.steps.metres == 1.6 && reset.steps.steps == 4)
  }

  @Test(
    "a run at half the cadence of any is one foot's: told once, and not told of a run with both feet or with ,strides")
  func oneFoot() {
    let run = { (cadence: Double) in
      (1...40).map { (Double($0), Self.measurement(cadence, speed: 3, isRunning: true)) }
    }
    #expect(Self.count(run(85)).warnings.count == 1)
    #expect(Self.count(run(85)).warnings.first?.contains(",strides") == true)
    #expect(Self.count(run(170)).warnings.isEmpty)
    #expect(Self.count(run(85), strides: true).warnings.isEmpty)
    #expect(Self.count(run(170), strides: true).warnings.first?.contains("leave out ,strides") == true)
  }

  @Test("a slow walk is no run")
  func slowWalk() {
    #expect(Self.count((1...40).map { (Double($0), Self.measurement(90, speed: 1.1)) }).warnings.isEmpty)
  }

  @Test("a sensor that states a speed without a cadence is told of")
  func noCadence() {
    let found = Self.count((1...40).map { (Double($0), Self.measurement(0, speed: 2)) })
    #expect(found.steps.steps == 0 && found.warnings.count == 1)
  }
}

@Suite("Steps from a watch's count", .timeLimit(.minutes(10)))
struct WatchStepsTests {
  @Test(
    "the first count is the base, a smaller one begins anew, one that nobody walks is a new base",
    arguments: [
      ([(0, 5000), (1, 5002), (2, 5004)], [0, 2, 2]),
      ([(0, 5000), (3600, 8000)], [0, 3000]),
      ([(0, 5000), (10, 3), (11, 5)], [0, 3, 2]),
      ([(0, 5000), (1, 9000), (2, 9001)], [0, nil, 1]),
      ([(0, 0), (1, UInt32.max), (2, 4)], [0, nil, 4]),
    ] as [([(Int64, UInt32)], [Int?])])
  func differences(_ counts: [(Int64, UInt32)], _ expected: [Int?]) {
    var steps = WatchSteps()
    #expect(counts.map { steps.take($0.1, at: $0.0 * 1_000_000_000) } == expected)
  }
}
