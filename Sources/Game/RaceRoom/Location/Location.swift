/// A place on Earth.
public struct Location: Sendable, Hashable {
  /// Degrees north of the equator, -90 to 90 (WGS 84).
  public var latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: Double
  /// Its name for people.
  public var label: String?

  /// Creates a location.
  public init(latitude: Double, longitude: Double, label: String? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.label = label
  }

  /// Whether the coordinates are valid.
  public var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

  /// Both angles with five decimals, a precision of a metre: "57.32290, -4.42440".
  public var coordinates: String { "\(Self.text(latitude)), \(Self.text(longitude))" }

  private static func text(_ degrees: Double) -> String {
    let scaled = Int((degrees * 100_000).rounded())
    let digits = String(scaled.magnitude % 100_000)
    let fraction = String(repeating: "0", count: 5 - digits.count) + digits
    return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / 100_000).\(fraction)"
  }
}

/// A source of this machine's location.
public protocol LocationSource: Sendable {
  /// The current location; waits for the first fix.
  func location() async throws -> Location
}

/// A fixed location.
public struct FixedLocation: LocationSource {
  private let place: Location

  /// Always returns the same location.
  public init(_ place: Location) { self.place = place }

  public func location() async throws -> Location { place }
}

/// The reason why the location is unknown. Compare ``code`` and show ``message``.
public struct LocationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause. Later versions may add others.
  public struct Code: Sendable, Hashable {
    let name: String
    /// This user has no permission to read it.
    public static let denied = Code(name: "denied")
    /// The source cannot be opened.
    public static let unavailable = Code(name: "unavailable")
    /// The source gave no position in time.
    public static let noFix = Code(name: "noFix")
    /// The source ended without a position.
    public static let ended = Code(name: "ended")
    /// The geocoder found no name for the location.
    public static let noAddress = Code(name: "noAddress")
  }

  /// The cause.
  public let code: Code
  /// One sentence with the remedy.
  public let message: String

  public var description: String { message }

  private init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  public static func denied(_ name: String) -> Self {
    Self(.denied, "no permission to read \(name); join its group, or use gpsd")
  }

  public static func unavailable(_ name: String, reason: String) -> Self {
    Self(.unavailable, "\(name) cannot be opened (\(reason)); plug in the receiver, or start gpsd")
  }

  public static func noFix(_ name: String) -> Self {
    Self(.noFix, "\(name) has no position yet; try again outdoors")
  }

  public static func ended(_ name: String) -> Self {
    Self(.ended, "\(name) ended without a position; record longer, outdoors")
  }

  public static let noAddress = Self(.noAddress, "no address found for this position; share it without one")
}
