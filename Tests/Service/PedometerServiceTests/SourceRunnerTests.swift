import History
import LinuxSensors
import Pedometry
import Presentation
import Recordings
import SourceNames
import StepDetection
import Synchronization
import TestSupport
import Testing

@testable import LiveSources
@testable import PedometerService
@testable import ServiceCore

@Suite("Source runner", .timeLimit(.minutes(30)), .ownThreads)
struct SourceRunnerTests {
  let clock = ManualClock()
  let log = OutletLog()
  let machine = ScriptedMachine()
  static let walk = SourceURI.synthetic([])

  private func runner(_ uri: SourceURI?, journals: SampleJournalFolder? = nil, several: Bool = false) -> SourceRunner {
    SourceRunner(
      uri: uri, access: machine.access, stepLength: .fixed(0.7), clock: .manual(clock),
      account: SourceAccount(name: uri.map { "\($0)" } ?? "best sensor", isOneOfSeveral: several, outlet: log.outlet),
      journals: journals)
  }

  private static func reference(_ walk: SyntheticWalk) throws -> [Step] {
    var counter = WalkCounter()
    let samples = try walk.samples()
    let certain = counter.process(samples.span)
    return certain + counter.finish()
  }

  @Test("the live count is the count of the same samples, each step at the time of its foot strike")
  func times() async throws {
    let walk = SyntheticWalk.brisk(seconds: 30)
    let source = try SteppedSource(walk, clock: clock)
    machine.feed(Self.walk, source)
    let runner = runner(Self.walk)
    await runner.run()
    let expected = try Self.reference(walk)
    #expect(log.steps.count == expected.count && expected.count > 50)
    // The first batch arrived 200 ms after the clock was created, with its tenth sample.
    let first = try #require(source.script.first?.samples.last)
    for (step, reference) in zip(log.steps, expected) {
      let time = Duration.seconds(1000) + .milliseconds(200) + reference.timestamp - first.timestamp
      #expect(abs((step.timestamp - time) / .seconds(1)) < 0.021)
      #expect(abs(step.length - 0.7) < 1e-9)
    }
    #expect(Set(log.sources).count == 1)
    #expect(runner.account.signal.values.count == MagnitudeTrace.capacity)
    #expect(runner.account.state.state == .ended && runner.account.state.steps == expected.count)
    #expect(log.all.first?.contains(#""event":"started""#) == true)
    #expect(log.all.last?.contains(#""event":"stopped""#) == true)
  }

  @Test("a step length that changes while a source counts is that of the steps from then on")
  func newStepLength() async throws {
    machine.feed(Self.walk, try SteppedSource(.brisk(seconds: 30), clock: clock))
    let log = log
    let runner = SourceRunner(
      uri: Self.walk, access: machine.access, stepLength: log.steps.count < 20 ? .fixed(0.7) : .fixed(0.9),
      clock: .manual(clock), account: SourceAccount(name: "a walk", isOneOfSeveral: false, outlet: log.outlet))
    await runner.run()
    let lengths = log.steps.map(\.length)
    #expect(lengths.first == 0.7 && lengths.last == 0.9 && lengths == lengths.sorted() && Set(lengths) == [0.7, 0.9])
    let total = try #require(runner.account.state.walk?.distanceTravelled)
    #expect(abs(total - lengths.reduce(0, +)) < 1e-9)
  }

