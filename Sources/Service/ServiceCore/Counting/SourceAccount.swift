import Accelerometry
import Counting
import Foundation
import History
import LinuxSensors
import LiveSources
import Pedometry
import Presentation
import StepDetection
import Synchronization

/// The destinations of a source's steps and events; each is nowhere until it is set.
package struct SourceOutlet: Sendable {
  /// Steps for the history and for a chase.
  package var walked: @Sendable (_ steps: [Step], _ source: HistorySource) -> Void = { _, _ in }
  /// Floors for the history, after the steps on which they were climbed.
  var climbed: @Sendable (_ floors: [CountedFloors], _ source: HistorySource) -> Void = { _, _ in }
  /// Movement that was not counted, on the service's clock.
  var doubted: @Sendable (_ stretch: UncountedStretch, _ source: HistorySource) -> Void = { _, _ in }
  /// Publishes a JSON line without its line break; `nil` if there is no reader.
  package var publish: (@Sendable (String) -> Void)?
  /// An event of the source or of the walker.
  package var happened: @Sendable (LiveLine.Event, _ message: String) -> Void = { _, _ in }
  /// Logs why a source does not count yet, with a remedy, once for each reason.
  var hindered: @Sendable (String) -> Void = { _ in }

  package init() {}
}

/// The state and the totals of a source; written by its runner, read by everyone.
package final class SourceAccount: Sendable {
  private struct Figures {
    var state: SourceState
    var source: HistorySource?
    var narrator = LiveNarrator()
    var latestProgress: Duration?
    var isReplay = false
  }

  package let name: String
  private let figures: Mutex<Figures>
  private let trace = Mutex(MagnitudeTrace())
  private let outlet: SourceOutlet
  /// Whether lines must contain the source's name.
  private let isOneOfSeveral: Bool

  /// Creates an account for a source that has not been searched for yet.
  package init(name: String, isOneOfSeveral: Bool, outlet: SourceOutlet) {
    (self.name, self.outlet, self.isOneOfSeveral) = (name, outlet, isOneOfSeveral)
    figures = Mutex(Figures(state: SourceState(uri: name, name: nil, state: .waiting, steps: 0)))
  }

  package var state: SourceState { figures.withLock { $0.state } }

  // MARK: Updates by the runner

  /// The source is missing, or cannot be read.
  func wait(because error: SensorError) {
    let isNew = figures.withLock { figures in
      defer { (figures.state.reason, figures.state.remedy) = (error.reason, CommandTerms.translate(error.remedy)) }
      let isDenied = error.kind == .permission
      // A lost source stays lost until it is back.
      if figures.state.state != .lost || isDenied { figures.state.state = isDenied ? .denied : .waiting }
      return figures.state.reason != error.reason
    }
    if isNew { hinder(CommandTerms.translate("\(error)")) }
  }

  func begin(_ source: SourceConnection, at time: Duration) {
    let isBack = figures.withLock { figures in
      let isBack = figures.narrator.origin != nil
      if !isBack { figures.narrator.origin = time }
      figures.source = HistorySource(source)
      figures.isReplay = !source.uri.isSensor
      figures.latestProgress = time
      figures.state.state = .counting
      figures.state.name = source.profile.name
      (figures.state.reason, figures.state.remedy) = (nil, nil)
      return isBack
    }
    if isBack {
      tell(.sourceBack, "\(source.summary) is back")
    } else {
      tell(.started, "counting with \(source.summary)" + (source.remark.map { "; \($0)" } ?? ""))
    }
  }

  /// Keeps samples for a picture.
  /// - Parameter shift: what the service's clock is ahead of the samples'.
  func sense(_ samples: [AccelerationSample], shift: Duration) { trace.withLock { $0.take(samples, shift: shift) } }

  /// The latest samples, for a picture.
  package var signal: SourceSignal {
    let trace = trace.withLock { $0 }
    return SourceSignal(source: name, end: trace.end, interval: trace.interval, values: trace.values)
  }

  /// Adds steps and floors to the totals since the service started, across any number of losses.
  /// - Parameters:
  ///   - progress: on the source's clock, with the totals since it was opened last.
  ///   - walked: its steps in the service's time.
  ///   - climbed: its floors in the service's time.
  ///   - shift: how far the service's clock is ahead of the source's.
  func take(_ progress: WalkProgress, walked: [Step], climbed: [CountedFloors], shift: Duration) {
    let (lines, source) = figures.withLock { figures in
      let now = progress.now + shift
      figures.latestProgress = now
      let steps = progress.stepLines(after: figures.state.steps, shift: shift)
      var walk = progress.totals
      let former = figures.state.walk ?? WalkTotals()
      walk.steps = former.steps + walked.count
      walk.distanceTravelled = walked.reduce(former.distanceTravelled) { $0 + $1.length }
      (walk.floorsAscended, walk.floorsDescended) = (former.floorsAscended, former.floorsDescended)
      if let floors = progress.climbed {
        walk.floorsAscended = (former.floorsAscended ?? 0) + floors.up
        walk.floorsDescended = (former.floorsDescended ?? 0) + floors.down
      }
      (figures.state.walk, figures.state.steps) = (walk, walk.steps)
      figures.state.samplingFrequency = progress.samplingFrequency
      if figures.state.state == .counting { figures.state.reason = progress.obstacle.map(CommandTerms.translate) }
      return (figures.narrator.take(steps, walk, now: now), figures.source)
    }
    if !walked.isEmpty, let source { outlet.walked(walked, source) }
    if !climbed.isEmpty, let source { outlet.climbed(climbed, source) }
    for line in lines {
      publish(line)
      if case .event(_, let event, let message) = line { outlet.happened(event, message) }
    }
  }

  /// Movement that repeats as walking does and was not counted, in the service's time.
  func doubt(_ stretch: UncountedStretch) {
    if let source = figures.withLock({ $0.source }) { outlet.doubted(stretch, source) }
  }

  /// Adds steps that were taken before the service started and not stored.
  func restore(_ walked: [Step], _ source: HistorySource) { if !walked.isEmpty { outlet.walked(walked, source) } }

  /// Adds steps that were counted elsewhere and are already in the history.
  /// - Parameter reason: why it is not counting now.
  func add(finished steps: Int, distance: Double, as source: HistorySource, because reason: String) {
    figures.withLock { figures in
      figures.source = source
      figures.state.name = source.name
      figures.state.reason = reason
      figures.state.steps += steps
      var walk = figures.state.walk ?? WalkTotals()
      walk.steps += steps
      walk.distanceTravelled += distance
      figures.state.walk = walk
    }
  }

  /// The source failed. The event depends on whether it had started.
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

  /// Many messages already contain the source's name.
  private func hinder(_ reason: String) { outlet.hindered(reason.contains(name) ? reason : "\(name): \(reason)") }

  /// Counting has ended.
  /// - Parameter state: whether that is the end of a recording, or a failure.
  func stop(because message: String, _ state: SourceState.State) {
    let wasCounting = figures.withLock { figures in
      defer { (figures.state.state, figures.state.reason, figures.state.remedy) = (state, message, nil) }
      return figures.state.state == .counting
    }
    if wasCounting { tell(.stopped, message) }
  }

  func tell(_ event: LiveLine.Event, _ message: String) {
    publish(figures.withLock { $0.narrator.event(event, message) })
    outlet.happened(event, message)
  }

  private func publish(_ line: LiveLine) {
    outlet.publish?(line.members(source: isOneOfSeveral ? name : nil).object)
  }

  // MARK: Watchdog

  /// The time without data or errors after which a sensor is considered hung: its reader reports silence after ten seconds.
  static let longestSilence = Duration.seconds(45)

  /// Whether the runner makes progress, at a time of the service. A recording may contain pauses.
  package func isAlive(at now: Duration) -> Bool {
    figures.withLock { figures in
      guard figures.state.state == .counting, !figures.isReplay, let latest = figures.latestProgress else {
        return true
      }
      return now - latest <= Self.longestSilence
    }
  }
}

extension HistorySource {
  /// The sensor's stable identity, or the name of the recording.
  init(_ source: SourceConnection) {
    self.init(identity: source.identity.map { "\($0)" } ?? "\(source.uri)", name: source.profile.name)
  }
}
