import ArgumentParser
import LiveSources
import RaceRoom
import ServiceTransport

struct RoomOptions: ParsableArguments {
  @Option(
    name: .customLong("room"),
    help: "Join a room: the address of a pedometerd, such as http://192.168.1.5:8080; add #NAME to choose a room.")
  var address: String?

  @Option(help: "Your name in the room. (default: your user name)")
  var name: String?

  @Flag(help: "Start the room's countdown as soon as you have joined.")
  var countdown = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Share your place in the room: degrees north and east such as 57.32,-4.42, perhaps with a name behind another comma.",
      valueName: "place"))
  var place: String?

  var walker: String { name ?? ServiceAddress.variable("USER") ?? "walker" }

  var isGiven: Bool { address != nil }

  func validate() throws {
    _ = try client(over: Network.transport)
    _ = try location()
  }

  /// Where the walker's place comes from; `nil` if it is not shared.
  func location() throws -> (any LocationSource)? {
    guard let place else { return nil }
    if address == nil { throw ValidationError("--place needs --room URL") }
    let parts = place.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let latitude = Self.degrees(parts[0]), let longitude = Self.degrees(parts[1]) else {
      throw ValidationError("--place takes degrees north and east, such as 57.32,-4.42")
    }
    let location = Location(latitude: latitude, longitude: longitude, label: parts.count > 2 ? String(parts[2]) : nil)
    guard location.isOnEarth else {
      throw ValidationError("--place \(place) is not on Earth; give degrees north, then degrees east")
    }
    return FixedLocation(location)
  }

  private static func degrees(_ text: Substring) -> Double? {
    Double(text.drop { $0 == " " }).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The client of the room; `nil` if none was given.
  func client(over transport: any Transport) throws -> RoomClient? {
    guard let address else {
      if name != nil || countdown { throw ValidationError("--name and --countdown need --room URL") }
      return nil
    }
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let room = parts.count > 1 ? String(parts[1]) : RoomName.main
    do {
      return try RoomClient(
        url: String(parts[0]), username: walker, room: room, token: ServiceAddress.variable("PEDOMETER_TOKEN"),
        transport: transport)
    } catch { throw ValidationError("\(error)") }
  }
}
