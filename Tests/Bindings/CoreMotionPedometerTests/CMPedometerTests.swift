import Foundation
import History
import Pedometry
import Synchronization
import TestSupport
import Testing

@testable import CoreMotionPedometer

/// A pedometer whose steps the test controls.
private final class FakePedometer: Pedometer {
  typealias DataUpdates = @Sendable ((any PedometerData)?, (any Error)?) -> Void
  private let handlers = Mutex<(data: DataUpdates, events: @Sendable ((any Error)?) -> Void)?>(nil)

  let pedometerAvailable = true
  let permissionDeclined = false

  func start(dataUpdates: @escaping DataUpdates, eventUpdates: @escaping @Sendable ((any Error)?) -> Void) {
    handlers.withLock { $0 = (dataUpdates, eventUpdates) }
  }

  func pause() { handlers.withLock { $0 = nil } }

  var isRunning: Bool { handlers.withLock { $0 != nil } }

  func walk(_ steps: Int, floors: Int? = nil) {
    let walk = WalkTotals(
      steps: steps, distanceTravelled: Double(steps) * 0.7, currentCadence: 2, currentPace: 0.75,
      activeTime: .milliseconds(500 * steps),
      floorsAscended: floors, floorsDescended: floors.map { $0 + 1 })
    handlers.withLock { $0?.data }?(walk, nil)
  }

  func fail(_ error: any Error) { handlers.withLock { $0?.events }?(error) }
}

