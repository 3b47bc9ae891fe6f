import CPedometer

/// A reader of the C interface, used as a program in C uses it.
@safe final class Reader {
  var pointer: OpaquePointer?

  init() {}

  init(_ path: String, _ options: Handle.Options? = nil) throws {
    guard let options else {
      try check(unsafe pedometer_open(nil, path, &pointer))
      return
    }
    try unsafe options.withOptions { given in try check(unsafe pedometer_open(given, path, &pointer)) }
  }

  deinit { unsafe pedometer_close(pointer) }

  func check(_ code: Int32) throws { if code != 0 { throw Handle.Refusal(code) } }

  /// The samples of a recording in arrays.
  struct Table: Equatable, Sendable {
    var times: [Int64] = []
    var x: [Float] = []
    var y: [Float] = []
    var z: [Float] = []
    var warnings: [String] = []

    /// Calibrates the arrays.
    mutating func calibrated() throws -> pedometer_calibration {
      var found = pedometer_calibration()
      found.size = MemoryLayout<pedometer_calibration>.size
      let code = unsafe pedometer_calibrate(times, &x, &y, &z, Int64(times.count), &found)
      if code != 0 { throw Handle.Refusal(code) }
      return found
    }

    func worn() throws -> [UInt8] {
      var worn = [UInt8](repeating: 9, count: times.count)
      let code = unsafe pedometer_wear(times, x, y, z, Int64(times.count), &worn)
      if code != 0 { throw Handle.Refusal(code) }
      return worn
    }
  }

  /// Reads to the end.
  /// - Parameter capacity: how many samples fit at once.
  func readAll(_ capacity: Int = 4096) throws -> Table {
    var table = Table()
    var times = [Int64](repeating: .min, count: capacity)
    var x = [Float](repeating: .nan, count: capacity)
    var (y, z) = (x, x)
    var count: Int64 = 0
    while true {
      try check(unsafe pedometer_read(pointer, &times, &x, &y, &z, Int64(capacity), &count))
      if count == 0 { break }
      table.times += times[..<Int(count)]
      table.x += x[..<Int(count)]
      table.y += y[..<Int(count)]
      table.z += z[..<Int(count)]
    }
    let found = try unsafe description.warnings
    for index in 0..<found {
      guard let text = unsafe pedometer_reader_warning(pointer, index) else { continue }
      unsafe table.warnings.append(String(cString: text))
    }
    return table
  }

  var description: pedometer_recording {
    get throws {
      var recording = unsafe pedometer_recording()
      unsafe recording.size = MemoryLayout<pedometer_recording>.size
      try check(unsafe pedometer_describe(pointer, &recording))
      return unsafe recording
    }
  }
}
