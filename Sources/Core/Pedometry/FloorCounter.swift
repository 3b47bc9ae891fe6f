/// Counts floors climbed and descended, from air pressure and the times of steps.
///
/// A pure value. Pressure gives the height of the walker; steps show whether the height changes by walking. Lifts, the
/// weather, doors and air conditioners also change the pressure, but count nothing.
///
///     var floors = FloorCounter()
///     for second in 0..<66 {
///       floors.record(step: .seconds(second))
///       floors.record(kilopascals: 101.325 - 0.0036 * Double(second), at: .seconds(second))  // 0.3 m a second
///     }
///     floors.finish()
///     print(floors.ascended)  // 6
///
/// Height follows the international barometric formula (ISO 2533:1975, the standard atmosphere): a small change Δp of the
/// pressure p is a height of -(R T / g M) Δp / p, with T = 288.15 K · (p / 101.325 kPa)^0.1903. A floor is 3 m, as published for
/// Core Motion (`CMPedometerData.floorsAscended`), Garmin and Fitbit (3 m, 10 feet). The rules for walking are this project's:
///
/// - The pressure of a second is the median of its samples, and the height at a second is the median of five of them,
///   so that a slamming door has no effect.
/// - A change of height counts as walking if there are steps within 1.5 s, if it is faster than 0.05 m/s (weather of 3
///   hPa/h is 0.007 m/s, stairs are 0.15 to 0.5 m/s), and if it is at most 0.45 m per step (lifts and escalators are
///   faster).
/// - A climb begins and ends where the direction turns by 1.5 m. It counts a floor at 2.4 m, and another one every 3 m.
///   The rest is discarded after a minute with less than half a metre of progress, so that nothing adds up over the
///   day.
///
/// Floors are counted with a delay of 24 s, because steps may be confirmed late. Counts never decrease. The cost is
/// some hundred operations a second, in constant memory.
public struct FloorCounter: Sendable {
  /// The height of a floor in metres.
  public static let height = 3.0
  /// A floor counts this much before it is complete, in metres: not all storeys are 3 m high, and a landing is reached
  /// before its floor.
  public static let leniency = 0.6
  /// The delay with which a moment is evaluated: steps may be confirmed up to 20 s after they were taken.
  public static let delay = Duration.seconds(24)

  /// Floors climbed.
  public private(set) var ascended = 0
  /// Floors descended.
  public private(set) var descended = 0
  /// Whether there were samples of pressure.
  public private(set) var hasPressure = false

  /// The current second, since the clock's zero; its samples are in ``samples``.
  private var gathering: Int64?
  private var samples: [Double] = []
  /// The latest completed seconds: the height of each, in metres above the first.
  private var heights: [(second: Int64, metres: Double)] = []
  /// The same, each the median of the five seconds around it, as far back as needed.
  private var levels: [(second: Int64, metres: Double)] = []
  private var latest: (pressure: Double, metres: Double)?
  /// The times of steps that are still needed, in seconds.
  private(set) var steps: [Double] = []
  /// The last evaluated second.
  private var judged: Int64 = .min
  private var climb = Climb()

  /// Creates a counter at zero.
  public init() {}

  /// Takes a step.
  /// - Parameter time: the time of the foot strike, on the clock of the pressure; a step later than ``delay`` is
  ///   ignored.
  public mutating func record(step time: Duration) {
    let seconds = time.seconds
    guard seconds > Double(judged) - Self.window else { return }
    // Without a barometer nothing else removes them.
    if !hasPressure, steps.count >= Self.mostSteps { steps.removeAll { $0 < seconds - Self.memory } }
    steps.append(seconds)
  }

  /// Takes a sample of the pressure.
  /// - Parameters:
  ///   - kilopascals: from 30 to 120; other values are ignored.
  ///   - time: on the clock of the steps. A sample that is not later than those before is ignored.
  public mutating func record(kilopascals: Double, at time: Duration) {
    guard kilopascals >= 30, kilopascals <= 120 else { return }
    hasPressure = true
    let second = Int64(time.seconds.rounded(.down))
    if let gathering, second < gathering { return }
    if second != gathering {
      close()
      gathering = second
      judge(upTo: second - Int64(Self.delay.seconds))
    }
    if samples.count < Self.mostSamples { samples.append(kilopascals) }
  }

  /// Evaluates the remaining seconds.
  public mutating func finish() {
    close()
    gathering = nil
    level(upTo: .max)
    if let last = levels.last?.second { judge(upTo: last) }
  }

  // MARK: Height

  /// The maximum number of samples per second.
  private static let mostSamples = 128
  /// Seconds before and after a moment that determine its vertical speed.
  private static let reach: Int64 = 4
  private static let window = 10.0
  /// The number of steps and the time in seconds that are kept before the first pressure, which may come later than its steps.
  private static let (mostSteps, memory) = (512, 60.0)

