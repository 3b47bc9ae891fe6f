import Platform

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
    (self.latitude, self.longitude, self.label) = (latitude, longitude, label)
  }

  /// Whether the coordinates are valid.
  public var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

  /// Both angles with five decimals, a precision of a metre: "57.32290, -4.42440".
  public var coordinates: String { "\(Self.text(latitude)), \(Self.text(longitude))" }

  private static func text(_ degrees: Double) -> String {
    let scaled = Int((degrees * 100_000).rounded())
    return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / 100_000).\((scaled.magnitude % 100_000).padded(5))"
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

/// The reason why the location is unknown.
public enum LocationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// This user may not read the source with this name.
  case denied(String)
  /// The source with this name has no location.
  case unavailable(String, reason: String)
  /// The geocoder found no name for the location.
  case noAddress

  /// One sentence with the remedy.
  public var description: String {
    switch self {
    case .denied(let name): "no permission to read \(name); ask its owner for it"
    case .unavailable(let name, let reason): "\(name) has no location (\(reason)); try again outdoors"
    case .noAddress: "no address found for this position; share it without one"
    }
  }
}
