@testable import Drawing
@testable import StepDetection

/// Computes a ``ConfidenceTable`` by isotonic regression.
enum ConfidenceFit {
  /// The largest probability: values have two decimals and are never 1.
  private static let most = 0.99
  private static let least = 0.01
  /// The minimum number of bouts for a knot; the share of fewer is random.
  private static let fewestBouts = 20

  /// The table for some bouts.
  ///
  /// Pool adjacent violators: neighbours are joined until shares rise (Ayer M. and others. "An empirical distribution
  /// function for sampling with incomplete information". Annals of Mathematical Statistics 26 (1955) 641-647). Each
  /// pool then becomes a knot at its mean, with one additional bout of either class, so that few bouts give a low
  /// confidence.
  static func table(of bouts: [JudgedBout]) -> ConfidenceTable {
    var pools: [Pool] = []
    for bout in bouts.sorted(by: { $0.evidence < $1.evidence }) {
      pools.append(Pool(bout))
      while pools.count > 1, joins(pools[pools.count - 2], pools[pools.count - 1]) {
        let last = pools.removeLast()
        pools[pools.count - 1].add(last)
      }
    }
    if pools.count > 1, pools[pools.count - 1].count < Double(fewestBouts) {
      let last = pools.removeLast()
      pools[pools.count - 1].add(last)
    }
    var knots: [ConfidenceTable.Knot] = []
    for pool in pools {
      let share = min(max(pool.smoothed.hundredths, least), most)
      let knot = ConfidenceTable.Knot(pool.mean.hundredths, max(share, knots.last?.confidence ?? 0))
      if let last = knots.last, knot.evidence <= last.evidence { continue }
      // A line through three equal knots needs only two of them, and the last is constant anyway.
      if knots.count > 1, knots[knots.count - 2].confidence == knot.confidence { knots.removeLast() }
      knots.append(knot)
    }
    while knots.count > 1, knots[knots.count - 2].confidence == knots[knots.count - 1].confidence { knots.removeLast() }
    return ConfidenceTable(knots: knots.isEmpty ? [.init(0, 0.5)] : knots)
  }

  private static func joins(_ a: Pool, _ b: Pool) -> Bool {
    a.count < Double(fewestBouts) || a.real / a.count >= b.real / b.count
  }

  private struct Pool {
    var count = 1.0
    var real: Double
    var sum: Double

    init(_ bout: JudgedBout) {
      real = bout.isReal ? 1 : 0
      sum = bout.evidence
    }

    var mean: Double { sum / count }
    var smoothed: Double { (real + 1) / (count + 2) }

    mutating func add(_ other: Pool) {
      count += other.count
      real += other.real
      sum += other.sum
    }
  }

  /// The confidence of each bout with the table that was computed without its person: a tenth of the people at a time.
  static func crossValidated(_ bouts: [JudgedBout]) -> [(bout: JudgedBout, table: ConfidenceTable)] {
    let groups = Set(bouts.map(\.group)).sorted()
    let fold = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0 % 10) })
    let tables = (0..<10).map { left in table(of: bouts.filter { fold[$0.group] != left }) }
    return bouts.map { ($0, tables[fold[$0.group] ?? 0]) }
  }

  /// A table of the bouts in the form of ConfidenceTable.swift, and its reliability on people who were excluded from it:
  /// of bouts with a confidence of 0.9, nine in ten should be real.
  static func report(on bouts: [JudgedBout]) -> String {
    let judged = crossValidated(bouts)
    return "\(bouts.count) bouts: \(bouts.count { $0.isReal }) real, \(bouts.count { !$0.isReal }) false\n\n"
      + source(of: table(of: bouts)) + "\nbouts, by tables computed without their people\n"
      + reliability(judged.map { ($1($0.evidence), $0.isReal) }) + "\nsteps, likewise\n"
      + reliability(judged.flatMap { bout, table in bout.stepEvidence.map { (table($0), bout.isReal) } })
      + "\nbouts, by the shipped table\n"
      + reliability(bouts.map { (ConfidenceTable.shipped($0.evidence), $0.isReal) })
  }

  /// The table in the form of ConfidenceTable.swift.
  static func source(of table: ConfidenceTable) -> String {
    let knots = table.knots.map { "Knot(\($0.evidence.short(2)), \($0.confidence.short(2)))" }
    return "package static let shipped = ConfidenceTable(knots: [\n  \(knots.joined(separator: ", ")),\n])\n"
  }

  /// The real share for ranges of confidence.
  static func reliability(_ given: [(confidence: Double, isReal: Bool)]) -> String {
    let edges = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99]
    var text = "  \("given".left(14))\("number".right(9))\("mean".right(9))\("real".right(9))\n"
    for (i, low) in edges.enumerated() {
      let high = i + 1 < edges.count ? edges[i + 1] : 2
      let some = given.filter { $0.confidence >= low && $0.confidence < high }
      let range = high > 1 ? "\(low.fixed(2)) and more" : "\(low.fixed(2)) to \(high.fixed(2))"
      if some.isEmpty { continue }
      let mean = some.reduce(0) { $0 + $1.confidence } / Double(some.count)
      let real = Double(some.count { $0.isReal }) / Double(some.count)
      text += "  \(range.left(14))\("\(some.count)".right(9))\(mean.fixed(3).right(9))\(real.fixed(3).right(9))\n"
    }
    let squares = given.reduce(0) { $0 + ($1.confidence - ($1.isReal ? 1 : 0)) * ($1.confidence - ($1.isReal ? 1 : 0)) }
    return text + "  Brier score \((squares / Double(max(1, given.count))).fixed(4))\n"
  }
}
