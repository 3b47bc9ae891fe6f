import Accelerometry
import Glibc
import IIOScans
import SourceNames

/// Determines which sensors a udev device has, and whether this user can read them.
struct SensorClassifier {
  let machine: SensorEnvironment

  /// None, one or two: a chip may measure acceleration and count steps.
  func sensors(of device: UdevDevice) -> [DiscoveredSensor] {
    switch device.subsystem {
    case "iio" where device.type == "iio_device" && device.name.hasPrefix("iio:"): iioSensors(of: device)
    case "input" where device.name.hasPrefix("event"): evdevSensors(of: device)
    default: []
    }
  }

  private func parents(of device: UdevDevice) -> [String] {
    device.ancestors.map { ancestor in ancestor.properties["DRIVER"].map { "\(ancestor.name) (\($0))" } ?? ancestor.name
    }
  }

  /// Plugged in or by radio. A hub that is soldered to the board reports `fixed`.
  private func isExternal(_ device: UdevDevice, _ identity: SensorIdentity) -> Bool {
    if let usb = device.ancestor("usb", "usb_device"), (try? usb.folder.textIfPresent("removable")) == "fixed" {
      return false
    }
    return identity.bus == "usb" || identity.bus == "bluetooth"
  }

  // MARK: IIO

  private func iioSensors(of device: UdevDevice) -> [DiscoveredSensor] {
    let identifier = String(device.name.dropFirst("iio:".count))
    let folder = machine.iioDevices[device.name]
    let hasAcceleration =
      folder.names.contains { $0.hasPrefix("in_accel_x_") || $0.hasPrefix("in_accel_y_") }
      || folder["scan_elements"].has("in_accel_x_en")
    var sensors: [DiscoveredSensor] = []
    do throws(SensorError) {
      let iio = try IIODevice(identifier, udevMatrix: device.properties["ACCEL_MOUNT_MATRIX"], in: machine)
      if hasAcceleration { sensors.append(sensor(.accelerometer, iio, device, accelerometerUsability(iio))) }
      if iio.countsSteps { sensors.append(sensor(.stepCounter, iio, device, counterUsability(iio))) }
    } catch {
      // A device with invalid attributes is listed with the error, if it is one that could count.
      let refused = { (kind: DiscoveredSensor.Kind, uri: SourceURI) in
        listed(uri, device.name, kind, device, part: "\(identifier)/\(kind.rawValue)", .unusable(error))
      }
      if hasAcceleration { sensors.append(refused(.accelerometer, .iio(identifier))) }
      if folder.has("in_steps_input") { sensors.append(refused(.stepCounter, .counter(identifier))) }
    }
    return sensors
  }

  /// - Parameter part: which of the device's sensors it is, see ``SensorIdentity``.
  private func listed(
    _ uri: SourceURI, _ name: String, _ kind: DiscoveredSensor.Kind, _ device: UdevDevice, part: String,
    _ usability: DiscoveredSensor.Usability, frequency: SamplingFrequency? = nil, range: Double? = nil,
    remarks: [String] = []
  ) -> DiscoveredSensor {
    var remarks = remarks
    let identity = SensorIdentity(of: device, part: part, remarks: &remarks)
    return DiscoveredSensor(
      uri: uri, name: name, kind: kind, identity: identity, samplingFrequency: frequency, range: range,
      node: device.node, folder: device.folder, parents: parents(of: device), isExternal: isExternal(device, identity),
      usability: usability, remarks: remarks)
  }

  private func sensor(
    _ kind: DiscoveredSensor.Kind, _ iio: IIODevice, _ device: UdevDevice, _ usability: DiscoveredSensor.Usability
  ) -> DiscoveredSensor {
    let name = iio.profile(clock: .boottime).name
    let part = [iio.name, iio.label, kind.rawValue].compactMap { $0 }.joined(separator: "/")
    if kind == .stepCounter { return listed(.counter(iio.identifier), name, kind, device, part: part, usability) }
    return listed(
      .iio(iio.identifier), name, kind, device, part: part, usability, frequency: iio.samplingFrequency,
      range: iio.range, remarks: iio.remarks)
  }