  @Test(
    "floors climbed beside a barometer are told with the steps, and those still open at the end or when the service stops, too",
    arguments: [false, true])
  func floors(isStopped: Bool) async throws {
    // 0.3 m a second for 66 s: six floors. The barometer tells everything when the last sample has come.
    let (over, end) = AsyncStream.makeStream(of: Void.self)
    let (told, tell) = AsyncStream.makeStream(of: Void.self)
    let seconds = Mutex(0)
    let (counted, count) = AsyncStream.makeStream(of: Void.self)
    var source = try SteppedSource(.brisk(seconds: 66), clock: clock, isEndless: isStopped)
    source.atEnd = {
      end.yield()
      for await _ in told { break }
      count.yield()
    }
    machine.feed(Self.walk, source) {
      AsyncThrowingStream<PressureSample, any Error> {
        let second = seconds.withLock { second in
          defer { second += 1 }
          return second
        }
        if second == 0 { for await _ in over { break } }
        guard second < 66 else {
          tell.yield()
          return nil
        }
        return PressureSample(
          nanoseconds: Int64(second) * 1_000_000_000, kilopascals: 101.325 * (1 - 0.3 * Double(second) / 8435))
      }
    }
    let runner = runner(Self.walk)
    let task = Task { await runner.run() }
    for await _ in counted { break }
    if isStopped { task.cancel() }
    await task.value
    #expect(log.floors.reduce(0) { $0 + $1.ascended } == 6 && log.floors.allSatisfy { $0.descended == 0 })
    #expect(log.floors.contains { $0.ascended == 0 }, "a minute without floors")
    #expect(log.floors.allSatisfy { $0.time <= .seconds(1000) + clock.now.offset })
    #expect(runner.account.state.walk?.floorsAscended == 6 && runner.account.state.walk?.floorsDescended == 0)
  }

  @Test("without a barometer there are no floors")
  func noFloors() async throws {
    machine.feed(Self.walk, try SteppedSource(.brisk(seconds: 8), clock: clock))
    let runner = runner(Self.walk)
    await runner.run()
    #expect(log.floors.isEmpty && !log.steps.isEmpty && runner.account.state.walk?.floorsAscended == nil)
  }

  @Test("a program that printed a recording and left with 0 is counted once, and has ended")
  func program() async throws {
    let folder = try TemporaryDirectory()
    let (mark, walk) = (folder.path + "/mark", try folder.write(PrintedWalk().chunks.flatMap(\.bytes), to: "walk.csv"))
    let script = try folder.write(Array("echo started >>'\(mark)'; cat '\(walk)'".utf8), to: "walk.sh")
    let machine = ScriptedMachine(ProgramSource())
    let uri = try SourceURI(parsing: "exec:sh '\(script)'")
    let runner = SourceRunner(
      uri: uri, access: machine.access, stepLength: .fixed(0.7), clock: .manual(clock),
      account: SourceAccount(name: "\(uri)", isOneOfSeveral: false, outlet: log.outlet))
    await runner.run()
    #expect(runner.account.state.state == .ended)
    #expect((106...108).contains(log.steps.count) && runner.account.state.steps == log.steps.count)
    #expect(try TemporaryDirectory.text(of: mark) == "started\n")
  }

  @Test("a board on a serial port is counted, and is looked for again when it was unplugged")
  func board() async throws {
    let openings = Mutex(0)
    var kind = SerialBoard()
    kind.openChannel = { _, _ in
      let isFirst = openings.withLock { count in
        count += 1
        return count == 1
      }
      return try ScriptedBoard(isFirst ? PrintedWalk().chunks : [])
    }
    let terminal = try SerialTerminal()
    let machine = ScriptedMachine(kind)
    let uri = SourceURI.serial(SerialAddress(path: terminal.path))
    let runner = SourceRunner(
      uri: uri, access: machine.access, stepLength: .fixed(0.7), clock: .manual(clock),
      account: SourceAccount(name: "\(uri)", isOneOfSeveral: false, outlet: log.outlet))
    let task = Task { await runner.run() }
    #expect(await log.line(with: #""event":"sourceLost""#) != nil)
    #expect((105...109).contains(log.steps.count) && runner.account.state.steps == log.steps.count)
    #expect(Set(log.sources.map(\.identity)) == ["\(uri)"])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers()
    #expect(openings.withLock { $0 } >= 2)
    task.cancel()
    await task.value
  }

