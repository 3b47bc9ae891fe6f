import Accelerometry
import Foundation
import History
import LinuxSensors
import LiveSources
import Pedometry
import Presentation
import Synchronization

/// Where a source's news go.
struct SourceOutlet: Sendable {
  /// Steps for the history, and for a chase.
  var walked: @Sendable (_ steps: [CountedStep], _ source: HistorySource) -> Void
  /// One JSON line, without its end.
  var publish: @Sendable (String) -> Void
  /// Something happened to the source or to who wears it.
  var happened: @Sendable (LiveLine.Event, _ message: String, _ source: HistorySource?) -> Void = { _, _, _ in }
  /// Why a source does not count yet, with what would help: for the log, once for each reason.
  var hindered: @Sendable (String) -> Void = { _ in }
}

/// What is known about a source and told of it; written by its runner, read by everybody.
final class SourceAccount: Sendable {
  private struct Figures {
    var state: SourceState
    var source: HistorySource?
    var narrator = LiveNarrator()
    var latestProgress: Duration?
    var isReplay = false
  }

  /// The name under which it is counted.
  let name: String
  private let figures: Mutex<Figures>
  private let outlet: SourceOutlet
  /// Whether lines have to say which source they are about.
  private let isOneOfSeveral: Bool

  /// A source that nobody has looked for yet.
  init(name: String, isOneOfSeveral: Bool, outlet: SourceOutlet) {
    self.name = name
    self.outlet = outlet
    self.isOneOfSeveral = isOneOfSeveral
    figures = Mutex(Figures(state: SourceState(uri: name, name: nil, state: .waiting, steps: 0)))
  }

  /// How it is.
  var state: SourceState { figures.withLock { $0.state } }

  // MARK: what the runner says

  /// It is not there, or may not be read.
  func wait(because error: SensorError) {
    let isNew = figures.withLock { figures in
      defer { (figures.state.reason, figures.state.remedy) = (error.reason, error.remedy) }
      let isDenied = error.kind == .permission
      // A lost source stays lost until it is back.
      if figures.state.state != .lost || isDenied { figures.state.state = isDenied ? .denied : .waiting }
      return figures.state.reason != error.reason
    }
    if isNew { hinder("\(error)") }
  }

  /// The first samples came.
  func begin(_ feed: LiveFeed, at time: Duration) {
    let isBack = figures.withLock { figures in
      let isBack = figures.narrator.origin != nil
      if !isBack { figures.narrator.origin = time }
      figures.source = HistorySource(feed)
      figures.isReplay = !feed.uri.isSensor
      figures.latestProgress = time
      figures.state.state = .counting
      figures.state.name = feed.profile.name
      (figures.state.reason, figures.state.remedy) = (nil, nil)
      return isBack
    }
    if isBack {
      tell(.sourceBack, "\(feed.summary) is back")
    } else {
      tell(.started, "counting with \(feed.summary)" + (feed.remark.map { "; \($0)" } ?? ""))
    }
  }

  /// Steps and totals; times are the service's.
  func take(
    _ walked: [CountedStep], news: [(StepReport, Int)], walk: WalkSample, now: Duration, samplingFrequency: Double?
  ) {
    let (lines, source) = figures.withLock { figures in
      figures.latestProgress = now
      figures.state.steps = walk.steps
      figures.state.walk = walk
      figures.state.samplingFrequency = samplingFrequency
      return (figures.narrator.take(news, walk, now: now), figures.source)
    }
    if !walked.isEmpty, let source { outlet.walked(walked, source) }
    for line in lines {
      publish(line)
      if case .event(_, let event, let message) = line { outlet.happened(event, message, source) }
    }
  }

  /// Steps that were made before the service began, and were not kept.
  func restore(_ walked: [CountedStep], _ source: HistorySource) {
    if !walked.isEmpty { outlet.walked(walked, source) }
  }

  /// Steps that were counted elsewhere, walked some time ago; the history has them already.
  /// - Parameter reason: why it counts nothing now.
  func add(finished steps: Int, distance: Double, as source: HistorySource, because reason: String) {
    figures.withLock { figures in
      figures.source = source
      figures.state.name = source.name
      figures.state.reason = reason
      figures.state.steps += steps
      var walk = figures.state.walk ?? WalkSample(steps: 0, distanceTravelled: 0)
      walk.steps += steps
      walk.distanceTravelled += distance
      figures.state.walk = walk
    }
  }

  /// It gave out; whether it had begun decides what is told.
  func lose(because message: String, remedy: String? = nil, isDenied: Bool = false) {
    let (wasCounting, isNew) = figures.withLock { figures in
      defer {
        figures.state.state = isDenied ? .denied : .lost
        (figures.state.reason, figures.state.remedy) = (message, remedy)
      }
      return (figures.state.state == .counting, figures.state.reason != message)
    }
    if wasCounting {
      tell(.sourceLost, message)
    } else if isNew {
      hinder(message + (remedy.map { "; \($0)" } ?? ""))
    }
  }

  /// Many reasons name the source themselves.
  private func hinder(_ reason: String) {
    outlet.hindered(reason.contains(name) ? reason : "\(name): \(reason)")
  }

  /// Nothing more will be counted.
  func stop(because message: String) {
    let wasCounting = figures.withLock { figures in
      defer { (figures.state.state, figures.state.reason, figures.state.remedy) = (.lost, message, nil) }
      return figures.state.state == .counting
    }
    if wasCounting { tell(.stopped, message) }
  }

  /// Tells of something that happened.
  func tell(_ event: LiveLine.Event, _ message: String) {
    let (line, source) = figures.withLock { ($0.narrator.event(event, message), $0.source) }
    publish(line)
    outlet.happened(event, message, source)
  }

  private func publish(_ line: LiveLine) {
    outlet.publish(String(line.json(source: isOneOfSeveral ? name : nil).dropLast()))
  }

  // MARK: the watchdog

  /// A sensor that neither speaks nor fails for so long hangs: its reader gives up after ten seconds by itself.
  static let longestSilence = Duration.seconds(45)

  /// Whether its runner does what it should at a time of the service's. A recording may pause as long as it did.
  func isAlive(at now: Duration) -> Bool {
    figures.withLock { figures in
      guard figures.state.state == .counting, !figures.isReplay, let latest = figures.latestProgress else {
        return true
      }
      return now - latest <= Self.longestSilence
    }
  }
}

extension HistorySource {
  /// The sensor's stable identity, else the name of what is replayed.
  init(_ feed: LiveFeed) {
    self.init(identity: feed.identity.map { "\($0)" } ?? "\(feed.uri)", name: feed.profile.name)
  }
}
