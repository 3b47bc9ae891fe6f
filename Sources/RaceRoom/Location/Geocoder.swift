/// Finds names of places. Linux has no such service, so none is used by default; see ``RoomClient``.
public protocol Geocoder: Sendable {
  /// What people call a place.
  /// - Returns: `nil` when they call it nothing.
  func label(for location: Location) async throws -> String?
}
