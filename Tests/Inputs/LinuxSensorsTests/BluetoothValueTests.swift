import Platform
import Testing

@testable import LinuxSensors

@Suite("Values of Bluetooth sensors", .timeLimit(.minutes(30)))
struct BluetoothValueTests {
  @Test("a running speed and cadence measurement is parsed according to its flags")
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

  @Test("additional bytes of a later version of the service are ignored")
  func longer() throws {
    #expect(try #require(RunningSpeedCadence([0xF8, 0, 1, 90, 1, 2, 3])).speed == 1)
  }

  @Test(
    "a measurement with missing bytes is invalid",
    arguments: [
      [], [0], [0, 0, 0], [1, 0, 0, 90], [1, 0, 0, 90, 0], [2, 0, 0, 90, 0, 0, 0], [3, 0, 0, 90, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func shorter(_ bytes: [UInt8]) { #expect(RunningSpeedCadence(bytes) == nil) }

  @Test("a watch's steps are a 32-bit little-endian number; any other length is invalid")
  func watchSteps() {
    #expect(WatchSteps.count([0x39, 0x30, 0x01, 0x02]) == 0x0201_3039)
    for bytes in [[], [1], [1, 2, 3], [1, 2, 3, 4, 5]] as [[UInt8]] { #expect(WatchSteps.count(bytes) == nil) }
  }
}

@Suite("Steps from cadences", .timeLimit(.minutes(30)))
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

  @Test("each measurement counts for the time since the previous one, at even or uneven intervals")
  func integral() {
    let even = (1...60).map { (Double($0), Self.measurement(150)) }
    #expect(Self.count(even).steps.steps == 150)
    let uneven = [0.4, 2.9, 3.0, 3.0, 5.5, 6.1, 8.9, 10].map { ($0, Self.measurement(120)) }
    #expect(Self.count(uneven).steps.steps == 20)
    #expect(
      Self.count([(1, Self.measurement(120)), (2, Self.measurement(0)), (3, Self.measurement(60))]).steps.steps == 3)
  }

  @Test("a stride is two steps")
  func strides() {
    #expect(Self.count((1...60).map { (Double($0), Self.measurement(85)) }, strides: true).steps.steps == 170)
  }

  @Test("after a gap a measurement counts for one second, and the gap is reported")
  func silence() {
    let found = Self.count([(1, Self.measurement(120)), (31, Self.measurement(120))])
    #expect(found.steps.steps == 4)
    #expect(found.gaps == [.seconds(30)])
  }

  @Test("a gap without walking is not reported")
  func rest() {
    #expect(Self.count([(1, Self.measurement(0)), (31, Self.measurement(0))]).gaps.isEmpty)
  }

  @Test("the total distance includes steps taken in a gap")
  func distance() {
    // 1.6 m/s at 120 per minute: 0.8 m per step; 48 m in 30 s are 60 steps.
    let found = Self.count([
      (1, Self.measurement(120, speed: 1.6, distance: 100)), (31, Self.measurement(120, speed: 1.6, distance: 148)),
    ])
    #expect(found.steps.steps == 62)
    #expect(found.steps.metres.map { ($0 * 10).rounded() } == 480)
  }

  @Test("an implausible distance is limited, and a reset distance does not count")
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
    "a run at half the usual cadence counts one foot: reported once, but not for a run with both feet or with ,strides")
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

  @Test("a slow walk is not treated as a run")
  func slowWalk() {
    #expect(Self.count((1...40).map { (Double($0), Self.measurement(90, speed: 1.1)) }).warnings.isEmpty)
  }

  @Test("a sensor with a speed but no cadence is reported")
  func noCadence() {
    let found = Self.count((1...40).map { (Double($0), Self.measurement(0, speed: 2)) })
    #expect(found.steps.steps == 0 && found.warnings.count == 1)
  }
}

@Suite("Steps from a watch's count", .timeLimit(.minutes(30)))
struct WatchStepsTests {
  @Test(
    "the first count is the base, a smaller one is a reset, an impossible one is a new base",
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
