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

  private func feed(
    _ server: FakeIIOD, _ device: String = "accel_3d", waits: Bool = false, isForService: Bool = false
  ) async throws -> LiveFeed {
    var opener = LiveOpener(
      options: SensorOptions(silenceTimeout: Hang.limit), finder: SensorFinder(use: .lively, waits: waits),
      isForService: isForService)
    var kind = RemoteIIOSource()
    kind.sleep = { _ in }
    kind.makeSource = { RemoteIIOAccelerometer($0, options: $1, answer: Hang.limit) }
    opener.kinds = [kind]
    return try #require(
      try await opener.open(try SourceURI(parsing: "iio:ip:127.0.0.1:\(server.port)/\(device)")))
  }

  private func steps(_ feed: LiveFeed) async throws -> Int {
    var steps = 0
    await #expect(throws: SensorError.self) {
      for try await event in feed.walk.events(CountingOptions(stepLength: .fixed(0.7))) {
        if case .progress(let progress) = event { steps += progress.steps.count }
      }
    }
    return steps
  }

  @Test("has all its steps, and for the service ends with its first error")
  func counted() async throws {
    let server = try FakeIIOD([.init(scans: Self.scans)], routes: [.init(closesAfter: .max)])
    defer { server.close() }
    let feed = try await feed(server, isForService: true)
    #expect(feed.title == "iio:ip:127.0.0.1:\(server.port)/accel_3d")
    #expect((106...108).contains(try await steps(feed)))
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
    let (left, right) = (
      try await feed(server, "left", isForService: true), try await feed(server, "right", isForService: true)
    )
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
    let followed = try await FollowedSamples(try await feed(server), upTo: 5)
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
    let samples = try #require(try await feed(server).samples)
    let error = await #expect(throws: SensorError.self) { for try await _ in samples() {} }
    #expect(error?.kind == .busy && error?.exitStatus == .busy)
    let followed = try await FollowedSamples(try await feed(server, waits: true), upTo: 3)
    #expect(followed.events[0].contains("is in use by another program on 127.0.0.1"), "\(followed)")
    #expect(followed.events[1].hasPrefix("back: ") && followed.samples == 100, "\(followed)")
  }
}
