import Accelerometry
import Counting
import Foundation
import History
import LiveSources
import Logging
import Platform
import ServiceLifecycle
import ServiceNetwork
import ServiceSettings
import ServiceTransport
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors
@testable import PedometerService
@testable import ServiceCore
@testable import ServiceHTTP

/// The service with its database and its HTTP server, over a step counter, on clocks that this moves: a day passes in a
/// fraction of a second.
final class TimeLapse {
  /// An answer of /api/history.
  struct Bucket: Decodable {
    var start: String
    var steps: Int
  }

  /// One start of the service.
  private struct Life {
    var parts: DaemonParts
    var group: ServiceGroup
    var task: Task<Void, any Error>
    var url: String
    /// The steps that its source has counted.
    var steps = 0
  }

  /// The machine's clocks.
  private final class Clocks: Sendable {
    struct State {
      /// By how much the wall clock is wrong.
      var error = 0.0
      var boots = 1
      /// The time of the last boot on the manual clock.
      var booted = Duration.seconds(-1000)
    }
    let manual = ManualClock()
    let state = Mutex(State())
    let start: Date
    init(_ start: Date) { self.start = start }

    var right: Date { start + manual.now.offset.timeInterval }
    var wall: Date { right + state.withLock { $0.error } }
    var elapsed: Duration { manual.now.offset - state.withLock { $0.booted } }

    var service: ServiceClock {
      ServiceClock(
        now: { self.wall }, elapsed: { self.elapsed }, sleep: { try await self.manual.sleep(for: $0) },
        bootID: "boot \(state.withLock { $0.boots })")
    }
  }

  private static let sensor = ScriptedMachine.sensor(1, serial: "A1")
  private typealias Readings = AsyncThrowingStream<StepCounterReading, any Error>

  private let directory: TemporaryDirectory
  private let folder: HistoryFolder
  private let machine = ScriptedMachine()
  private let clocks: Clocks
  private let zone: TimeZone
  private var calendar = Calendar(identifier: .gregorian)
  private var random = SplitMix64(seed: 365)
  private var life: Life?
  private var counter: Readings.Continuation?
  /// The register of the chip.
  private var register = 0
  /// The steps of each day, by the date of the wall clock when they were taken.
  private(set) var truth: [String: Int] = [:]
  /// Whether the service and the machine are restarted each week.
  var hasRestarts = true
  /// How often the service was started.
  private(set) var lives = 1

  init(from start: Date) async throws {
    directory = try TemporaryDirectory()
    folder = HistoryFolder(path: directory.path + "/state")
    zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    calendar.timeZone = zone
    clocks = Clocks(start)
    life = try await Self.start(folder, machine, clocks, zone)
    try await plugIn()
  }

