import CXMLReader
import IIOScans
import Platform

/// The devices that an iiod describes.
struct IIODContext {
  /// A device or a trigger.
  struct Device: Equatable {
    /// `iio:device0`, `trigger0`.
    var id: String
    /// The driver's name for the chip.
    var name: String?
    /// For example `accel-base`.
    var label: String?
    var channels: [Channel] = []
    /// The names of its attributes.
    var attributes: [String] = []
  }

  struct Channel: Equatable {
    /// `accel_x`, `timestamp`.
    var id: String
    var isOutput: Bool
    /// Its place in scans and its format, as the description states them; `nil` if it is not part of scans.
    var scan: Scan?
    /// The names of its attributes.
    var attributes: [String] = []
  }

  struct Scan: Equatable {
    var index: String
    var format: String
  }

  /// In the order of the description.
  private(set) var devices: [Device] = []

  private var parts = 0

  /// Why a description cannot be read.
  enum Fault: Error, Equatable {
    /// The library that reads XML is missing.
    case noLibrary
    /// It is not XML.
    case damaged
    /// It is XML of another kind, with this root.
    case foreign(String)
    /// It describes more than any computer has.
    case excessive
  }

  init(parsing text: [UInt8]) throws(Fault) {
    guard xml_reader_load() else { throw .noLibrary }
    var fault: Fault?
    unsafe text.withUnsafeBytes { bytes in
      guard
        let reader = unsafe xml_reader_new(
          -1, bytes.baseAddress, bytes.count,
          xml_limits(
            token: InputLimits.token, attributes: Int32(InputLimits.attributes), names: Int32(InputLimits.names)))
      else {
        fault = .damaged
        return
      }
      defer { unsafe xml_reader_free(reader) }
      while true {
        let status = unsafe xml_reader_next(reader)
        if status == XML_READER_ENDED { return }
        guard status == XML_READER_ELEMENT else {
          fault = .damaged
          return
        }
        let name = unsafe String(cString: xml_reader_name(reader))
        let depth = unsafe xml_reader_depth(reader)
        if depth == 0, name != "context" {
          fault = .foreign(name)
          return
        }
        take(name, depth) { unsafe xml_reader_attribute(reader, $0).map { unsafe String(cString: $0) } }
        parts += 1
        guard devices.count <= InputLimits.devices, parts <= InputLimits.parts else {
          fault = .excessive
          return
        }
      }
    }
    if let fault { throw fault }
  }

  private mutating func take(_ name: String, _ depth: Int32, _ attribute: (String) -> String?) {
    let device = devices.count - 1
    switch (name, depth) {
    case ("device", 1):
      devices.append(Device(id: attribute("id") ?? "", name: attribute("name"), label: attribute("label")))
    case ("channel", 2) where device >= 0:
      devices[device].channels.append(
        Channel(id: attribute("id") ?? "", isOutput: attribute("type") == "output", scan: nil))
    case ("attribute", 2) where device >= 0:
      if let name = attribute("name") { devices[device].attributes.append(name) }
    case ("attribute", 3) where device >= 0 && !devices[device].channels.isEmpty:
      if let name = attribute("name") {
        devices[device].channels[devices[device].channels.count - 1].attributes.append(name)
      }
    case ("scan-element", 3) where device >= 0 && !devices[device].channels.isEmpty:
      guard let index = attribute("index"), let format = attribute("format") else { return }
      devices[device].channels[devices[device].channels.count - 1].scan = Scan(index: index, format: format)
    default: break
    }
  }
}

extension IIODContext.Device {
  /// The channel of an axis.
  func axis(_ axis: String) -> IIODContext.Channel? { channels.first { $0.id == "accel_" + axis && !$0.isOutput } }

  /// Whether it measures acceleration along three axes.
  var isAccelerometer: Bool { ["x", "y", "z"].allSatisfy { axis($0) != nil } }

  /// Whether scans of its three axes can be read.
  var hasScans: Bool { ["x", "y", "z"].allSatisfy { axis($0)?.scan != nil } }

  /// Whether the present values of its three axes can be read.
  var hasValues: Bool {
    ["x", "y", "z"].allSatisfy {
      axis($0).map { $0.attributes.contains("raw") || $0.attributes.contains("input") } == true
    }
  }

  /// Its name for people.
  var title: String { label.map { "\(name ?? id) (\($0))" } ?? name ?? id }
}
