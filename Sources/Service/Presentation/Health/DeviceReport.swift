import JSONLines
import LinuxSensors
import LiveSources

package struct DeviceReport: Sendable {
  package let sensor: DiscoveredSensor
  /// Other programs that have its node open, as far as this user can see.
  package let holders: [DeviceHolder]

  /// Finds the programs that have the node open.
  package init(_ sensor: DiscoveredSensor) {
    self.init(sensor, holders: sensor.node.map { DeviceHolder.holders(of: $0) } ?? [])
  }

  package init(_ sensor: DiscoveredSensor, holders: [DeviceHolder]) { (self.sensor, self.holders) = (sensor, holders) }

  /// Whether another program uses it exclusively: an IIO buffer and a port have one reader, an input node any number.
  package var isBusy: Bool {
    switch sensor.uri {
    // Two readers of a port would each get a part of its bytes.
    case .iio, .serial: !holders.isEmpty
    default: false
    }
  }

  /// How it would be read: `buffer`, `events`, `counter`, `serial`, `notifications` or `polling`; `nil` if it cannot be read.
  package var mode: String? {
    switch sensor.usability {
    case .unusable: nil
    case .pollingOnly: "polling"
    case .usable: way.mode
    }
  }

  private var way: (mode: String, state: String) {
    switch sensor.uri {
    case .iio: ("buffer", "usable, through its buffer")
    case .counter: ("counter", "usable, with a hardware step counter")
    case .serial: ("serial", "can be read, if it prints samples: pedometer live \(sensor.uri)")
    case .bluetooth: ("notifications", "usable, by its notifications")
    default: ("events", "usable, by its events")
    }
  }

  /// Why it cannot be read, or not in the best way, and the remedy.
  package var obstacle: (reason: String, remedy: String)? {
    if isBusy, sensor.isUsable, let node = sensor.node {
      let error = SensorError.busy(path: node, holders: holders)
      return (error.reason, CommandTerms.translate(error.remedy))
    }
    switch sensor.usability {
    case .usable: return nil
    case .pollingOnly(let reason, let remedy): return (reason, remedy)
    case .unusable(let error): return (error.reason, CommandTerms.translate(error.remedy))
    }
  }

  private var isUsable: Bool { sensor.isUsable && !isBusy }

  package var json: String { members.line }

  private var members: JSONLine {
    JSONLine([
      "source": "\(sensor.uri)", "name": sensor.name, "kind": sensor.kind.rawValue, "usable": isUsable, "mode": mode,
      "reason": obstacle?.reason, "remedy": obstacle?.remedy,
      "samplingFrequency": sensor.samplingFrequency?.hertz.decimals(3), "range": sensor.range.decimals(3),
      "bus": sensor.identity.bus, "vendor": sensor.identity.vendor, "product": sensor.identity.product,
      "serial": sensor.identity.serial, "place": sensor.identity.place, "identity": "\(sensor.identity)",
      "node": sensor.node, "path": sensor.folder.path, "parents": sensor.parents, "external": sensor.isExternal,
      "holders": holders.map(\.description), "remarks": sensor.remarks,
    ])
  }

  private static let columns = [
    "source", "name", "kind", "usable", "mode", "reason", "remedy", "samplingFrequency", "range", "identity", "place",
    "node", "path",
  ]
  package static let heading = CSV.row(columns)

  package var csv: String { members.row(Self.columns) }

  package var text: String {
    var lines = ["\(sensor.uri)  \(sensor.name)"]
    var what =
      switch sensor.kind {
      case .accelerometer: "accelerometer"
      case .stepCounter: "step counter"
      case .board: "board on a serial port, opened only if named (opening may reset it)"
      }
    if let frequency = sensor.samplingFrequency { what += " at \(frequency)" }
    if let range = sensor.range.flatMap({ Decimals.text($0, 1) }) { what += ", ±\(range) g" }
    lines.append("  \(what)")
    lines.append("  \(place)")
    lines.append("  \(state)")
    if let obstacle { lines.append("    \(obstacle.reason)\n    to do: \(obstacle.remedy)") }
    lines += sensor.remarks.map { "  note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var place: String {
    let identity = sensor.identity
    var words = [identity.bus]
    if let vendor = identity.vendor, let product = identity.product { words.append("\(vendor):\(product)") }
    if let serial = identity.serial { words.append("serial \(serial)") }
    if let place = identity.place { words.append("at \(place)") }
    return words.joined(separator: ", ").replacing(", ", with: " ", maxReplacements: 1)
      + (sensor.node.map { "; node \($0)" } ?? "")
  }

  private var state: String {
    if isBusy { return "in use" }
    switch sensor.usability {
    case .usable: return way.state
    case .pollingOnly: return "usable by polling only"
    case .unusable: return "not usable"
    }
  }
}
