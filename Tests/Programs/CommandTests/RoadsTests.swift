import Accelerometry
import CPedometer
import Counting
import Dispatch
import LinuxSensors
import Pedometers
import Pedometry
import Recordings
import SourceNames
import StepDetection
import TestSupport
import Testing

@testable import LiveSources
@testable import PedometerABI
@testable import PedometerCommands
@testable import ServiceCore
@testable import Studies

/// What became of a recording on one road.
enum RoadOutcome: Equatable {
  /// The steps, and what to doubt about them; the damage behind which nothing could be read is among the doubts.
  case counted(Int, doubts: Set<String>)
  /// No number may be given.
  case refused(String)
}

/// Recordings made of half a minute of walking or standing, some of them spoiled.
struct SpoiledRecording: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]

  private typealias Row = (t: Double, x: Float, y: Float, z: Float)

  private static let header = "t,x,y,z\n"

  private static func text(_ row: Row) -> String { "\(row.t),\(row.x),\(row.y),\(row.z)\n" }

  /// Each base, and what is done to its rows.
  static let all: [SpoiledRecording] = {
    var all: [SpoiledRecording] = []
    for activity in [SyntheticWalk.Activity.walking, .standing] {
      let samples = (try? SyntheticWalk { ($0.activity, $0.duration) = (activity, .seconds(24)) }.samples()) ?? []
      let rows: [Row] = samples.map {
        (Double($0.nanoseconds) * 1e-9, $0.acceleration.x, $0.acceleration.y, $0.acceleration.z)
      }
      func add(_ name: String, header: String = header, _ lines: [String]) {
        all.append(.init(testDescription: "\(activity), \(name)", bytes: Array((header + lines.joined()).utf8)))
      }
      func changed(_ change: (Int, inout Row) -> Void) -> [String] {
        rows.enumerated().map { index, row in
          var row = row
          change(index, &row)
          return text(row)
        }
      }
      func replaced(every: Int, by line: (Row) -> String) -> [String] {
        rows.enumerated().map { $0 % every == 0 && $0 > 0 ? line($1) : text($1) }
      }
      add("sound", rows.map(text))
      add("every third row without values", replaced(every: 3) { "\($0.t),bad,,\n" })
      add("every twentieth row without values", replaced(every: 20) { "\($0.t),bad,,\n" })
      add("every seventh row not a number", replaced(every: 7) { "\($0.t),nan,nan,nan\n" })
      add("the last row torn", rows.dropLast().map(text) + ["23.98,0."])
      add("a gap of five seconds", changed { if $0 > 600 { $1.t += 5 } })
      add("a gap at every tenth row", changed { $1.t += Double($0 / 10) * 3 })
      add("nothing but zeros", changed { ($1.x, $1.y, $1.z) = (0, 0, 0) })
      add("an axis that is stuck", changed { $1.x = 0.5 })
      add(
        "three times gravity", header: "t,x [g],y [g],z [g]\n",
        changed { ($1.x, $1.y, $1.z) = (3 * $1.x, 3 * $1.y, 3 * $1.z) })
      add("two samples a second", stride(from: 0, to: rows.count, by: 25).map { text(rows[$0]) })
      add("ten samples a second", stride(from: 0, to: rows.count, by: 5).map { text(rows[$0]) })
      add("one value", changed { ($1.x, $1.y, $1.z) = (0.1, 0.2, 0.9) })
      add("the halves exchanged", rows[600...].map(text) + rows[..<600].map(text))
      add("milliseconds", changed { $1.t = ($1.t * 1000).rounded() })
      add("metres a second squared", changed { ($1.x, $1.y, $1.z) = (9.81 * $1.x, 9.81 * $1.y, 9.81 * $1.z) })
      add("every row twice", rows.flatMap { [text($0), text($0)] })
      add("spikes", changed { if $0 % 97 == 96 { $1.x = 900 } })
      add("half a second", rows.prefix(25).map(text))
      add("a header without rows", [])
      add(
        "zeros of a failed disk in the middle",
        rows[..<500].map(text) + [String(repeating: "\0", count: 3000)] + rows[500...].map(text))
      all.append(.init(testDescription: "\(activity), a cut archive", bytes: cut(samples)))
    }
    return all
  }()

  private static func cut(_ samples: [AccelerationSample]) -> [UInt8] {
    guard let folder = try? TemporaryDirectory(),
      let path = try? WrittenWalk.write(samples, to: folder, "walk.csv.gz"),
      let bytes = try? TemporaryDirectory.bytes(of: path)
    else { return [] }
    return Array(bytes.prefix(bytes.count * 7 / 10))
  }
}

/// A recording has one account, whoever asks for it.
@Suite("Every road to the steps of a recording", .timeLimit(.minutes(30)), .ownThreads)
struct RoadsTests {
  private static func options() -> CountingOptions {
    var options = CountingOptions(latency: StepDetector.longestRevision, slice: nil)
    options.explains = true
    return options
  }

