import Accelerometry
import Counting
import LinuxSensors
import SourceNames
import TestSupport
import Testing

@testable import LiveSources

@Suite("A phone with phyphox", .timeLimit(.minutes(30)), .ownThreads)
struct PhyphoxTests {
  private let phone = PhyphoxPhone()

  private func experiment(_ server: FakeService, _ change: (inout Sources) -> Void = { _ in }) throws
    -> PhyphoxExperiment
  {
    var sources = Sources()
    change(&sources)
    guard case .phyphox(let address) = try SourceURI(parsing: "phyphox:" + server.url) else { throw Broken() }
    let phone = phone
    sources.sleep = sleep
    return PhyphoxExperiment(
      address, for: sources, transport: PhyphoxPhone.Network(phone), now: { phone.now })
  }

  private struct Broken: Error {}

  /// Time passes on the phone.
  private var sleep: @Sendable (Duration) async throws -> Void {
    { [phone] duration in
      try Task.checkCancellation()
      phone.pass(Double(duration.wholeNanoseconds) / 1e9)
    }
  }

  @Test("samples whose times differ by less than a nanosecond, or are no times, are left out")
  func times() throws {
    let names = PhyphoxBuffers(time: "t", axes: ["x", "y", "z"], isLinear: false)
    let times = [-1e300, 0.1, 0.2, 0.2 + 1e-13, 0.3, 1e300]
    let axis = times.map { _ in 1.0 as Double? }
    let buffer = ["t": times.map(Optional.some), "x": axis, "y": axis, "z": axis].mapValues {
      PhyphoxAnswer.Column(buffer: $0)
    }
    for after in [-1e300, 0] {
      let (samples, latest) = try PhyphoxAnswer(buffer: buffer).samples(of: names, after: after, unit: .g, name: "p")
      #expect(samples.map(\.nanoseconds) == [100_000_000, 200_000_000, 300_000_000] && latest == 0.3)
    }
  }

  /// What was read up to the first error, or over all losses up to a silence at the end.
  private struct Reading {
    var batches = BoardReaderTests.Reading()
    var events: [String] = []
    var steps: Int { batches.steps }
    var gaps: [SampleBatch.Gap] { batches.batches.compactMap(\.gap) }
  }

  private func read(_ experiment: PhyphoxExperiment) async -> Reading {
    var reading = Reading()
    do {
      for try await batch in experiment.batches { reading.batches.batches.append(batch) }
    } catch { reading.batches.error = error }
    return reading
  }

  private func follow(_ experiment: PhyphoxExperiment, losses: Int) async throws -> Reading {
    var reading = Reading()
    var sources = Sources()
    sources.sleep = sleep
    let source = try #require(try await sources.open(PhyphoxSource.way(to: experiment), for: .live))
    var latest = Int64.min
    for try await event in source.elements {
      switch event {
      case .lost(let error): reading.events.append("lost: \(error)")
      case .refused(let error): reading.events.append("refused: \(error)")
      case .back: reading.events.append("back")
      case .element(.steps): throw Broken()
      case .element(.samples(let batch)):
        reading.batches.batches.append(batch)
        for sample in batch.samples {
          #expect(sample.nanoseconds > latest)
          latest = sample.nanoseconds
        }
      }
      if reading.events.count(where: { $0.hasPrefix("lost") }) > losses { break }
    }
    return reading
  }

  private func isRight(_ reading: Reading) -> Bool { (105...109).contains(reading.steps) }

  @Test("counts 105 to 109 of 107 steps; what it asks for is what came since")
  func counts() async throws {
    let server = try phone.server()
    let reading = await read(try experiment(server))
    #expect(isRight(reading), "\(reading.steps) \(String(describing: reading.batches.error))")
    #expect(reading.gaps.isEmpty && reading.batches.warnings.isEmpty)
    #expect(reading.batches.samples.count >= PrintedWalk.walk.count - 30)
    let queries = phone.requests.filter { $0.hasPrefix("/get?acc_time=") }
    #expect(queries.allSatisfy { $0.contains("&accX=") && $0.contains("%7Cacc_time") })
    #expect(Set(queries).count > 60)
  }

