import Counting

extension WalkProgress {
  /// The lines of the steps to be reported, each with the number of all steps confirmed up to then. Those of a ``correction``
  /// are too old to be reported one by one.
  /// - Parameters:
  ///   - told: the number of steps confirmed before.
  ///   - shift: the difference between the reporting clock and the source's.
  /// - Returns: lines whose times are those of the reporting clock.
  package func stepLines(after told: Int, shift: Duration = .zero) -> [LiveLine] {
    var told = told
    let confirmed = { (time: Duration, announced: Duration?) in
      told += 1
      return LiveLine.step(time + shift, steps: told, state: .confirmed, announced: announced.map { $0 + shift })
    }
    let latest = correction.last?.timestamp
    told += correction.count
    guard let news else { return steps[correction.endIndex...].map { confirmed($0.timestamp, nil) } }
    return news.compactMap { item in
      switch item {
      case .confirmed(let step, _) where latest.map { step.timestamp <= $0 } == true: nil
      case .announced(let time): .step(time + shift, steps: told, state: .provisional)
      case .retracted(let time): .step(time + shift, steps: told, state: .retracted)
      case .confirmed(let step, let announced): confirmed(step.timestamp, announced)
      }
    }
  }
}
