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
    let pedometer = source.pedometer
    AppModel.pedometerFactory = { pedometer }
    // A recording's handlers are called while it is played: nobody has to be woken.
    model =
      source.playback == nil
      ? AppModel(settings: settings, sampleTiming: .arrival, wake: wake) : AppModel(settings: settings)
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

  /// Lets time pass: so much for whoever watches, at the chase's pace for the walk.
  func pass(_ time: Duration) {
    isBusy = false
    awaitsSamples = false
    guard let playback = source.playback, model.appState == .inProgress else {
      model.advance(to: model.now + time)
      return
    }
    var rest = due(in: time)
    for _ in 0..<Self.stretches {
      guard model.appState == .inProgress, rest ?? Self.stretch > .zero else { return }
      let (played, stop) = playback.play(for: min(rest ?? Self.stretch, Self.stretch))
      model.advance(to: model.now + played)
      rest = rest.map { $0 - played }
      switch stop {
      case .playedAll: break
      case .awaitsSamples:
        awaitsSamples = true
        return
      case .ended:
        isBehindEnd = true
        if model.appState == .inProgress { model.alertCenter.postAlert(alert: Self.recordingEnded) }
        if pace == .asItComes { rest = due(in: .zero) }
      case .failed:
        failure = playback.failure
        playback.reportFailure()
        model.advance(to: model.now)
      }
    }
    isBusy = true
  }

  /// The pace at this point.
  var presentPace: ChaseSource.Pace { isBehindEnd && pace == .asItComes ? paceBehindEnd : pace }

  /// How much of the chase so much time is; `nil`: as much as there is.
  private func due(in time: Duration) -> Duration? {
    switch presentPace {
    case .asItComes: nil
    // A week is more than any one call has to play; the product must not overflow.
    case .times(let factor): .nanoseconds(Int64(min(time.inSeconds * factor, 604_800) * 1e9))
    }
  }
}
