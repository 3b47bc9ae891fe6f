import Accelerometry
import CPedometer
import Recordings

/// The caller's arrays, which get samples.
@safe struct SampleColumns {
  let capacity: Int
  private let times: UnsafeMutablePointer<Int64>?
  private let (x, y, z): (UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?)

  /// - Parameter capacity: how many numbers fit into each array that is there.
  init(
    times: UnsafeMutablePointer<Int64>?, x: UnsafeMutablePointer<Float>?, y: UnsafeMutablePointer<Float>?,
    z: UnsafeMutablePointer<Float>?, capacity: Int
  ) {
    self.capacity = capacity
    unsafe self.times = times
    unsafe (self.x, self.y, self.z) = unsafe (x, y, z)
  }

  /// Stores samples, which fit.
  func store(_ samples: Span<AccelerationSample>, at place: Int, shift: Int64) {
    precondition(place >= 0 && samples.count <= capacity - place)
    // One array after the other: a batch is in the cache, and each loop becomes vector code.
    if let times = unsafe times {
      for i in samples.indices { unsafe times[place &+ i] = samples[i].nanoseconds &+ shift }
    }
    if let x = unsafe x { for i in samples.indices { unsafe x[place &+ i] = samples[i].lanes.x } }
    if let y = unsafe y { for i in samples.indices { unsafe y[place &+ i] = samples[i].lanes.y } }
    if let z = unsafe z { for i in samples.indices { unsafe z[place &+ i] = samples[i].lanes.z } }
  }
}

/// The samples of a whole recording in the caller's arrays.
@safe struct SignalColumns {
  private let count: Int
  private let times: UnsafePointer<Int64>
  private let (x, y, z): (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>)

  /// As many samples are handled at once; they fit a processor's cache.
  private static let batch = 2048
  /// No array is longer.
  private static let mostSamples: Int64 = 1 << 40

  /// Checks all samples, so that nothing later overflows.
  init(
    _ times: UnsafePointer<Int64>?, _ x: UnsafePointer<Float>?, _ y: UnsafePointer<Float>?, _ z: UnsafePointer<Float>?,
    _ count: Int64
  ) throws(Failure) {
    guard (0...Self.mostSamples).contains(count) else { throw .usage("\(count) is not a number of samples") }
    guard let times = unsafe times, let x = unsafe x, let y = unsafe y, let z = unsafe z else {
      throw .usage("an array is NULL; give times, x, y and z")
    }
    self.count = Int(count)
    unsafe self.times = times
    unsafe (self.x, self.y, self.z) = unsafe (x, y, z)
    var last = Int64.min
    for i in 0..<self.count {
      let time = unsafe times[i]
      guard time >= last else { throw .badData("time \(i) is earlier than the one before; sort the samples by time") }
      guard RowsInMemory.isTimestamp(time) else {
        throw .badData("time \(i) is \(time) ns, which no clock shows; leave out samples without a time")
      }
      last = time
      guard unsafe x[i].isFinite, unsafe y[i].isFinite, unsafe z[i].isFinite else {
        throw .badData("sample \(i) is not a finite number; leave out samples without values")
      }
    }
  }

  private func forEachBatch(_ body: (Range<Int>, inout [AccelerationSample]) -> Void) {
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(Self.batch)
    for start in stride(from: 0, to: count, by: Self.batch) {
      let range = start..<min(start + Self.batch, count)
      samples.removeAll(keepingCapacity: true)
      for i in range {
        samples.append(unsafe AccelerationSample(nanoseconds: times[i], acceleration: SIMD3(x[i], y[i], z[i])))
      }
      body(range, &samples)
    }
  }

  /// Calibrates the samples.
  /// - Parameters:
  ///   - x: the same arrays, which may be written.
  func calibrate(
    _ x: UnsafeMutablePointer<Float>?, _ y: UnsafeMutablePointer<Float>?, _ z: UnsafeMutablePointer<Float>?
  ) -> pedometer_calibration {
    var quiet = QuietStretches()
    forEachBatch { _, samples in quiet.take(samples.span) }
    quiet.finish()
    let points = quiet.points
    var found = pedometer_calibration()
    found.intervals = Int32(points.count)
    found.gain = (1, 1, 1)
    (found.error_before, found.error_after) = (.nan, .nan)
    let calibration: Calibration
    do throws(Calibration.Obstacle) { calibration = try Calibration(fitting: points) } catch {
      found.outcome =
        switch error {
        case .littleRest: Int32(PEDOMETER_LITTLE_REST)
        case .fewOrientations: Int32(PEDOMETER_FEW_ORIENTATIONS)
        case .noImprovement: Int32(PEDOMETER_NO_IMPROVEMENT)
        }
      return found
    }
    forEachBatch { range, samples in
      calibration.apply(to: &samples)
      unsafe SampleColumns(times: nil, x: x, y: y, z: z, capacity: count)
        .store(samples.span, at: range.lowerBound, shift: 0)
    }
    let (gain, offset) = (SIMD4<Double>(calibration.gain), SIMD4<Double>(calibration.offset))
    found.outcome = Int32(PEDOMETER_CALIBRATED)
    found.gain = (gain.x, gain.y, gain.z)
    found.offset = (offset.x, offset.y, offset.z)
    found.error_before = calibration.errorBefore / 1000
    found.error_after = calibration.errorAfter / 1000
    return found
  }

  /// Finds when the sensor was worn.
  /// - Parameter worn: gets 1 or 0 for each sample.
  func findWear(_ worn: UnsafeMutablePointer<UInt8>) {
    var wear = WearTime()
    forEachBatch { _, samples in wear.add(samples.span) }
    let nonWear = NonWear.regrouped(wear.nonWear)
    for i in 0..<count {
      let quarter = unsafe Int((times[i] - times[0]) / WearTime.blockLength)
      unsafe worn[i] = nonWear[quarter] ? 0 : 1
    }
  }
}
