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

  /// A sentence with its checksum.
  private static func sentence(_ content: String) -> String {
    let sum = String(content.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(content)*\(sum.utf8.count < 2 ? "0" : "")\(sum)\r\n"
  }

  private static func place(in text: String) async throws -> Location {
    let folder = try TemporaryDirectory()
    return try await NMEALocation(path: try folder.write(Array(text.utf8), to: "log.nmea")).location()
  }

  @Test("NMEA: RMC and GGA of any system give a location")
  func nmea() async throws {
    let rmc = try await Self.place(in: Self.sentence("GPRMC,123519,A,5719.374,N,00425.464,W,022.4,084.4,230394,,"))
    #expect(rmc.coordinates == "57.32290, -4.42440")
    let gga = try await Self.place(in: Self.sentence("GNGGA,123519,3352.128,S,15112.5580,E,1,08,0.9,5.4,M,46.9,M,,"))
    #expect(gga.coordinates == "-33.86880, 151.20930")
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

  @Test("NMEA: a sentence ends with the last field that is needed, and an angle has digits of minutes")
  func shortest() async throws {
    for content in [
      "GPRMC,1,A,5719.374,N,00425.464,W", "GPGGA,1,5719.374,N,00425.464,W,1", "GPGGA,1,5719.374,N,00425.464,W,8",
    ] {
      #expect(try await Self.place(in: Self.sentence(content)).coordinates == "57.32290, -4.42440")
    }
    #expect(try await Self.place(in: Self.sentence("GPRMC,1,A,5700,N,00400,W")).coordinates == "57.00000, -4.00000")
    for content in [
      "GPRMC,1,A,5719.374,N,00425.464", "GPGGA,1,5719.374,N,00425.464,W", "GPRMC,1,A,571,N,00425.464,W",
      "GPRMC,1,A,5719.374,N,0042,W", "GPRMC,1,A,5760,N,00425.464,W", "GPRMC,1,A,5719.374,N,00425:464,W",
    ] {
      await #expect(throws: LocationError.self) { try await Self.place(in: Self.sentence(content)) }
    }
  }

  @Test("NMEA: a known sentence with a known checksum is parsed")
  func knownChecksum() async throws {
    let place = try await Self.place(in: "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\n")
    #expect(place.coordinates == "48.11730, 11.51667")
  }

  @Test("NMEA: damaged, void, foreign and incomplete lines are skipped")
  func damaged() async throws {
    let bad = [
      "$GPRMC,123519,A,5719.374,N,00425.464,W,022.4,084.4,230394,,*00\r\n",
      "$GPRMC,123519,A,5719.374,N,00425.464,W,022.4,084.4,230394,,\r\n",
      Self.sentence("GPRMC,123519,V,5719.374,N,00425.464,W,,,230394,,"),
      Self.sentence("GPGGA,123519,5719.374,N,00425.464,W,0,00,,,M,,M,,"),
      Self.sentence("GPRMC,123519,A,9919.374,N,00425.464,W,,,230394,,"),
      Self.sentence("GPRMC,123519,A,5799.374,N,00425.464,W,,,230394,,"),
      Self.sentence("GPRMC,123519,A,5719.374,X,00425.464,W,,,230394,,"), Self.sentence("GPRMC,1"),
      Self.sentence("GPGSV,3,1,11"), "\u{0}\u{FFFD}$$**\n", "*$A\n", "19.374,N,00425.464,W*1F\n", "$*00\n",
    ].joined()
    // A receiver plugged in during a sentence: half a sentence, then a complete one on the same line.
    let good = "$GPRMC,1235" + Self.sentence("GPRMC,123519,A,5719.374,N,00425.464,W,,,230394,,")
    #expect(try await Self.place(in: bad + good).coordinates == "57.32290, -4.42440")
    await #expect(throws: LocationError.self) { try await Self.place(in: bad) }
  }

  @Test("NMEA: a missing receiver is an error")
  func missing() async {
    await #expect(throws: LocationError.unavailable("/nowhere/gps", reason: "No such file or directory")) {
      try await NMEALocation(path: "/nowhere/gps").location()
    }
  }

  @Test("gpsd: the first report with a fix counts, whatever precedes it and wherever it is split")
  func gpsd() async throws {
    let server = try LoopbackServer { connection in
      connection.send(#"{"class":"VERSION","release":"3.22","proto_major":3}"# + "\n")
      guard connection.receive(upTo: "\n").hasPrefix("?WATCH={\"enable\":true,\"json\":true}") else { return }
      connection.send(
        "{\"class\":\"TPV\",\"mode\":1}\r\nnonsense\r\n{\"class\":\"SKY\",\"satellites\":[]}\r\n{\"class\":\"TPV\",")
      connection.send("\"mode\":3,\"lat\":57.3229,\"lon\":-4.4244,\"alt\":20.5}\r\n")
      connection.waitForEnd()
    }
    let place = try await GpsdLocation(port: server.port).location()
    #expect(place == Self.castle)
  }

  @Test("gpsd: closed before a fix, silent, or cancelled, it ends")
  func gpsdWithoutFix() async throws {
    let gone = try LoopbackServer { _ = $0.receive(upTo: "\n") }
    await #expect(throws: LocationError.ended("gpsd at 127.0.0.1:\(gone.port)")) {
      try await GpsdLocation(port: gone.port).location()
    }
    let reset = try LoopbackServer { $0.reset() }
    await #expect(throws: LocationError.ended("gpsd at 127.0.0.1:\(reset.port)")) {
      try await GpsdLocation(port: reset.port).location()
    }
    let (begun, ended) = (Observed(0), Observed(0))
    let silent = try LoopbackServer {
      begun.update { $0 += 1 }
      $0.waitForEnd()
      ended.update { $0 += 1 }
    }
    await #expect(throws: LocationError.noFix("gpsd at 127.0.0.1:\(silent.port)")) {
      try await GpsdLocation(port: silent.port, timeout: .milliseconds(50)).location()
    }
    let port = silent.port
    let waiting = Task { try await GpsdLocation(port: port).location() }
    await begun.wait { $0 == 2 }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await ended.wait { $0 == 2 }
  }

  @Test("X9: cancelling the search for a place ends it, and nothing is sent")
  func cancelled() async throws {
    let (begun, ended) = (Observed(0), Observed(0))
    let silent = try LoopbackServer {
      begun.update { $0 += 1 }
      $0.waitForEnd()
      ended.update { $0 += 1 }
    }
    let transport = StubTransport()
    let (client, port) = (try client(transport), silent.port)
    let sharing = Task { try await client.shareLocation(using: GpsdLocation(port: port)) }
    await begun.wait { $0 == 1 }
    sharing.cancel()
    await #expect(throws: CancellationError.self) { try await sharing.value }
    await ended.wait { $0 == 1 }
    #expect(transport.requests.isEmpty)
  }
}
