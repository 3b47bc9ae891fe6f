// The functions of pedometer.h. The compiler checks them against their declarations there, which have the documentation.

// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CPedometer
import Counting
import Platform
import Synchronization

@_cdecl("pedometer_create") @implementation
public func pedometer_create(
  _ options: UnsafePointer<pedometer_options>?, _ walk: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  result { () throws(Failure) in
    guard let walk = unsafe walk else { throw .usage("walk is NULL; give a place for the handle") }
    unsafe walk.pointee = nil
    let made = Walk(try unsafe Settings(options))
    unsafe walk.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
  }
}

@_cdecl("pedometer_destroy") @implementation
public func pedometer_destroy(_ walk: OpaquePointer?) {
  if let walk = unsafe walk { unsafe Unmanaged<Walk>.fromOpaque(UnsafeRawPointer(walk)).release() }
}

@_cdecl("pedometer_process") @implementation
public func pedometer_process(_ walk: OpaquePointer?, _ samples: UnsafePointer<pedometer_samples>?) -> Int32 {
  unsafe result(walk) { (walk: Walk) throws(Failure) in
    guard let samples = unsafe samples else { throw .usage("samples is NULL; give samples") }
    guard unsafe UnsafeRawPointer(samples).load(as: Int.self) >= MemoryLayout<pedometer_samples>.size else {
      throw .usage("samples.size is too small; set it to sizeof(pedometer_samples)")
    }
    try unsafe walk.process(samples.pointee)
  }
}

@_cdecl("pedometer_finish") @implementation
public func pedometer_finish(_ walk: OpaquePointer?) -> Int32 {
  unsafe result(walk) { (walk: Walk) throws(Failure) in try walk.finish() }
}

@_cdecl("pedometer_count_file") @implementation
public func pedometer_count_file(_ walk: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> Int32 {
  unsafe result(walk) { (walk: Walk) throws(Failure) in
    guard let path = unsafe path else { throw .usage("path is NULL; give the name of a file") }
    try unsafe walk.count(path: path)
  }
}

@_cdecl("pedometer_totals") @implementation
public func pedometer_totals(_ walk: OpaquePointer?, _ total: UnsafeMutablePointer<pedometer_total>?) -> Int32 {
  unsafe result(walk) { (walk: Walk) throws(Failure) in
    guard let total = unsafe total else { throw .usage("total is NULL; give a place for the totals") }
    try unsafe fill(total, "total", "pedometer_total") { size throws(Failure) in
      var totals = try walk.totals()
      totals.size = size
      return totals
    }
  }
}

@_cdecl("pedometer_steps") @implementation
public func pedometer_steps(
  _ walk: OpaquePointer?, _ times: UnsafeMutablePointer<Double>?, _ confidences: UnsafeMutablePointer<Double>?,
  _ capacity: Int64, _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in
    try unsafe walk.steps(times, confidences, capacity)
  }
}

@_cdecl("pedometer_epochs") @implementation
public func pedometer_epochs(
  _ walk: OpaquePointer?, _ length: Double, _ epochs: UnsafeMutablePointer<pedometer_epoch>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in
    try unsafe walk.epochs(of: length, epochs, capacity)
  }
}

@_cdecl("pedometer_bouts") @implementation
public func pedometer_bouts(
  _ walk: OpaquePointer?, _ bouts: UnsafeMutablePointer<pedometer_bout>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in try unsafe walk.bouts(bouts, capacity) }
}

@_cdecl("pedometer_gait_bouts") @implementation
public func pedometer_gait_bouts(
  _ walk: OpaquePointer?, _ bouts: UnsafeMutablePointer<pedometer_gait>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in try unsafe walk.gait(bouts, capacity) }
}

@_cdecl("pedometer_gait_total") @implementation
public func pedometer_gait_total(_ walk: OpaquePointer?, _ total: UnsafeMutablePointer<pedometer_gait>?) -> Int32 {
  unsafe result(walk) { (walk: Walk) throws(Failure) in
    guard let total = unsafe total else { throw .usage("total is NULL; give a place for the gait") }
    unsafe total.pointee = try walk.gaitTotal()
  }
}

@_cdecl("pedometer_warning") @implementation
public func pedometer_warning(_ walk: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  unsafe string(walk) { (walk: Walk) in unsafe walk.warnings[index] }
}

@_cdecl("pedometer_start") @implementation
public func pedometer_start(_ walk: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe string(walk) { (walk: Walk) in unsafe walk.clock(walk.start) }
}

@_cdecl("pedometer_end") @implementation
public func pedometer_end(_ walk: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe string(walk) { (walk: Walk) in unsafe walk.clock(walk.end) }
}

@_cdecl("pedometer_origin") @implementation
public func pedometer_origin(_ walk: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe string(walk) { (walk: Walk) in unsafe walk.clock(walk.zero) }
}

@_cdecl("pedometer_open") @implementation
public func pedometer_open(
  _ options: UnsafePointer<pedometer_options>?, _ path: UnsafePointer<CChar>?,
  _ reader: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  result { () throws(Failure) in
    guard let reader = unsafe reader else { throw .usage("reader is NULL; give a place for the reader") }
    unsafe reader.pointee = nil
    guard let path = unsafe path else { throw .usage("path is NULL; give the name of a file") }
    let opened = try unsafe OpenRecording(path, Settings(options).reading)
    unsafe reader.pointee = OpaquePointer(Unmanaged.passRetained(opened).toOpaque())
  }
}

@_cdecl("pedometer_close") @implementation
public func pedometer_close(_ reader: OpaquePointer?) {
  if let reader = unsafe reader { unsafe Unmanaged<OpenRecording>.fromOpaque(UnsafeRawPointer(reader)).release() }
}

