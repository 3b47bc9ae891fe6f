import Accelerometry
import ChaseEngine
import Pedometers

/// The owner of one chase: lets its time pass and, where the walk is a recording, plays as much of it.
///
/// Everything here happens on one thread, and there is no clock: the caller says how much time has passed.
final class ChaseOwner {
  /// The chase.
  let model: AppModel
  /// Where its steps come from.
  let source: ChaseSource
  /// How fast a recording goes.
  let pace: ChaseSource.Pace
  /// How fast the chase goes on behind the end of a recording that was played as it came.
  let paceBehindEnd: ChaseSource.Pace

  /// Why the walk cannot be played on; `nil` while it can.
  private(set) var failure: (any Error)?
  /// Whether there is something to do before the next frame.
  private(set) var isBusy = false
  /// Whether what comes next is not read yet.
  private(set) var awaitsSamples = false
  private var isBehindEnd = false
  /// How much of the chase is due and not played yet.
  private var owed = Duration.zero

  /// A recording is played in stretches of at most this, so a chase that ends leaves little unused.
  private static let stretch = Duration.seconds(1)
  /// How many stretches are played before the caller may look after its keys again.
  private static let stretches = 60

  /// Posted when the recording ends: the walker walks no more, and Nessie goes on.
  static let recordingEnded = Alert(
    kind: Alert.Kind(rawValue: "recordingEnded"), text: "The recording ends here; the walker stands still.")

  /// Makes a chase that has not begun.
  /// - Parameters:
  ///   - pace: of a recording; a live sensor knows no other than its own.
  ///   - wake: called on a sensor's thread when it has news.
  init(
    source: ChaseSource, settings: ChaseSettings, pace: ChaseSource.Pace = .times(1),
    paceBehindEnd: ChaseSource.Pace = .times(1), wake: @escaping @Sendable () -> Void = {}
  ) {
    self.source = source
    self.pace = pace
    self.paceBehindEnd = paceBehindEnd
    // A recording's handlers are called while it is played: nobody has to be woken.
    let isLive = source.playback == nil
    model = AppModel(
      pedometer: source.pedometer, settings: settings, sampleTiming: isLive ? .arrival : .sensorClock,
      wake: isLive ? wake : nil)
  }

  /// Back to the beginning, and with it the recording, if it can be played again. The goal stays, for whoever tries again
  /// means the same one.
  func restart() {
    let goal = model.dataModel.goal
    model.restart()
    model.alertCenter.clear(alert: Self.recordingEnded)
    failure = nil
    if source.isRepeatable {
      source.playback?.rewind()
      isBehindEnd = false
    }
    // A goal that was taken once is taken again.
    if let goal { try? model.dataModel.setGoal(goal) }
  }

  /// Lets time pass: so much for whoever watches, at the chase's pace for the walk. What cannot be played yet is played
  /// as soon as it can, so a walk that arrives in fits and starts does not fall behind.
  func pass(_ time: Duration) {
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

  /// The recording's end counts at its time, so the chase has been brought there before.
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

  /// The pace at this point.
  var presentPace: ChaseSource.Pace { isBehindEnd && pace == .asItComes ? paceBehindEnd : pace }

  /// How much of the chase so much time is.
  private func due(in time: Duration) -> Duration {
    switch presentPace {
    case .asItComes: .zero
    // A week is more than any one call has to play; the product must not overflow.
    case .times(let factor): .nanoseconds(Int64(min(time.inSeconds * factor, 604_800) * 1e9))
    }
  }
}
