import Counting

package struct StepReport {
  /// On the sensor's clock.
  package var time: Duration
  package var state: LiveLine.StepState
  /// The announced time, if it was announced.
  package var announced: Duration?

  package init(time: Duration, state: LiveLine.StepState, announced: Duration? = nil) {
    (self.time, self.state, self.announced) = (time, state, announced)
  }

  /// The change that it makes to the number of undecided steps.
  package var change: Int {
    switch state {
    case .provisional: 1
    case .retracted: -1
    case .confirmed: announced == nil ? 0 : -1
    }
  }

  package func line(since origin: Duration, steps: Int) -> LiveLine {
    // A foot may have struck before the first sample.
    let place = { (time: Duration) in max(.zero, time - origin) }
    return .step(place(time), steps: steps, state: state, announced: announced.map(place))
  }
}

extension WalkProgress {
  /// The steps to be reported, each with the number of all steps confirmed up to then. Those of a ``correction`` are
  /// too old to be reported one by one.
  /// - Parameters:
  ///   - told: the number of steps confirmed before.
  ///   - shift: the difference between the reporting clock and the source's.
  package func reports(after told: Int, shift: Duration = .zero) -> [(StepReport, Int)] {
    var told = told
    let confirmed = { (time: Duration, announced: Duration?) in
      told += 1
      return (StepReport(time: time + shift, state: .confirmed, announced: announced.map { $0 + shift }), told)
    }
    let latest = correction.last?.timestamp
    told += correction.count
    guard let news else { return steps[correction.endIndex...].map { confirmed($0.timestamp, nil) } }
    return news.compactMap { item in
      switch item {
      case .confirmed(let step, _) where latest.map { step.timestamp <= $0 } == true: nil
      case .announced(let time): (StepReport(time: time + shift, state: .provisional), told)
      case .retracted(let time): (StepReport(time: time + shift, state: .retracted), told)
      case .confirmed(let step, let announced): confirmed(step.timestamp, announced)
      }
    }
  }
}
