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

  /// The measures of all bouts, and of the present one as far as it is measured.
  package var present: GaitMeasures { bout.measures.adding(to: total) }

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
    let usual = usualStrides()
    // Where a step is missing, the next one is of the same foot: on a foot, one of two intervals is two thirds of a stride.
    var places = [0]
    for index in 1..<steps.count {
      let strides = Double(steps[index] - steps[index - 1]) / usual[index]
      places.append(places[index - 1] + (strides > 0.85 ? max(1, Int((2 * strides).rounded())) : 1))
    }
    var times = steps
    for run in runs(of: usual) {
      let stride = usual[run.lowerBound]
      let refined = StepRefinement.times(
        of: Array(steps[run]), feet: places[run].map { $0 % 2 }, median: Int64(stride / 2), in: signal)
      times.replaceSubrange(run, with: refined)
      if run.count > 2 * Self.fewestStrides {
        measureRegularity(steps[run.lowerBound], steps[run.upperBound - 1], stride, run.count)
      }
    }
    measure(times, places, usual)
    bout.times += times.dropLast().map { .nanoseconds($0) }
    steps = [times[times.count - 1]]
  }

  /// The median of the eleven strides around each step, in nanoseconds.
  private func usualStrides() -> [Double] {
    let strides = zip(steps.dropFirst(2), steps).map { Double($0 - $1) }
    if strides.isEmpty { return [Double](repeating: 2 * Double(steps[1] - steps[0]), count: steps.count) }
    return steps.indices.map { index in
      let around = strides[max(0, min(index - 6, strides.count - 11))..<min(strides.count, max(index + 5, 11))].sorted()
      return around[around.count / 2]
    }
  }

  /// Consecutive steps of about the same pace, each run with the steps that look alike.
  private func runs(of usual: [Double]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var first = 0
    for index in usual.indices.dropFirst() where abs(usual[index] / usual[first] - 1) > 0.15 {
      runs.append(first..<index)
      first = index
    }
    return runs + [first..<usual.count]
  }

  private mutating func measure(_ times: [Int64], _ places: [Int], _ usual: [Double]) {
    var feet: [(sum: Double, count: Int)] = [(0, 0), (0, 0)]
    var before: Double?
    for index in 1..<times.count {
      let (time, stride) = (Double(times[index] - times[index - 1]) / 1e9, usual[index] / 1e9)
      guard places[index] == places[index - 1] + 1, time > 0.2 * stride, time < 0.8 * stride else {
        before = nil
        continue
      }
      bout.measures.stepTime.add(time)
      bout.measures.cadence.add(60 / time)
      if let before, abs(before + time - stride) < 0.2 * stride { bout.measures.strideTime.add(before + time) }
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
  private mutating func measureRegularity(_ start: Int64, _ end: Int64, _ stride: Double, _ count: Int) {
    let cell: Int64 = 20_000_000
    guard let cells = signal.cells(from: start, count: Int((end - start) / cell), cell: cell) else { return }
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
    bout.measures.stepRegularities.add(peak(around: lag / 2) / power, weight: Double(count))
    bout.measures.strideRegularities.add(peak(around: lag) / power, weight: Double(count))
  }
}
