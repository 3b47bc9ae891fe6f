import Accelerometry
import Glibc
import IIOScans
import Platform

/// The folders of a buffer: one folder `bufferN` (since Linux 5.11), or `buffer` and `scan_elements`.
struct IIOBufferFolders: Equatable {
  /// Contains `in_accel_x_en` and similar attributes.
  var elements: SysfsDirectory
  /// Contains `enable`, `length` and `watermark`.
  var control: SysfsDirectory
  /// The buffer's number; the device node is that of buffer 0.
  var index: Int

  /// Finds the buffer that has a channel; `nil` if none has. The two folders of buffer 0 are equivalent; the one that
  /// this user may write is used.
  static func find(channel: String, in device: SysfsDirectory) -> IIOBufferFolders? {
    var candidates: [IIOBufferFolders] = []
    for name in device.names where name.hasPrefix("buffer") {
      guard let index = Int(name.dropFirst("buffer".count)), device[name].has(channel + "_en") else { continue }
      candidates.append(IIOBufferFolders(elements: device[name], control: device[name], index: index))
    }
    if device["scan_elements"].has(channel + "_en"), device["buffer"].has("enable") {
      candidates.append(IIOBufferFolders(elements: device["scan_elements"], control: device["buffer"], index: 0))
    }
    return candidates.first { $0.mayConfigure } ?? candidates.first
  }

  var mayConfigure: Bool {
    control.mayWrite("enable") && elements.names.allSatisfy { !$0.hasSuffix("_en") || elements.mayWrite($0) }
  }
}

package struct IIOBufferSetup: Sendable, Hashable {
  /// What triggers the scans, for people.
  package var trigger: String
  /// The number of scans that the kernel keeps.
  package var length: Int
  /// The number of scans that wakes a reader.
  package var watermark: Int
  package var samplingFrequency: SamplingFrequency?
  /// The kernel's name of the clock behind the timestamps.
  package var clockName: String
}

/// Sets up an IIO device's buffer, and records the previous settings.
struct IIOBufferConfigurator {
  let device: IIODevice
  let folders: IIOBufferFolders
  let options: SensorOptions
  let machine: SensorEnvironment
  private(set) var journal = AttributeJournal()

  init(device: IIODevice, folders: IIOBufferFolders, options: SensorOptions, machine: SensorEnvironment) {
    (self.device, self.folders, self.options, self.machine) = (device, folders, options, machine)
  }

  /// Selects channels, clock, rate, length, watermark and trigger, and enables the buffer.
  /// - Returns: the setup, and the channels of its scans.
  mutating func start() throws(SensorError) -> (IIOBufferSetup, [ScanElement]) {
    // Only the node's holder gets here, so an enabled buffer was left by a program that died.
    if try folders.control.text("enable") == "1" { try folders.control.write("0", to: "enable") }
    let elements = try chooseChannels()
    let clockName = chooseClock()
    let frequency = try chooseFrequency()
    let (length, watermark) = try chooseLength(atFrequency: frequency?.hertz ?? Self.usualFrequency)
    let trigger = try triggers.enable(atFrequency: frequency?.hertz ?? Self.usualFrequency, journal: &journal)
    let setup = IIOBufferSetup(
      trigger: trigger, length: length, watermark: watermark, samplingFrequency: frequency, clockName: clockName)
    return (setup, elements)
  }

  mutating func restore() { journal.restore() }

  /// Enables the three axes and the timestamp, and disables other channels. A channel that cannot be disabled stays
  /// part of the layout, which is then read again.
  private mutating func chooseChannels() throws(SensorError) -> [ScanElement] {
    let wanted = Set((device.accelerometer?.all.map(\.name) ?? []) + ["in_timestamp"])
    for element in try ScanElement.all(in: folders.elements) {
      if wanted.contains(element.name) {
        try journal.set(element.name + "_en", of: folders.elements, to: "1")
      } else {
        journal.trySet(element.name + "_en", of: folders.elements, to: "0")
      }
    }
    return try ScanElement.all(in: folders.elements)
  }

  /// Selects the time since boot, which includes suspend, or else keeps the current clock.
  private mutating func chooseClock() -> String {
    let name = "current_timestamp_clock"
    for clock in ["boottime", "monotonic"] where journal.trySet(name, of: device.folder, to: clock) { return clock }
    return ((try? device.folder.textIfPresent(name)) ?? nil) ?? "realtime"
  }

  /// Samples per second that suffice for every gait.
  private static let usualFrequency = 50.0

  private var triggers: IIOTriggerChooser {
    IIOTriggerChooser(device: device, control: folders.control, machine: machine)
  }

  /// Sets the sensor's rate if necessary, and returns the expected rate of scans.
  private mutating func chooseFrequency() throws(SensorError) -> SamplingFrequency? {
    let wish = options.samplingFrequency?.hertz
    // Each tick of a timer is a transfer over the chip's slow bus, so the rate is no higher than needed.
    let needsTimer = try triggers.needsTimer()
    var frequency = device.samplingFrequency
    if let attribute = device.frequencyAttribute, let target = targetFrequency(wish, mayStay: !needsTimer) {
      journal.trySet(attribute, of: device.folder, to: Self.decimal(target))
      frequency = try device.folder.firstFrequency([attribute]).flatMap { IIODevice.frequency($0.hertz) }
    }
    guard needsTimer else { return frequency }
    return SamplingFrequency(hertz: min(wish ?? Self.usualFrequency, frequency?.hertz ?? Self.usualFrequency))
  }

  /// The frequency to set; `nil` to keep the present one.
  private func targetFrequency(_ wish: Double?, mayStay: Bool) -> Double? {
    if wish == nil, mayStay, let present = device.samplingFrequency, (20...200).contains(present.hertz) { return nil }
    return device.availableFrequencies?.value(notBelow: wish ?? Self.usualFrequency) ?? wish ?? Self.usualFrequency
  }

  /// Without exponent and `.0`, as the kernel's parser requires.
  static func decimal(_ value: Double) -> String {
    let millionths = Int64(bounded: min(max(value, 0), 1e9) * 1e6)
    if millionths % 1_000_000 == 0 { return "\(millionths / 1_000_000)" }
    let fraction = "\(1_000_000 + millionths % 1_000_000)".dropFirst()
    return "\(millionths / 1_000_000).\(fraction)"
  }

  /// The limit for kernel memory, whatever rate a driver reports.
  private static let mostScans = 8192

  /// The kernel wakes the reader at the watermark, and holds eight seconds in case the reader is delayed.
  private mutating func chooseLength(atFrequency hertz: Double) throws(SensorError) -> (length: Int, watermark: Int) {
    let control = folders.control
    var watermark = max(1, Int(hertz * options.use.batchDuration))
    if let most = try control.textIfPresent("hwfifo_watermark_max").flatMap({ Int($0) }), most > 0 {
      watermark = min(watermark, most)
    }
    let length = min(max(16, 2 * watermark, Int(hertz * 8)), Self.mostScans)
    watermark = min(watermark, length / 2)
    journal.trySet("length", of: control, to: "\(length)")
    journal.trySet("watermark", of: control, to: "\(watermark)")
    let actualLength = try control.textIfPresent("length").flatMap { Int($0) } ?? length
    let actualWatermark = try control.textIfPresent("watermark").flatMap { Int($0) } ?? 1
    return (max(1, actualLength), max(1, actualWatermark))
  }
}
