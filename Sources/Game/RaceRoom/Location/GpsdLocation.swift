import FoundationEssentials
import Platform

/// The daemon gpsd, which shares one receiver among several programs and uses JSON on port 2947.
public struct GpsdLocation: LocationSource {
  private let host: String
  private let port: Int
  private let timeout: Duration

  /// Creates a source.
  /// - Parameters:
  ///   - host: the host of gpsd.
  ///   - port: its TCP port.
  ///   - timeout: the longest wait for the first fix.
  public init(host: String = "127.0.0.1", port: Int = 2947, timeout: Duration = .seconds(30)) {
    self.host = host
    self.port = port
    self.timeout = timeout
  }

  /// The location of gpsd's first fix.
  /// - Throws: ``LocationError`` or `CancellationError`.
  public func location() async throws -> Location {
    let (name, host, port) = ("gpsd at \(host):\(port)", host, port)
    return try await DescriptorSearch(
      name: name, timeout: timeout, greeting: Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8),
      open: { () throws(LocationError) in try Self.connect(name, host, port) }
    ) { line in
      Self.location(in: line)
    }.first()
  }

  /// A report of time, place and velocity; mode 2 has a latitude and a longitude, mode 3 a height as well.
  private struct Report: Decodable {
    var `class`: String
    var mode: Int?
    var lat: Double?
    var lon: Double?
  }

  /// The location in a line; `nil` if it contains none.
  static func location(in line: [UInt8]) -> Location? {
    guard let report: Report = RoomJSON.value(from: line), report.class == "TPV", report.mode ?? 0 >= 2,
      let latitude = report.lat, let longitude = report.lon
    else { return nil }
    let location = Location(latitude: latitude, longitude: longitude)
    return location.isOnEarth ? location : nil
  }

  private static func connect(_ name: String, _ host: String, _ port: Int) throws(LocationError) -> Int32 {
    var descriptor: Int32 = -1
    let code = unsafe connectToAny(host: host, port: String(port)) { address in
      let type = unsafe address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
      descriptor = unsafe socket(address.ai_family, type, 0)
      guard descriptor >= 0 else { return errno }
      if unsafe Platform.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
      let code = errno
      close(descriptor)
      return code
    }
    guard code == 0 else { throw .unavailable(name, reason: code.map(systemText) ?? "no such host") }
    return descriptor
  }
}
