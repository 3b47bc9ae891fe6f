import Pedometry

/// When a sample counts.
public enum SampleTiming: Sendable, Hashable {
  /// When the sensor says it was, if it says so (`WalkSample.elapsed` above zero): for replays, made-up walks and
  /// tests, where the same walk has to give the same chase.
  case sensorClock
  /// When the owner took it in: for a live sensor, whose clock may go wrong against the owner's.
  case arrival
}

/// One session of a pedometer, from its start to its pause. Samples are totals of the session; this finds out by how
/// much they grew.
struct PedometerSession {
  /// Which session it is; samples of others are ignored.
  let number: Int
  /// When it began, by the owner's time.
  let beginning: Duration

  private var steps = 0
  private var distance = 0.0

  init(number: Int, beginning: Duration) {
    self.number = number
    self.beginning = beginning
  }

  /// By how much a sample exceeds the largest totals so far. A sample below them, which the protocol rules out, adds
  /// nothing, and neither does its return to where it was.
  mutating func growth(to data: any PedometerData) -> (steps: Int, distance: Double) {
    let before = (steps: steps, distance: distance)
    steps = max(steps, data.steps)
    if data.distanceTravelled.isFinite { distance = max(distance, data.distanceTravelled) }
    return (steps - before.steps, distance - before.distance)
  }

  /// When a sample was measured, by the owner's time; `nil` if it does not say.
  func time(of data: any PedometerData) -> Duration? {
    guard let sample = data as? WalkSample, sample.elapsed > .zero else { return nil }
    return beginning + sample.elapsed
  }
}

/// What a pedometer has said and what is not due yet, in the order of time.
struct PendingInputs {
  private var inputs: [(time: Duration, content: PedometerMailbox.Content)] = []
  /// Where the next one is. What was taken lies before it, and is dropped once it is the larger part.
  private var head = 0

  /// How many places are kept, taken ones among them.
  var capacity: Int { inputs.count }

  /// When the next one is due.
  var nextTime: Duration? { head < inputs.count ? inputs[head].time : nil }

  /// Appends what is due at a time, but not before anything delivered earlier: handlers are called in order.
  mutating func append(_ content: PedometerMailbox.Content, at time: Duration) {
    inputs.append((max(time, inputs.last?.time ?? time), content))
  }

  /// Takes the next one if it is due.
  mutating func next(until time: Duration) -> PedometerMailbox.Content? {
    guard let due = nextTime, due <= time else { return nil }
    let content = inputs[head].content
    head += 1
    if head == inputs.count {
      removeAll()
    } else if head >= 64, head * 2 > inputs.count {
      inputs.removeFirst(head)
      head = 0
    }
    return content
  }

  /// Forgets everything.
  mutating func removeAll() {
    inputs.removeAll(keepingCapacity: true)
    head = 0
  }
}