@_cdecl("pedometer_read") @implementation
public func pedometer_read(
  _ reader: OpaquePointer?, _ times: UnsafeMutablePointer<Int64>?, _ x: UnsafeMutablePointer<Float>?,
  _ y: UnsafeMutablePointer<Float>?, _ z: UnsafeMutablePointer<Float>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe result(reader) { (reader: OpenRecording) throws(Failure) in
    guard let count = unsafe count else { throw .usage("count is NULL; give a place for the number") }
    unsafe count.pointee = 0
    guard capacity >= 1 else { throw .usage("the capacity is \(capacity); give how many samples fit, at least 1") }
    let columns = unsafe SampleColumns(times: times, x: x, y: y, z: z, capacity: Int(capacity))
    unsafe count.pointee = Int64(try reader.read(into: columns))
  }
}

@_cdecl("pedometer_describe") @implementation
public func pedometer_describe(_ reader: OpaquePointer?, _ recording: UnsafeMutablePointer<pedometer_recording>?)
  -> Int32
{
  unsafe result(reader) { (reader: OpenRecording) throws(Failure) in
    guard let recording = unsafe recording else { throw .usage("recording is NULL; give a place for the description") }
    try unsafe fill(recording, "recording", "pedometer_recording") { size in
      var description = unsafe reader.description
      unsafe description.size = size
      return unsafe description
    }
  }
}

@_cdecl("pedometer_reader_warning") @implementation
public func pedometer_reader_warning(_ reader: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  unsafe string(reader) { (reader: OpenRecording) in unsafe reader.warnings[index] }
}

@_cdecl("pedometer_calibrate") @implementation
public func pedometer_calibrate(
  _ times: UnsafePointer<Int64>?, _ x: UnsafeMutablePointer<Float>?, _ y: UnsafeMutablePointer<Float>?,
  _ z: UnsafeMutablePointer<Float>?, _ count: Int64, _ calibration: UnsafeMutablePointer<pedometer_calibration>?
) -> Int32 {
  result { () throws(Failure) in
    guard let calibration = unsafe calibration else {
      throw .usage("calibration is NULL; give a place for what is found")
    }
    try unsafe fill(calibration, "calibration", "pedometer_calibration") { size throws(Failure) in
      var found = try unsafe SignalColumns(times, x, y, z, count).calibrate(x, y, z)
      found.size = size
      return found
    }
  }
}

@_cdecl("pedometer_wear") @implementation
public func pedometer_wear(
  _ times: UnsafePointer<Int64>?, _ x: UnsafePointer<Float>?, _ y: UnsafePointer<Float>?, _ z: UnsafePointer<Float>?,
  _ count: Int64, _ worn: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  result { () throws(Failure) in
    guard let worn = unsafe worn else { throw .usage("worn is NULL; give a place for a byte a sample") }
    try unsafe SignalColumns(times, x, y, z, count).findWear(worn)
  }
}

@_cdecl("pedometer_version") @implementation
public func pedometer_version() -> UnsafePointer<CChar>? { unsafe UnsafePointer(version) }

// MARK: - what they share

/// Never freed.
nonisolated(unsafe) private let version = unsafe strdup(Version.current)

/// Does something, and keeps the sentence of a failure.
private func result(_ body: () throws(Failure) -> Void) -> Int32 {
  do throws(Failure) {
    try body()
    return Int32(PEDOMETER_OK)
  } catch {
    unsafe cpedometer_keep_error(error.text)
    return error.code
  }
}

/// Fills a structure of the caller, whose first member is its size.
/// - Parameters:
///   - name: the parameter's.
///   - type: the structure's name.
private func fill<Structure>(
  _ place: UnsafeMutablePointer<Structure>, _ name: String, _ type: String,
  _ value: (_ size: Int) throws(Failure) -> Structure
) throws(Failure) {
  let size = unsafe UnsafeRawPointer(place).load(as: Int.self)
  guard size >= MemoryLayout<Structure>.size else {
    throw .usage("\(name).size is too small; set it to sizeof(\(type))")
  }
  unsafe place.pointee = try value(size)
}

/// Lends what a handle refers to to one thread.
private func lend<Object: Lendable, Result>(
  _ handle: OpaquePointer?, _ body: (Object) throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let handle = unsafe handle else { throw .usage("the \(Object.name) is NULL; make one with \(Object.maker)()") }
  let object = unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  guard object.lease.begin() else {
    throw Failure(
      code: Int32(PEDOMETER_BUSY),
      text: "another thread is using this \(Object.name); give each thread a \(Object.name)")
  }
  defer { object.lease.end() }
  return try body(object)
}

private func result<Object: Lendable>(_ handle: OpaquePointer?, _ body: (Object) throws(Failure) -> Void) -> Int32 {
  result { () throws(Failure) in try unsafe lend(handle, body) }
}

private func list(
  _ handle: OpaquePointer?, _ capacity: Int64, _ count: UnsafeMutablePointer<Int64>?,
  _ fill: (Walk, Int) throws(Failure) -> Int
) -> Int32 {
  unsafe result(handle) { (walk: Walk) throws(Failure) in
    guard let count = unsafe count else { throw .usage("count is NULL; give a place for the number") }
    guard capacity >= 0 else { throw .usage("the capacity is \(capacity); give how many fit, or 0") }
    unsafe count.pointee = Int64(try fill(walk, Int(capacity)))
  }
}

private func string<Object: Lendable>(
  _ handle: OpaquePointer?, _ body: (Object) -> UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
  unsafe (try? unsafe lend(handle) { object throws(Failure) in unsafe body(object) }) ?? nil
}
