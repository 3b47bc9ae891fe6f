import History
import Platform

extension ImportPlan {
  struct Count {
    /// What the history has, or our own export.
    var history: Sum?
    /// Periods within the minute.
    var whole = Sum()
    /// Parts of longer periods.
    var parts = Sum()
    /// What the history will have.
    var now = Sum()
    /// The file whose result has the minute.
    var file: Int?
  }

  /// What an import knows of a minute: a quarter of the bytes of `WalkTotals`, since there are millions.
  typealias Sum = MinuteTable.Entry

  /// By the identity of the source, since its name may change.
  struct Counts {
    private(set) var minutes: [Minute: [(identity: String, count: Count)]] = [:]

    subscript(minute: Minute, identity: String) -> Count {
      get { minutes[minute]?.first { $0.identity == identity }?.count ?? Count() }
      set {
        if let place = minutes[minute]?.firstIndex(where: { $0.identity == identity }) {
          minutes[minute]?[place].count = newValue
        } else {
          minutes[minute, default: []].append((identity, newValue))
        }
      }
    }

    /// Calls `body` with the counts that belong to a file, which then belong to none.
    mutating func release(_ body: (_ file: Int, _ minute: Minute, _ identity: String, _ now: Sum) -> Void) {
      for index in minutes.indices {
        for place in minutes.values[index].indices {
          let (identity, count) = minutes.values[index][place]
          guard let file = count.file else { continue }
          body(file, minutes.keys[index], identity, count.now)
          minutes.values[index][place].count.file = nil
        }
      }
    }
  }
}

extension MinuteTable.Entry {
  /// The same with so many steps.
  func share(_ part: Int) -> Self {
    let share = Double(part) / Double(max(1, steps))
    var sum = self
    sum.steps = part
    sum.distance = Int64(bounded: Double(distance) * share)
    sum.active = Int64(bounded: Double(active) * share)
    return sum
  }
}
