import History
import Pedometry

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
  struct Sum {
    var steps = 0
    var distance = 0.0
    var activeTime = Duration.zero
    var ascended: Int32?
    var descended: Int32?

    init() {}

    init(_ totals: WalkTotals) {
      (steps, distance, activeTime) = (totals.steps, totals.distanceTravelled, totals.activeTime)
      (ascended, descended) = (
        totals.floorsAscended.map { Int32(clamping: $0) }, totals.floorsDescended.map { Int32(clamping: $0) }
      )
    }

    var totals: WalkTotals {
      WalkTotals(
        steps: steps, distanceTravelled: distance, activeTime: activeTime, floorsAscended: ascended.map { Int($0) },
        floorsDescended: descended.map { Int($0) })
    }

    static func + (a: Self, b: Self) -> Self { Self(a.totals + b.totals) }

    func share(_ part: Int) -> Self {
      let share = Double(part) / Double(max(1, steps))
      var sum = self
      (sum.steps, sum.distance, sum.activeTime) = (part, distance * share, .seconds(activeTime / .seconds(1) * share))
      return sum
    }
  }

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
