import ArgumentParser
import LiveSources
import RaceRoom
import ServiceTransport

/// The room of a chase on the command line.
struct RoomOptions: ParsableArguments {
  @Option(
    name: .customLong("room"),
    help: "Join a room: the address of a pedometerd, such as http://192.168.1.5:8080; add #NAME to choose a room.")
  var address: String?

  @Option(help: "Your name in the room. (default: your user name)")
  var name: String?

  @Flag(help: "Start the room's countdown as soon as you have joined.")
  var countdown = false

  /// The walker's name.
  var walker: String { name ?? ServiceAddress.variable("USER") ?? "walker" }

  /// Whether a room was given.
  var isGiven: Bool { address != nil }

  /// Checks the address and the name.
  func validate() throws { _ = try client(over: NoTransport()) }

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
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
