import Accelerometry
import ChaseEngine
import Pedometers

/// The owner of one chase: advances its time and, if the walk is a recording, plays as much of it.
///
/// It runs on one thread, without a clock: the caller provides the elapsed time.
package final class ChaseOwner {
  package let model: AppModel
  package let source: ChaseSource
  let pace: ChaseSource.Pace
  /// The pace of the chase after the end of a recording that was played as it arrived.
  let paceBehindEnd: ChaseSource.Pace

  /// Why the walk cannot be played any further; `nil` if it can.
  package private(set) var failure: (any Error)?
  /// Whether there is work before the next frame.
  package private(set) var isBusy = false
  /// Whether the next samples have not been read yet.
  package private(set) var awaitsSamples = false
  private var isBehindEnd = false
  /// The part of the chase that is due and not played yet.
  private var owed = Duration.zero

  /// A recording is played in stretches of at most this length, so that little is wasted when a chase ends.
  private static let stretch = Duration.seconds(1)
  /// The number of stretches that are played before the caller can check its keys again.
  private static let stretches = 60

  /// Posted when the recording ends: the walker stands, and Nessie continues.
  static let recordingEnded = Alert(
    kind: Alert.Kind(rawValue: "recordingEnded"), text: "The recording ends here; the walker stands still.")

  /// Creates a chase that has not begun.
  /// - Parameters:
  ///   - pace: the pace of a recording; a live sensor is always in real time.
  ///   - wake: called on a sensor's thread when it has data.
  package init(
    source: ChaseSource, settings: ChaseSettings, pace: ChaseSource.Pace = .times(1),
    paceBehindEnd: ChaseSource.Pace = .times(1), wake: @escaping @Sendable () -> Void = {}
  ) {
    (self.source, self.pace, self.paceBehindEnd) = (source, pace, paceBehindEnd)
    // A recording's handlers are called while it is played, so no wake-up is needed.
    let isLive = source.playback == nil
    model = AppModel(
      pedometer: source.pedometer, settings: settings, updateTiming: isLive ? .arrival : .sensorClock,
      wake: isLive ? wake : nil)
  }

  /// Restarts the chase, and the recording if it can be played again. The goal is kept for another attempt.
  func restart() {
    let goal = model.dataModel.goal
    model.restart()
    model.alertCenter.clear(alert: Self.recordingEnded)
    failure = nil
    if source.isRepeatable {
      source.playback?.rewind()
      isBehindEnd = false
    }
    // A goal that was accepted once is accepted again.
    if let goal { try? model.dataModel.setGoal(goal) }
  }

  /// Advances the time: real time for viewers, at the chase's pace for the walk. Parts that cannot be played yet are
  /// played as soon as possible, so a walk that arrives irregularly does not fall behind.
  package func pass(_ time: Duration) {
    isBusy = false
    awaitsSamples = false
    guard let playback = source.playback, model.appState == .inProgress else {
      owed = .zero
      model.advance(to: model.now + time)
      return
    }
    owed += due(in: time)
    for _ in 0..<Self.stretches {
      let stretch = presentPace == .asItComes ? Self.stretch : min(owed, Self.stretch)
      guard model.appState == .inProgress, stretch > .zero else { return }
      let (played, stop) = playback.play(for: stretch)
      model.advance(to: model.now + played)
      owed = max(.zero, owed - played)
      if stop == .awaitsSamples {
        awaitsSamples = true
        return
      }
      heed(stop, of: playback)
    }
    isBusy = true
  }

  /// The end of a recording counts at its time, so the chase is advanced to it first.
  private func heed(_ stop: PlaybackPedometer.Stop, of playback: PlaybackPedometer) {
    switch stop {
    case .playedAll, .awaitsSamples: break
    case .ended:
      isBehindEnd = true
      if model.appState == .inProgress { model.alertCenter.postAlert(alert: Self.recordingEnded) }
    case .failed:
      failure = playback.failure
      playback.reportFailure()
      model.advance(to: model.now)
    }
  }

  package var presentPace: ChaseSource.Pace { isBehindEnd && pace == .asItComes ? paceBehindEnd : pace }

  /// The part of the chase that corresponds to a time.
  private func due(in time: Duration) -> Duration {
    switch presentPace {
    case .asItComes: .zero
    // A week is more than any call has to play; the product must not overflow.
    case .times(let factor): .nanoseconds(Int64(min(time.inSeconds * factor, 604_800) * 1e9))
    }
  }
}
