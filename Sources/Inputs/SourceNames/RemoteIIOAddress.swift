/// An IIO device of another computer on which iiod runs, as in `iio:ip:raspberrypi.local/adxl345`,
/// `iio:ip:192.168.1.9:30431/iio:device0` or `iio:ip:[fe80::1%eth0]`.
public struct RemoteIIOAddress: Sendable, Hashable {
  /// The port that iiod listens on unless it is told otherwise.
  public static let usualPort: UInt16 = 30_431
  /// The longest name of a device, in bytes.
  private static let longestDevice = 200

  /// A name or an address, without brackets.
  public let host: String
  /// The port.
  public let port: UInt16
  /// The ID (`iio:device0`), the name or the label of the device; `nil`: the only accelerometer there.
  public var device: String?

  /// Reads what stands behind `iio:ip:`.
  /// - Throws: `invalidRemoteDevice`.
  public init(parsing text: String) throws(SourceURI.ParsingError) {
    let authority = text.prefix { $0 != "/" }
    let rest = text[authority.endIndex...]
    guard let place = Authority(authority), place.port != 0, rest.isEmpty || Self.isDevice(rest.dropFirst()) else {
      throw .invalid("iio:ip:" + text, as: "iio")
    }
    (host, port) = (place.host, place.port ?? Self.usualPort)
    device = rest.isEmpty ? nil : String(rest.dropFirst())
  }

  /// Without control characters, which would end a request to iiod.
  private static func isDevice(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= longestDevice && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Host and port as in the name: without the usual port, and with brackets around an address with colons.
  public var authority: String {
    Authority.text(host, port: port == Self.usualPort ? "" : ":\(port)")
  }
}

extension RemoteIIOAddress: CustomStringConvertible {
  /// What stands behind `iio:ip:`.
  public var description: String { authority + (device.map { "/" + $0 } ?? "") }
}
