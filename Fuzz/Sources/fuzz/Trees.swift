import Glibc

@testable import IIOScans
@testable import LinuxSensors

/// A device of the industrial I/O subsystem whose files may hold anything: it is read or refused with a reason, and
/// what was changed is restored. Each line of the input is the content of one file, whose number is its first byte.
func checkTree(_ bytes: [UInt8]) {
  tree.reset()
  for line in bytes.split(separator: 0x0A).prefix(6) {
    guard let number = line.first else { continue }
    tree.write(Array(line.dropFirst()), to: Tree.files[Int(number) % Tree.files.count].name)
  }
  do throws(SensorError) {
    let device = try IIODevice("device0", in: tree.environment)
    guard let folders = IIOBufferFolders.find(channel: "in_accel_x", in: device.folder) else { return }
    var configurator = IIOBufferConfigurator(
      device: device, folders: folders, options: SensorOptions(), machine: tree.environment)
    defer { configurator.restore() }
    let (setup, elements) = try configurator.start()
    require(setup.length > 0 && setup.watermark > 0 && !elements.isEmpty)
  } catch { require(!error.reason.isEmpty && !error.remedy.isEmpty, "a refusal without a reason") }
}

private nonisolated(unsafe) let tree = Tree()

/// Files in memory.
private final class Tree {
  let environment: SensorEnvironment
  private let folder: String
  private var changed: Set<String> = []

  init() {
    var name = Array("/dev/shm/fuzz.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { fatalError("no folder in /dev/shm") }
    let root = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    environment = SensorEnvironment(root: root)
    folder = root + "/sys/bus/iio/devices/iio:device0"
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      mkdir(path, 0o700)
    }
    for part in ["buffer", "trigger", "scan_elements"] { mkdir("\(folder)/\(part)", 0o700) }
    for (name, text) in Self.files { write(Array((text + "\n").utf8), to: name) }
  }

  func reset() {
    for (name, text) in Self.files where changed.contains(name) { write(Array((text + "\n").utf8), to: name) }
    changed = []
  }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    require(descriptor >= 0)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    changed.insert(name)
  }

  static let files: [(name: String, text: String)] =
    [
      ("name", "accel_3d"), ("label", "base"), ("in_accel_scale", "0.009806650"), ("in_accel_offset", "0"),
      ("in_accel_sampling_frequency", "50.000000"), ("sampling_frequency_available", "10 50 100"),
      ("mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 1"), ("current_timestamp_clock", "realtime"),
      ("buffer/enable", "0"), ("buffer/length", "2"), ("buffer/watermark", "1"),
      ("buffer/hwfifo_watermark_max", "32"), ("trigger/current_trigger", "accel_3d-dev0"),
      ("scan_elements/in_timestamp_en", "0"), ("scan_elements/in_timestamp_index", "3"),
      ("scan_elements/in_timestamp_type", "le:s64/64>>0"),
    ]
    + ["x", "y", "z"].enumerated().flatMap { index, axis in
      [
        ("in_accel_\(axis)_raw", "\(index * 500)"), ("scan_elements/in_accel_\(axis)_en", "0"),
        ("scan_elements/in_accel_\(axis)_index", "\(index)"), ("scan_elements/in_accel_\(axis)_type", "le:s16/32>>0"),
      ]
    }
}
