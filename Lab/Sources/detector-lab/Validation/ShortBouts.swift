/// The bouts of few steps in recordings with true strikes, and how many of their steps were found.
struct ShortBouts {
  /// Seconds without a strike that end a bout.
  private static let rest = 2.0
  /// A step within this time of a bout, in seconds, belongs to it.
  private static let reach = 0.5
  /// The numbers of steps of a short bout, in groups.
  static let sizes = [4...6, 7...9, 10...12]

  /// For each group, the numbers of steps: true and found.
  private(set) var found = sizes.map { _ in [(strikes: Int, steps: Int)]() }

  mutating func add(strikes: [Double], steps: [Double]) {
    for bout in Self.bouts(of: strikes) {
      guard let group = Self.sizes.firstIndex(where: { $0.contains(bout.count) }) else { continue }
      let range = (bout[bout.startIndex] - Self.reach)...(bout[bout.endIndex - 1] + Self.reach)
      found[group].append((bout.count, steps.count { range.contains($0) }))
    }
  }

  static func bouts(of strikes: [Double]) -> [ArraySlice<Double>] {
    var bouts: [ArraySlice<Double>] = []
    var first = 0
    for i in strikes.indices where i + 1 == strikes.count || strikes[i + 1] - strikes[i] > rest {
      bouts.append(strikes[first...i])
      first = i + 1
    }
    return bouts
  }
}
