import Counting
import JSONLines
import LinuxSensors
import LiveSources
import Pedometry
import Platform
import Presentation
import SourceNames
import StepDetection
import Terminals

struct LiveRun: Sendable {
  let uri: SourceURI?
  let sources: Sources
  let stepLength: StepLengthModel
  let limit: LiveDuration
  let isProvisional: Bool
  let recognition: WalkRecognition
  let isWalkTest: Bool
  let reporter: LiveReporter
  let stop: LiveTask.Stop

  /// Without a sensor one can still try it.
  static let trial = "; to try it without one: pedometer live synthetic:"

  /// Why it ended, and the count.
  private struct Outcome {
    var walk = WalkSummary()
    var reason = "the source ended"
    var failure: SourceFailure?
    var test: WalkTestResult?
    var told: Set<String> = []
  }

  /// Counts until the source ends, the time is over, or the user stops it.
  /// - Returns: the exit code of an error.
  func run() async -> ExitStatus? {
    do {
      // Print nothing before the counting process is known: it may be another executable.
      let found = try await limit.open(uri, from: sources, stop)
      try reporter.begin()
      guard var source = found, let opened = source.connection else {
        var walk = WalkSummary()
        walk.source = uri.map { "\($0)" } ?? "no sensor"
        try reporter.finish(walk)
        return nil
      }
      limit.limit(stop, isChip: opened.countsItself)
      if opened.countsItself, recognition != .gate, !isWalkTest {
        reporter.complain("\(opened.title) counts its steps itself, so --walking and --profile change nothing")
      }
      source.elements.duration = limit.duration
      source.elements.atEnd = { stop.note(LiveDuration.reason) }
      var outcome = try await count(source)
      outcome.reason = stop.reason ?? outcome.reason
      return try finish(outcome, opened)
    } catch is StandardOutput.Closed {
      return nil
    } catch {
      let failure = SourceFailure(error)
      reporter.complain(failure.message + (uri == nil && failure.status == .noSensor ? Self.trial : ""))
      return failure.status
    }
  }

  private func finish(_ outcome: Outcome, _ source: SourceConnection) throws -> ExitStatus? {
    var report = outcome.walk
    report.source = "\(source.uri)"
    let refusal = outcome.walk.refusal.map { SourceFailure($0) }
    guard let failure = outcome.failure ?? refusal ?? silence(of: source) else {
      if reporter.hasStarted { try reporter.tell(.stopped, outcome.reason) }
      try reporter.finish(report, outcome.test)
      return nil
    }
    if reporter.hasStarted {
      // A doubt that is the reason for the end is said once.
      let isTold = outcome.told.contains { failure.message.hasSuffix($0) }
      try? reporter.tell(.stopped, isTold && reporter.saysEventsToPeople ? outcome.reason : failure.message)
      try reporter.finish(report, outcome.test)
    }
    if !reporter.hasStarted || !reporter.saysEventsToPeople { reporter.complain(failure.message) }
    return failure.status
  }

  /// The failure of a sensor that sent nothing until the time was up. A step counter is silent without steps.
  private func silence(of source: SourceConnection) -> SourceFailure? {
    guard !reporter.hasStarted, source.uri.isSensor, !source.countsItself, stop.reason == LiveDuration.reason
    else { return nil }
    return SourceFailure(
      message: "\(source.uri) sent no samples within --duration; check that it is sending, or give a longer time",
      status: .protocol)
  }

  private var options: CountingOptions {
    var options = CountingOptions(stepLength: stepLength).correcting
    options.announcesSteps = isProvisional
    options.recognition = recognition
    options.stated = sources.reading.samplingFrequency
    return options
  }

  private func count(_ source: OpenSource) async throws -> Outcome {
    var outcome = Outcome()
    var told = 0
    var test = isWalkTest ? WalkTest(stepLength: stepLength.measured) : nil
    // Each reason why it is not back is reported once.
    var refusal: String?
    do {
      for try await event in source.events(options) {
        switch event {
        case .began(let time):
          SensorSessions.giveBackCode()
          let opened = source.connection
          try reporter.start(at: time, "counting with \(opened?.summary ?? "")", remark: opened?.remark)
          if test != nil { try reporter.call(WalkTest.invitation) }
        case .progress(let progress):
          if let sentence = progress.correctionSentence { try reporter.tell(.corrected, sentence) }
          for words in test?.take(progress) ?? [] { try reporter.call(words) }
          try reporter.take(
            progress.stepLines(after: told), progress.totals, now: progress.now,
            source: source.connection?.title ?? "", frequency: progress.samplingFrequency, test: test?.standing)
          told = progress.totals.steps
          if test?.isOver == true { stop(because: WalkTest.reason) }
        case .gap(let gap):
          test?.interrupt()
          try reporter.tell(.gap, gap.sentence)
        case .warning(let sentence):
          let sentence = CommandTerms.translate(sentence)
          outcome.told.insert(sentence)
          try reporter.tell(.warning, sentence)
        case .lost(let error):
          test?.interrupt()
          try reporter.tell(.sourceLost, SourceFailure.loss(error))
        case .refused(let error):
          if refusal != "\(error)" { reporter.complain("not back yet: \(error)") }
          refusal = "\(error)"
        case .back(let name):
          refusal = nil
          SensorSessions.giveBackCode()
          try reporter.tell(.sourceBack, "\(name) is back")
        case .ended(let walk):
          outcome.walk = walk
          outcome.walk.warnings = walk.warnings.map(CommandTerms.translate)
        case .samples(let samples):
          test?.take(samples)
          try reporter.watch(samples)
        }
      }
    } catch let error where !(error is StandardOutput.Closed || error is OutputFailure) {
      outcome.failure = SourceFailure(error)
    }
    outcome.test = test?.result()
    return outcome
  }
}