@Suite("CMPedometer", .timeLimit(.minutes(30))) final class CMPedometerTests {
  private let directory: TemporaryDirectory
  private let folder: HistoryFolder
  /// Ten minutes ago, a whole second.
  private let start = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 600).rounded(.down))

  init() throws {
    directory = try TemporaryDirectory()
    folder = HistoryFolder(path: directory.path + "/state")
  }

  deinit { try? FileManager.default.removeItem(atPath: directory.path + "/state") }

  /// Walks this many steps from the start, two a second, 0.75 m each.
  private func walk(_ steps: Int, floors: Int? = nil) throws {
    let writer = try HistoryWriter(folder: folder, application: "tests")
    let walked = (1...steps).map {
      WalkedStep(time: start + Double($0) / 2, distance: 0.75, activeTime: .milliseconds(500))
    }
    let climbed = floors.map { WalkedFloors(time: start + 1, ascended: $0, descended: $0 + 1) }
    try writer.record(
      walked, floors: climbed.map { [$0] } ?? [], source: HistorySource(identity: "fake", name: "a fake"))
    writer.close()
  }

  private func query(_ pedometer: CMPedometer, _ from: Date, _ to: Date) async -> (CMPedometerData?, NSError?) {
    await withCheckedContinuation { continuation in
      pedometer.queryPedometerData(from: from, to: to) { data, error in
        continuation.resume(returning: (data, error.map { $0 as NSError }))
      }
    }
  }

  @Test("a query gives steps, metres and the mean pace between two moments, without current values")
  func query() async throws {
    try walk(100)
    let (data, error) = await query(CMPedometer(history: folder), start, start + 20.25)
    #expect(error == nil)
    #expect(data?.numberOfSteps == 40 && data?.distance == 30)
    #expect(data?.startDate == start && data?.endDate == start + 20.25)
    #expect(data?.averageActivePace.map { abs($0.doubleValue - 0.5 / 0.75) < 1e-9 } == true)
    #expect(data?.currentPace == nil && data?.currentCadence == nil)
    #expect(data?.floorsAscended == nil && data?.floorsDescended == nil)
  }

  @Test("errors have Core Motion's domain and codes, and a sentence")
  func errors() async throws {
    let (_, missing) = await query(CMPedometer(history: folder), start, start + 1)
    #expect(missing?.domain == CMErrorDomain && missing?.code == 104)
    #expect(missing?.localizedDescription.contains("pedometerd") == true)
    try walk(1)
    let (_, reversed) = await query(CMPedometer(history: folder), start + 1, start)
    #expect(reversed?.code == Int(CMErrorInvalidParameter.rawValue) && reversed?.code == 107)
    let declined = CMFailure(PedometerError.notAuthorized(remedy: "join the group")) as NSError
    #expect(declined.code == 105)
  }

  @Test("a query has the floors of the history")
  func queriedFloors() async throws {
    try walk(100, floors: 3)
    let (data, error) = await query(CMPedometer(history: folder), start - 60, start + 120)
    #expect(error == nil && data?.floorsAscended == 3 && data?.floorsDescended == 4)
    #expect(CMPedometer.isAvailable(floors: true, in: folder))
  }

  @Test("availability and authorization follow the history; floors are available once they were recorded")
  func availability() throws {
    #expect(CMPedometer.authorizationStatus(of: folder) == .notDetermined)
    #expect(!CMPedometer.isAvailable(in: folder))
    try walk(1)
    #expect(CMPedometer.authorizationStatus(of: folder) == .authorized)
    #expect(CMPedometer.isAvailable(in: folder) && !CMPedometer.isAvailable(floors: true, in: folder))
  }

  @Test("updates of a live pedometer begin with the history since the requested moment")
  func live() async throws {
    try walk(100)
    let fake = FakePedometer()
    let pedometer = CMPedometer(history: folder, live: fake)
    let (updates, told) = AsyncStream.makeStream(of: CMPedometerData.self)
    pedometer.startUpdates(from: start) { data, error in
      if let data { told.yield(data) } else { Issue.record("\(String(describing: error))") }
    }
    fake.walk(10)
    var iterator = updates.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.numberOfSteps == 110 && first?.startDate == start)
    #expect(first?.distance.map { abs($0.doubleValue - 82) < 1e-9 } == true)
    #expect(first?.currentCadence == 2 && first?.currentPace == 0.75)
    #expect(first?.averageActivePace.map { abs($0.doubleValue - 55.0 / 82) < 1e-9 } == true)
    fake.walk(11)
    #expect(await iterator.next()?.numberOfSteps == 111)
    pedometer.stopUpdates()
    #expect(!fake.isRunning)
  }

  @Test(
    "updates have the floors of the history and the live pedometer, and none where either has steps without floors",
    arguments: [
      (false, nil, 4, [4, 5]), (true, nil, 4, [nil, nil]), (true, 3, 4, [7, 9]), (true, 3, nil, [nil, nil]),
      (false, nil, nil, [nil, nil]),
    ] as [(Bool, Int?, Int?, [Int?])])
  func floors(isWalked: Bool, former: Int?, present: Int?, expected: [Int?]) async throws {
    if isWalked { try walk(100, floors: former) }
    let fake = FakePedometer()
    let pedometer = CMPedometer(history: folder, live: fake)
    let (updates, told) = AsyncStream.makeStream(of: [Int?].self)
    pedometer.startUpdates(from: start) { data, _ in
      told.yield([data?.floorsAscended?.intValue, data?.floorsDescended?.intValue])
    }
    fake.walk(10, floors: present)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next() == expected)
    pedometer.stopUpdates()
  }

  @Test("without a history only live totals count; a live pedometer that fails is an error with its code")
  func liveAlone() async throws {
    let fake = FakePedometer()
    let pedometer = CMPedometer(history: folder, live: fake)
    let (updates, told) = AsyncStream.makeStream(of: (steps: NSNumber?, code: Int?).self)
    pedometer.startUpdates(from: start) { data, error in
      told.yield((data?.numberOfSteps, error.map { ($0 as NSError).code }))
    }
    fake.walk(10)
    fake.fail(PedometerError.notAuthorized(remedy: "join the group"))
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next()?.steps == 10)
    #expect(await iterator.next()?.code == 105)
  }

  @Test("the handler of an earlier session is no longer called")
  func sessions() async throws {
    let fake = FakePedometer()
    let pedometer = CMPedometer(history: folder, live: fake)
    let (updates, told) = AsyncStream.makeStream(of: String.self)
    pedometer.startUpdates(from: start) { data, _ in told.yield("first \(data?.numberOfSteps ?? 0)") }
    pedometer.startUpdates(from: start) { data, _ in told.yield("second \(data?.numberOfSteps ?? 0)") }
    fake.walk(1)
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next() == "second 1")
  }

  @Test("a file of an iOS app compiles with the changed import, and shows the steps")
  func file() async throws {
    try walk(100)
    let model = StepModel(pedometer: CMPedometer(history: folder))
    let (shown, show) = AsyncStream.makeStream(of: String.self)
    model.start(from: start) { show.yield($0) }
    var texts: Set<String> = []
    for await text in shown {
      texts.insert(text)
      if texts.count == 2 { break }
    }
    model.stop()
    #expect(texts.contains("first minute: 100 steps, 75 m"), "\(texts)")
    #expect(texts.contains("since then: 100 steps, 0 floors, true"), "\(texts)")
    _ = StepModel.isUsable
  }
}
