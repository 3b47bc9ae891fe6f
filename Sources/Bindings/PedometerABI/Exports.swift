// The functions of pedometer.h. The compiler checks them against their declarations there, which have the documentation.

// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CPedometer
import Counting
import Synchronization

@c @implementation
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

@c @implementation
public func pedometer_destroy(_ walk: OpaquePointer?) {
  if let walk = unsafe walk { unsafe Unmanaged<Walk>.fromOpaque(UnsafeRawPointer(walk)).release() }
}

@c @implementation
public func pedometer_process(_ walk: OpaquePointer?, _ samples: UnsafePointer<pedometer_samples>?) -> Int32 {
  unsafe result(walk) { walk throws(Failure) in
    guard let samples = unsafe samples else { throw .usage("samples is NULL; give samples") }
    guard unsafe UnsafeRawPointer(samples).load(as: Int.self) >= MemoryLayout<pedometer_samples>.size else {
      throw .usage("samples.size is too small; set it to sizeof(pedometer_samples)")
    }
    try unsafe walk.process(samples.pointee)
  }
}

@c @implementation
public func pedometer_finish(_ walk: OpaquePointer?) -> Int32 {
  unsafe result(walk) { walk throws(Failure) in try walk.finish() }
}

@c @implementation
public func pedometer_count_file(_ walk: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> Int32 {
  unsafe result(walk) { walk throws(Failure) in
    guard let path = unsafe path else { throw .usage("path is NULL; give the name of a file") }
    try unsafe walk.count(path: path)
  }
}

@c @implementation
public func pedometer_totals(_ walk: OpaquePointer?, _ total: UnsafeMutablePointer<pedometer_total>?) -> Int32 {
  unsafe result(walk) { walk throws(Failure) in
    guard let total = unsafe total else { throw .usage("total is NULL; give a place for the totals") }
    let size = unsafe UnsafeRawPointer(total).load(as: Int.self)
    guard size >= MemoryLayout<pedometer_total>.size else {
      throw .usage("total.size is too small; set it to sizeof(pedometer_total)")
    }
    var totals = try walk.totals()
    totals.size = size
    unsafe total.pointee = totals
  }
}

@c @implementation
public func pedometer_steps(
  _ walk: OpaquePointer?, _ times: UnsafeMutablePointer<Double>?, _ confidences: UnsafeMutablePointer<Double>?,
  _ capacity: Int64, _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in
    try unsafe walk.steps(times, confidences, capacity)
  }
}

@c @implementation
public func pedometer_epochs(
  _ walk: OpaquePointer?, _ length: Double, _ epochs: UnsafeMutablePointer<pedometer_epoch>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in
    try unsafe walk.epochs(of: length, epochs, capacity)
  }
}

@c @implementation
public func pedometer_bouts(
  _ walk: OpaquePointer?, _ bouts: UnsafeMutablePointer<pedometer_bout>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in try unsafe walk.bouts(bouts, capacity) }
}

@c @implementation
public func pedometer_gait_bouts(
  _ walk: OpaquePointer?, _ bouts: UnsafeMutablePointer<pedometer_gait>?, _ capacity: Int64,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  unsafe list(walk, capacity, count) { walk, capacity throws(Failure) in try unsafe walk.gait(bouts, capacity) }
}

@c @implementation
public func pedometer_gait_total(_ walk: OpaquePointer?, _ total: UnsafeMutablePointer<pedometer_gait>?) -> Int32 {
  unsafe result(walk) { walk throws(Failure) in
    guard let total = unsafe total else { throw .usage("total is NULL; give a place for the gait") }
    unsafe total.pointee = try walk.gaitTotal()
  }
}

@c @implementation
public func pedometer_warning(_ walk: OpaquePointer?, _ index: Int64) -> UnsafePointer<CChar>? {
  unsafe string(walk) { unsafe $0.warning(index) }
}

@c @implementation
public func pedometer_start(_ walk: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe string(walk) { unsafe $0.clock(.start) }
}

@c @implementation
public func pedometer_end(_ walk: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe string(walk) { unsafe $0.clock(.end) }
}

@c @implementation
public func pedometer_origin(_ walk: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe string(walk) { unsafe $0.clock(.origin) }
}

@c @implementation
public func pedometer_version() -> UnsafePointer<CChar>? { unsafe version.pointer }

// MARK: - what they share

/// Never freed.
@safe private struct LastingText: @unchecked Sendable {
  let pointer: UnsafePointer<CChar>

  init(_ text: String) {
    let bytes = text.utf8CString
    let place = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for index in bytes.indices { unsafe (place + index).initialize(to: bytes[index]) }
    unsafe pointer = UnsafePointer(place)
  }
}

private let version = LastingText(Version.current)

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

/// Lends the walk of a handle to one thread.
private func lend<Result>(
  _ handle: OpaquePointer?, _ body: (Walk) throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let handle = unsafe handle else { throw .usage("the handle is NULL; make one with pedometer_create()") }
  let walk = unsafe Unmanaged<Walk>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  guard !walk.isBusy.exchange(true, ordering: .acquiring) else {
    throw Failure(
      code: Int32(PEDOMETER_BUSY), text: "another thread is using this handle; give each thread a handle")
  }
  defer { walk.isBusy.store(false, ordering: .releasing) }
  return try body(walk)
}

private func result(_ handle: OpaquePointer?, _ body: (Walk) throws(Failure) -> Void) -> Int32 {
  result { () throws(Failure) in try unsafe lend(handle, body) }
}

private func list(
  _ handle: OpaquePointer?, _ capacity: Int64, _ count: UnsafeMutablePointer<Int64>?,
  _ fill: (Walk, Int) throws(Failure) -> Int
) -> Int32 {
  unsafe result(handle) { walk throws(Failure) in
    guard let count = unsafe count else { throw .usage("count is NULL; give a place for the number") }
    guard capacity >= 0 else { throw .usage("the capacity is \(capacity); give how many fit, or 0") }
    unsafe count.pointee = Int64(try fill(walk, Int(capacity)))
  }
}

private func string(_ handle: OpaquePointer?, _ body: (Walk) -> UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
  unsafe (try? unsafe lend(handle) { walk throws(Failure) in unsafe body(walk) }) ?? nil
}
