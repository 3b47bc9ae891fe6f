import Foundation
import JSONLines
import Pedometry
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceCore
@testable import ServiceMessaging

@Suite("Home Assistant's discovery", .timeLimit(.minutes(30)))
struct HomeAssistantTests {
  private static let topics = MQTTTopics(identity: "0123456789abcdef", base: nil)
  private static func messages(name: String = "Pedometer", page: String? = nil) -> [MQTTMessage] {
    HomeAssistantDiscovery(topics: topics, prefix: "homeassistant", name: name, version: "1.2.3", page: page).messages
  }

  private static func object(_ message: MQTTMessage) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
  }

  @Test("every entity has a retained message on a topic of its component, with a unique identifier")
  func topics() throws {
    let messages = Self.messages()
    #expect(messages.allSatisfy { $0.isRetained })
    let keys = ["steps", "steps_today", "distance", "distance_today", "active_time_today", "goal", "cadence"]
    #expect(
      messages.map(\.topic) == keys.map { "homeassistant/sensor/pedometer_0123456789abcdef/\($0)/config" }
        + ["goal_reached", "walking", "problem"].map {
          "homeassistant/binary_sensor/pedometer_0123456789abcdef/\($0)/config"
        })
    let identifiers = try messages.map { try Self.object($0)["unique_id"] as? String }
    #expect(Set(identifiers).count == 10 && identifiers[0] == "pedometer_0123456789abcdef_steps")
  }

  @Test("totals increase and only fall to start again; cadence is measured")
  func classes() throws {
    let classes = try Self.messages().map { try Self.object($0)["state_class"] as? String }
    #expect(classes == Array(repeating: "total_increasing", count: 5) + [nil, "measurement", nil, nil, nil])
  }

  @Test("each entity reads a value that the state message has, and is available while the service is")
  func values() throws {
    let state = try Self.object(MQTTMessage("t", PublishedFigures.walking(steps: 1).state))
    for message in Self.messages() {
      let object = try Self.object(message)
      let template = try #require(object["value_template"] as? String)
      #expect(template.hasPrefix("{{ value_json.") && template.hasSuffix(" }}"))
      #expect(state[String(template.dropFirst(14).dropLast(3))] != nil, "\(template)")
      #expect(object["state_topic"] as? String == "pedometer/0123456789abcdef/state")
      #expect(object["availability_topic"] as? String == "pedometer/0123456789abcdef/availability")
    }
  }

  @Test("the device's name is escaped")
  func escaping() throws {
    let device = try Self.object(Self.messages(name: "Ann's \"steps\" \\ ✓")[0])["device"] as? [String: Any]
    #expect(device?["name"] as? String == "Ann's \"steps\" \\ ✓")
    #expect(device?["sw_version"] as? String == "1.2.3" && device?["configuration_url"] == nil)
  }

  @Test("the device links to the live page where another computer can open it")
  func link() throws {
    let address = "https://pi.local:8443/"
    let device = try Self.object(Self.messages(page: address)[0])["device"] as? [String: Any]
    #expect(device?["configuration_url"] as? String == address)
  }

  @Test("the goal is reached with the walker's answers, and neither met nor missed without a goal")
  func goal() {
    var figures = PublishedFigures.walking(steps: 100)
    #expect(figures.state.contains(#""goal":null,"goalReached":null"#))
    figures.today?.goal = 150
    #expect(figures.state.contains(#""goal":150,"goalReached":"OFF""#))
    figures.today?.corrected = WalkTotals(steps: 150, distanceTravelled: 110)
    #expect(figures.state.contains(#""goal":150,"goalReached":"ON""#))
  }

  @Test("the state has absolute totals, steps per minute and words")
  func state() {
    #expect(
      PublishedFigures.walking(steps: 100).state
        == #"{"date":"2026-11-22","steps":10100,"distanceTravelled":7100,"stepsToday":100,"distanceToday":100,"#
        + #""stepsPerMinute":105,"walking":"ON","problem":"OFF","activeTimeToday":0,"goal":null,"goalReached":null}"#)
    var answered = PublishedFigures.walking(steps: 100)
    answered.today?.corrected = WalkTotals(steps: 150, distanceTravelled: 110)
    #expect(
      answered.state.hasSuffix(#""goalReached":null,"corrected":{"steps":150,"distanceTravelled":110,"activeTime":0}}"#)
    )
    let standing = PublishedFigures.walking(steps: 100, cadence: nil).state
    #expect(standing.contains(#""stepsPerMinute":0,"walking":"OFF""#))
  }

  @Test("unknown figures are null, not zero, and the problem says why")
  func unknown() {
    var figures = PublishedFigures.walking(steps: 100, state: .lost)
    #expect(figures.state.contains(#""stepsPerMinute":null,"walking":null,"problem":"ON""#))
    #expect(figures.problem == "iio:device0: it was unplugged")
    (figures.total, figures.today) = (nil, nil)
    #expect(figures.state.hasPrefix(#"{"date":null,"steps":null,"distanceTravelled":null,"stepsToday":null"#))
    #expect(figures.problem == "the history cannot be read")
    #expect(
      PublishedFigures(total: .init(), today: PublishedFigures.walking(steps: 1).today, sources: []).problem != nil)
  }

  @Test("before the first attempt to open a sensor it is not known whether there is a problem")
  func beginning() {
    var figures = PublishedFigures.walking(steps: 1, cadence: nil, state: .waiting)
    figures.sources[0].reason = nil
    #expect(figures.problem == nil && figures.state.contains(#""walking":null,"problem":null"#))
    #expect(figures.details.hasPrefix(#"{"problem":null,"#))
    figures.sources[0].reason = "it is not plugged in"
    #expect(figures.problem != nil && figures.state.contains(#""problem":"ON""#))
  }

  @Test("a phone that is not sending is not a problem, as long as another source counts")
  func phone() {
    var figures = PublishedFigures.walking(steps: 1)
    figures.sources.append(SourceState(uri: "client:ann", state: .lost, reason: "no samples", steps: 0))
    #expect(figures.problem == nil)
    figures.sources.removeFirst()
    #expect(figures.problem == "client:ann: no samples")
  }

  @Test("the attributes contain each source, escaped")
  func details() throws {
    let object = try Self.object(MQTTMessage("t", PublishedFigures.walking(steps: 1, state: .denied).details))
    let source = try #require((object["sources"] as? [[String: Any]])?.first)
    #expect(source["name"] as? String == "A \"quoted\" sensor" && source["state"] as? String == "denied")
    #expect(object["problem"] as? String == "iio:device0: it was unplugged")
  }

  @Test("the identity is created once, kept, and created again if the file is damaged")
  func identity() throws {
    let folder = try TemporaryDirectory()
    let first = try MQTTIdentity.read(folder: folder.path)
    #expect(first.count == 16 && first.allSatisfy { $0.isHexDigit })
    #expect(try MQTTIdentity.read(folder: folder.path) == first)
    try folder.write(Array("../#\n".utf8), to: MQTTIdentity.fileName)
    let second = try MQTTIdentity.read(folder: folder.path)
    #expect(second != first && second.count == 16)
  }

  @Test("a topic becomes the name of a source")
  func sourceName() {
    #expect(MQTTIntake.sourceName(topic: "phones/ann-b/samples") == "phones.ann-b.samples")
    #expect(MQTTIntake.sourceName(topic: "phones/ann b/samples").hasPrefix("phones.ann-b.samples-"))
    #expect(MQTTIntake.sourceName(topic: String(repeating: "é", count: 60)).utf8.count == 64)
  }
}