  @Test(
    "a Bluetooth watch is counted, and the steps that it counted out of range come when it is back",
    .enabled(if: FakeBluez.isPossible, "dbus-daemon, python3-dbus or python3-gi is not installed"))
  func watch() async throws {
    let bluez = try FakeBluez()
    try bluez.begin("adapter on", "value \(FakeBluez.steps) 88130000", FakeBluez.watch)
    let address = try BluetoothAddress(parsing: FakeBluez.address)
    let machine = ScriptedMachine(BluetoothSource(in: bluez.environment))
    let runner = SourceRunner(
      uri: .bluetooth(address), access: machine.access, stepLength: .fixed(0.7), clock: .manual(clock),
      account: SourceAccount(name: "ble:\(address)", isOneOfSeveral: false, outlet: log.outlet))
    let task = Task { await runner.run() }
    #expect(await log.line(with: #""event":"started""#)?.contains("Watch") == true)
    try bluez.tell("notify \(FakeBluez.steps) 92130000")
    #expect(await log.line(with: #""steps":10"#) != nil)
    try bluez.tell("value \(FakeBluez.steps) A6130000")
    try bluez.tell("disconnect")
    #expect(await log.line(with: #""event":"sourceLost""#) != nil)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(await log.line(with: #""event":"sourceBack""#) != nil)
    #expect(await log.line(with: #""steps":30"#) != nil)
    #expect(runner.account.state.steps == 30 && log.steps.count == 30)
    task.cancel()
    await task.value
  }

  @Test("with several sources, each line names its source")
  func several() async throws {
    machine.feed(Self.walk, try SteppedSource(.brisk(seconds: 8), clock: clock))
    await runner(Self.walk, several: true).run()
    #expect(!log.all.isEmpty && log.all.allSatisfy { $0.hasSuffix(#","source":"synthetic:"}"#) })
  }

