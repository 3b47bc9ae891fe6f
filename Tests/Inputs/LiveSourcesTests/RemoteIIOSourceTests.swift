import Counting
import LinuxSensors
import SourceNames
import TestSupport
import Testing

@testable import LiveSources

@Suite("A sensor of another computer as a source", .timeLimit(.minutes(30)), .ownThreads)
struct RemoteIIOSourceTests {
  /// A minute with 107 steps.
  private static let walk = PrintedWalk.walk
  private static let scans = FakeIIOD.scans(of: walk)

  private func source(
    _ server: FakeIIOD, _ device: String = "accel_3d", waits: Bool = false
  ) async throws -> OpenSource {
    var sources = Sources(options: SensorOptions(silenceTimeout: Hang.limit), waits: waits)
    sources.sleep = { _ in }
    var kind = RemoteIIOSource()
    kind.makeSource = { RemoteIIOAccelerometer($0, options: $1, answer: Hang.limit) }
    sources.kinds = [kind]
    let uri = try SourceURI(parsing: "iio:ip:127.0.0.1:\(server.port)/\(device)")
    return try #require(try await sources.open(uri, for: .live))
  }

  /// The steps up to the first loss.
  private func steps(_ source: OpenSource) async throws -> Int {
    var counting = SampleCounting()
    var steps = 0
    for try await event in source.elements {
      guard case .element(.samples(let batch)) = event else { break }
      steps += counting.count(batch.samples.span).count
    }
    return steps + counting.finish().count
  }

  @Test("has all its steps up to a loss")
  func counted() async throws {
    let server = try FakeIIOD([.init(scans: Self.scans)], routes: [.init(closesAfter: .max)])
    defer { server.close() }
    let source = try await source(server)
    #expect(source.connection?.title == "iio:ip:127.0.0.1:\(server.port)/accel_3d")
    #expect((106...108).contains(try await steps(source)))
  }

  @Test("is counted beside another one of the same computer, each with its own steps")
  func two() async throws {
    // The second walker stops after half of the time.
    let half = Array(Self.scans.prefix(Self.scans.count / 48 * 24))
    let server = try FakeIIOD(
      [
        .init(id: "iio:device0", name: "left", scans: Self.scans), .init(id: "iio:device1", name: "right", scans: half),
      ],
      routes: [.init(closesAfter: .max)])
    defer { server.close() }
    let (left, right) = (try await source(server, "left"), try await source(server, "right"))
    async let all = steps(left)
    async let some = steps(right)
    let found = try await (all, some)
    #expect((106...108).contains(found.0) && (45...60).contains(found.1), "\(found)")
  }

  @Test("whose iiod is killed in the middle of a buffer is connected to again, and no scan counts twice")
  func reconnected() async throws {
    // Each cut loses the buffer that was on its way: five scans less the complete ones.
    let server = try FakeIIOD(
      [.init(scans: Self.scans)],
      routes: [.init(closesAfter: 24 * 1000 + 30), .init(closesAfter: 24 * 500 + 5), .init(closesAfter: .max)])
    defer { server.close() }
    let followed = try await FollowedSamples(try await self.source(server), upTo: 5)
    let place = "iio:ip:127.0.0.1:\(server.port)/accel_3d"
    let lost = "lost: \(place) is not connected: 127.0.0.1 closed the connection; start iiod there again"
    #expect(followed.events == [lost, "back: \(place)", lost, "back: \(place)", lost], "\(followed)")
    #expect(followed.samples == Self.walk.count - 4 - 5, "\(followed)")
  }

  @Test("that cannot be read at first is an error, or is awaited if that is wished")
  func awaited() async throws {
    var device = FakeIIOD.Device(scans: Self.scans)
    device.openAnswers = [-16, -16, 0]
    let server = try FakeIIOD([device], routes: [.init(closesAfter: 24 * 100 + 1), .init(closesAfter: .max)])
    defer { server.close() }
    let source = try await source(server)
    let error = await #expect(throws: SensorError.self) { for try await _ in source.elements {} }
    #expect(error?.kind == .busy && error?.exitStatus == .busy)
    let followed = try await FollowedSamples(try await self.source(server, waits: true), upTo: 3)
    #expect(followed.events[0].contains("is in use by another program on 127.0.0.1"), "\(followed)")
    #expect(followed.events[1].hasPrefix("back: ") && followed.samples == 100, "\(followed)")
  }
}
