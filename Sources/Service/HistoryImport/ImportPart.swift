import History
import Platform

extension ImportPlan {
  struct Part {
    var minute: Minute
    /// The period's seconds in it.
    var weight: Double
    /// The most steps of another source.
    var others: Int
    /// The steps of the source that the history has.
    var own: Int
    /// Those that it will have so far.
    var now: Int
    /// Those that count for the period.
    var counted = 0
    /// The most steps that it can take.
    var room = 0

    /// Whether the period has all of it.
    var isWhole: Bool { weight > 59.999 }

    /// Spreads steps over minutes as far as they have room: more cannot be stored, and would be found missing again.
    static func shares(of steps: Int, in rooms: [Part]) -> [(Minute, Int)] {
      let placed = min(steps, rooms.reduce(0) { $0 + $1.room })
      guard placed > 0 else { return [] }
      return Array(zip(rooms.map(\.minute), EvenSteps.shares(of: placed, by: rises(of: rooms, by: placed))))
    }

    /// What minutes get so that they are as even as possible: the emptiest first.
    private static func rises(of rooms: [Part], by steps: Int) -> [Double] {
      func rises(_ rate: Double) -> [Double] {
        rooms.map { min(Double($0.room), max(0, rate * $0.weight - Double($0.counted))) }
      }
      let length = rooms.reduce(0) { $0 + $1.weight }
      var high = Double(steps) / length
      if rooms.allSatisfy({ $0.counted == 0 && high * $0.weight <= Double($0.room) }) { return rooms.map(\.weight) }
      if rooms.reduce(0, { $0 + $1.room }) <= steps { return rooms.map { Double($0.room) } }
      var low = 0.0
      while rises(high).reduce(0, +) < Double(steps), high < 1e9 { (low, high) = (high, 2 * high) }
      for _ in 0..<50 {
        let middle = (low + high) / 2
        if rises(middle).reduce(0, +) < Double(steps) { low = middle } else { high = middle }
      }
      return rises(high)
    }
  }

  /// The steps by which minutes may exceed evenly spread ones, by run.
  struct Budgets {
    var spread: SpreadMinutes
    /// By the first minute of the run.
    var left: [Minute: Int] = [:]

    /// The part of new steps that may be added, and the run that limits them.
    mutating func allow(_ steps: Int, in minute: Minute) -> (steps: Int, run: SpreadMinutes.Run?) {
      guard let run = spread.run(minute), let budget = left[run.minutes.lowerBound] else { return (steps, nil) }
      let allowed = min(steps, budget)
      left[run.minutes.lowerBound] = budget - allowed
      return (allowed, run)
    }
  }
}
