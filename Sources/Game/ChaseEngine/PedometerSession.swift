import Pedometry

/// When an update counts.
public enum UpdateTiming: Sendable, Hashable {
  /// At its time on the sensor's clock, if it has one (`WalkTotals.elapsed` above zero): for replays, synthetic walks
  /// and tests, where the same walk has to give the same chase.
  case sensorClock
  /// When the owner received it: for a live sensor, whose clock may drift from the owner's.
  case arrival
}

/// One session of a pedometer, from its start to its pause. Its updates are totals; this computes their
/// growth.
struct PedometerSession {
  /// The number of the session; updates of others are ignored.
  let number: Int
  /// Its beginning, in the owner's time.
  let beginning: Duration

  private var steps = 0
  private var distance = 0.0

  init(number: Int, beginning: Duration) {
    self.number = number
    self.beginning = beginning
  }

  /// The excess of an update over the largest totals so far. An update below them, which the protocol rules out, adds
  /// nothing, and neither does its recovery.
  mutating func growth(to data: any PedometerData) -> (steps: Int, distance: Double) {
    let before = (steps: steps, distance: distance)
    steps = max(steps, data.steps)
    if data.distanceTravelled.isFinite { distance = max(distance, data.distanceTravelled) }
    return (steps - before.steps, distance - before.distance)
  }

  /// The measurement time of an update, in the owner's time; `nil` if unknown.
  func time(of data: any PedometerData) -> Duration? {
    guard let totals = data as? WalkTotals, totals.elapsed > .zero else { return nil }
    return beginning + totals.elapsed
  }
}

/// The data of a pedometer that is not due yet, in order of time.
struct PendingInputs {
  private var inputs: [(time: Duration, content: PedometerMailbox.Content)] = []
  /// The index of the next input. Inputs before it have been taken, and are removed once they are the larger part.
  private var head = 0

  /// The number of stored inputs, including taken ones.
  var capacity: Int { inputs.count }

  /// When the next one is due.
  var nextTime: Duration? { head < inputs.count ? inputs[head].time : nil }

  /// Appends an input that is due at a time, but not before earlier deliveries: handlers are called in order.
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

  /// Removes everything.
  mutating func removeAll() {
    inputs.removeAll(keepingCapacity: true)
    head = 0
  }
}
