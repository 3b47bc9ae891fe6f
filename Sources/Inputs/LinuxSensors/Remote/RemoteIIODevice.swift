import Accelerometry
import IIOScans
import Platform
import SourceNames

/// An accelerometer that an iiod serves, as its attributes describe it.
struct RemoteIIODevice {
  /// What `/sys/bus/iio/devices` has there.
  let device: IIODContext.Device
  let channels: IIOAccelerometerChannels
  /// The channels of scans, with their position in the description.
  let elements: [(position: Int, element: ScanElement)]
  let samplingFrequency: SamplingFrequency?
  let mountMatrix: MountMatrix
  /// Remarks about unusual properties that do not prevent counting, one sentence each.
  let remarks: [String]

  private static let axes = ["x", "y", "z"]
  private static let timestamp = "timestamp"

  /// Reads a device's attributes.
  /// - Throws: `.nonsense` for attributes that violate the ABI; errors of the connection.
  init(_ device: IIODContext.Device, _ client: IIODClient) throws {
    self.device = device
    let place = { (attribute: String) in "\(client.name): \(attribute) of \(device.id)" }
    func number(_ name: String, of channel: IIODContext.Channel) throws -> Double? {
      guard channel.attributes.contains(name) else { return nil }
      // Described when iiod started, and not there any more.
      guard let text = try client.attribute(name, of: channel.id, device: device.id) else {
        throw client.failure(ENODEV, operation: "read")
      }
      guard let value = finiteNumber(text) else {
        throw SensorError.nonsense(path: place("\(name) of \(channel.id)"), text: text, expected: "a number")
      }
      return value
    }
    func axis(_ axis: String) throws -> IIOChannel {
      guard let channel = device.axis(axis) else { throw SensorError.noThreeAxes(client.name) }
      let scale = try number("scale", of: channel)
      if let scale { _ = try IIOChannel.valid(scale, place("scale of \(channel.id)")) }
      let value = ["raw", "input"].first(where: channel.attributes.contains)
      guard let scale = scale ?? (value == "input" ? 1 : nil) else { throw SensorError.noScale(place("\(channel.id)")) }
      return IIOChannel(
        name: "in_" + channel.id, valueAttribute: value, isProcessed: value == "input", scale: scale,
        offset: try number("offset", of: channel) ?? 0)
    }
    channels = IIOAccelerometerChannels(x: try axis("x"), y: try axis("y"), z: try axis("z"))
    elements = try Self.elements(of: device, place)
    samplingFrequency = try Self.frequency(of: device, client, place)
    (mountMatrix, remarks) = try Self.mountMatrix(of: device, client, place)
  }

  private static func elements(
    of device: IIODContext.Device, _ place: (String) -> String
  ) throws(SensorError) -> [(position: Int, element: ScanElement)] {
    var elements: [(position: Int, element: ScanElement)] = []
    for (position, channel) in device.channels.enumerated() {
      guard let scan = channel.scan else { continue }
      // libiio writes a number that needs no mask with a large letter.
      guard let format = ScanElementFormat(parsing: scan.format.lowercased().replacing("x", with: "X")) else {
        throw .nonsense(
          path: place("the format of \(channel.id)"), text: scan.format, expected: "a type as 'le:s12/16>>4'")
      }
      guard let index = Int(scan.index), (0..<4096).contains(index),
        !elements.contains(where: { $0.element.index == index })
      else {
        throw .nonsense(path: place("the index of \(channel.id)"), text: scan.index, expected: "a channel's index")
      }
      let name = (channel.isOutput ? "out_" : "in_") + channel.id
      elements.append((position, ScanElement(name: name, index: index, format: format, isEnabled: false)))
    }
    return elements
  }

  /// Whose attribute the sampling frequency is.
  enum FrequencyOwner {
    case channel(String)
    case device

    /// The channel, for commands.
    var channel: String? { if case .channel(let id) = self { id } else { nil } }

    /// `nil` if there is no such attribute.
    init?(in device: IIODContext.Device) {
      let name = "sampling_frequency"
      if let channel = device.axis("x"), channel.attributes.contains(name) {
        self = .channel(channel.id)
      } else if device.attributes.contains(name) {
        self = .device
      } else {
        return nil
      }
    }
  }

  private static func frequency(
    of device: IIODContext.Device, _ client: IIODClient, _ place: (String) -> String
  ) throws -> SamplingFrequency? {
    guard let owner = FrequencyOwner(in: device),
      let text = try client.attribute("sampling_frequency", of: owner.channel, device: device.id)
    else { return nil }
    guard let hertz = finiteNumber(text), (0...1_000_000).contains(hertz) else {
      throw SensorError.nonsense(path: place("sampling_frequency"), text: text, expected: "a frequency in Hz")
    }
    return IIODevice.frequency(hertz)
  }

