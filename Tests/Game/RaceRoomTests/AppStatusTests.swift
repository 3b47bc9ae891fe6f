import FoundationEssentials
import RaceRoom
import TestSupport
import Testing

@Suite("Who goes away and comes back", .timeLimit(.minutes(30)))
struct AppStatusTests {
  @Test("going away and coming back are two messages of the room")
  func twoMessages() async throws {
    let transport = StubTransport()
    let client = try RoomClient(url: "http://room.test", username: "Ann", transport: transport, clock: .instant)
    try await client.announce(.inactive)
    try await client.announce(.active)
    let messages = try transport.requests.map { try JSONDecoder().decode(Message.self, from: Data($0.body)) }
    #expect(messages.map(\.message) == ["Ann went away", "Ann came back"])
    #expect(messages.allSatisfy { $0.user == nil })
  }
}