  @Test("what it measured before it was asked is not counted")
  func latecomer() async throws {
    let server = try phone.server()
    for _ in 0..<30 { phone.pass(1) }
    let reading = await read(try experiment(server))
    #expect(reading.steps > 35 && reading.steps < 65, "\(reading.steps)")
  }

  @Test("a loss of the network costs no step: the phone keeps what it measured")
  func cut() async throws {
    let server = try phone.server()
    phone.at(50) { $0.set(isCut: true) }
    // Some 15 s later, after attempts with back-off.
    phone.at(56) { $0.set(isCut: false) }
    let reading = try await follow(try experiment(server), losses: 1)
    #expect(isRight(reading), "\(reading.steps) \(reading.events)")
    #expect(reading.events.first?.contains("Allow remote access") == true && reading.events.contains("back"))
    #expect(reading.gaps.isEmpty)
  }

  @Test("a pause is a gap, and says that the play button continues")
  func pause() async throws {
    let server = try phone.server()
    phone.at(60) { $0.set(isMeasuring: false) }
    phone.at(110) { $0.set(isMeasuring: true) }
    let reading = try await follow(try experiment(server), losses: 1)
    #expect((103...111).contains(reading.steps), "\(reading.steps) \(reading.events)")
    #expect(reading.events.first?.contains("press its play button") == true && reading.gaps.count == 1)
  }

  @Test("an experiment that is started anew goes on from its beginning", arguments: [nil, "77aa01"])
  func restart(session: String?) async throws {
    let server = try phone.server()
    phone.at(80) { $0.restart(session: session) }
    let reading = await read(try experiment(server))
    #expect((103...109).contains(reading.steps), "\(reading.steps)")
  }

  @Test("answers that take seconds cost nothing but delay")
  func slow() async throws {
    let server = try phone.server()
    phone.at(3) { $0.set(delay: 2.5) }
    let reading = await read(try experiment(server))
    #expect((103...109).contains(reading.steps), "\(reading.steps)")
    #expect(reading.gaps.isEmpty)
  }

  @Test("without gravity it is counted with a warning")
  func linear() async throws {
    let server = try phone.server()
    phone.set(source: "linear_acceleration")
    let reading = await read(try experiment(server))
    #expect(
      reading.batches.warnings.contains { $0.contains("without gravity") && $0.contains("Acceleration (with g)") })
  }

  @Test(
    "what is not phyphox, or has no accelerometer, is refused with what to do",
    arguments: [
      (PhyphoxPhone.Mood.isNotPhyphox, "answers 404 to /config", LiveSources.ExitStatus.protocol),
      (.talksNonsense, "which phyphox would not", .protocol),
      (.hasOtherExperiment, "'Magnetometer' has no accelerometer", .noSensor),
    ])
  func refused(mood: PhyphoxPhone.Mood, words: String, status: LiveSources.ExitStatus) async throws {
    let server = try phone.server()
    phone.set(mood: mood)
    let reading = await read(try experiment(server))
    let error = reading.batches.error as? SensorError
    #expect(
      error.map { "\($0)" }?.contains(words) == true && error?.exitStatus == status, "\(String(describing: error))")
  }

  @Test("nonsense in the middle is tried again")
  func relapse() async throws {
    let server = try phone.server()
    phone.at(40) { $0.set(mood: .talksNonsense) }
    phone.at(44) { $0.set(mood: .well) }
    let reading = try await follow(try experiment(server), losses: 1)
    #expect(isRight(reading), "\(reading.steps) \(reading.events)")
  }

  @Test("the command ends with the exit code of the refusal, and says what to do")
  func command() throws {
    let server = try phone.server()
    phone.set(mood: .isNotPhyphox)
    let other = try Executable.built("pedometer").run(["live", "phyphox:" + server.url])
    #expect(other.ending == .exit(76) && other.errors.contains("is not phyphox"), "\(other)")
    let closed = try LoopbackServer { _ in }
    closed.close()
    let refused = try Executable.built("pedometer").run(["record", "phyphox:127.0.0.1:\(closed.port)", "-o", "-"])
    #expect(refused.ending == .exit(69) && refused.errors.contains("Allow remote access"), "\(refused)")
  }
}
