import Counting
import Recordings
import ServiceTransport
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors
@testable import LiveSources

@Suite("Samples over a WebSocket", .timeLimit(.minutes(30)))
struct WebSocketSourceTests {
  /// Plays messages to each connection, and ends it.
  private final class Script: MessageClient, MessageConnection {
    let messages: [[UInt8]]
    let connections = Mutex(0)
    let closings = Mutex(0)
    init(_ messages: [String]) { self.messages = messages.map { Array($0.utf8) } }

    func connect(
      to server: MessageServer, events: @escaping @Sendable (MessageEvent) -> Void
    ) -> any MessageConnection {
      connections.withLock { $0 += 1 }
      for message in messages { events(.message(message)) }
      events(.ended(.closed(code: 1001, words: "gone")))
      return self
    }

    func close() { closings.withLock { $0 += 1 } }
  }

  private static let rows = PrintedWalk.walk.prefix(150).enumerated().map { index, sample in
    let ms2 = sample.acceleration * 9.80665
    return
      #"{"accuracy":3,"timestamp":\#(9_000_000_000 + index * 20_000_000),"values":[\#(ms2.x),\#(ms2.y),\#(ms2.z)]}"#
  }

  private func source(_ target: String, _ client: (any MessageClient)?) async throws -> OpenSource {
    var sources = Sources(messages: client)
    sources.sleep = { _ in }
    return try #require(try await sources.open(try SourceURI(parsing: "ws://phone:8080" + target), for: .live))
  }

  @Test("are waited for again after a loss, on a clock that rises, and each connection is closed")
  func returns() async throws {
    let script = Script(Self.rows)
    let followed = try await FollowedSamples(source("", script), upTo: 3)
    #expect(followed.events.first?.contains("the app closed the connection: 'gone' (1001)") == true, "\(followed)")
    let back = "back: ws://phone:8080/sensor/connect?type=android.sensor.accelerometer"
    #expect(followed.events.dropFirst().first == back)
    #expect(followed.samples >= 2 * 148, "\(followed)")
    #expect(script.connections.withLock { $0 } >= 2 && script.closings.withLock { $0 } >= 2)
  }

  @Test("without gravity are counted with a warning")
  func linear() async throws {
    let target = "/sensor/connect?type=android.sensor.linear_acceleration"
    var warnings: [String] = []
    for try await event in try await source(target, Script(Self.rows)).elements {
      guard case .element(.samples(let batch)) = event else { break }
      warnings += batch.warning.map { [$0] } ?? []
    }
    #expect(warnings.count { $0.contains("without gravity") } == 1, "\(warnings)")
  }

  @Test("need a program with a client, and say which")
  func withoutClient() async throws {
    await #expect { try await source("/", nil) } throws: { "\($0)".contains("pedometer-full") }
  }

  @Test("that nobody reads are refused before they fill the memory; what was added before is read first")
  func queue() throws {
    let message = String(repeating: " ", count: 1 << 20)
    let server = MessageServer(host: "phone", port: 8080, authority: "phone:8080", target: "/", encryption: nil)
    let channel = try MessageChannel(server, Script(Array(repeating: message, count: 6))) { end in
      .unexpected(path: "phone", reason: "\(end)", remedy: "")
    }
    let stop = try StopSignal()
    var (count, error): (Int, SensorError?) = (0, nil)
    var buffer = [UInt8](repeating: 0, count: 100_000)
    while error == nil {
      #expect(channel.wait(until: stop, atMost: .seconds(300)) == .readable)
      do { count += try unsafe buffer.withUnsafeMutableBytes { try unsafe channel.read(into: $0) } } catch let failure
        as SensorError
      {
        error = failure
      }
    }
    #expect(count == 4 * ((1 << 20) + 1) && error?.reason.contains("faster than it can be read") == true)
    stop.raise()
    #expect(channel.wait(until: stop, atMost: .seconds(300)) == .raised)
  }
}
