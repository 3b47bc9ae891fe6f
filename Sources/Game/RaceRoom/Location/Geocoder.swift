/// Finds names of places. Linux has no such service, so none is used by default; see ``RoomClient``.
public protocol Geocoder: Sendable {
  /// The name of a place for people.
  /// - Returns: `nil` if it has none.
  func label(for location: Location) async throws -> String?
}