  private static func mountMatrix(
    of device: IIODContext.Device, _ client: IIODClient, _ place: (String) -> String
  ) throws -> (MountMatrix, [String]) {
    var text: String?
    if let channel = device.axis("x"), channel.attributes.contains("mount_matrix") {
      text = try client.attribute("mount_matrix", of: channel.id, device: device.id)
    } else if let name = ["mount_matrix", "in_mount_matrix"].first(where: device.attributes.contains) {
      text = try client.attribute(name, device: device.id)
    }
    return MountMatrix.first(of: text.map { [(place("mount_matrix"), $0)] } ?? [])
  }

  /// The largest acceleration that the scan's numbers can represent, in g; `nil` if unknown.
  var range: Double? {
    elements.first { $0.element.name == channels.x.name }.flatMap { channels.x.range(of: $0.element.format) }
  }

  /// The three axes and the time.
  var wantedChannels: ChannelMask {
    var mask = ChannelMask(channels: device.channels.count)
    let wanted = Set(channels.all.map(\.name) + ["in_" + Self.timestamp])
    for (position, element) in elements where wanted.contains(element.name) { mask[position] = true }
    return mask
  }

  /// Describes scans of some channels.
  func scanDescription(of mask: ChannelMask) -> ScanDescription {
    ScanDescription(
      name: device.title,
      elements: elements.map { position, element in
        var element = element
        element.isEnabled = mask[position]
        return element
      }, channels: channels, mountMatrix: mountMatrix, samplingFrequency: samplingFrequency, clockName: nil)
  }
}

extension IIODClient {
  /// Reads the description of the devices.
  func devices() throws -> [IIODContext.Device] {
    let text = try context()
    do throws(IIODContext.Fault) {
      // The ID is part of commands.
      return try IIODContext(parsing: text).devices.filter { device in
        !device.id.isEmpty && device.id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      }
    } catch {
      switch error {
      case .noLibrary:
        throw SensorError.unusable(
          path: name, reason: "the description of the devices is XML, which needs the library libxml2",
          remedy: "install the package libxml2")
      case .damaged: throw unexpected("describes its devices in XML that is damaged")
      case .excessive:
        throw unexpected(
          "describes more than \(InputLimits.devices) devices, or more than \(InputLimits.parts) channels and attributes"
        )
      case .foreign(let root): throw unexpected("describes its devices in <\(root)> instead of <context>")
      }
    }
  }
}

/// What iiod serves on a computer, and which device of it a name means.
struct RemoteIIOChoice {
  let address: RemoteIIOAddress
  let devices: [IIODContext.Device]

  /// The accelerometers.
  var accelerometers: [IIODContext.Device] { devices.filter(\.isAccelerometer) }

  /// The name with which commands choose a device: by the driver's name if no other one has it, because numbers change.
  func uri(of device: IIODContext.Device) -> SourceURI {
    var named = address
    named.device = device.id
    guard let name = device.name, devices.count(where: { Self.is($0, name) }) == 1 else { return .remoteIIO(named) }
    // A name that cannot be written is left to the ID.
    return (try? SourceURI(parsing: "iio:ip:\(address.authority)/\(name)")) ?? .remoteIIO(named)
  }

  private static func `is`(_ device: IIODContext.Device, _ name: String) -> Bool {
    device.id == name || device.id == "iio:" + name || device.name == name || device.label == name
  }

  /// The device of the address.
  /// - Throws: `.notFound` or `.unusable`, with the devices to choose from.
  func device() throws(SensorError) -> IIODContext.Device {
    let place = "iio:ip:\(address)"
    guard let name = address.device else {
      if accelerometers.count == 1 { return try usable(accelerometers[0], place) }
      if accelerometers.isEmpty { throw .notFound(name: "an accelerometer at \(place)", remedy: remedy) }
      throw .unusable(path: place, reason: "there are \(accelerometers.count) accelerometers", remedy: remedy)
    }
    let matching = devices.filter { Self.is($0, name) }
    // An ID is unique, whatever other devices are called.
    if let device = matching.first(where: { $0.id == name }) ?? (matching.count == 1 ? matching[0] : nil) {
      return try usable(device, place)
    }
    if matching.isEmpty { throw .notFound(name: place, remedy: remedy) }
    throw .unusable(path: place, reason: "\(matching.count) devices are called '\(name)'", remedy: remedy)
  }

  /// Why a device can be neither read nor polled; `nil` if it can.
  func obstacle(_ device: IIODContext.Device) -> SensorError? {
    let place = "\(uri(of: device))"
    guard device.isAccelerometer else { return .noThreeAxes(place) }
    guard !device.hasScans, !device.hasValues else { return nil }
    return .unusable(
      path: place, reason: "its driver has neither a buffer nor values",
      remedy: "choose another sensor, or count on \(address.host) itself: 'pedometer doctor' there shows how")
  }

