import Accelerometry
import ChaseEngine
import Dispatch
import Pedometers
import Pedometry
import Recordings
import SourceNames
import TestSupport
import Testing

@testable import ChaseTerminal
@testable import PedometerCommands

/// The owner of a chase: combines recordings and time.
@Suite("ChaseOwner", .timeLimit(.minutes(30)))
struct ChaseOwnerTests {
  private let news = DispatchSemaphore(value: 0)
  private let samples: [AccelerationSample]

  init() throws {
    samples = try SyntheticWalk {
      $0.cadence = 118
      $0.duration = .seconds(40)
    }.samples()
  }

  private struct Broken: Error, CustomStringConvertible {
    let description = "the file is gone"
  }

  private func source(failure: (any Error & Sendable)? = nil, isRepeatable: Bool = true) -> ChaseSource {
    let (samples, news) = (samples, news)
    let playback = PlaybackPedometer(
      wake: { news.signal() }, makeReader: { ScriptedReader(samples, failure: failure) })
    return ChaseSource(name: "scripted", pedometer: playback, playback: playback, isRepeatable: isRepeatable)
  }

  /// Advances the time piece by piece, and waits for the reading thread if necessary.
  private func pass(_ owner: ChaseOwner, _ pieces: some Sequence<Duration>) {
    for piece in pieces {
      owner.pass(piece)
      while owner.awaitsSamples || owner.isBusy {
        if owner.awaitsSamples { news.wait() }
        owner.pass(.zero)
      }
    }
  }

  private func chase(
    goal: Int = 60, _ source: ChaseSource, pace: ChaseSource.Pace = .times(1)
  ) throws -> (owner: ChaseOwner, lines: () -> String) {
    let owner = ChaseOwner(source: source, settings: .walking, pace: pace, paceBehindEnd: .asItComes)
    let log = Log()
    log.reporter = ChaseReporter(model: owner.model) { [unowned owner] event in
      log.text += ChaseLines(format: .json).line(event, frame: ChaseFrame(of: owner.model))
    }
    try owner.model.dataModel.setGoal(goal)
    log.text = ""
    while source.playback?.isReady == false { news.wait() }
    return (owner, { log.text })
  }

  private final class Log {
    var text = ""
    var reporter: ChaseReporter?
  }

  @Test("neither frame rate nor speed change the chase, nor does playing samples as they arrive")
  func rhythm() throws {
    func lines(_ pace: ChaseSource.Pace, _ pieces: [Duration]) throws -> String {
      let (owner, lines) = try chase(source(), pace: pace)
      try owner.model.start()
      pass(owner, pieces)
      #expect(owner.model.appState == .completed)
      return lines()
    }
    let whole = try lines(.times(1), [.seconds(100)])
    #expect(whole.split(separator: "\n").count > 50)
    #expect(try lines(.times(1), Array(repeating: .milliseconds(37), count: 1400)) == whole)
    #expect(try lines(.times(33.3), Array(repeating: .milliseconds(100), count: 20)) == whole)
    #expect(try lines(.asItComes, [.zero]) == whole)
  }

  @Test("the end of the recording is reported at its time, whatever the frame; then Nessie arrives")
  func end() throws {
    for pieces in [[Duration.seconds(200)], Array(repeating: .milliseconds(300), count: 600)] {
      let (owner, lines) = try chase(goal: 1000, source())
      try owner.model.start()
      pass(owner, pieces)
      #expect(owner.model.appState == .caught)
      #expect(lines().contains("{\"type\":\"alert\",\"t\":39.98,\"alert\":\"recordingEnded\",\"severity\":\"bad\""))
    }
  }

  @Test("a truncated recording pauses the chase at its time, with the reason")
  func failure() throws {
    for pieces in [[Duration.seconds(90)], Array(repeating: .milliseconds(900), count: 100)] {
      let (owner, lines) = try chase(goal: 1000, source(failure: Broken()))
      try owner.model.start()
      pass(owner, pieces)
      #expect(owner.model.appState == .paused)
      #expect(owner.failure is Broken)
      #expect(owner.model.alertCenter.topAlert.map { _ in owner.model.dataModel.nessie.isSleeping } == true)
      #expect(lines().hasSuffix("\"t\":39.98,\"state\":\"paused\"}\n"))
      #expect(lines().contains("\"alert\":\"dataAlert\""))
    }
  }

  @Test("a pause holds up the recording; a restart plays it from its beginning, for the same goal")
  func restart() throws {
    let (owner, _) = try chase(goal: 1000, source())
    try owner.model.start()
    pass(owner, [.seconds(20)])
    let steps = owner.model.dataModel.steps
    #expect(steps > 20)
    try owner.model.pause()
    pass(owner, [.seconds(500)])
    #expect(owner.model.dataModel.steps == steps)
    owner.restart()
    #expect(owner.model.appState == .notStarted)
    #expect(owner.model.dataModel.goal == 1000)
    try owner.model.start()
    pass(owner, [.seconds(20)])
    #expect(owner.model.dataModel.steps == steps)
    // Data from a pipe cannot be read again.
    let (stream, _) = try chase(goal: 1000, source(isRepeatable: false))
    try stream.model.start()
    pass(stream, [.seconds(30)])
    stream.restart()
    try stream.model.start()
    pass(stream, [.seconds(30)])
    #expect(stream.model.alertCenter.topAlert != nil)
    #expect(stream.model.dataModel.steps < 25)
  }

  @Test("a synthetic walk without a duration or a number of steps goes on for years")
  func endless() throws {
    func walk(_ text: String) throws -> SyntheticWalk {
      guard case .synthetic(let settings) = try SourceURI(parsing: "synthetic:" + text) else { throw Broken() }
      return try SyntheticWalk(endless: settings)
    }
    #expect(try walk("cadence=100").duration >= .seconds(86_400 * 365))
    #expect(try walk("cadence=100,duration=7").duration == .seconds(7))
    #expect(try walk("steps=7").stepCount == 7)
    #expect(throws: SyntheticWalkError.self) { try walk("cadence=nought") }
  }
}