  /// Completes the current second.
  private mutating func close() {
    guard let gathering, !samples.isEmpty else { return }
    let pressure = Self.median(&samples)
    samples.removeAll(keepingCapacity: true)
    var metres = 0.0
    if let latest { metres = latest.metres + Self.rise(from: latest.pressure, to: pressure) }
    latest = (pressure, metres)
    heights.append((gathering, metres))
    level(upTo: gathering - 2)
  }

  /// Smooths the seconds whose neighbours are known. A second with fewer than two neighbours has no level.
  private mutating func level(upTo last: Int64) {
    for (second, _) in heights where second <= last && second > levels.last?.second ?? .min {
      var near: [Double] = []
      for height in heights where height.second >= second - 2 && height.second <= second + 2 {
        near.append(height.metres)
      }
      if near.count >= 3 { levels.append((second, Self.median(&near))) }
    }
    // The next second to be smoothed is at most two seconds old, and needs two before it.
    if heights.count > 8 { heights.removeFirst(heights.count - 8) }
  }

  /// Metres between two pressures in kPa, by the standard atmosphere, for differences of some hundred metres.
  static func rise(from first: Double, to second: Double) -> Double {
    let x = (first + second) / 2 / 101.325 - 1
    // (1 + x) ^ 0.190263, to 0.05 % down to 60 kPa; without a C library there is no pow.
    let temperature = 288.15 * (1 + x * (0.190263 - x * (0.077032 - x * (0.046464 - x * 0.032638))))
    let ratio = (first - second) / (first + second)
    return 29.2712 * temperature * 2 * ratio * (1 + ratio * ratio / 3)
  }

  private static func median(_ values: inout [Double]) -> Double {
    values.sort()
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }

  // MARK: Walking

  private mutating func judge(upTo last: Int64) {
    var index = levels.firstIndex { $0.second > judged } ?? levels.count
    while index < levels.count, levels[index].second <= last {
      judged = levels[index].second
      judge(index)
      index += 1
    }
    let oldest = Double(judged) - Self.window
    if let kept = levels.firstIndex(where: { Double($0.second) >= oldest }), kept > 0 { levels.removeFirst(kept) }
    steps.removeAll { $0 < oldest }
  }

  /// Evaluates the second at an index of ``levels``.
  private mutating func judge(_ index: Int) {
    let (second, now) = levels[index]
    climb.pass(second)
    guard index > 0, levels[index - 1].second == second - 1 else { return }
    let (begin, end) = (Double(second) - 1.5, Double(second) + 1.5)
    guard steps.contains(where: { $0 >= begin && $0 <= end }) else { return }
    var (from, to) = (index, index)
    while from > 0, levels[from - 1].second >= second - Self.reach { from -= 1 }
    while to + 1 < levels.count, levels[to + 1].second <= second + Self.reach { to += 1 }
    let (change, span) = (levels[to].metres - levels[from].metres, Double(levels[to].second - levels[from].second))
    let (first, last) = (Double(levels[from].second) - 1, Double(levels[to].second) + 1)
    let taken = steps.count { $0 >= first && $0 <= last }
    guard abs(change) >= 0.05 * span, abs(change) <= 0.45 * Double(taken) else { return }
    let floors = climb.move(by: now - levels[index - 1].metres, at: second)
    ascended += max(0, floors)
    descended += max(0, -floors)
  }

  /// The current climb or descent, in metres.
  private struct Climb: Sendable {
    /// The change that ends a climb, in metres.
    static let turn = 1.5
    /// Seconds after which a climb without this progress is discarded, in metres.
    static let timeout: Int64 = 60
    static let progress = 0.5

    private var height = 0.0
    /// 1 for up, -1 for down; 0 if unknown.
    private var direction = 0.0
    private var base = 0.0
    private var lowest = 0.0
    private var highest = 0.0
    private var counted = 0
    private var mark: (second: Int64, height: Double)?

    /// Discards a climb without progress.
    mutating func pass(_ second: Int64) {
      guard let mark, second - mark.second > Self.timeout else { return }
      self.mark = nil
      direction = 0
      (base, lowest, highest, counted) = (height, height, height, 0)
    }

    /// - Returns: the floors that are complete now; negative for a descent.
    mutating func move(by metres: Double, at second: Int64) -> Int {
      height += metres
      if mark.map({ abs(height - $0.height) >= Self.progress }) ?? true { mark = (second, height) }
      lowest = min(lowest, height)
      highest = max(highest, height)
      if direction <= 0, height - lowest >= Self.turn {
        begin(1, at: lowest)
      } else if direction >= 0, highest - height >= Self.turn {
        begin(-1, at: highest)
      }
      guard direction != 0 else { return 0 }
      let way = direction > 0 ? highest - base : base - lowest
      let floors = Int((way + FloorCounter.leniency) / FloorCounter.height)
      guard floors > counted else { return 0 }
      defer { counted = floors }
      return direction > 0 ? floors - counted : counted - floors
    }

    private mutating func begin(_ direction: Double, at base: Double) {
      (self.direction, self.base) = (direction, base)
      counted = 0
      (lowest, highest) = (min(base, height), max(base, height))
    }
  }
}