  private func accelerometerUsability(_ iio: IIODevice) -> DiscoveredSensor.Usability {
    guard let channels = iio.accelerometer else { return .unusable(.noThreeAxes(iio.folder.path)) }
    guard let obstacle = bufferObstacle(iio, channels) else { return .usable }
    let values = channels.all.compactMap(\.valueAttribute)
    guard values.count == 3 else { return .unusable(obstacle) }
    if values.allSatisfy({ iio.folder.mayRead($0) }) {
      return .pollingOnly(because: obstacle.reason, remedy: obstacle.remedy)
    }
    return .unusable(
      .permissionDenied(path: iio.folder.path(of: values[0]), errno: EACCES, remedy: SensorError.permissionRemedy))
  }

  /// The reason why this user cannot read the buffer; `nil` if there is none.
  private func bufferObstacle(_ iio: IIODevice, _ channels: IIOAccelerometerChannels) -> SensorError? {
    guard let folders = IIOBufferFolders.find(channel: channels.x.name, in: iio.folder) else {
      return .unusable(path: iio.folder.path, reason: "its driver has no buffer", remedy: "its values can be polled")
    }
    let denied = { (path: String) in
      SensorError.permissionDenied(path: path, errno: EACCES, remedy: SensorError.permissionRemedy)
    }
    let node = SysfsDirectory(path: machine.dev)
    if !node.has("iio:" + iio.identifier) {
      return .unusable(path: iio.node, reason: "the device node does not exist", remedy: "its values can be polled")
    }
    if !node.mayRead("iio:" + iio.identifier) { return denied(iio.node) }
    if !folders.mayConfigure { return denied(folders.control.path(of: "enable")) }
    do throws(SensorError) {
      _ = try ScanElement.all(in: folders.elements)
      return try IIOTriggerChooser(device: iio, control: folders.control, machine: machine).obstacle()
    } catch {
      return error
    }
  }

  private func counterUsability(_ iio: IIODevice) -> DiscoveredSensor.Usability {
    let denied = { (name: String) in
      DiscoveredSensor.Usability.unusable(
        .permissionDenied(path: iio.folder.path(of: name), errno: EACCES, remedy: SensorError.permissionRemedy))
    }
    guard iio.folder.mayRead("in_steps_input") else { return denied("in_steps_input") }
    let isOff = (try? iio.folder.textIfPresent("in_steps_en")).map { $0 == "0" } ?? false
    return isOff && !iio.folder.mayWrite("in_steps_en") ? denied("in_steps_en") : .usable
  }

  // MARK: evdev

  private func evdevSensors(of device: UdevDevice) -> [DiscoveredSensor] {
    guard let node = device.node, let input = device.ancestor("input") else { return [] }
    var remarks: [String] = []
    let name = input.folder.identifying("name", remarks: &remarks) ?? device.name
    let pad = { [remarks] (usability: DiscoveredSensor.Usability, range: Double?) in
      listed(
        .evdev(path: node), name, .accelerometer, device, part: "\(name)/accelerometer", usability, range: range,
        remarks: remarks)
    }
    let vendor = input.properties["PRODUCT"].flatMap {
      UInt16($0.split(separator: "/").dropFirst().first ?? "", radix: 16)
    }
    let capabilities: EvdevCapabilities
    do throws(SensorError) {
      capabilities = try EvdevCapabilities(input.folder)
    } catch {
      return device.inherited("ID_INPUT_ACCELEROMETER") == "1" ? [pad(.unusable(error), nil)] : []
    }
    let known = EvdevDriver.of(name: name, vendor: vendor ?? 0)
    let isKnown = known.map { capabilities.hasAxes($0.axes) && !capabilities.hasKeys } ?? false
    let isTagged = device.inherited("ID_INPUT_ACCELEROMETER") == "1"
    guard isTagged || capabilities.saysAccelerometer || capabilities.looksLikeAccelerometer || isKnown else {
      return []
    }
    do throws(SensorError) {
      return [pad(.usable, try EvdevAccelerometer(path: node, in: machine).profile.range)]
    } catch {
      return [pad(.unusable(error), nil)]
    }
  }
}