  @Test("gives the same steps, doubts and refusal", arguments: SpoiledRecording.all)
  func roads(_ recording: SpoiledRecording) async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      recording.bytes, to: recording.bytes.starts(with: [0x1F, 0x8B]) ? "walk.csv.gz" : "walk.csv")
    let own = Self.library(path)
    let command = Self.translated(own, CommandTerms.translate)
    #expect(try Self.count(path, readsAhead: true) == command)
    #expect(try Self.count(path, readsAhead: false) == command)
    #expect(await Self.live(path, .unpaced) == command)
    #expect(await Self.live(path, .asItArrives) == command)
    #expect(Self.study(path) == own)
    #expect(try Self.c(path) == Self.translated(own, OptionTerms.translate))
    let failure = Self.failureOfChase(path)
    switch own {
    // The service tries a recording again that has delivered nothing.
    case .refused(let sentence): #expect(failure == sentence)
    case .counted(let steps, let doubts):
      #expect(failure.map { doubts.contains($0) } != false)
      #expect(await Self.service(path).steps == steps)
    }
  }

  private static func translated(_ outcome: RoadOutcome, _ translate: (String) -> String) -> RoadOutcome {
    switch outcome {
    case .counted(let steps, let doubts): .counted(steps, doubts: Set(doubts.map(translate)))
    case .refused(let sentence): .refused(translate(sentence))
    }
  }

  /// A program in Swift.
  private static func library(_ path: String) -> RoadOutcome {
    var counting = SampleCounting(options())
    do {
      let reader = try RecordingReader(path: path)
      var samples: [AccelerationSample] = []
      while try counting.read({ try reader.read(into: &samples) }) { counting.count(samples.span) }
      counting.finish()
      counting.take(reader.verdict)
    } catch { return .refused("\(error)") }
    let walk = counting.summary
    if let refusal = walk.refusal { return .refused("\(refusal)") }
    return .counted(
      walk.totals.steps, doubts: Set(walk.warnings).union(counting.damage.map { ["\($0)"] } ?? []))
  }

  private static func count(_ path: String, readsAhead: Bool) throws -> RoadOutcome {
    let plan = CountPlan(
      try .parse(["--format", "json"]), reading: RecordingOptions(), stepLength: .walkRatio(), recognition: .gate,
      names: [path])
    let result = try CountJob(name: path, uri: .file(path: path), plan: plan).run(readsAhead: readsAhead, nil) { _ in }
    if let walk = result.walk { return .counted(walk.totals.steps, doubts: Set(walk.warnings)) }
    #expect(result.failure?.status == .badData)
    return .refused(result.failure?.message ?? "")
  }

  private static func replay(_ path: String, _ pace: ReplayPace) -> RecordingReplay<ContinuousClock> {
    RecordingReplay(profile: SensorProfile(name: path, clock: .recording), pace: pace) {
      try RecordingReader(path: path)
    }
  }

  /// The events from which `live` prints.
  private static func live(_ path: String, _ pace: ReplayPace) async -> RoadOutcome {
    var (walk, told, damage) = (WalkSummary(), Set<String>(), String?.none)
    do {
      for try await event in replay(path, pace).walk.events(CountingOptions().correcting) {
        if case .warning(let sentence) = event { told.insert(sentence) }
        if case .ended(let summary) = event { walk = summary }
      }
    } catch { damage = SourceFailure(error).message }
    if damage != nil, walk.samples == 0 { return .refused(damage ?? "") }
    if damage == nil, let refusal = walk.refusal { return .refused(SourceFailure(refusal).message) }
    // What is doubted at the end has been told, unless it is counted: damage is told once, and its number at the end.
    #expect(told.count >= walk.warnings.count)
    return .counted(
      walk.totals.steps, doubts: Set(walk.warnings.map(CommandTerms.translate)).union(damage.map { [$0] } ?? []))
  }

  private static func study(_ path: String) -> RoadOutcome {
    do throws(SourceFailure) {
      let result = try StudyAnalysis(
        entry: StudyEntry(id: path, path: path), parameters: StudyParameters(), reading: RecordingOptions(),
        stepLength: .walkRatio()
      ).run()
      return .counted(result.steps, doubts: Set(result.warnings))
    } catch { return .refused(error.message) }
  }

  private static func c(_ path: String) throws -> RoadOutcome {
    do {
      let walk = PedometerABI.Walk(try unsafe Settings(nil))
      try unsafe path.withCString { try unsafe walk.count(path: $0) }
      let totals = try walk.totals()
      let doubts = (0..<totals.warnings).compactMap { unsafe text(walk.warnings[$0]) }
      return .counted(Int(totals.steps), doubts: Set(doubts))
    } catch let failure as PedometerABI.Failure {
      #expect(failure.code == Int32(PEDOMETER_BAD_DATA))
      return .refused(failure.text)
    }
  }

  /// Why a chase with it cannot go on; `nil` if it ends.
  private static func failureOfChase(_ path: String) -> String? {
    let news = DispatchSemaphore(value: 0)
    let pedometer = PlaybackPedometer(wake: { news.signal() }, makeReader: { try RecordingReader(path: path) })
    pedometer.start { _, _ in
    } eventUpdates: { _ in
    }
    while true {
      switch pedometer.play(for: .seconds(3600)).stop {
      case .awaitsSamples: news.wait()
      case .playedAll: continue
      case .ended: return nil
      case .failed: return pedometer.failure.map { "\($0)" }
      }
    }
  }

  /// A recording, as fast as it can be read.
  private struct Unpaced: SourceKind {
    func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
      guard case .file(let path)? = uri else { return nil }
      return SourceWay(.recording) { _ in
        SourceConnection(uri: .file(path: path), source: RoadsTests.replay(path, .unpaced))
      }
    }
  }

  private static func service(_ path: String) async -> SourceState {
    let account = SourceAccount(
      name: path, isOneOfSeveral: false, outlet: SourceOutlet())
    var access = Sources()
    access.kinds = [Unpaced()]
    await SourceRunner(
      uri: .file(path: path), access: access, stepLength: .walkRatio(), clock: .machine, account: account
    ).run()
    return account.state
  }
}
