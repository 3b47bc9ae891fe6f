/// A measurement of a running speed and cadence sensor: characteristic 0x2A53 as the Bluetooth SIG's Running Speed and Cadence
/// Service 1.0 lays it out, little-endian.
public struct RunningSpeedCadence: Sendable, Hashable {
  /// Metres a second.
  public var speed: Double
  /// Steps a minute; strides a minute of a sensor that counts one foot.
  public var cadence: Double
  /// Metres, where the sensor states it.
  public var strideLength: Double?
  /// Metres since the sensor's counter was reset, where it states them.
  public var totalDistance: Double?
  /// Whether the sensor takes its wearer to be running.
  public var isRunning: Bool

  /// Reads a measurement: flags, speed in 1/256 m/s, cadence, and what the flags say of stride length in cm and total distance in
  /// 1/10 m. What follows is of a later version, and is passed over.
  /// - Returns: `nil` where bytes are missing.
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

  /// A number, its lowest byte first.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Makes steps of cadences: each measurement speaks for the time since the one before.
struct CadenceSteps: Sendable {
  /// Seconds that a measurement may speak for. Sensors notify once a second.
  static let longestInterval = 3.0
  /// Seconds that it speaks for where those before it were lost.
  static let usualInterval = 1.0
  /// Measurements in a row after which something odd is no accident.
  static let longestOddity = 10
  /// Nobody runs with fewer steps a minute.
  static let slowestRun = 110.0
  /// Nobody takes more strides a minute.
  static let mostStrides = 135.0
  /// Metres a second from which people run.
  static let slowestRunningSpeed = 2.2

  /// Steps so far.
  var steps: Int { Int(total + 1e-6) }
  /// Metres so far, of a sensor that states its total distance.
  var metres: Double? { latest?.measurement.totalDistance == nil ? nil : distance.metres }
  /// For how long nothing came before the latest measurement, if the wearer may have walked meanwhile.
  private(set) var gap: Duration?

  private let stepsPerCycle: Double
  private var total = 0.0
  private var distance = DistanceAccumulator()
  private var latest: (measurement: RunningSpeedCadence, time: Int64)?
  private let start: Int64
  private var oddities = 0
  private var hasWarned = false

  /// Begins at zero.
  /// - Parameters:
  ///   - countsStrides: whether cadences are of one foot.
  ///   - start: when the first measurement could have come, in nanoseconds.
  init(countsStrides: Bool, start: Int64) {
    stepsPerCycle = countsStrides ? 2 : 1
    self.start = start
  }

  /// Takes the measurement that came at a time in nanoseconds.
  /// - Returns: a sentence, the first time that the measurements make no sense.
  mutating func take(_ measurement: RunningSpeedCadence, at time: Int64) -> String? {
    let seconds = max(0, Double(time - (latest?.time ?? start)) * 1e-9)
    gap = nil
    let before = distance.metres
    if let total = measurement.totalDistance { distance.take(total) }
    let rate = measurement.cadence * stepsPerCycle / 60
    if seconds <= Self.longestInterval {
      total += rate * seconds
    } else if let latest {
      if latest.measurement.cadence > 0 || measurement.cadence > 0 { gap = .nanoseconds(time - latest.time) }
      // What was walked meanwhile is in the distance, if the sensor states it: its own speed and cadence say how long a step is.
      if let stepLength = stepLength(measurement) ?? stepLength(latest.measurement), distance.metres > before {
        let walked = (distance.metres - before) / stepLength
        total += min(walked, seconds * StepCounterAccumulator.mostStepsPerSecond)
      } else {
        total += rate * Self.usualInterval
      }
    } else {
      total += rate * Self.usualInterval
    }
    latest = (measurement, time)
    return doubt(measurement)
  }

  /// The gap before the latest measurement, once.
  mutating func takeGap() -> Duration? {
    defer { gap = nil }
    return gap
  }

  /// Metres, by the sensor's own definition of what it counts.
  private func stepLength(_ measurement: RunningSpeedCadence) -> Double? {
    guard measurement.speed > 0.2, measurement.cadence > 20 else { return nil }
    return measurement.speed / (measurement.cadence * stepsPerCycle / 60)
  }

  /// What cannot be right about the measurements; told once.
  private mutating func doubt(_ measurement: RunningSpeedCadence) -> String? {
    let (cadence, speed) = (measurement.cadence, measurement.speed)
    let isRun = measurement.isRunning || speed > Self.slowestRunningSpeed
    let sentence: String
    if cadence == 0, speed > 0.5 {
      sentence = "the sensor states a speed but no cadence, so its steps cannot be counted"
    } else if stepsPerCycle == 1, isRun, cadence > 0, cadence < Self.slowestRun {
      sentence =
        "the sensor states a cadence of \(Int(cadence)) a minute for a run: it seems to count one foot, "
        + "so half of the steps are missing; write ,strides behind its address"
    } else if stepsPerCycle == 2, cadence > Self.mostStrides {
      sentence =
        "the sensor states a cadence of \(Int(cadence)) a minute: it seems to count both feet, "
        + "so there are twice as many steps as were made; leave out ,strides behind its address"
    } else {
      oddities = 0
      return nil
    }
    oddities += 1
    if oddities < Self.longestOddity || hasWarned { return nil }
    hasWarned = true
    return sentence
  }
}
