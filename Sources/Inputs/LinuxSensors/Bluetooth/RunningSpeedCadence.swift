import Pedometry
import Platform

/// A measurement of a running speed and cadence sensor: characteristic 0x2A53 of the Bluetooth SIG's Running Speed and
/// Cadence Service 1.0, little-endian.
public struct RunningSpeedCadence: Sendable, Hashable {
  /// Metres per second.
  public var speed: Double
  /// Steps per minute; strides per minute for a sensor that counts one foot.
  public var cadence: Double
  /// Metres, if the sensor reports it.
  public var strideLength: Double?
  /// Metres since the sensor's counter was reset, if it reports them.
  public var totalDistance: Double?
  /// Whether the sensor classifies the wearer as running.
  public var isRunning: Bool

  /// Parses a measurement: flags, speed in 1/256 m/s, cadence, and, depending on the flags, stride length in cm and
  /// total distance in 1/10 m. Additional bytes belong to later versions and are ignored.
  /// - Returns: `nil` if bytes are missing.
  public init?(_ bytes: [UInt8]) {
    guard let flags = bytes.first else { return nil }
    let (hasStride, hasDistance) = (flags & 1 != 0, flags & 2 != 0)
    guard bytes.count >= 4 + (hasStride ? 2 : 0) + (hasDistance ? 4 : 0) else { return nil }
    speed = Double(Self.number(bytes[1..<3])) / 256
    cadence = Double(bytes[3])
    strideLength = hasStride ? Double(Self.number(bytes[4..<6])) / 100 : nil
    let distance = hasStride ? 6 : 4
    totalDistance = hasDistance ? Double(Self.number(bytes[distance..<distance + 4])) / 10 : nil
    isRunning = flags & 4 != 0
  }

  /// A little-endian number.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Converts cadences to steps: each measurement counts for the time since the previous one.
struct CadenceSteps: Sendable {
  /// The maximum number of seconds that a measurement counts for. Sensors notify once a second.
  static let longestInterval = 3.0
  /// The number of seconds that a measurement counts for if those before it were lost.
  static let usualInterval = 1.0
  /// The number of consecutive implausible measurements that cause a warning.
  static let longestRun = 10
  /// No run has fewer steps per minute.
  static let slowestRun = 110.0
  /// No wearer takes more strides per minute.
  static let mostStrides = 135.0
  /// The speed in metres per second above which people run.
  static let slowestRunningSpeed = 2.2

  var steps: Int { Int(total + 1e-6) }
  /// Metres so far, if the sensor reports its total distance.
  var metres: Double? { latest?.measurement.totalDistance == nil ? nil : covered }
  /// The time without data before the latest measurement, if the wearer may have walked in it.
  private(set) var gap: Duration?

  private let stepsPerCycle: Double
  private var total = 0.0
  private var (distance, covered) = (CountGrowth(), 0.0)
  private var latest: (measurement: RunningSpeedCadence, time: Int64)?
  private let start: Int64
  private var outliers = 0
  private var hasWarned = false

  /// Starts at zero.
  /// - Parameters:
  ///   - countsStrides: whether the cadence is that of one foot.
  ///   - start: the earliest possible time of the first measurement, in nanoseconds.
  init(countsStrides: Bool, start: Int64) {
    stepsPerCycle = countsStrides ? 2 : 1
    self.start = start
  }

  /// Processes a measurement with its arrival time in nanoseconds.
  /// - Returns: a warning, the first time that measurements are implausible.
  mutating func take(_ measurement: RunningSpeedCadence, at time: Int64) -> String? {
    let seconds = max(0, Double(time - (latest?.time ?? start)) * 1e-9)
    gap = nil
    let grown = measurement.totalDistance.flatMap { distance.take($0) } ?? 0
    covered += grown
    let rate = measurement.cadence * stepsPerCycle / 60
    if seconds <= Self.longestInterval {
      total += rate * seconds
    } else if let latest {
      if latest.measurement.cadence > 0 || measurement.cadence > 0 { gap = .nanoseconds(time - latest.time) }
      // The total distance, if reported, includes the gap. Speed and cadence give the step length.
      if let stepLength = stepLength(measurement) ?? stepLength(latest.measurement), grown > 0 {
        total += min(grown / stepLength, seconds * StepCounterAccumulator.mostStepsPerSecond)
      } else {
        total += rate * Self.usualInterval
      }
    } else {
      total += rate * Self.usualInterval
    }
    latest = (measurement, time)
    return doubt(measurement)
  }

  /// Returns the gap before the latest measurement once.
  mutating func takeGap() -> Duration? {
    defer { gap = nil }
    return gap
  }

  /// The step length in metres, from speed and cadence.
  private func stepLength(_ measurement: RunningSpeedCadence) -> Double? {
    guard measurement.speed > 0.2, measurement.cadence > 20 else { return nil }
    return measurement.speed / (measurement.cadence * stepsPerCycle / 60)
  }

  /// A warning about implausible measurements, once.
  private mutating func doubt(_ measurement: RunningSpeedCadence) -> String? {
    let (cadence, speed) = (measurement.cadence, measurement.speed)
    let isRun = measurement.isRunning || speed > Self.slowestRunningSpeed
    let sentence: String
    if cadence == 0, speed > 0.5 {
      sentence = "the sensor reports a speed but no cadence, so its steps cannot be counted"
    } else if stepsPerCycle == 1, isRun, cadence > 0, cadence < Self.slowestRun {
      sentence =
        "the sensor reports a cadence of \(Int(cadence)) per minute for a run: it seems to count one foot, "
        + "so half of the steps are missing; write ,strides behind its address"
    } else if stepsPerCycle == 2, cadence > Self.mostStrides {
      sentence =
        "the sensor reports a cadence of \(Int(cadence)) per minute: it seems to count both feet, "
        + "so the count is twice the number of steps; leave out ,strides behind its address"
    } else {
      outliers = 0
      return nil
    }
    outliers += 1
    if outliers < Self.longestRun || hasWarned { return nil }
    hasWarned = true
    return sentence
  }
}
