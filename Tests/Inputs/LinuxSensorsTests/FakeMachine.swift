import Accelerometry
import Foundation
import Glibc
import LinuxSensors
import Platform

/// A computer's sysfs, nodes and configfs in a temporary folder.
final class FakeMachine {
  let root: String
  let environment: SensorEnvironment
  private var writers: [Int32] = []

  init() throws {
    root = NSTemporaryDirectory() + "pedometer-" + UUID().uuidString
    var environment = SensorEnvironment(root: root)
    // The tests' samples have artificial times, and are written as fast as possible.
    environment.checksClocks = false
    self.environment = environment
    for folder in ["sys/bus/iio/devices", "dev/input", "config", "proc", "run"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
  }

  deinit {
    for writer in writers { close(writer) }
    try? FileManager.default.removeItem(atPath: root)
  }

  /// Writes a file below the root, creating its folders.
  func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  func write(_ bytes: [UInt8], to path: String) throws {
    let file = "\(root)/\(path)"
    // Not Foundation's function, which waits for the disk.
    var descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 {
      try makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
      descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    feed(bytes, to: descriptor)
    close(descriptor)
  }

  /// The text of a file without the line break.
  func text(_ path: String) -> String {
    let text = (try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)) ?? "missing"
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: "\(root)/\(path)", withIntermediateDirectories: true)
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: "\(root)/\(path)") }

  /// The folder of an IIO device below the root.
  static func folder(_ device: String = "device0") -> String { "sys/bus/iio/devices/iio:\(device)" }

  /// An accelerometer like those of hid-sensor-accel-3d: 1 mg per count, 50 Hz, its own trigger.
  func addAccelerometer(_ device: String = "device0", type: String = "le:s16/32>>0") throws {
    let folder = Self.folder(device)
    var files = [
      "name": "accel_3d", "in_accel_scale": "0.009806650", "in_accel_offset": "0",
      "in_accel_sampling_frequency": "50.000000", "current_timestamp_clock": "realtime\n\0", "buffer/enable": "0",
      "buffer/length": "2", "buffer/watermark": "1", "trigger/current_trigger": "accel_3d-dev0",
      "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "3",
      "scan_elements/in_timestamp_type": "le:s64/64>>0",
    ]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      files["in_accel_\(axis)_raw"] = ["20", "-50", "1000"][index]
      files["scan_elements/in_accel_\(axis)_en"] = "0"
      files["scan_elements/in_accel_\(axis)_index"] = "\(index)"
      files["scan_elements/in_accel_\(axis)_type"] = type
    }
    for (name, text) in files { try write(text + "\n", to: "\(folder)/\(name)") }
  }

  /// A node that delivers what is written to it, as a pipe; returns the descriptor for writing. Closing it ends the
  /// node.
  func addNode(_ device: String = "device0") throws -> Int32 {
    let path = "\(environment.dev)/iio:\(device)"
    guard unsafe mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
    // Not inherited by programs that other tests start: otherwise they would keep the device plugged in while they run.
    let writer = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    writers.append(writer)
    return writer
  }

  /// Unplugs a node created by ``addNode(_:)``.
  func closeNode(_ writer: Int32) {
    close(writer)
    writers.removeAll { $0 == writer }
  }
}

/// Writes all bytes to a node.
func feed(_ bytes: [UInt8], to writer: Int32) {
  _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(writer, $0.baseAddress, $0.count) }
}

/// Whether samples are as expected, to a millionth of g.
func isNear(_ samples: [AccelerationSample], _ expected: [SIMD3<Float>]) -> Bool {
  samples.count == expected.count
    && zip(samples, expected).allSatisfy { sample, value in
      let deviation = sample.acceleration - value
      return (deviation * deviation).sum() < 1e-12
    }
}
