import Accelerometry
import JSONLines

/// Checks whether samples can come from a working accelerometer that someone wears: frequent enough, with gravity of about 1 g, and
/// on three live axes. The result is known after ten seconds, for recordings and live sources alike.
///
/// At most twenty samples a second are examined in the first window of ten seconds, and four later.
package struct SampleCheck: Sendable {
  /// What is wrong, in order of weight.
  enum Fault: Hashable {
    /// Fewer samples a second than steps need.
    case sparse(hertz: Double)
    /// Nothing but zeros.
    case zeros
    /// Axes that each have one value while another moves.
    case stuckAxes([Int], values: [Float])
    /// Axes that always have one value, and move.
    case equalAxes([Int])
    /// More than gravity at rest, in g.
    case tooStrong(Float)

    var kind: Int {
      switch self {
      case .sparse: 0
      case .zeros: 1
      case .stuckAxes: 2
      case .tooStrong: 3
      case .equalAxes: 4
      }
    }

    var sentence: String {
      switch self {
      case .sparse(let hertz):
        return
          "\(Decimals.text(hertz, 1) ?? "?") samples a second are too few to count steps; send 20 or more, for example with"
          + " a shorter delay in the program of the board"
      case .zeros: return "all samples are 0 on every axis; check the sensor's wiring, address and supply"
      case .stuckAxes(let axes, let values):
        let places = values.map { Decimals.text(Double($0), 2) ?? "?" }.joined(separator: " and ")
        let what = axes.count > 1 ? "axes \(Self.names(axes)) stay" : "\(Self.names(axes)) axis stays"
        return "the \(what) at \(places) g while the \(axes.count > 1 ? "other moves" : "others move");"
          + " check the sensor's wiring and its columns"
      case .equalAxes(let axes):
        return
          "the axes \(Self.names(axes)) always have the same value, so they are copies of one; check the program of the sensor and its"
          + " columns"
      case .tooStrong(let g):
        return
          "the acceleration at rest is \(Decimals.text(Double(g), g < 10 ? 1 : 0) ?? "?") g instead of 1 g; check the sensor's"
          + " scale and the unit"
      }
    }

    private static func names(_ axes: [Int]) -> String { axes.map { ["x", "y", "z"][$0] }.joined(separator: " and ") }
  }

  /// In nanoseconds.
  static let window: Int64 = 10_000_000_000
  /// A longer interval than this is slow, and more than three seconds without a sample are a pause; in nanoseconds.
  private static let slowest: Int64 = 220_000_000
  private static let pause: Int64 = 3_000_000_000
  /// Fewer samples a second than this are too few; the detector takes 5 or more.
  private static let fewest = 4.5
  /// No larger magnitude is gravity, in g; cheap sensors are wrong by a fifth.
  private static let strongest: Float = 1.6
  /// A mean acceleration that no movement sustains for ten seconds, in g.
  private static let unbearable: Float = 5
  /// Axes that change by less than this share of the magnitude are at rest.
  private static let rest: Float = 0.05
  /// Axes that change by more than this, in g, may move.
  private static let motion: Float = 0.02

  /// One window, or a tenth of it.
  private struct Extent {
    var least = SIMD4<Float>(repeating: .infinity)
    var most = SIMD4<Float>(repeating: -.infinity)
    var count = 0
    /// How often each axis differs from the value before. Noise of a coarse sensor at rest returns to the same value every other time.
    var turns = SIMD4<Int32>.zero
    private var latest = SIMD4<Float>.zero
    /// How often x differs from y, y from z, and z from x.
    private var differences = SIMD4<Int32>.zero

    mutating func add(_ lanes: SIMD4<Float>) {
      if count > 0 { turns.replace(with: turns &+ 1, where: lanes .!= latest) }
      latest = lanes
      differences.replace(with: differences &+ 1, where: lanes .!= SIMD4(lanes.y, lanes.z, lanes.x, 0))
      least.replace(with: lanes, where: lanes .< least)
      most.replace(with: lanes, where: lanes .> most)
      count += 1
    }

    mutating func add(_ other: Extent) {
      least.replace(with: other.least, where: other.least .< least)
      most.replace(with: other.most, where: other.most .> most)
      count += other.count
      turns &+= other.turns
      differences &+= other.differences
    }

    /// The axes that each have one value while another one changes with nearly every sample.
    var stuckAxes: [Int] {
      let still = (0..<3).filter { changes[$0] == 0 }
      // Beside two axes of zeros, the third one is a measured magnitude.
      guard still.count == 1 || still.contains(where: { most[$0] != 0 }), changes.max() > SampleCheck.motion,
        count >= 30, turns.max() * 4 > Int32(count) * 3
      else { return [] }
      return still
    }

    /// The axes that are copies of one.
    var equalAxes: [Int] {
      let pairs = (0..<3).filter { differences[$0] == 0 && changes[$0] > SampleCheck.motion }
      guard count >= 30 else { return [] }
      return Set(pairs.flatMap { [$0, ($0 + 1) % 3] }).sorted()
    }

    var changes: SIMD4<Float> { most - least }
    /// The magnitude of the middle, in g.
    var magnitude: Float {
      let middle = (most + least) * 0.5
      return (middle * middle).sum().squareRoot()
    }
    var isAtRest: Bool { count > 3 && changes.max() < SampleCheck.rest * magnitude }
  }

  private var start: Int64?
  /// The times of the last sample, and of the last that was examined.
  private var latest: Int64 = 0
  private var examined: Int64 = 0
  private var due = Int64.min
  private var partEnd: Int64 = 0
  private var part = Extent()
  private var whole = Extent()
  /// The smallest magnitude of a part, of one at rest, and of all parts at rest.
  private var weakest = Float.infinity
  private var weakestAtRest: Float?
  /// Samples that follow their predecessor slowly, and others.
  private var (slow, fast) = (0, 0)
  private var windows = 0
  private var faulty = [0, 0, 0, 0, 0]
  /// The largest change of each axis in a window, and windows in which one that has carried the motion has none.
  private var liveliest = SIMD4<Float>.zero
  private var frozen = 0
  private var moving = 0
  /// The first fault of each kind.
  private(set) var faults: [Fault] = []
  /// What is wrong in the latest window, in one sentence; `nil` if nothing is.
  package private(set) var present: String?

  package init() {}

  /// Takes samples in order of time.
  package mutating func take(_ samples: Span<AccelerationSample>) {
    guard samples.count > 0 else { return }
    let (first, last) = (samples[0].nanoseconds, samples[samples.count - 1].nanoseconds)
    if start == nil { begin(at: first) }
    // The clock was set back.
    guard last >= latest else { return begin(at: last) }
    // Several samples of a span stand for all between them.
    let spacing = windows == 0 ? Self.window / 200 : Self.window / 40
    let span = max(0, last &- first)
    let stride = span > 0 ? max(1, Int(Int64(samples.count) * spacing / max(span, spacing))) : 1
    var i = 0
    while i < samples.count {
      let (time, lanes) = (samples[i].nanoseconds, samples[i].lanes)
      let share = min(stride, samples.count - i)
      if time &- examined > Self.pause {
        begin(at: time)
      } else if time &- (i > 0 ? samples[i - 1].nanoseconds : latest) > Self.slowest {
        slow += share
      } else {
        fast += share
      }
      examined = time
      // Invalid values are reported as damage.
      guard (lanes * lanes).sum() < 1e10 else {
        i += stride
        continue
      }
      if time >= due || time < partEnd &- Self.window {
        if time >= partEnd { closePart(before: time) }
        part.add(lanes)
        due = time &+ spacing / 2
      }
      i += stride
    }
    latest = last
  }

  private mutating func begin(at time: Int64) {
    (start, latest, examined, due) = (time, time, time, time)
    partEnd = time &+ Self.window / 10
    (part, whole) = (Extent(), Extent())
    (weakest, weakestAtRest, slow, fast) = (.infinity, nil, 0, 0)
  }

  private mutating func closePart(before time: Int64) {
    if part.count > 0 {
      whole.add(part)
      weakest = min(weakest, part.magnitude)
      if part.isAtRest || part.magnitude == 0 && part.changes.max() == 0 {
        weakestAtRest = min(weakestAtRest ?? .infinity, part.magnitude)
      }
    }
    part = Extent()
    if let start, time &- start >= Self.window {
      judge(seconds: Double(time &- start) * 1e-9)
      begin(at: time)
    } else {
      partEnd = time &+ Self.window / 10
    }
  }

  private mutating func judge(seconds: Double) {
    windows += 1
    let changes = whole.changes
    if changes.max() > 0 { moving += 1 }
    let fault = fault(changes, rate: Double(max(0, slow + fast - 1)) / seconds)
    present = fault?.sentence
    if case .stuckAxes(let axes, _)? = fault, axes.contains(where: { liveliest[$0] * 2 > liveliest.max() }) {
      frozen += 1
    }
    liveliest.replace(with: changes, where: changes .> liveliest)
    guard let fault else { return }
    faulty[fault.kind] += 1
    if !faults.contains(where: { $0.kind == fault.kind }) { faults.append(fault) }
  }

  private func fault(_ changes: SIMD4<Float>, rate: Double) -> Fault? {
    if slow > fast, rate < Self.fewest { return .sparse(hertz: rate) }
    if changes.max() == 0, whole.most.max() == 0, whole.least.min() == 0 { return .zeros }
    let (stuck, equal) = (whole.stuckAxes, whole.equalAxes)
    let values = stuck.map { whole.most[$0] }
    if weakest > Self.unbearable, values.allSatisfy({ abs($0) < Self.strongest }) { return .tooStrong(weakest) }
    if !stuck.isEmpty { return .stuckAxes(stuck, values: values) }
    if !equal.isEmpty { return .equalAxes(equal) }
    if let weakestAtRest, weakestAtRest > Self.strongest { return .tooStrong(weakestAtRest) }
    return nil
  }

  /// Why a number of steps says nothing, in one sentence.
  /// - Parameter steps: how many were found.
  package func refusal(steps: Int) -> String? {
    faults.first { fault in
      switch fault {
      case .sparse, .zeros: steps == 0 && faulty[fault.kind] * 2 > windows
      case .stuckAxes(_, let values):
        // No sensor at rest has such a value. If the axis that carries the steps froze early, most of them are missing.
        (steps == 0 || values.contains { abs($0) > Self.strongest }) && faulty[fault.kind] * 2 > moving
          || frozen * 2 > moving
      case .equalAxes: steps == 0 && faulty[fault.kind] * 2 > moving
      case .tooStrong: faulty[fault.kind] * 2 > windows
      }
    }?.sentence
  }

  /// What was found so far, one sentence each.
  package var sentences: [String] { faults.map(\.sentence) }
}
