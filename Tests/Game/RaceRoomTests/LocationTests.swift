import RaceRoom
import TestSupport
import Testing

@Suite("Locations (T19)", .timeLimit(.minutes(30)), .ownThreads)
struct LocationTests {
  private static let castle = Location(latitude: 57.3229, longitude: -4.4244)

  /// A stub: one name for every place.
  private struct StubGeocoder: Geocoder {
    var name: String?
    func label(for location: Location) async throws -> String? { name }
  }

  /// A double that fails.
  private struct FailingGeocoder: Geocoder {
    struct Failure: Error {}
    func label(for location: Location) async throws -> String? { throw Failure() }
  }

  /// A source that may not be read.
  private struct DeniedSource: LocationSource {
    func location() async throws -> Location { throw LocationError.denied("/dev/gps0") }
  }

  private func client(_ transport: StubTransport) throws -> RoomClient {
    try RoomClient(url: "http://room.test", username: "Ann", transport: transport)
  }

  @Test("T19: a place is sent once, with the geocoder's name")
  func shared() async throws {
    let transport = StubTransport()
    try await client(transport).shareLocation(
      using: FixedLocation(Self.castle), geocoder: StubGeocoder(name: "Urquhart Castle"))
    try await client(transport).shareLocation(using: FixedLocation(Self.castle))
    #expect(transport.requests.map(\.url) == Array(repeating: "http://room.test/race/location", count: 2))
    #expect(
      transport.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"label":"Urquhart Castle","latitude":57.3229,"longitude":-4.4244,"user":"Ann"}"#,
        #"{"latitude":57.3229,"longitude":-4.4244,"user":"Ann"}"#,
      ])
  }

  @Test("T19: if denied, nameless or failed, nothing is sent")
  func notShared() async throws {
    let transport = StubTransport()
    let client = try client(transport)
    await #expect(throws: LocationError.denied("/dev/gps0")) { try await client.shareLocation(using: DeniedSource()) }
    await #expect(throws: LocationError.noAddress) {
      try await client.shareLocation(using: FixedLocation(Self.castle), geocoder: StubGeocoder())
    }
    await #expect(throws: FailingGeocoder.Failure.self) {
      try await client.shareLocation(using: FixedLocation(Self.castle), geocoder: FailingGeocoder())
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("places are on Earth from pole to pole, and from 180 degrees west to 180 east")
  func earth() {
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
      #expect(Location(latitude: latitude, longitude: longitude).isOnEarth)
    }
    for (latitude, longitude) in [(90.1, 0.0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .infinity)] {
      #expect(!Location(latitude: latitude, longitude: longitude).isOnEarth)
    }
    #expect(Location(latitude: 0, longitude: -0.000_01).coordinates == "0.00000, -0.00001")
    #expect(Location(latitude: -0.000_001, longitude: 9.999_999).coordinates == "0.00000, 10.00000")
  }

  /// A source without a fix, until its task is cancelled.
  private struct SilentSource: LocationSource {
    let begun: Observed<Int>
    func location() async throws -> Location {
      begun.update { $0 += 1 }
      let (never, fix) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      withExtendedLifetime(fix) {}
      throw CancellationError()
    }
  }

  @Test("X9: cancelling the search for a place ends it, and nothing is sent")
  func cancelled() async throws {
    let begun = Observed(0)
    let transport = StubTransport()
    let client = try client(transport)
    let sharing = Task { try await client.shareLocation(using: SilentSource(begun: begun)) }
    await begun.wait { $0 == 1 }
    sharing.cancel()
    await #expect(throws: CancellationError.self) { try await sharing.value }
    #expect(transport.requests.isEmpty)
  }
}
