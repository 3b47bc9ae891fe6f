import Accelerometry
import Glibc

struct IIOTriggerChooser {
  let device: IIODevice
  /// The buffer's folder with `enable`.
  let control: SysfsDirectory
  let machine: SensorEnvironment

  /// Enables the buffer with the first of these that works: the selected trigger, no trigger (a FIFO), the device's
  /// own, a new timer.
  /// - Returns: what triggers the scans, for people.
  /// - Throws: `.unusable` if none works; errors of writing.
  func enable(atFrequency frequency: Double, journal: inout AttributeJournal) throws(SensorError) -> String {
    let present = try device.folder.textIfPresent("trigger/current_trigger") ?? ""
    if !present.isEmpty {
      try journal.set("enable", of: control, to: "1")
      return present
    }
    if try enabled(&journal) { return "none needed" }
    let mark = journal.count
    if let name = ownTriggerName, try enabled(&journal, withTrigger: name) { return name }
    let timer = try makeTimer(atFrequency: frequency, journal: &journal)
    if let timer, try enabled(&journal, withTrigger: timer) { return "timer \(timer)" }
    journal.restore(downTo: mark)
    throw noTrigger
  }

  /// The predictable reason why a buffer cannot be enabled; `nil` if there is none. Changes nothing.
  func obstacle() throws(SensorError) -> SensorError? {
    if try !needsTimer() { return nil }
    if !device.folder.mayWrite("trigger/current_trigger") || !machine.hrtimerTriggers.mayWrite(".") { return noTrigger }
    return nil
  }

  /// Whether a timer is the only possible trigger.
  func needsTimer() throws(SensorError) -> Bool {
    guard let present = try device.folder.textIfPresent("trigger/current_trigger") else { return false }
    return present.isEmpty && !hasHardwareBuffer && ownTriggerName == nil
  }

  /// The chip has a FIFO, which needs no trigger.
  private var hasHardwareBuffer: Bool { control.names.contains { $0.hasPrefix("hwfifo_") } }

  private var noTrigger: SensorError {
    .unusable(path: device.folder.path, reason: "its buffer needs a trigger, and none exists", remedy: timerRemedy)
  }

  /// Enables the buffer; false if the kernel reports that something is missing.
  private func enabled(_ journal: inout AttributeJournal, withTrigger name: String? = nil) throws(SensorError) -> Bool {
    let mark = journal.count
    do throws(SensorError) {
      if let name { try journal.set("trigger/current_trigger", of: device.folder, to: name) }
      try journal.set("enable", of: control, to: "1")
      return true
    } catch {
      journal.restore(downTo: mark)
      guard error.code == .system, error.errno == EINVAL else { throw error }
      return false
    }
  }

  /// The trigger that belongs to the same chip as the device.
  var ownTriggerName: String? {
    guard device.folder.has("trigger/current_trigger") else { return nil }
    let chip = Self.parent(of: device.folder.resolved.path)
    for entry in machine.iioDevices.names where entry.hasPrefix("trigger") {
      let folder = machine.iioDevices[entry]
      guard Self.parent(of: folder.resolved.path) == chip else { continue }
      if let name = try? folder.textIfPresent("name"), !name.isEmpty { return name }
    }
    return nil
  }

  private static func parent(of path: String) -> Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }

  /// Creates a timer trigger through configfs, to be removed with the journal; `nil` if the kernel does not support it
  /// or this user may not.
  func makeTimer(atFrequency frequency: Double, journal: inout AttributeJournal) throws(SensorError) -> String? {
    let folder = machine.hrtimerTriggers
    guard device.folder.has("trigger/current_trigger"), folder.exists else { return nil }
    removeTimersOfTheDead(in: folder)
    let name = "\(Self.timerPrefix)\(device.identifier)-\(getpid())"
    guard unsafe mkdir(folder.path(of: name), 0o755) == 0 else { return nil }
    journal.onRestore { unsafe rmdir(folder.path(of: name)) }
    for entry in machine.iioDevices.names where entry.hasPrefix("trigger") {
      let trigger = machine.iioDevices[entry]
      guard try trigger.textIfPresent("name") == name else { continue }
      try trigger.write(IIOBufferConfigurator.decimal(frequency), to: "sampling_frequency")
      return name
    }
    return nil
  }

  private static let timerPrefix = "pedometer-"

  /// A program that was killed leaves its timer behind. The timer's name contains the process ID.
  private func removeTimersOfTheDead(in folder: SysfsDirectory) {
    for name in folder.names where name.hasPrefix(Self.timerPrefix) {
      guard let process = name.split(separator: "-").last.flatMap({ Int32($0) }), process > 0 else { continue }
      if kill(process, 0) != 0 && errno == ESRCH { _ = unsafe rmdir(folder.path(of: name)) }
    }
  }

  private var timerRemedy: String {
    machine.hrtimerTriggers.exists
      ? "run this program once as root, or create a timer trigger in \(machine.hrtimerTriggers.path)"
      : "load the kernel module iio-trig-hrtimer and mount configfs"
  }
}