  private static func start(
    _ folder: HistoryFolder, _ machine: ScriptedMachine, _ clocks: Clocks, _ zone: TimeZone
  ) async throws -> Life {
    var configuration = try ServiceConfiguration(GivenSettings(), environment: [:])
    configuration.state = folder.path
    configuration.timeZone = zone
    configuration.http.addresses = [ListenAddress(host: "127.0.0.1", port: 0)]
    let (ports, found) = AsyncStream.makeStream(of: String.self)
    let logger = Logger(label: "lapse") { _ in PortLog(found: found) }
    let parts = try await open {
      try DaemonParts(
        configuration, access: machine.access, clock: clocks.service, notifier: ServiceNotifier(environment: [:]),
        environment: ["XDG_RUNTIME_DIR": folder.path], logger: logger)
    }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: parts.services.map { .init(service: $0) }, logger: .silent))
    let task = Task { try await group.run() }
    var port = ""
    for await each in ports {
      port = each
      break
    }
    return Life(parts: parts, group: group, task: task, url: "http://127.0.0.1:\(port)")
  }

  /// Opens the history once the tasks of the former service have released it.
  private static func open(_ body: () throws -> DaemonParts) async throws -> DaemonParts {
    while true {
      do { return try body() } catch let error as HistoryError where error.code == .held {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  /// The port of the line that says where the service listens.
  private struct PortLog: LogHandler {
    let found: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let words = "\(event.message)".split(separator: ":")
      if words.count == 2, words[0].hasPrefix("listening on") { found.yield(String(words[1])) }
    }
  }

  /// The running service.
  private var parts: DaemonParts {
    get throws { try #require(life).parts }
  }
  private var source: SourceState? { life?.parts.owner.registry.states.first }

  /// Waits for other tasks; time passes slowly meanwhile. Gives up, with what is known, when nothing comes of it.
  private func until(
    _ step: Duration? = nil, each count: Int = 20, most: Int = 20_000_000, _ holds: () async throws -> Bool
  ) async throws {
    var looks = 0
    while try await !holds() {
      try Task.checkCancellation()
      looks += 1
      try #require(
        looks < most,
        "waits in vain at \(clocks.wall): \(life?.steps ?? 0) steps of this start, \(truth), \(String(describing: source))"
      )
      if let step, looks.isMultiple(of: count) { clocks.manual.advance(by: step) }
      await Task.yield()
    }
  }

  // MARK: The sensor

  private func plugIn() async throws {
    let (readings, continuation) = Readings.makeStream()
    machine.feed(
      SourceConnection(
        uri: Self.sensor.uri, profile: SensorProfile(name: "a counter", clock: .boottime),
        identity: Self.sensor.identity, readings: { readings }))
    machine.set([Self.sensor])
    counter = continuation
    register = 0
    read(new: 0)
    try await until(.seconds(1)) { source?.state == .counting }
  }

  private func unplug() async throws {
    machine.set([])
    counter?.finish(throwing: SensorError.removed(path: "/dev/iio:device1"))
    try await until { source?.state != .counting }
  }

  private func read(new: Int) {
    register += new
    let time = Int64(clocks.elapsed / .nanoseconds(1))
    counter?.yield(
      StepCounterReading(nanoseconds: time, steps: register, newSteps: new))
  }

  // MARK: The walker

  private var today: String { CivilDate(clocks.wall, offset: zone.secondsFromGMT(for: clocks.wall)).date }

  private func walk(minutes: Int) async throws {
    for _ in 0..<minutes {
      sleepOverMidnight()
      clocks.manual.advance(by: .seconds(60))
      let steps = Int.random(in: 80...125, using: &random)
      read(new: steps)
      life?.steps += steps
      truth[today, default: 0] += steps
      try await until { source?.steps == life?.steps }
      try await settle()
    }
  }

  /// Returns when every step is in the history.
  ///
  /// The service reads one clock after the other. Real clocks hardly move in between, so this one moves by less than what
  /// counts as a changed clock while something may be written, and further only when nothing is.
  private func settle() async throws {
    let owner = try parts.owner
    try await until(.milliseconds(50), each: 2, most: 2_000_000) {
      let found = try await owner.answers.today()
      return found.steps == truth[found.date] ?? 0
    }
  }

  /// A minute across midnight would belong to two dates. Time passes by itself during waits, so midnight may be near.
  private func sleepOverMidnight() {
    let later = clocks.wall + 600
    let isNear = CivilDate(later, offset: zone.secondsFromGMT(for: later)).date != today
    if isNear { clocks.manual.advance(by: .seconds(660)) }
  }

  /// Passes time until an hour of a day on the right wall clock.
  private func sleep(until hour: Double, of day: Int) {
    let first = calendar.date(byAdding: .day, value: day, to: calendar.startOfDay(for: clocks.start)) ?? clocks.start
    let left = (first + hour * 3600).timeIntervalSince(clocks.right)
    if left > 0 { clocks.manual.advance(by: .seconds(left)) }
  }

  /// A day of a hundred minutes, each kind of trouble now and then.
  func pass(day: Int) async throws {
    sleep(until: 0.5, of: day)
    // Across the change to summer time, and back to winter time.
    if zone.isDaylightSavingTime(for: clocks.right) != zone.isDaylightSavingTime(for: clocks.right + 86_400) {
      sleep(until: 1.5, of: day)
      try await walk(minutes: 100)
    }
    sleep(until: 8, of: day)
    try await walk(minutes: 20)
    if day % 5 == 2 { try await setClock(day % 2 == 0 ? 3600 : -7200) }
    sleep(until: 10, of: day)
    try await walk(minutes: 25)
    if day % 5 == 2 { try await setClock(0) }
    if day % 3 == 1 { try await unplug() }
    sleep(until: 13, of: day)
    if day % 3 == 1 { try await plugIn() }
    try await walk(minutes: 25)
    if hasRestarts, day % 7 == 3 { try await restart(isReboot: day % 2 == 0) }
    sleep(until: 18, of: day)
    try await walk(minutes: 30)
    let shown = try JSONDecoder().decode(Shown.self, from: Data(try await get("/api/today")))
    #expect(shown == Shown(date: today, steps: truth[today] ?? 0))
  }

  /// What `GET /api/today` shows of a day.
  private struct Shown: Decodable, Equatable {
    var date: String
    var steps: Int
  }

  private func setClock(_ error: Double) async throws { clocks.state.withLock { $0.error = error } }

  private func restart(isReboot: Bool) async throws {
    try await end()
    clocks.manual.advance(by: .seconds(30))
    if isReboot {
      let now = clocks.manual.now.offset
      clocks.state.withLock { state in
        state.boots += 1
        state.booted = now - .seconds(20)
      }
    }
    lives += 1
    life = try await Self.start(folder, machine, clocks, zone)
    try await plugIn()
  }

  /// Ends the service in order.
  func end() async throws {
    machine.set([])
    counter?.finish()
    let (group, task) = try (#require(life).group, #require(life).task)
    await group.triggerGracefulShutdown()
    // Back-offs and the like end when time passes.
    try await clocks.manual.flying { try await task.value }
    try parts.owner.writer.close()
    life = nil
  }

  // MARK: What is there

  func get(_ path: String) async throws -> [UInt8] {
    let answer = try await NetworkTransport().send(
      TransportRequest(method: "GET", url: #require(life).url + path, headers: [], body: []), timeout: Hang.limit)
    try #require(answer.status == 200, "\(answer.text)")
    return answer.body
  }

  /// The most steps of three days in a row; the history keeps the exact steps of two times 24 hours.
  var stepsOfThreeDays: Int {
    let days = truth.sorted { $0.key < $1.key }.map(\.value)
    return days.indices.map { days[$0..<min($0 + 3, days.count)].reduce(0, +) }.max() ?? 0
  }

  func contents() throws -> (minutes: (count: Int, steps: Int), bytes: Int) {
    let reader = try HistoryReader(folder: folder)
    var (count, steps) = (0, 0)
    try reader.minutes(from: .distantPast, to: .distantFuture) { minute in
      count += 1
      steps += minute.totals.steps
    }
    #expect(try reader.losses().isEmpty)
    let size = try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int
    return ((count, steps), try #require(size))
  }

  /// The memory of this process in megabytes: all that is resident, and what is not the content of a file.
  static var memory: (resident: Double, anonymous: Double) {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").compactMap { Double($0) }
    guard pages.count > 2 else { return (0, 0) }
    return (pages[1] * 4096 / 1e6, (pages[1] - pages[2]) * 4096 / 1e6)
  }
}
