import Accelerometry
import CPedometer
import Recordings

/// The caller's arrays, read in place.
@safe struct SampleTable {
  let count: Int
  private let times: Numbers?
  private let axes: (x: Numbers, y: Numbers, z: Numbers)
  /// Where there are no times: the time from one row to the next in nanoseconds, and the rows that came before.
  private let period: Double
  private let before: Int

  /// Numbers that lie evenly in memory.
  @safe private struct Numbers {
    let base: UnsafeRawPointer
    let stride: Int
    let type: Int32

    @inline(__always)
    subscript(index: Int) -> Double {
      let place = unsafe base + index &* stride
      return type == Int32(PEDOMETER_FLOAT32)
        ? unsafe Double(place.loadUnaligned(as: Float.self)) : unsafe place.loadUnaligned(as: Double.self)
    }

    @inline(__always)
    func integer(_ index: Int) -> Int64 { unsafe (base + index &* stride).loadUnaligned(as: Int64.self) }
  }

  /// No array is longer, and no memory larger: nothing overflows.
  private static let mostRows: Int64 = 1 << 40
  private static let mostBytes: UInt64 = 1 << 47
  /// Beyond this a number is no acceleration in any unit, and single precision would overflow.
  private static let largest = 1e30
  /// Seconds: nanoseconds of about 73 years before and 146 years after 1970.
  private static let timeLimits = -2.3e9...4.6e9

  /// - Parameters:
  ///   - rate: the stated sampling frequency, for samples without times.
  ///   - before: how many samples came before.
  init(_ samples: pedometer_samples, rate: SamplingFrequency?, before: Int) throws(Failure) {
    let rows = unsafe samples.count
    if rows == 0 { throw .badData("the arrays are empty; give at least one sample") }
    guard (1...Self.mostRows).contains(rows) else { throw .usage("\(rows) is not a number of samples") }
    let strides = unsafe (samples.times_stride, samples.row_stride, samples.axis_stride)
    guard Self.fits(rows, strides.0), Self.fits(rows, strides.1), Self.fits(3, strides.2) else {
      throw .usage("a stride is out of range; it is the distance in bytes from one number to the next")
    }
    guard let xyz = unsafe samples.xyz else { throw .usage("xyz is NULL; give three numbers a sample") }
    let type = unsafe samples.xyz_type
    guard [Int32(PEDOMETER_FLOAT32), Int32(PEDOMETER_FLOAT64)].contains(type) else {
      throw .usage("xyz_type \(type) is not known; give PEDOMETER_FLOAT32 or PEDOMETER_FLOAT64")
    }
    count = Int(rows)
    let axis = { (index: Int) in
      unsafe Numbers(base: xyz + index * Int(samples.axis_stride), stride: Int(samples.row_stride), type: type)
    }
    axes = (axis(0), axis(1), axis(2))
    self.before = before
    if let base = unsafe samples.times {
      let type = unsafe samples.times_type
      guard (Int32(PEDOMETER_FLOAT32)...Int32(PEDOMETER_INT64)).contains(type) else {
        throw .usage("times_type \(type) is not known; give PEDOMETER_FLOAT32, PEDOMETER_FLOAT64 or PEDOMETER_INT64")
      }
      unsafe times = Numbers(base: base, stride: Int(samples.times_stride), type: type)
      period = 0
    } else {
      guard let rate else {
        throw .usage("there are no times; give them, or state the sampling frequency with option rate")
      }
      times = nil
      period = rate.periodInNanoseconds
    }
  }

  private static func fits(_ count: Int64, _ stride: Int64) -> Bool {
    let (bytes, overflow) = UInt64(count).multipliedReportingOverflow(by: stride.magnitude)
    return !overflow && bytes <= mostBytes
  }

  var hasTimes: Bool { times != nil }

  /// The time of a row, in nanoseconds.
  /// - Parameter row: one that ``check(after:)`` has passed.
  @inline(__always)
  func time(_ row: Int) -> Int64 {
    guard let times else { return Int64((Double(before &+ row) * period).rounded()) }  // in range: checkTime()
    if times.type == Int32(PEDOMETER_INT64) { return times.integer(row) }
    return Int64((times[row] * 1e9).rounded())  // in range: checkTime()
  }

  /// The acceleration of a row, in the caller's unit.
  @inline(__always)
  func values(_ row: Int) -> SIMD3<Double> { SIMD3(axes.x[row], axes.y[row], axes.z[row]) }

  /// Checks all rows.
  /// - Parameter last: the time of the row before the first, if there was one.
  func check(after last: Int64?) throws(Failure) {
    var last = last
    for row in 0..<count {
      try checkTime(row)
      let time = time(row)
      if let last, time <= last { throw notRising(row, time, last) }
      last = time
      let values = values(row)
      // NaN compares false.
      guard abs(values.x) < Self.largest, abs(values.y) < Self.largest, abs(values.z) < Self.largest else {
        throw .badData(
          "row \(row) of xyz is (\(values.x), \(values.y), \(values.z)), which is not an acceleration; leave out rows"
            + " without values")
      }
    }
  }

  @inline(__always)
  private func checkTime(_ row: Int) throws(Failure) {
    guard let times else {
      guard Double(before &+ row) * period < Self.timeLimits.upperBound * 1e9 else {
        throw .badData("row \(row) would be more than 140 years after the first one; count the recording in parts")
      }
      return
    }
    if times.type == Int32(PEDOMETER_INT64) {
      let time = times.integer(row)
      guard RowsInMemory.isTimestamp(time) else {
        throw .badData("time \(row) is \(time) ns, which no clock shows; leave out rows without a time")
      }
    } else {
      let time = times[row]
      guard time.isFinite else { throw .badData("time \(row) is \(time); leave out rows without a time") }
      guard Self.timeLimits.contains(time) else {
        throw .badData(
          "time \(row) is \(time) s, which no clock shows; times are in seconds, so divide milliseconds by 1000")
      }
    }
  }

  private func notRising(_ row: Int, _ time: Int64, _ last: Int64) -> Failure {
    let (now, before) = (Double(time) / 1e9, Double(last) / 1e9)
    return .badData(
      "time \(row) is \(now) s and the one before is \(before) s; sort the samples by time, leave out repeats, and give"
        + " times of Unix in double precision")
  }
}
