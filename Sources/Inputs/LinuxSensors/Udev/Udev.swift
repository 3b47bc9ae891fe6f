import Clibudev
import Glibc

/// libudev: the list of devices, and their events.
@safe final class Udev {
  private let context: OpaquePointer

  init() throws(SensorError) {
    guard let made = unsafe udev_new() else { throw .system(operation: "start", path: "libudev", errno: ENOMEM) }
    unsafe context = made
  }

  deinit { unsafe udev_unref(context) }

  /// All devices of some subsystems, ordered by their folders.
  ///
  /// It does not check whether udev has "initialized" a device: without udevd none ever is, and with it every device soon is.
  ///
  /// libudev leaves out devices and properties that it cannot read, without an error. A signal, or a moment without
  /// memory or descriptors, passes: the list is made twice, and the copy of a device with more properties is used.
  func devices(ofSubsystems subsystems: [String]) -> [UdevDevice] {
    var devices: [SysfsDirectory: UdevDevice] = [:]
    for _ in 0..<2 {
      for device in listed(ofSubsystems: subsystems) {
        if let other = devices[device.folder], other.completeness >= device.completeness { continue }
        devices[device.folder] = device
      }
    }
    return devices.values.sorted { $0.folder.path < $1.folder.path }
  }

  private func listed(ofSubsystems subsystems: [String]) -> [UdevDevice] {
    guard let enumeration = unsafe udev_enumerate_new(context) else { return [] }
    defer { unsafe udev_enumerate_unref(enumeration) }
    for subsystem in subsystems { unsafe udev_enumerate_add_match_subsystem(enumeration, subsystem) }
    unsafe udev_enumerate_scan_devices(enumeration)
    var devices: [UdevDevice] = []
    var entry = unsafe udev_enumerate_get_list_entry(enumeration)
    while let current = unsafe entry {
      if let path = unsafe udev_list_entry_get_name(current), let device = unsafe device(at: String(cString: path)) {
        devices.append(device)
      }
      unsafe entry = udev_list_entry_get_next(current)
    }
    return devices
  }

  func device(at path: String) -> UdevDevice? {
    guard let device = unsafe udev_device_new_from_syspath(context, path) else { return nil }
    defer { unsafe udev_device_unref(device) }
    return unsafe Self.copy(device, withAncestors: true)
  }

  /// Begins to listen; all later events are received.
  func monitor(ofSubsystems subsystems: [String], source: String) throws(SensorError) -> UdevMonitor {
    guard let monitor = unsafe udev_monitor_new_from_netlink(context, source) else {
      throw .system(operation: "listen to", path: "udev", errno: errno)
    }
    for subsystem in subsystems { unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil) }
    let code = unsafe udev_monitor_enable_receiving(monitor)
    let made = unsafe UdevMonitor(owning: monitor, of: self)
    if code < 0 { throw .system(operation: "listen to", path: "udev", errno: -code) }
    return made
  }

  /// Copies the required data of a device while it is valid.
  fileprivate static func copy(_ device: OpaquePointer, withAncestors: Bool) -> UdevDevice? {
    guard let path = unsafe udev_device_get_syspath(device) else { return nil }
    let text = { (pointer: UnsafePointer<CChar>?) in unsafe pointer.map { unsafe String(cString: $0) } }
    var copy = UdevDevice(
      folder: SysfsDirectory(path: unsafe String(cString: path)),
      subsystem: unsafe text(udev_device_get_subsystem(device)) ?? "",
      type: unsafe text(udev_device_get_devtype(device)), name: unsafe text(udev_device_get_sysname(device)) ?? "",
      node: unsafe text(udev_device_get_devnode(device)))
    var entry = unsafe udev_device_get_properties_list_entry(device)
    while let current = unsafe entry {
      if let key = unsafe text(udev_list_entry_get_name(current)) {
        copy.properties[key] = unsafe text(udev_list_entry_get_value(current)) ?? ""
      }
      unsafe entry = udev_list_entry_get_next(current)
    }
    var parent = withAncestors ? unsafe udev_device_get_parent(device) : nil
    while let current = unsafe parent {
      if let ancestor = unsafe Self.copy(current, withAncestors: false) { copy.ancestors.append(ancestor) }
      unsafe parent = udev_device_get_parent(current)
    }
    return copy
  }
}

@safe final class UdevMonitor {
  private let monitor: OpaquePointer
  /// The context, which owns the monitor.
  private let udev: Udev

  fileprivate init(owning monitor: OpaquePointer, of udev: Udev) {
    unsafe self.monitor = monitor
    self.udev = udev
  }

  deinit { unsafe udev_monitor_unref(monitor) }

  var number: Int32 { unsafe udev_monitor_get_fd(monitor) }

  /// The next event; `nil` if none is queued.
  func receive() -> (action: String, device: UdevDevice)? {
    guard let device = unsafe udev_monitor_receive_device(monitor) else { return nil }
    defer { unsafe udev_device_unref(device) }
    guard let action = unsafe udev_device_get_action(device), let copy = unsafe Udev.copy(device, withAncestors: true)
    else { return nil }
    return (unsafe String(cString: action), copy)
  }
}
