import Accelerometry
import CPedometer
import Platform
import Recordings
import TestSupport

/// A handle of the C interface, used as a program in C uses it.
@safe final class Handle {
  private(set) var pointer: OpaquePointer?

  /// The members of `pedometer_options`, and what its size is said to be.
  struct Options: Sendable {
    var units: String?
    var rate = 0.0
    var height = 0.0
    var stepLength = 0.0
    var format: String?
    var columns: String?
    var start: String?
    var end: String?
    var gait = false
    var profile: String?
    var isWalk = false
    var size = unsafe MemoryLayout<pedometer_options>.size

    /// Lends them as a program in C has them.
    func withOptions(_ body: (UnsafePointer<pedometer_options>) throws -> Void) throws {
      let texts = unsafe [units, format, columns, start, end, profile].map { text in
        unsafe text.flatMap { unsafe strdup($0) }
      }
      defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
      var given = unsafe pedometer_options()
      unsafe given.size = size
      unsafe (given.rate, given.height, given.step_length) = (rate, height, stepLength)
      unsafe given.gait = gait ? 1 : 0
      unsafe given.walking = isWalk ? 1 : 0
      unsafe given.profile = UnsafePointer(texts[5])
      unsafe given.units = UnsafePointer(texts[0])
      unsafe given.input_format = UnsafePointer(texts[1])
      unsafe given.columns = UnsafePointer(texts[2])
      unsafe given.start = UnsafePointer(texts[3])
      unsafe given.end = UnsafePointer(texts[4])
      try unsafe body(&given)
    }
  }

  /// - Parameter options: `nil` for a handle without options.
  init(_ options: Options? = nil) throws {
    guard let options else {
      try check(unsafe pedometer_create(nil, &pointer))
      return
    }
    try unsafe options.withOptions { given in try check(unsafe pedometer_create(given, &pointer)) }
  }

  convenience init(units: String) throws { try self.init(Options(units: units)) }

  deinit { unsafe pedometer_destroy(pointer) }

  /// What a call that failed gives.
  struct Refusal: Error, Equatable {
    let code: Int32
    let text: String

    init(_ code: Int32) {
      self.code = code
      text = unsafe String(cString: pedometer_error())
    }
  }

  func check(_ code: Int32) throws { if code != 0 { throw Refusal(code) } }

  func count(_ path: String) throws -> pedometer_total {
    try check(unsafe pedometer_count_file(pointer, path))
    return try totals
  }

  var totals: pedometer_total {
    get throws {
      var total = pedometer_total()
      total.size = MemoryLayout<pedometer_total>.size
      try check(unsafe pedometer_totals(pointer, &total))
      return total
    }
  }

  /// Times in nanoseconds, and x, y, z in single precision.
  func process(_ times: [Int64], _ xyz: [Float]) throws {
    try unsafe times.withUnsafeBytes { times in
      try unsafe xyz.withUnsafeBytes { xyz in
        try unsafe process(
          xyz.count / 12, times: times.baseAddress, type: PEDOMETER_INT64, stride: 8, xyz: xyz.baseAddress,
          type: PEDOMETER_FLOAT32, row: 12, axis: 4)
      }
    }
  }

  /// Times in seconds, and x, y, z in double precision.
  func process(seconds times: [Double], _ xyz: [Double]) throws {
    try unsafe times.withUnsafeBytes { times in
      try unsafe xyz.withUnsafeBytes { xyz in
        try unsafe process(
          xyz.count / 24, times: times.baseAddress, type: PEDOMETER_FLOAT64, stride: 8, xyz: xyz.baseAddress,
          type: PEDOMETER_FLOAT64, row: 24, axis: 8)
      }
    }
  }

  func process(
    _ count: Int, times: UnsafeRawPointer?, type timesType: some BinaryInteger, stride: Int, xyz: UnsafeRawPointer?,
    type xyzType: some BinaryInteger, row: Int, axis: Int
  ) throws {
    var samples = unsafe pedometer_samples(
      size: MemoryLayout<pedometer_samples>.size, count: Int64(count), times: times, times_stride: Int64(stride),
      xyz: xyz, row_stride: Int64(row), axis_stride: Int64(axis), times_type: Int32(timesType),
      xyz_type: Int32(xyzType))
    try check(unsafe pedometer_process(pointer, &samples))
  }

  func finish() throws -> pedometer_total {
    try check(unsafe pedometer_finish(pointer))
    return try totals
  }

  var steps: [Double] {
    get throws {
      var count: Int64 = 0
      try check(unsafe pedometer_steps(pointer, nil, nil, 0, &count))
      var times = [Double](repeating: .nan, count: Int(count))
      try check(unsafe pedometer_steps(pointer, &times, nil, count, &count))
      return times
    }
  }

  func epochs(_ length: Double) throws -> [pedometer_epoch] {
    var count: Int64 = 0
    try check(unsafe pedometer_epochs(pointer, length, nil, 0, &count))
    var epochs = [pedometer_epoch](repeating: pedometer_epoch(), count: Int(count))
    try check(unsafe pedometer_epochs(pointer, length, &epochs, count, &count))
    return epochs
  }

  /// The gait of each bout, and of all.
  var gait: (bouts: [pedometer_gait], total: pedometer_gait) {
    get throws {
      var count: Int64 = 0
      try check(unsafe pedometer_gait_bouts(pointer, nil, 0, &count))
      var bouts = [pedometer_gait](repeating: pedometer_gait(), count: Int(count))
      try check(unsafe pedometer_gait_bouts(pointer, &bouts, count, &count))
      var total = pedometer_gait()
      try check(unsafe pedometer_gait_total(pointer, &total))
      return (bouts, total)
    }
  }

  var bouts: [pedometer_bout] {
    get throws {
      var count: Int64 = 0
      try check(unsafe pedometer_bouts(pointer, nil, 0, &count))
      var bouts = [pedometer_bout](repeating: pedometer_bout(), count: Int(count))
      try check(unsafe pedometer_bouts(pointer, &bouts, count, &count))
      return bouts
    }
  }

  var warnings: [String] {
    var warnings: [String] = []
    while let text = unsafe pedometer_warning(pointer, Int64(warnings.count)) {
      unsafe warnings.append(String(cString: text))
    }
    return warnings
  }
}

/// A recording of the repository, as a file and as arrays.
struct Fixture {
  let path: String
  var times: [Int64] = []
  var xyz: [Float] = []

  init(_ name: String) throws {
    path = Repository.path("Fixtures/\(name)")
    let reader = try RecordingReader(path: path)
    var samples: [AccelerationSample] = []
    while try reader.read(into: &samples) {
      for sample in samples {
        times.append(sample.nanoseconds)
        xyz += [sample.acceleration.x, sample.acceleration.y, sample.acceleration.z]
      }
    }
  }

  var seconds: [Double] { times.map { Double($0) / 1e9 } }

  static let day = "day-in-five-minutes.csv.gz"
}
