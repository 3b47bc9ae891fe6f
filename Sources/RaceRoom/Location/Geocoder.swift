/// What has names for places. There is none on a bare Linux, so none is used unless given; see ``RoomClient``.
public protocol Geocoder: Sendable {
  /// What people call a place.
  /// - Returns: `nil` when they call it nothing.
  func label(for location: Location) async throws -> String?
}