  /// Why iiod cannot start the buffer of a device: it has no trigger; `nil` if it has one.
  func refusal(of device: IIODContext.Device, _ client: IIODClient) throws -> SensorError? {
    // The answer is an error as well where the kernel has no trigger at all.
    (try client.trigger(of: device.id) ?? "").isEmpty ? client.noTrigger(of: device, among: devices) : nil
  }

  /// Why a device can only be polled, as far as iiod tells; `nil` if its scans can be read.
  func obstacleToScans(_ device: IIODContext.Device, _ client: IIODClient) throws -> SensorError? {
    if !device.hasScans {
      return .unusable(
        path: client.name, reason: "its driver has no buffer",
        remedy: "to have even times, choose another sensor or count on \(address.host) itself")
    }
    return try client.trigger(of: device.id) == "" ? client.noTrigger(of: device, among: devices) : nil
  }

  private func usable(_ device: IIODContext.Device, _ place: String) throws(SensorError) -> IIODContext.Device {
    if !device.isAccelerometer {
      throw .unusable(
        path: place, reason: "it does not measure acceleration along all three axes", remedy: remedy)
    }
    if let obstacle = obstacle(device) { throw obstacle }
    return device
  }

  private var remedy: String {
    if accelerometers.isEmpty {
      return "plug one in on \(address.host) and restart iiod, which looks for sensors when it starts"
    }
    return "choose one: " + accelerometers.map { "\(uri(of: $0))" }.joined(separator: ", ")
  }
}

/// Finds the accelerometers that iiod serves on another computer.
public struct RemoteIIODiscovery: Sendable {
  private let address: RemoteIIOAddress
  private let timeouts: IIODClient.Timeouts

  /// - Parameter address: the computer; its device is ignored.
  public init(_ address: RemoteIIOAddress) { self.init(address, timeouts: IIODClient.Timeouts()) }

  init(_ address: RemoteIIOAddress, timeouts: IIODClient.Timeouts) {
    (self.address, self.timeouts) = (address, timeouts)
  }

  /// The accelerometers there, usable or not, by ID. Waits for the network, at most some seconds for each answer.
  /// - Throws: ``SensorError``: why iiod cannot be asked.
  public func sensors() throws(SensorError) -> [DiscoveredSensor] {
    do {
      var computer = address
      computer.device = nil
      let client = try IIODClient(computer, timeouts: timeouts, until: try StopSignal())
      let choice = RemoteIIOChoice(address: computer, devices: try client.devices())
      return try choice.accelerometers.sorted { $0.id < $1.id }.map { try sensor($0, choice, client) }
    } catch let error as SensorError { throw error } catch {
      throw .disconnected(name: "iio:ip:\(address)", reason: "\(error)", remedy: "try again")
    }
  }

  private func sensor(
    _ device: IIODContext.Device, _ choice: RemoteIIOChoice, _ client: IIODClient
  ) throws -> DiscoveredSensor {
    let part = [device.name ?? device.id, device.label, DiscoveredSensor.Kind.accelerometer.rawValue]
    var sensor = DiscoveredSensor(
      uri: choice.uri(of: device), name: device.title, kind: .accelerometer,
      identity: SensorIdentity(
        bus: "ip", place: "\(address.authority)/\(device.id)",
        part: part.compactMap { $0 }.joined(separator: "/")),
      samplingFrequency: nil, range: nil, node: nil,
      folder: SysfsDirectory(path: "/sys/bus/iio/devices/\(device.id)"), parents: [address.host], isExternal: true,
      usability: .usable, remarks: [])
    do {
      let described = try RemoteIIODevice(device, client)
      sensor.samplingFrequency = described.samplingFrequency
      sensor.range = described.range
      sensor.remarks = described.remarks
      if let obstacle = choice.obstacle(device) {
        sensor.usability = .unusable(obstacle)
      } else if let obstacle = try choice.obstacleToScans(device, client) {
        sensor.usability =
          device.hasValues ? .pollingOnly(because: obstacle.reason, remedy: obstacle.remedy) : .unusable(obstacle)
      }
    } catch let error as SensorError where error.code == .nonsense || error.code == .disconnected {
      sensor.usability = .unusable(error)
    }
    return sensor
  }
}

extension IIODClient {
  /// The error for a device without a trigger.
  func noTrigger(of device: IIODContext.Device, among devices: [IIODContext.Device]) -> SensorError {
    let triggers = devices.filter { $0.id.hasPrefix("trigger") }.compactMap(\.name)
    let remedy =
      triggers.isEmpty
      ? "'pedometer doctor' on \(address.host) shows how to make one"
      : "choose one on \(address.host): echo \(triggers[0]) | sudo tee "
        + "/sys/bus/iio/devices/\(device.id)/trigger/current_trigger"
        + (triggers.count > 1 ? " (or \(triggers.dropFirst().joined(separator: ", ")))" : "")
    return .unusable(path: name, reason: "\(device.id) has no trigger, so its buffer stays empty", remedy: remedy)
  }
}
