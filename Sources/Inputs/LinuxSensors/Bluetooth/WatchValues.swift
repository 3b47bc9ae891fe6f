import Accelerometry
import Pedometry
import Platform

/// Motion values of a watch with InfiniTime (PineTime): service 00030000-78fc-48fe-8e23-433b3a1942d0, described in
/// InfiniTime's doc/MotionService.md.
enum WatchValues {
  /// Counts per g, as documented.
  static let countsPerG = 1024.0

  /// The steps since the watch's counter was reset: 32 bits, little-endian; `nil` if the number of bytes is wrong.
  static func steps(_ bytes: [UInt8]) -> UInt32? { bytes.count == 4 ? RunningSpeedCadence.number(bytes[...]) : nil }

  /// Accelerations in counts: x, y and z of 16 bits each, little-endian, once or several times; `nil` if the number of
  /// bytes is wrong.
  static func motion(_ bytes: [UInt8]) -> [SIMD3<Float>]? {
    guard !bytes.isEmpty, bytes.count % 6 == 0 else { return nil }
    return stride(from: 0, to: bytes.count, by: 6).map { start in
      let axis = { (index: Int) in
        Float(Int16(bitPattern: UInt16(bytes[start + 2 * index]) | UInt16(bytes[start + 2 * index + 1]) << 8))
      }
      return SIMD3(axis(0), axis(1), axis(2))
    }
  }
}

/// The scale of a watch's raw values.
///
/// InfiniTime documents 1024 counts per g. Other firmware may use another range, which no characteristic states, so it is
/// estimated from gravity: by the first value of a watch at rest, otherwise by the median magnitude of the first values, which
/// a walking arm changes little. A median within a third of 1024 confirms the documentation.
struct WatchScale: Sendable {
  /// The number of values used: three seconds of a watch that sends ten a second.
  static let enough = 30

  private(set) var countsPerG: Double
  /// A warning that was not taken yet.
  private var warning: String?
  private var sizes: [Double]?

  /// - Parameter stated: the counts per g, if known.
  init(stated: Double? = nil) {
    countsPerG = stated ?? WatchValues.countsPerG
    sizes = stated == nil ? [] : nil
  }

  /// Whether the scale is final.
  var isKnown: Bool { sizes == nil }

  /// Takes values, in counts.
  mutating func look(at values: [SIMD3<Float>]) {
    guard var seen = sizes else { return }
    seen += values.map { (SIMD3<Double>($0) * SIMD3<Double>($0)).sum().squareRoot() }
    sizes = seen
    if seen.count >= Self.enough || seen.first.map(Self.isDocumented) ?? false { decide() }
  }

  /// Decides by the values so far.
  mutating func decide() {
    guard let seen = sizes, let first = seen.first else { return }
    sizes = nil
    let gravity = seen.sorted()[seen.count / 2]
    if Self.isDocumented(first) || abs(gravity / WatchValues.countsPerG - 1) < 1.0 / 3 { return }
    let counts = Int(bounded: gravity)
    if let found = EvdevScale.countsPerG(showing: gravity, extent: 0) {
      countsPerG = Double(found)
      warning =
        "the watch shows a gravity of \(counts) counts, so \(found) counts are used for one g; if that is wrong, state them "
        + "with SensorOptions.countsPerG"
    } else {
      warning = "the watch shows no gravity (\(counts) counts); its values are read with 1024 counts per g"
    }
  }

  /// Whether a magnitude is that of a watch at rest with the documented scale.
  private static func isDocumented(_ size: Double) -> Bool { abs(size / WatchValues.countsPerG - 1) < 0.15 }

  /// Returns the warning once.
  mutating func takeWarning() -> String? {
    defer { warning = nil }
    return warning
  }
}

/// Converts a watch's count to steps: the differences of successive counts. A smaller count has been reset, as at midnight.
struct WatchSteps: Sendable {
  private var latest: (count: UInt32, time: Int64)?

  /// Takes a count at a time in nanoseconds; the first is the base.
  /// - Returns: the steps since the previous count; `nil` if nobody could have walked them in the elapsed time: the
  ///   count is then the new base.
  mutating func take(_ count: UInt32, at time: Int64) -> Int? {
    guard let latest else {
      latest = (count, time)
      return 0
    }
    var new = count >= latest.count ? count - latest.count : 0
    if count < latest.count {
      switch CountFall(from: Double(latest.count), to: Double(count)) {
      case .correction: return 0
      case .restart: new = count
      case .unclear: break
      }
    }
    self.latest = (count, time)
    let seconds = max(0, Double(time - latest.time) * 1e-9)
    let most = seconds * StepCounterAccumulator.mostStepsPerSecond + StepCounterAccumulator.mostHeldBack
    return Double(new) <= most ? Int(new) : nil
  }
}
