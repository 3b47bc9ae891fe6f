import Accelerometry
import IIOScans

/// An IIO device as described by its attributes.
package struct IIODevice: Sendable, Hashable {
  /// `device0`: the folder's name without `iio:`.
  package let identifier: String
  /// The folder under `/sys/bus/iio/devices`.
  package let folder: SysfsDirectory
  /// The device node, which may be missing (for a device without buffer and events).
  package let node: String
  /// The driver's name for the chip.
  package let name: String
  /// For example `accel-base` or `accel-display`, if the firmware reports it.
  package let label: String?
  /// The accelerometer's axes; `nil` unless it has all three.
  package let accelerometer: IIOAccelerometerChannels?
  /// The attribute with the sampling frequency, in any spelling.
  package let frequencyAttribute: String?
  /// The sampling frequency; `nil` if it is not stated or 0.
  package let samplingFrequency: SamplingFrequency?
  package let availableFrequencies: AvailableValues?
  package let mountMatrix: MountMatrix
  package let countsSteps: Bool
  /// Remarks about unusual properties that do not prevent counting, one sentence each.
  package let remarks: [String]

  /// Reads a device's attributes.
  /// - Parameters:
  ///   - identifier: `device0`.
  ///   - scheme: what the name of the source begins with, for errors.
  ///   - udevMatrix: udev's `ACCEL_MOUNT_MATRIX`, which overrides the firmware's.
  ///   - machine: where sysfs is.
  /// - Throws: `.notFound` if there is no such device, `.nonsense` for attributes that violate the ABI.
  package init(
    _ identifier: String, scheme: String = "iio", udevMatrix: String? = nil, in machine: SensorEnvironment = .machine
  ) throws(SensorError) {
    let folder = machine.iioDevices["iio:" + identifier]
    guard !identifier.contains("/"), folder.exists else {
      throw .notFound(name: "\(scheme):\(identifier)", remedy: "'pedometer devices' lists what is there")
    }
    (self.identifier, self.folder) = (identifier, folder)
    node = "\(machine.dev)/iio:\(identifier)"
    name = try folder.textIfPresent("name").flatMap { $0.isEmpty ? nil : $0 } ?? "iio:\(identifier)"
    label = try folder.textIfPresent("label").flatMap { $0.isEmpty ? nil : $0 }
    countsSteps = folder.has("in_steps_input")
    if Self.axes.allSatisfy({ Self.hasAxis($0, in: folder) }) {
      accelerometer = IIOAccelerometerChannels(
        x: try .read(axis: "x", of: folder), y: try .read(axis: "y", of: folder), z: try .read(axis: "z", of: folder))
    } else {
      accelerometer = nil
    }
    let frequency = try folder.firstFrequency(Self.frequencySpellings)
    frequencyAttribute = frequency?.name
    samplingFrequency = frequency.flatMap { Self.frequency($0.hertz) }
    availableFrequencies = try Self.availableFrequencies(in: folder)
    (mountMatrix, remarks) = try Self.mountMatrix(udev: udevMatrix, in: folder)
  }

  private static let axes = ["x", "y", "z"]
  private static let frequencySpellings = ["in_accel_sampling_frequency", "sampling_frequency"]
  private static let matrixSpellings = ["in_accel_mount_matrix", "mount_matrix", "in_mount_matrix"]

  /// `nil` for 0, which some drivers report before a rate is selected, and for values close to it.
  static func frequency(_ hertz: Double) -> SamplingFrequency? { hertz < 0.01 ? nil : SamplingFrequency(hertz: hertz) }

  private static func hasAxis(_ axis: String, in folder: SysfsDirectory) -> Bool {
    folder.has("in_accel_\(axis)_raw") || folder.has("in_accel_\(axis)_input")
      || folder.has("scan_elements/in_accel_\(axis)_type")
  }

  private static func availableFrequencies(in folder: SysfsDirectory) throws(SensorError) -> AvailableValues? {
    for spelling in frequencySpellings {
      if let values = try folder.available(for: spelling) { return values }
    }
    return nil
  }

  private static func mountMatrix(
    udev: String?, in folder: SysfsDirectory
  ) throws(SensorError) -> (MountMatrix, [String]) {
    var candidates: [(place: String, text: String)] = []
    if let udev { candidates.append(("udev's ACCEL_MOUNT_MATRIX", udev)) }
    for spelling in matrixSpellings {
      if let text = try folder.textIfPresent(spelling) { candidates.append((folder.path(of: spelling), text)) }
    }
    return MountMatrix.first(of: candidates)
  }

  /// The largest acceleration that the scan's numbers can represent, in g; `nil` if unknown.
  var range: Double? {
    guard let channel = accelerometer?.x, let type = try? folder.textIfPresent("scan_elements/\(channel.name)_type"),
      let format = ScanElementFormat(parsing: type)
    else { return nil }
    return channel.range(of: format)
  }

  /// The format of the scans that the device's buffer delivers with its current settings.
  /// - Throws: `.unusable` without a buffer or without all three axes; `.nonsense` for attributes that violate the ABI.
  package func scanDescription() throws(SensorError) -> ScanDescription {
    guard let channels = accelerometer else { throw .noThreeAxes(folder.path) }
    guard let folders = IIOBufferFolders.find(channel: channels.x.name, in: folder) else {
      throw .unusable(path: folder.path, reason: "it has no buffer", remedy: "name the device that the scans came from")
    }
    return try scanDescription(
      of: try ScanElement.all(in: folders.elements), channels, samplingFrequency,
      clockName: folder.textIfPresent("current_timestamp_clock"))
  }

  func scanDescription(
    of elements: [ScanElement], _ channels: IIOAccelerometerChannels, _ frequency: SamplingFrequency?,
    clockName: String?
  ) -> ScanDescription {
    ScanDescription(
      name: label.map { "\(name) (\($0))" } ?? name, elements: elements, channels: channels, mountMatrix: mountMatrix,
      samplingFrequency: frequency, clockName: clockName)
  }

  /// The properties known before the first sample.
  /// - Parameter clock: the clock of the timestamps.
  func profile(clock: SensorClock) -> SensorProfile {
    SensorProfile(
      name: label.map { "\(name) (\($0))" } ?? name, samplingFrequency: samplingFrequency, range: range, clock: clock,
      mountMatrix: mountMatrix)
  }
}

extension MountMatrix {
  /// The first rotation of several texts. Any other is ignored with a remark: the orientation does not change the count.
  static func first(of candidates: [(place: String, text: String)]) -> (MountMatrix, [String]) {
    var remarks: [String] = []
    for (place, text) in candidates {
      if let matrix = MountMatrix(parsing: text), (0.9...1.1).contains(abs(matrix.determinant)) {
        return (matrix, remarks)
      }
      remarks.append("\(place) is '\(text)', which is not a rotation and is ignored")
    }
    return (.identity, remarks)
  }
}