  @Test("a source that cannot be opened is retried with back-off")
  func backoff() async throws {
    let runner = runner(Self.walk)
    let task = Task { await runner.run() }
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      await clock.waitForSleepers()
      let deadline = try #require(clock.nextDeadline)
      #expect(clock.now.duration(to: deadline) == .seconds(seconds))
      #expect(runner.account.state.state == .lost)
      clock.advance(by: .seconds(seconds))
    }
    await clock.waitForSleepers()
    #expect(machine.opened.count == 9)
    task.cancel()
    await task.value
  }

  @Test("a recording that fails midway is not restarted, since its steps would count twice")
  func broken() async throws {
    machine.feed(
      Self.walk, try SteppedSource(.brisk(seconds: 10), clock: clock, failure: SensorError.removed(path: "walk")))
    machine.feed(Self.walk, try SteppedSource(.brisk(seconds: 10), clock: clock))
    await runner(Self.walk).run()
    #expect(machine.opened.count == 1)
    #expect(log.steps.count > 10)
  }

  @Test("a recording that fails before its first sample is reported and retried")
  func failsAtOnce() async throws {
    let unread = RecordingError.empty(path: "nope.csv")
    machine.feed(Self.walk, try SteppedSource(.brisk(seconds: 0), clock: clock, failure: unread))
    machine.feed(Self.walk, try SteppedSource(.brisk(seconds: 10), clock: clock))
    let runner = runner(Self.walk)
    let task = Task { await runner.run() }
    await clock.waitForSleepers()
    #expect(runner.account.state.state == .lost && runner.account.state.reason == "\(unread)")
    clock.advance(by: .seconds(1))
    await task.value
    #expect(machine.opened.count == 2 && log.steps.count > 10)
  }

  @Test("a sensor that is plugged in later is counted, lost, and recognised with another number")
  func hotPlug() async throws {
    let identity = ScriptedMachine.identity("A1")
    let (first, second) = (SourceURI.iio("device0"), SourceURI.iio("device4"))
    machine.feed(
      first, try SteppedSource(.brisk(seconds: 10), clock: clock, failure: SensorError.removed(path: "device0")),
      identity: identity)
    var replugged = try SteppedSource(.brisk(seconds: 10), clock: clock, isEndless: true)
    let isRead = Observed(false)
    replugged.atEnd = { isRead.update { $0 = true } }
    machine.feed(second, replugged, identity: identity)
    let runner = runner(first)
    let task = Task { await runner.run() }
    // The timer of the search: there is no sensor yet.
    await clock.waitForSleepers()
    #expect(runner.account.state.state == .waiting && machine.opened.isEmpty)
    #expect(runner.account.state.remedy != nil)

    machine.set([ScriptedMachine.sensor(7, serial: "B2"), ScriptedMachine.sensor(0, serial: "A1")])
    #expect(await log.line(with: #""event":"started""#) != nil)
    #expect(await log.line(with: #""event":"sourceLost""#) != nil)
    #expect(runner.account.state.state == .lost)
    let before = log.steps.count
    #expect(before > 10)

    machine.set([ScriptedMachine.sensor(0, serial: "B2"), ScriptedMachine.sensor(4, serial: "A1")])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(await log.line(with: #""event":"sourceBack""#) != nil)
    // The event comes before all samples are read.
    await isRead.wait { $0 }
    task.cancel()
    await task.value
    #expect(machine.opened == [first, second])
    #expect(log.steps.count == 2 * before)
    let state = runner.account.state
    #expect(state.steps == 2 * before && state.walk?.steps == 2 * before)
    #expect(abs((state.walk?.distanceTravelled ?? 0) - log.steps.reduce(0) { $0 + $1.length }) < 1e-9)
    #expect(zip(log.steps, log.steps.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
    #expect(Set(log.sources.map(\.identity)) == ["\(identity)"])
  }

  /// A runner for the best sensor of a machine whose only sensor may not be read.
  private func deniedRunner() throws -> SourceRunner {
    let refusal = SensorError.permissionDenied(path: "/dev/iio:device0", errno: 13, remedy: "install the rule")
    machine.set([ScriptedMachine.sensor(0, serial: "A1", usability: .unusable(refusal))])
    machine.feed(.iio("device0"), try SteppedSource(.brisk(seconds: 5), clock: clock, isEndless: true))
    return runner(nil)
  }

  @Test("a sensor without permission is reported with the remedy, and counted once it is permitted")
  func denied() async throws {
    let runner = try deniedRunner()
    let task = Task { await runner.run() }
    await clock.waitForSleepers()
    #expect(runner.account.state.state == .denied && runner.account.state.remedy == "install the rule")
    machine.set([ScriptedMachine.sensor(0, serial: "A1")])
    #expect(await log.line(with: #""event":"started""#) != nil)
    #expect(runner.account.state.state == .counting && runner.account.state.reason == nil)
    task.cancel()
    await task.value
  }

  @Test("a permission granted without an event is noticed within half a minute")
  func quietPermission() async throws {
    let runner = try deniedRunner()
    let task = Task { await runner.run() }
    await clock.waitForSleepers()
    machine.set([ScriptedMachine.sensor(0, serial: "A1")], isTold: false)
    clock.advance(by: .seconds(30))
    #expect(await log.line(with: #""event":"started""#) != nil)
    task.cancel()
    await task.value
  }

  @Test("a sensor that neither delivers nor fails hangs; one that is waited for does not")
  func liveness() async throws {
    machine.set([ScriptedMachine.sensor(0, serial: "A1")])
    machine.feed(.iio("device0"), try SteppedSource(.brisk(seconds: 1), clock: clock, isEndless: true))
    let runner = runner(.iio("device0"))
    let service = ServiceClock.manual(clock)
    #expect(runner.account.isAlive(at: service.elapsed() + .seconds(3600)))
    let task = Task { await runner.run() }
    #expect(await log.line(with: #""event":"started""#) != nil)
    #expect(runner.account.isAlive(at: service.elapsed() + .seconds(30)))
    #expect(!runner.account.isAlive(at: service.elapsed() + .seconds(60)))
    task.cancel()
    await task.value
  }

  @Test("undecided steps of a killed process are counted by the next one, and none twice")
  func recovery() async throws {
    let folder = try TemporaryDirectory()
    var journals = SampleJournalFolder(path: folder.path, owner: "test")
    let walk = SyntheticWalk.brisk(seconds: 30)
    let samples = try walk.samples()
    let journal = try #require(journals.journal(of: "synthetic:"))
    let source = HistorySource(identity: "synthetic:", name: "a walk")
    journal.begin(source)
    journal.append(samples, shift: .seconds(960))
    let expected = try Self.reference(walk)
    // The twentieth step is the last stored one.
    journals.latestKept = .seconds(960) + expected[19].timestamp
    let runner = runner(Self.walk, journals: journals)
    let task = Task { await runner.run() }
    await clock.waitForSleepers()
    task.cancel()
    await task.value
    let times = expected.dropFirst(20).map { Duration.seconds(960) + $0.timestamp }
    #expect(log.steps.map(\.timestamp) == times)
    #expect(log.sources == [source])
  }
}
