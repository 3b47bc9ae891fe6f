import Accelerometry

/// A step as it is to be told.
package struct StepReport {
  /// On the sensor's clock.
  package var time: Duration
  package var state: LiveLine.StepState
  /// When it was said to be, for one that was announced.
  package var announced: Duration?

  package init(
    time: Duration, state: LiveLine.StepState, announced: Duration? = nil
  ) {
    self.time = time
    self.state = state
    self.announced = announced
  }

  /// What it does to the number of steps that are announced and not decided.
  package var change: Int {
    switch state {
    case .provisional: 1
    case .retracted: -1
    case .confirmed: announced == nil ? 0 : -1
    }
  }

  package func line(since origin: Duration, steps: Int) -> LiveLine {
    // A foot may have struck before the first sample came.
    let place = { (time: Duration) in max(.zero, time - origin) }
    return .step(place(time), steps: steps, state: state, announced: announced.map(place))
  }
}
