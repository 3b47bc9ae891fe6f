import Accelerometry
import CSensorShim
import Clibevdev
import Glibc

/// An open input device: libevdev's handle and its descriptor.
@safe final class EvdevNode {
  private let node: NodeDescriptor
  private let handle: OpaquePointer
  private var synchronising: Int32 = 0
  private var events: [sensor_input_event]
  let clock: KernelClock
  /// Whether the clock is the requested one, so that its current reading is known.
  let hasBoottime: Bool

  /// Opens a node and selects the time since boot as its clock.
  /// - Throws: the error of opening; `.unusable` if the node is not an input device.
  init(opening path: String, in machine: SensorEnvironment) throws(SensorError) {
    node = try NodeDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK, in: machine)
    // Before anything else: the change empties the queue, and a queue with events would then begin with SYN_DROPPED.
    hasBoottime = sensor_evdev_set_clock(node.number, CLOCK_BOOTTIME) == 0
    clock = KernelClock(named: hasBoottime ? "boottime" : "realtime")
    var made: OpaquePointer?
    let code = unsafe libevdev_new_from_fd(node.number, &made)
    guard code == 0, let made = unsafe made else {
      throw .unusable(
        path: path, reason: "libevdev says: \(SensorError.text(of: -code))", remedy: "choose another sensor")
    }
    unsafe handle = made
    let none = sensor_input_event(nanoseconds: 0, value: 0, type: 0, code: 0)
    events = [sensor_input_event](repeating: none, count: 128)
  }

  deinit { unsafe libevdev_free(handle) }

  var number: Int32 { node.number }

  var description: EvdevDescription {
    typealias Code = EvdevCapabilities.Code
    var axes: [UInt16: EvdevDescription.Axis] = [:]
    for code in Code.x...Code.rz {
      guard let info = unsafe libevdev_get_abs_info(handle, UInt32(code)) else { continue }
      let copy = unsafe info.pointee
      axes[code] = EvdevDescription.Axis(
        value: copy.value, minimum: copy.minimum, maximum: copy.maximum, resolution: copy.resolution)
    }
    return EvdevDescription(
      name: unsafe String(cString: libevdev_get_name(handle)),
      vendor: UInt16(truncatingIfNeeded: unsafe libevdev_get_id_vendor(handle)),
      isDeclared: unsafe libevdev_has_property(handle, UInt32(Code.accelerometerProperty)) != 0,
      hasKeys: unsafe libevdev_has_event_type(handle, UInt32(Code.key)) != 0, axes: axes)
  }

  var hasDeviceTime: Bool {
    unsafe libevdev_has_event_code(
      handle, UInt32(EvdevCapabilities.Code.msc), UInt32(EvdevCapabilities.Code.mscTimestamp)) != 0
  }

  /// Passes every queued event to `take`.
  /// - Throws: `.removed` when the device is unplugged.
  func drain(_ take: (sensor_input_event) -> Void) throws(SensorError) {
    while true {
      let count = unsafe sensor_evdev_read(handle, &synchronising, &events, Int32(events.count))
      if count == -EAGAIN { return }
      if count < 0 { throw .from(errno: -count, operation: "read", path: node.path) }
      for event in events[..<Int(count)] { take(event) }
      if count < events.count { return }
    }
  }
}

struct EvdevScale: Sendable, Hashable {
  var axes: [UInt16]
  var counts: SIMD3<Int32>
  /// One count in g, for each axis.
  var gPerCount: SIMD3<Float>
  /// The largest acceleration that the axes can represent, in g.
  var range: Double?
  /// Counts per g if they were estimated from the current values, because they are not stated.
  var guess: Int?

  /// From, in this order: the caller's value, the axes' own resolution, the table of known drivers, or the current values of a
  /// declared accelerometer.
  /// - Throws: `.unusable` if none of them is available, or the device cannot be an accelerometer.
  init(_ device: EvdevDescription, path: String, countsPerG: Double?) throws(SensorError) {
    let driver = device.driver
    axes = driver?.axes ?? EvdevDriver.usualAxes
    let found = axes.compactMap { device.axes[$0] }
    guard found.count == 3 else { throw .noThreeAxes(path) }
    if countsPerG == nil, !device.isAccelerometer {
      throw .unusable(
        path: path, reason: "it shows no gravity, so it may be pedals or a joystick",
        remedy: "if it is an accelerometer, state its counts per g with SensorOptions.countsPerG")
    }
    self.counts = SIMD3(found[0].value, found[1].value, found[2].value)
    let counts = SIMD3<Double>(self.counts)
    let isStated = countsPerG != nil || driver?.countsPerG != nil || found.allSatisfy { $0.resolution > 0 }
    let extent = max(abs(Double(found[0].minimum)), abs(Double(found[0].maximum)))
    guess = isStated ? nil : Self.countsPerG(showing: (counts * counts).sum().squareRoot(), extent: extent)
    gPerCount = .zero
    for index in 0..<3 {
      let stated = found[index].resolution > 0 ? Double(found[index].resolution) : nil
      guard let counts = countsPerG ?? stated ?? driver?.countsPerG ?? guess.map(Double.init), counts.isFinite,
        counts > 0
      else {
        throw .unusable(
          path: path, reason: "'\(device.name)' does not report its counts per g",
          remedy:
            "lay it still, read its axes with evtest, and state the counts along gravity with SensorOptions.countsPerG")
      }
      gPerCount[index] = Float(1 / counts)
    }
    range = extent > 0 ? extent * Double(gPerCount.x) : nil
  }

  /// Counts per g, if a device at rest shows this magnitude: a nearby power of two or multiple of thousand, otherwise
  /// the number itself. Chips have ranges of 1.5 to 32 g, and at least 16 counts per g.
  /// - Returns: `nil` if the number cannot be gravity.
  static func countsPerG(showing size: Double, extent: Double) -> Int? {
    guard size >= 16, extent <= 0 || (1.2...40).contains(extent / size) else { return nil }
    let usual = (4...15).map { Double(1 << $0) } + [1000, 100]
    let nearest = usual.min { abs($0 / size - 1) < abs($1 / size - 1) } ?? size
    return Int((abs(nearest / size - 1) < 0.15 ? nearest : size).rounded())
  }
}
