import ChaseEngine
import Pedometry
import RaceRoom
import TestSupport
import Testing

@testable import ChaseTerminal

@Suite("RaceSession", .timeLimit(.minutes(30)))
struct RaceSessionTests {
  @Test("a walker who has joined is reported at once, even if the room sends nothing more")
  func reportsAtOnce() throws {
    let client = try RoomClient(url: "http://room.test", username: "Ann", transport: StubTransport())
    let link = RaceLink(client) {}
    let owner = ChaseOwner(
      source: ChaseSource(name: "mock", pedometer: MockPedometer()), settings: .walking, pace: .times(1),
      paceBehindEnd: .times(1), wake: {})
    let session = RaceSession(link, name: "Ann", owner: owner)
    _ = try session.advance()
    #expect(link.isFlushed)
    link.put(.chat(.status(ServerStatus(activeUsers: 1))))
    _ = try session.advance()
    #expect(!link.isFlushed)
  }
}
