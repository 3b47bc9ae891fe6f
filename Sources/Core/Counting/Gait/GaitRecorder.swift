import Accelerometry
import Pedometry
import StepDetection

/// Measures the gait of each bout while a recording is counted.
///
/// It keeps the samples of the open bout and of the time in which steps may still be confirmed: some megabytes. Long bouts are
/// measured in parts of 256 steps.
package struct GaitRecorder: Sendable {
  /// Steps that are measured together.
  private static let part = 256
  private static let gap = WalkTracker.boutGap.wholeNanoseconds
  private static let memory = (StepDetector.longestRevision + .seconds(5)).wholeNanoseconds
  /// Strides of a part that are enough for an autocorrelation.
  private static let fewestStrides = 8

  private var signal = SignalWindow()
  /// The steps of the open bout that are not measured yet, as the detector found them.
  private var steps: [Int64] = []
  private var bout = GaitBout(times: [], measures: GaitMeasures())
  /// The measures of all bouts.
  package private(set) var total = GaitMeasures()

  package init() {}

  /// Takes the next samples, and the steps that were confirmed with them.
  /// - Returns: the bouts that are over.
  package mutating func add(_ samples: Span<AccelerationSample>, _ found: [Step]) -> [GaitBout] {
    signal.add(samples)
    let bouts = add(found)
    if !samples.isEmpty {
      let now = samples[samples.count - 1].nanoseconds
      // The step before those to come is measured again with them.
      signal.forget(before: min(steps.first ?? .max, now - Self.memory) - 1_000_000_000)
    }
    return bouts
  }

  /// Takes the last steps.
  /// - Returns: the bouts that are over.
  package mutating func finish(_ found: [Step]) -> [GaitBout] { add(found) + end() }

  private mutating func add(_ found: [Step]) -> [GaitBout] {
    var bouts: [GaitBout] = []
    for step in found {
      let time = step.timestamp.wholeNanoseconds
      if let last = steps.last, time - last > Self.gap { bouts += end() }
      steps.append(time)
      if steps.count > Self.part { measure() }
    }
    return bouts
  }

  private mutating func end() -> [GaitBout] {
    if steps.isEmpty { return [] }
    measure()
    bout.times.append(.nanoseconds(steps[0]))
    steps = []
    defer { bout = GaitBout(times: [], measures: GaitMeasures()) }
    total.add(bout.measures)
    return [bout]
  }

  /// Measures the steps so far; the last one begins the next part.
  private mutating func measure() {
    guard steps.count > 1 else { return }
    let intervals = zip(steps.dropFirst(), steps).map { $0 - $1 }
    let ordered = intervals.sorted()
    let median = ordered[(ordered.count - 1) / 2]
    // On a foot, one of two intervals is longer. Where a step is missing, the next one is of the same foot.
    let long = Double(ordered[(ordered.count - 1) * 3 / 4])
    var places = [0]
    for interval in intervals {
      let missing = Double(interval) > 1.6 * long ? max(0, Int((Double(interval) / long).rounded()) - 1) : 0
      places.append(places[places.count - 1] + 1 + missing)
    }
    let times = StepRefinement.times(of: steps, feet: places.map { $0 % 2 }, median: median, in: signal)
    let short = Double(ordered[(ordered.count - 1) / 4])
    let stride = short + long
    measure(times, places, 0.6e-9 * short...1.5e-9 * long, 0.8e-9 * stride...1.2e-9 * stride)
    if steps.count > 2 * Self.fewestStrides { measureRegularity(stride) }
    bout.times += times.dropLast().map { .nanoseconds($0) }
    steps = [times[times.count - 1]]
  }

  /// - Parameters:
  ///   - steps: the times that a step may have, in seconds.
  ///   - strides: those of a stride.
  private mutating func measure(
    _ times: [Int64], _ places: [Int], _ steps: ClosedRange<Double>, _ strides: ClosedRange<Double>
  ) {
    var feet: [(sum: Double, count: Int)] = [(0, 0), (0, 0)]
    var before: Double?
    for index in 1..<times.count {
      let time = Double(times[index] - times[index - 1]) / 1e9
      guard places[index] == places[index - 1] + 1, steps.contains(time) else {
        before = nil
        continue
      }
      bout.measures.stepTime.add(time)
      bout.measures.cadence.add(60 / time)
      if let before, strides.contains(before + time) { bout.measures.strideTime.add(before + time) }
      before = time
      feet[places[index] % 2].sum += time
      feet[places[index] % 2].count += 1
    }
    guard feet[0].count >= 4, feet[1].count >= 4 else { return }
    let (one, other) = (feet[0].sum / Double(feet[0].count), feet[1].sum / Double(feet[1].count))
    bout.measures.asymmetries.add(
      200 * abs(one - other) / (one + other), weight: Double(feet[0].count + feet[1].count))
  }

  /// The unbiased autocorrelation of the acceleration along gravity, at the step and the stride time.
  /// - Parameter stride: nanoseconds.
  private mutating func measureRegularity(_ stride: Double) {
    let cell: Int64 = 20_000_000
    let length = Int((steps[steps.count - 1] - steps[0]) / cell)
    guard let cells = signal.cells(from: steps[0], count: length, cell: cell) else { return }
    let mean = cells.reduce(SIMD4<Float>.zero, +) / Float(cells.count)
    let norm = (mean * mean).sum().squareRoot()
    guard norm > 0 else { return }
    let up = mean / norm
    let vertical = cells.map { (($0 - mean) * up).sum() }
    func correlation(_ lag: Int) -> Double {
      var sum = Float.zero
      for index in 0..<(vertical.count - lag) { sum += vertical[index] * vertical[index + lag] }
      return Double(sum) / Double(vertical.count - lag)
    }
    func peak(around lag: Double) -> Double {
      let (low, high) = (Int((0.8 * lag).rounded()), Int((1.2 * lag).rounded()))
      return (low...high).map(correlation).max() ?? 0
    }
    let power = correlation(0)
    guard power > 0 else { return }
    let lag = stride / Double(cell)
    bout.measures.stepRegularities.add(peak(around: lag / 2) / power, weight: Double(steps.count))
    bout.measures.strideRegularities.add(peak(around: lag) / power, weight: Double(steps.count))
  }
}
